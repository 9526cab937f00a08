package soft

import "github.com/puremetal/puremetal/objc"

// computePass is the state of an MTLComputePassDescriptor, which retains the array of its attachments.
type computePass struct {
	dispatchType uintptr
	attachments  objc.ID
}

// attachments is the state of an MTLComputePassSampleBufferAttachmentDescriptorArray, which retains its elements.
type attachments [maxSampleAttachments]objc.ID

// attachment is the state of an MTLComputePassSampleBufferAttachmentDescriptor.
type attachment struct {
	samples    objc.ID // retained
	start, end uintptr
}

func init() {
	dispatchType, setDispatchType := wordProperty(func(p *computePass) *uintptr { return &p.dispatchType })
	buffer, setBuffer := property(func(a *attachment) *objc.ID { return &a.samples })
	start, setStart := wordProperty(func(a *attachment) *uintptr { return &a.start })
	end, setEnd := wordProperty(func(a *attachment) *uintptr { return &a.end })
	attachmentClass := objc.Software().Register(objc.ClassDef{
		Name: "MTLComputePassSampleBufferAttachmentDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selSampleBuffer: buffer, selSetSampleBuffer: setBuffer,
			selStartOfEncoderSampleIndex: start, selSetStartOfEncoderSampleIndex: setStart,
			selEndOfEncoderSampleIndex: end, selSetEndOfEncoderSampleIndex: setEnd,
		},
		Dealloc: func(self *objc.Object) {
			if a, ok := self.State.(*attachment); ok {
				objc.Release(a.samples)
			}
		},
	})
	arrayClass := objc.Software().Register(objc.ClassDef{
		Name: "MTLComputePassSampleBufferAttachmentDescriptorArray",
		Instance: map[objc.SEL]objc.Method{
			selObjectAtIndexedSubscript: func(self *objc.Object, m *objc.Msg) {
				if m.Arg(0) >= maxSampleAttachments {
					assertion(m, "MTLComputePassSampleBufferAttachmentDescriptorArray", "index (%d) must be < %d", m.Arg(0), maxSampleAttachments)
				}
				m.ReturnID(self.State.(*attachments)[m.Arg(0)])
			},
		},
		Dealloc: func(self *objc.Object) {
			if all, ok := self.State.(*attachments); ok {
				for _, id := range all {
					objc.Release(id)
				}
			}
		},
	})
	objc.Software().Register(objc.ClassDef{
		Name: "MTLComputePassDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				var all attachments
				for i := range all {
					all[i] = objc.NewObject(attachmentClass, &attachment{start: counterDontSample, end: counterDontSample})
				}
				self.State = &computePass{attachments: objc.NewObject(arrayClass, &all)}
				m.ReturnID(self.ID)
			},
			selDispatchType: dispatchType, selSetDispatchType: setDispatchType,
			selSampleBufferAttachments: func(self *objc.Object, m *objc.Msg) { m.ReturnID(self.State.(*computePass).attachments) },
		},
		Dealloc: func(self *objc.Object) {
			if p, ok := self.State.(*computePass); ok {
				objc.Release(p.attachments)
			}
		},
	})
}

// sample is one that the encoder takes at its end.
type sample struct {
	in *samples
	at int
}

func newComputeEncoderWithDescriptor(self *objc.Object, m *objc.Msg) {
	p := stateOf[*computePass](m, "MTLCommandBuffer", m.ArgID(0))
	e := newComputeEncoder(self, m, p.dispatchType)
	for _, id := range objc.ObjectOf(p.attachments).State.(*attachments) {
		a := objc.ObjectOf(id).State.(*attachment)
		if a.samples == 0 {
			continue
		}
		s := stateOf[*samples](m, "MTLCommandBuffer", a.samples)
		e.keepObject(a.samples)
		for _, i := range []uintptr{a.start, a.end} {
			if i != counterDontSample {
				s.check(m, "MTLCommandBuffer", i, 1)
			}
		}
		if a.start != counterDontSample {
			e.takeSample(sample{s, int(a.start)})
		}
		if a.end != counterDontSample {
			e.atEnd = append(e.atEnd, sample{s, int(a.end)})
		}
	}
}

// takeSample records that a sample is taken here.
func (e *encoder) takeSample(s sample) {
	r := e.buffer.recording
	r.commands = append(r.commands, command{kind: commandSample, encoder: e.name(), info: e.info, samples: s.in, n: s.at})
}
