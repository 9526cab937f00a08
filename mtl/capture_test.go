package mtl

import (
	"slices"
	"sync"
	"testing"

	"github.com/puremetal/puremetal/objc"
)

func TestTheSoftwareDeviceCannotBeCaptured(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		q := must(d.NewCommandQueue())(t)
		_, err := d.StartCapture(&CaptureDescriptor{Path: "a.gputrace"})
		isUnsupported(t, err, "Device.StartCapture")
		_, err = q.StartCapture(&CaptureDescriptor{Destination: CaptureDestinationDeveloperTools})
		isUnsupported(t, err, "CommandQueue.StartCapture")
		const op = "CommandQueue.StartCapture"
		for arg, desc := range map[string]*CaptureDescriptor{
			"descriptor":  nil,
			"Destination": {Destination: 3},
			"Path":        {Destination: CaptureDestinationDeveloperTools, Path: "a.gputrace"},
		} {
			_, err := q.StartCapture(desc)
			refused(t, err, op, arg)
		}
		_, err = d.StartCapture(&CaptureDescriptor{})
		refused(t, err, "Device.StartCapture", "Path")
		q.Release()
		_, err = q.StartCapture(&CaptureDescriptor{Path: "a.gputrace"})
		refused(t, err, op, "queue")
	})
}

// captures is what the manager below was told.
var captures []string

// captureManager is the class of a manager that supports documents, and fails if a capture goes on; its descriptor notes what it is told.
var captureManager = sync.OnceValues(func() (manager, descriptor *objc.Class) {
	note := func(what string) objc.Method {
		return func(*objc.Object, *objc.Msg) { captures = append(captures, what) }
	}
	manager = objc.Software().Register(objc.ClassDef{
		Name: "FakeCaptureManager",
		Class: map[objc.SEL]objc.Method{
			selSharedCaptureManager: func(_ *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(objc.NewObject(manager, nil)))
			},
		},
		Instance: map[objc.SEL]objc.Method{
			selSupportsDestination: func(_ *objc.Object, m *objc.Msg) {
				m.ReturnBool(m.Arg(0) == uintptr(CaptureDestinationGPUTraceDocument))
			},
			selStartCapture: func(_ *objc.Object, m *objc.Msg) {
				if slices.Contains(captures, "start") && !slices.Contains(captures, "stop") {
					m.StoreID(1, objc.Autorelease(objc.NewError("MTLCaptureErrorDomain", 2, "already capturing")))
					return
				}
				captures = append(captures, "start")
				m.ReturnBool(true)
			},
			selStopCapture: note("stop"),
		},
	})
	descriptor = objc.Software().Register(objc.ClassDef{
		Name: "FakeCaptureDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selSetCaptureObject: note("object"),
			selSetDestination:   note("destination"),
			selSetOutputURL: func(_ *objc.Object, m *objc.Msg) {
				captures = append(captures, objc.GoString(objc.SendID(m.ArgID(0), objc.Sel("path", "@@:"))))
			},
		},
	})
	return manager, descriptor
})

func TestACaptureIsStartedAndStoppedOnce(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		captureManager()
		captures = nil
		rt := d.runtime
		begin := func(to CaptureDestination) (c *Capture, err error) {
			rt.Pool(func() {
				c, err = beginCapture("op", rt, [2]string{"FakeCaptureManager", "FakeCaptureDescriptor"}, d.object(), to, "a.gputrace")
			})
			return c, err
		}
		c := must(begin(CaptureDestinationGPUTraceDocument))(t)
		_, err := begin(CaptureDestinationGPUTraceDocument)
		isError(t, err, "op", "MTLCaptureErrorDomain", 2, "already capturing")
		_, err = begin(CaptureDestinationDeveloperTools)
		isUnsupported(t, err, "op")
		c.Stop()
		c.Stop()
		described := []string{"object", "destination", "a.gputrace"}
		want := slices.Concat(described, []string{"start"}, described, []string{"stop"})
		if !slices.Equal(captures, want) {
			t.Errorf("the manager was told %q, want %q", captures, want)
		}
	})
}
