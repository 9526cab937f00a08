package soft

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/simt"
)

// MTLCommandBufferStatus
const (
	statusNotEnqueued = 0
	statusEnqueued    = 1
	statusCommitted   = 2
	statusScheduled   = 3
	statusCompleted   = 4
	statusError       = 5
)

// commandBuffer is the state of an MTLCommandBuffer. Until it is committed one goroutine fills it; then the queue's goroutine
// owns the recording, and status, which is written last, publishes the results.
type commandBuffer struct {
	label
	self         objc.ID
	queue        *queue
	queueID      objc.ID // retained
	serial       uint64
	unretained   bool // references are not retained
	errorOptions uintptr
	encoding     bool // an encoder is open
	groups       int  // debug groups that are open
	status       atomic.Int32
	checks       simt.Checks
	recording    *recording

	done                                 chan struct{}
	scheduledHandlers, completedHandlers []objc.ID // blocks, owned
	scheduling                           scheduling

	kernelStart, kernelEnd float64 // seconds
	start, end             float64 // seconds
	failure                objc.ID // NSError, owned
}

// recording is what encoders recorded. It is reused, so that recording does not allocate once its slices have grown.
type recording struct {
	commands   []command
	bindings   []binding
	lengths    []int         // of threadgroup memory
	bytes      []byte        // what setBytes gave, each at a multiple of bytesAlign
	retained   []objc.ID     // buffers and pipelines, once each, and events, fences and heaps
	unretained []objc.ID     // the same, of a command buffer that does not retain them
	encoders   []encoderInfo // in the order of their making
}

const bytesAlign = 16

// A first allocation of this size is aligned to more than bytesAlign, and so are those that append grows it to.
const bytesCapacity = 4096

var recordings = sync.Pool{New: func() any { return &recording{bytes: make([]byte, 0, bytesCapacity)} }}

// recycle lets go of all objects and gives the recording back.
func (r *recording) recycle() {
	for _, id := range r.retained {
		objc.Release(id)
	}
	clear(r.commands)
	clear(r.bindings)
	clear(r.encoders)
	r.commands, r.bindings, r.lengths, r.bytes, r.retained, r.unretained, r.encoders =
		r.commands[:0], r.bindings[:0], r.lengths[:0], r.bytes[:0], r.retained[:0], r.unretained[:0], r.encoders[:0]
	recordings.Put(r)
}

// addBytes copies b and gives its place.
func (r *recording) addBytes(b []byte) (at int) {
	at = (len(r.bytes) + bytesAlign - 1) &^ (bytesAlign - 1)
	for len(r.bytes) < at {
		r.bytes = append(r.bytes, 0)
	}
	r.bytes = append(r.bytes, b...)
	return at
}

var serials atomic.Uint64

func newCommandBuffer(q *objc.Object, d commandBufferDescriptor) objc.ID {
	c := &commandBuffer{
		queue:        q.State.(*queue),
		queueID:      objc.Retain(q.ID),
		serial:       serials.Add(1),
		unretained:   d.unretained,
		errorOptions: d.errorOptions,
		recording:    recordings.Get().(*recording),
		done:         make(chan struct{}),
	}
	c.queue.slots.take()
	c.self = objc.NewObject(commandBufferClass, c)
	return c.self
}

const commandBufferClassName = "MTLCommandBuffer"

var commandBufferClass *objc.Class

func init() {
	commandBufferClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLCommandBuffer",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selCommandQueue:          func(self *objc.Object, m *objc.Msg) { m.ReturnID(self.State.(*commandBuffer).queueID) },
			selComputeCommandEncoder: func(self *objc.Object, m *objc.Msg) { newComputeEncoder(self, m, dispatchSerial) },
			selComputeWithType:       func(self *objc.Object, m *objc.Msg) { newComputeEncoder(self, m, m.Arg(0)) },
			selComputeWithDescriptor: newComputeEncoderWithDescriptor,
			selBlitCommandEncoder:    newBlitEncoder,
			selCommit:                commit,
			selWaitUntilCompleted: func(self *objc.Object, m *objc.Msg) {
				c := self.State.(*commandBuffer)
				if c.status.Load() < statusCommitted {
					assertion(m, commandBufferClassName, "wait for a command buffer that has not been committed")
				}
				<-c.done
			},
			selStatus: func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(self.State.(*commandBuffer).status.Load())) },
			selError: func(self *objc.Object, m *objc.Msg) {
				if c := self.State.(*commandBuffer); c.finished() {
					m.ReturnID(c.failure)
				}
			},
			selGPUStartTime: func(self *objc.Object, m *objc.Msg) {
				if c := self.State.(*commandBuffer); c.finished() {
					m.ReturnFloat64(c.start)
				}
			},
			selGPUEndTime: func(self *objc.Object, m *objc.Msg) {
				if c := self.State.(*commandBuffer); c.finished() {
					m.ReturnFloat64(c.end)
				}
			},
		}, lifeMethods),
		Dealloc: func(self *objc.Object) {
			c := self.State.(*commandBuffer)
			c.queue.forget(c)
			if c.status.Load() < statusCommitted {
				c.queue.slots.give()
			}
			for _, h := range append(c.scheduledHandlers, c.completedHandlers...) {
				objc.Release(h)
			}
			if c.recording != nil {
				c.recording.recycle()
			}
			objc.Release(c.failure)
			objc.Release(c.queueID)
		},
	})
}

func (c *commandBuffer) finished() bool { return c.status.Load() >= statusCompleted }

// encodable stops the program if no encoder can be made.
func (c *commandBuffer) encodable(m *objc.Msg) {
	if c.status.Load() >= statusCommitted {
		assertion(m, commandBufferClassName, "cannot encode into a committed command buffer")
	}
	if c.encoding {
		assertion(m, commandBufferClassName, "a command encoder is already encoding to this command buffer")
	}
}

func commit(self *objc.Object, m *objc.Msg) {
	c := self.State.(*commandBuffer)
	if c.encoding {
		assertion(m, commandBufferClassName, "commit command buffer with uncommitted encoder")
	}
	if c.groups != 0 {
		assertion(m, commandBufferClassName, "%d debug groups have not been popped", c.groups)
	}
	c.checks = Checks()
	if !c.queue.commit(c) {
		assertion(m, commandBufferClassName, "commit of a committed command buffer")
	}
}

// epoch is when the clock of GPUStartTime starts: before the process did, so that no time is 0.
var epoch = time.Now().Add(-time.Second)

func now() float64 { return time.Since(epoch).Seconds() }

// execute runs the recording and lets go of what it holds, then calls the handlers, lets go of the queue's reference, and
// only then wakes who waits: when waitUntilCompleted returns nothing is held on its behalf any more.
func (c *commandBuffer) execute() {
	c.kernelStart = now()
	c.kernelEnd = c.kernelStart
	c.status.Store(statusScheduled)
	c.call(c.scheduledHandlers)
	c.scheduledHandlers = nil
	c.scheduling.happened()
	c.start = now()
	failure := c.recording.missing()
	if failure == nil {
		failure = c.recording.run(c.checks)
	}
	c.end = now()
	status := int32(statusCompleted)
	if failure != nil {
		c.failure = c.newError(failure)
		status = statusError
	}
	c.recording.recycle()
	c.recording = nil
	c.status.Store(status)
	c.call(c.completedHandlers)
	c.completedHandlers = nil
	c.queue.slots.give()
	done := c.done
	objc.Release(c.self)
	close(done)
}
