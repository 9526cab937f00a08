package soft

import (
	"encoding/binary"
	"math"
	"sync"
	"time"

	"github.com/puremetal/puremetal/objc"
)

const (
	counterSetTimestamp  = "timestamp"
	counterTimestamp     = "GPUTimestamp"
	counterErrorValue    = math.MaxUint64
	counterDontSample    = uintptr(math.MaxUint64)
	counterAlign         = 256
	timestampSize        = 8
	maxSampleAttachments = 4
	counterSampleBuffer  = "MTLCounterSampleBuffer"
)

// MTLCounterSamplingPoint, MTLCounterSampleBufferError
const (
	samplingPointStage = 0
	counterErrorMemory = 0
	maxCounterSamples  = 1 << 20
)

// timestamp is the time of the clock of GPUStartTime, in nanoseconds. The device and the CPU share it.
func timestamp() uint64 { return uint64(time.Since(epoch).Nanoseconds()) }

// samples is the state of an MTLCounterSampleBuffer.
type samples struct {
	label
	shared bool
	mu     sync.Mutex
	values []uint64
}

func (s *samples) take(i int) {
	s.mu.Lock()
	s.values[i] = timestamp()
	s.mu.Unlock()
}

// bytes gives n samples from first on as memory.
func (s *samples) bytes(first, n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []byte
	for _, v := range s.values[first : first+n] {
		all = binary.LittleEndian.AppendUint64(all, v)
	}
	return all
}

func (s *samples) check(m *objc.Msg, class string, first, n uintptr) {
	if size := uintptr(len(s.values)); n == 0 || n > size || first > size-n {
		assertion(m, class, "range (%d, %d) is not inside the %d samples", first, n, size)
	}
}

// timestampSet is the state of the one kind of MTLCounterSet.
type timestampSet struct{}

// sampleDescriptor is the state of an MTLCounterSampleBufferDescriptor.
type sampleDescriptor struct {
	label
	set         objc.ID // retained
	mode, count uintptr
}

var samplesClass, counterSetClass, counterClass *objc.Class

func init() {
	set, setSet := property(func(d *sampleDescriptor) *objc.ID { return &d.set })
	mode, setMode := wordProperty(func(d *sampleDescriptor) *uintptr { return &d.mode })
	count, setCount := wordProperty(func(d *sampleDescriptor) *uintptr { return &d.count })
	text := func(s string) objc.Method {
		return func(_ *objc.Object, m *objc.Msg) { m.ReturnID(objc.Autorelease(objc.Software().NewString(s))) }
	}
	counterClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLCounter", Instance: map[objc.SEL]objc.Method{selName: text(counterTimestamp)},
	})
	counterSetClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLCounterSet",
		Instance: map[objc.SEL]objc.Method{
			selName: text(counterSetTimestamp),
			selCounters: func(_ *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(objc.NewArray([]objc.ID{objc.Autorelease(objc.NewObject(counterClass, nil))})))
			},
		},
	})
	objc.Software().Register(objc.ClassDef{
		Name: "MTLCounterSampleBufferDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(sampleDescriptor)
				m.ReturnID(self.ID)
			},
			selSetLabel:   func(self *objc.Object, m *objc.Msg) { self.State.(labelled).rename(objc.GoString(m.ArgID(0))) },
			selCounterSet: set, selSetCounterSet: setSet,
			selStorageMode: mode, selSetStorageMode: setMode,
			selSampleCount: count, selSetSampleCount: setCount,
		},
		Dealloc: func(self *objc.Object) {
			if d, ok := self.State.(*sampleDescriptor); ok {
				objc.Release(d.set)
			}
		},
	})
	samplesClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLCounterSampleBuffer",
		Instance: map[objc.SEL]objc.Method{
			selLabel:       func(self *objc.Object, m *objc.Msg) { text(self.State.(*samples).name())(self, m) },
			selDevice:      func(_ *objc.Object, m *objc.Msg) { m.ReturnID(theDevice()) },
			selSampleCount: func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(len(self.State.(*samples).values))) },
			selResolveCounterRange: func(self *objc.Object, m *objc.Msg) {
				s := self.State.(*samples)
				s.check(m, counterSampleBuffer, m.Arg(0), m.Arg(1))
				if !s.shared {
					assertion(m, counterSampleBuffer, "the samples are private")
				}
				m.ReturnID(objc.Autorelease(objc.NewData(s.bytes(int(m.Arg(0)), int(m.Arg(1))))))
			},
		},
	})
	objc.Software().RegisterConstant("MTLCommonCounterSetTimestamp", counterSetTimestamp)
	objc.Software().RegisterConstant("MTLCommonCounterTimestamp", counterTimestamp)
	objc.Software().RegisterConstant(counterErrorDomain, counterErrorDomain)
}

const counterErrorDomain = "MTLCounterErrorDomain"

// wordProperty gives the getter and the setter of an integer property of a class whose state is an S.
func wordProperty[S any](field func(S) *uintptr) (get, set objc.Method) {
	return func(self *objc.Object, m *objc.Msg) { m.Return(*field(self.State.(S))) },
		func(self *objc.Object, m *objc.Msg) { *field(self.State.(S)) = m.Arg(0) }
}

// counterMethods are those of the device.
var counterMethods = map[objc.SEL]objc.Method{
	selCounterSets: func(_ *objc.Object, m *objc.Msg) {
		m.ReturnID(objc.Autorelease(objc.NewArray([]objc.ID{objc.Autorelease(objc.NewObject(counterSetClass, timestampSet{}))})))
	},
	selSupportsCounterSampling: func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(m.Arg(0) == samplingPointStage) },
	selSampleTimestamps: func(_ *objc.Object, m *objc.Msg) {
		now := objc.ID(timestamp())
		m.StoreID(0, now)
		m.StoreID(1, now)
	},
	selNewCounterSampleBuffer: func(_ *objc.Object, m *objc.Msg) {
		d := stateOf[*sampleDescriptor](m, "MTLDevice", m.ArgID(0))
		stateOf[timestampSet](m, "MTLDevice", d.set)
		if d.count == 0 || d.mode != storageModeShared && d.mode != storageModePrivate>>storageModeShift {
			assertion(m, "MTLDevice", "%d samples in storage mode %d", d.count, d.mode)
		}
		if d.count > maxCounterSamples {
			storeErrorIn(m, 1, counterErrorDomain, counterErrorMemory, "too many samples")
			return
		}
		s := &samples{shared: d.mode == storageModeShared, values: make([]uint64, d.count)}
		s.rename(d.name())
		for i := range s.values {
			s.values[i] = counterErrorValue
		}
		m.ReturnID(objc.NewObject(samplesClass, s))
	},
}

func resolveCounters(self *objc.Object, m *objc.Msg) {
	e := self.State.(*blit)
	e.usable(m)
	s := stateOf[*samples](m, blitEncoder, m.ArgID(0))
	first, n, offset := m.Arg(1), m.Arg(2), m.Arg(4)
	s.check(m, blitEncoder, first, n)
	dst := e.bufferAt(m, m.ArgID(3))
	if size := uintptr(len(dst.mem)); offset%counterAlign != 0 || n*timestampSize > size || offset > size-n*timestampSize {
		assertion(m, blitEncoder, "%d samples do not go to offset %d, a multiple of %d, of a buffer of %d bytes", n, offset, counterAlign, size)
	}
	e.keepObject(m.ArgID(0))
	e.record(command{kind: commandResolve, samples: s, srcOffset: int(first), n: int(n), dst: dst, dstOffset: int(offset)})
}
