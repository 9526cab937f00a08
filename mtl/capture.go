package mtl

import (
	"runtime"
	"strconv"
	"sync"

	"github.com/puremetal/puremetal/objc"
)

// CaptureDescriptor says where a capture goes.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcapturedescriptor
type CaptureDescriptor struct {
	Destination CaptureDestination // 0 is CaptureDestinationGPUTraceDocument
	Path        string             // of a .gputrace that does not exist yet; "" for CaptureDestinationDeveloperTools
}

// Capture is a recording of the work of a device or queue that goes on. One at a time can in a process.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcapturemanager
type Capture struct {
	manager objc.ID // shared by the process
	once    sync.Once
}

// StartCapture records the work of all queues of the device, for Xcode to show, from now until Stop. For a document the
// program must run with MTL_CAPTURE_ENABLED=1 in its environment. It fails with ErrUnsupported where that destination is not to be
// had, as on the software device, and with an *Error, for instance if another capture goes on.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcapturemanager/startcapture(with:)
func (d *Device) StartCapture(desc *CaptureDescriptor) (*Capture, error) {
	const op = "Device.StartCapture"
	id, err := d.live(op)
	if err != nil {
		return nil, err
	}
	c, err := startCapture(op, d.runtime, id, desc)
	runtime.KeepAlive(d)
	return c, err
}

// StartCapture is Device.StartCapture for the work of this queue.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcapturemanager/startcapture(with:)
func (q *CommandQueue) StartCapture(desc *CaptureDescriptor) (*Capture, error) {
	const op = "CommandQueue.StartCapture"
	id := q.object()
	if id == 0 {
		return nil, releasedArgument(op, "queue")
	}
	c, err := startCapture(op, q.device.runtime, id, desc)
	runtime.KeepAlive(q)
	return c, err
}

func startCapture(op string, rt objc.Runtime, object objc.ID, desc *CaptureDescriptor) (*Capture, error) {
	if desc == nil {
		return nil, argument(op, "descriptor", "a descriptor", "nil")
	}
	to := desc.Destination
	if to == 0 {
		to = CaptureDestinationGPUTraceDocument
	}
	switch {
	case to != CaptureDestinationGPUTraceDocument && to != CaptureDestinationDeveloperTools:
		return nil, intArgument(op, "Destination", "CaptureDestinationGPUTraceDocument or CaptureDestinationDeveloperTools", int(to))
	case (to == CaptureDestinationGPUTraceDocument) != (desc.Path != ""):
		return nil, argument(op, "Path", "a path for a document, and none for developer tools", strconv.Quote(desc.Path))
	}
	var c *Capture
	var err error
	rt.Pool(func() {
		c, err = beginCapture(op, rt, [2]string{"MTLCaptureManager", "MTLCaptureDescriptor"}, object, to, desc.Path)
	})
	return c, err
}

// beginCapture starts a capture by the classes of a manager and a descriptor. A pool is in place.
func beginCapture(op string, rt objc.Runtime, classes [2]string, object objc.ID, to CaptureDestination, path string) (*Capture, error) {
	class := rt.Class(classes[0])
	if class == 0 {
		return nil, unsupported(op, "no capture manager")
	}
	manager := objc.SendID(class, selSharedCaptureManager)
	if !objc.SendBool(manager, selSupportsDestination, uintptr(to)) {
		return nil, unsupported(op, "this destination of captures (is MTL_CAPTURE_ENABLED=1 set?)")
	}
	o := newObject(rt, classes[1])
	defer objc.Release(o)
	objc.Send(o, selSetCaptureObject, uintptr(object))
	objc.Send(o, selSetDestination, uintptr(to))
	if path != "" {
		objc.Send(o, selSetOutputURL, uintptr(fileURL(rt, path)))
	}
	m := messages.Get().(*objc.Msg)
	defer messages.Put(m)
	if m.Send(manager, selStartCapture, uintptr(o), m.Out(0)); !m.Bool() {
		return nil, failed(op, m.OutID(0))
	}
	return &Capture{manager: objc.Retain(manager)}, nil
}

// Stop ends the capture, once.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcapturemanager/stopcapture()
func (c *Capture) Stop() {
	c.once.Do(func() {
		objc.RuntimeOf(c.manager).Pool(func() {
			objc.Send(c.manager, selStopCapture)
			objc.Release(c.manager)
		})
	})
}
