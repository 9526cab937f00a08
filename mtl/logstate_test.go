package mtl

import (
	"errors"
	"slices"
	"testing"

	"github.com/puremetal/puremetal/objc"
)

// What a device with shader logging answers: the software device has none. The state of a descriptor and of a log state are the
// same, fakeLog.
type fakeLog struct {
	level, size uintptr
	handlers    []objc.ID // blocks, owned
}

// fakeLogged are the log states that queues and command buffers of the fake device were made with, the last of each. Nobody asks the
// descriptors unless a test wants to know: the messages would be in its transcript.
var fakeLogged struct {
	wanted               bool
	queue, commandBuffer objc.ID
	maxCommandBuffers    int
}

var (
	selTestLogState          = objc.Sel("logState", "@@:")
	selTestMaxCommandBuffers = objc.Sel("maxCommandBufferCount", "Q@:")

	fakeDeviceClass, fakeLogClass, fakeQueueClass, fakeCommandBufferClass *objc.Class
)

func init() {
	rt := objc.Software()
	fakeDeviceClass = rt.Register(objc.ClassDef{Name: "FakeMTLDevice", Super: "SoftwareMTLDevice", Instance: map[objc.SEL]objc.Method{
		selNewLogStateWithDescriptor: func(_ *objc.Object, m *objc.Msg) {
			d := *objc.ObjectOf(m.ArgID(0)).State.(*fakeLog)
			if d.size > 0 && d.size < 1024 {
				m.StoreID(1, objc.Autorelease(objc.NewError("MTLLogStateErrorDomain", int(LogStateErrorInvalidSize), "too small")))
				return
			}
			m.ReturnID(objc.NewObject(fakeLogClass, &d))
		},
		selNewCommandQueueWithDescriptor: func(_ *objc.Object, m *objc.Msg) {
			if fakeLogged.wanted {
				fakeLogged.queue = objc.SendID(m.ArgID(0), selTestLogState)
				fakeLogged.maxCommandBuffers = int(objc.Send(m.ArgID(0), selTestMaxCommandBuffers))
			}
			m.ReturnID(objc.NewObject(fakeQueueClass, nil))
		},
	}})
	rt.Register(objc.ClassDef{Name: "MTLLogStateDescriptor", Instance: map[objc.SEL]objc.Method{
		selInit: func(self *objc.Object, m *objc.Msg) {
			self.State = new(fakeLog)
			m.ReturnID(self.ID)
		},
		selSetLevel:      func(self *objc.Object, m *objc.Msg) { self.State.(*fakeLog).level = m.Arg(0) },
		selSetBufferSize: func(self *objc.Object, m *objc.Msg) { self.State.(*fakeLog).size = m.Arg(0) },
	}})
	fakeLogClass = rt.Register(objc.ClassDef{Name: "FakeMTLLogState",
		Instance: map[objc.SEL]objc.Method{
			selAddLogHandler: func(self *objc.Object, m *objc.Msg) {
				s := self.State.(*fakeLog)
				s.handlers = append(s.handlers, objc.Retain(m.ArgID(0)))
			},
		},
		Dealloc: func(self *objc.Object) {
			for _, h := range self.State.(*fakeLog).handlers {
				objc.Release(h)
			}
		},
	})
	fakeQueueClass = rt.Register(objc.ClassDef{Name: "FakeMTLCommandQueue", Instance: map[objc.SEL]objc.Method{
		selCommandBufferWithDescriptor: func(_ *objc.Object, m *objc.Msg) {
			if fakeLogged.wanted {
				fakeLogged.commandBuffer = objc.SendID(m.ArgID(0), selTestLogState)
			}
			m.ReturnID(objc.Autorelease(objc.NewObject(fakeCommandBufferClass, nil)))
		},
	}})
	fakeCommandBufferClass = rt.Register(objc.ClassDef{Name: "FakeMTLCommandBuffer"})
}

// newFakeDevice makes a device with shader logging.
func newFakeDevice() (d *Device) {
	rt := objc.Software()
	rt.Pool(func() { d = newDevice(rt, objc.NewObject(fakeDeviceClass, nil)) })
	return d
}

func TestTheSoftwareDeviceHasNoShaderLogging(t *testing.T) {
	d := appendDevices(nil, objc.Software())[0]
	defer d.Release()
	if _, err := d.NewLogState(&LogStateDescriptor{Level: LogLevelDebug}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("want ErrUnsupported, got %v", err)
	}
}

func TestLogHandlersAreCalledWithWhatAKernelLogs(t *testing.T) {
	balanced(t, func() {
		d := newFakeDevice()
		defer d.Release()
		s := must(d.NewLogState(&LogStateDescriptor{Level: LogLevelInfo, BufferSize: 2048}))(t)
		defer s.Release()
		state := objc.ObjectOf(s.object()).State.(*fakeLog)
		if state.level != uintptr(LogLevelInfo) || state.size != 2048 {
			t.Errorf("level %d and size %d were sent", state.level, state.size)
		}
		var got []LogMessage
		for range 2 {
			if err := s.AddLogHandler(func(m LogMessage) { got = append(got, m) }); err != nil {
				t.Fatal(err)
			}
		}
		rt := objc.Software()
		subsystem, text := rt.NewString("com.example.kernels"), rt.NewString("row 3 is not finite")
		defer objc.Release(subsystem)
		defer objc.Release(text)
		for _, h := range state.handlers {
			objc.CallBlock(h, subsystem, 0, objc.ID(LogLevelFault), text)
		}
		want := LogMessage{Subsystem: "com.example.kernels", Level: LogLevelFault, Text: "row 3 is not finite"}
		if !slices.Equal(got, []LogMessage{want, want}) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestQueuesAndCommandBuffersAreMadeWithTheirLogState(t *testing.T) {
	fakeLogged.wanted = true
	defer func() { fakeLogged.wanted = false }()
	balanced(t, func() {
		d := newFakeDevice()
		defer d.Release()
		s, other := must(d.NewLogState(nil))(t), must(d.NewLogState(nil))(t)
		defer s.Release()
		defer other.Release()
		q := must(d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{MaxCommandBufferCount: 9, LogState: s}))(t)
		defer q.Release()
		must(q.NewCommandBufferWithDescriptor(&CommandBufferDescriptor{LogState: other}))(t).Release()
		if fakeLogged.queue != s.object() || fakeLogged.commandBuffer != other.object() || fakeLogged.maxCommandBuffers != 9 {
			t.Errorf("queue %#x and command buffer %#x, want %#x and %#x; %d command buffers",
				fakeLogged.queue, fakeLogged.commandBuffer, s.object(), other.object(), fakeLogged.maxCommandBuffers)
		}
	})
}

func TestLogStatesRefuseWhatMetalWouldNotTake(t *testing.T) {
	balanced(t, func() {
		d := newFakeDevice()
		defer d.Release()
		_, err := d.NewLogState(&LogStateDescriptor{Level: LogLevelFault + 1})
		refused(t, err, "Device.NewLogState", "Level")
		_, err = d.NewLogState(&LogStateDescriptor{BufferSize: -1})
		refused(t, err, "Device.NewLogState", "BufferSize")
		_, err = d.NewLogState(&LogStateDescriptor{BufferSize: 16})
		var failed *Error
		if !errors.As(err, &failed) || failed.Domain != "MTLLogStateErrorDomain" || failed.Code != int(LogStateErrorInvalidSize) {
			t.Errorf("a buffer that is too small: %v", err)
		}
		s := must(d.NewLogState(nil))(t)
		refused(t, s.AddLogHandler(nil), "LogState.AddLogHandler", "function")
		software := appendDevices(nil, objc.Software())[0]
		defer software.Release()
		_, err = software.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{LogState: s})
		refused(t, err, "Device.NewCommandQueueWithDescriptor", "LogState")
		s.Release()
		refused(t, s.AddLogHandler(func(LogMessage) {}), "LogState.AddLogHandler", "log state")
		_, err = d.NewCommandQueueWithDescriptor(&CommandQueueDescriptor{LogState: s})
		refused(t, err, "Device.NewCommandQueueWithDescriptor", "LogState")
	})
}
