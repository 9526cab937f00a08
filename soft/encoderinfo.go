package soft

import "github.com/puremetal/puremetal/objc"

// MTLCommandEncoderErrorState
const (
	encoderStateCompleted = 1
	encoderStatePending   = 3
	encoderStateFaulted   = 4
)

// errorOptionEncoderStatus is MTLCommandBufferErrorOptionEncoderExecutionStatus.
const errorOptionEncoderStatus = 1

const (
	encoderInfoErrorKey = "MTLCommandBufferEncoderInfoErrorKey"
	descriptionErrorKey = "NSLocalizedDescription"
)

// encoderInfo is the state of an MTLCommandBufferEncoderInfo.
type encoderInfo struct {
	label      string
	signposts  []string
	errorState int
}

var encoderInfoClass *objc.Class

func init() {
	objc.Software().RegisterConstant(encoderInfoErrorKey, encoderInfoErrorKey)
	encoderInfoClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLCommandBufferEncoderInfo",
		Instance: map[objc.SEL]objc.Method{
			selLabel: func(self *objc.Object, m *objc.Msg) {
				m.ReturnID(newString(self.State.(*encoderInfo).label))
			},
			selDebugSignposts: func(self *objc.Object, m *objc.Msg) {
				var all []objc.ID
				for _, s := range self.State.(*encoderInfo).signposts {
					all = append(all, newString(s))
				}
				m.ReturnID(objc.Autorelease(objc.NewArray(all)))
			},
			selErrorState: func(self *objc.Object, m *objc.Msg) { m.Return(uintptr(self.State.(*encoderInfo).errorState)) },
		},
	})
}

// newString makes an autoreleased string.
func newString(s string) objc.ID { return objc.Autorelease(objc.Software().NewString(s)) }

// newError makes the NSError of a command buffer that failed, which the caller owns.
func (c *commandBuffer) newError(f *failure) objc.ID {
	if c.errorOptions&errorOptionEncoderStatus == 0 {
		return objc.NewError(commandBufferErrorDomain, f.code, f.text)
	}
	var id objc.ID
	objc.Software().Pool(func() {
		var infos []objc.ID
		for i := range c.recording.encoders {
			info := c.recording.encoders[i] // a copy: the recording is reused
			switch {
			case i < f.encoder:
				info.errorState = encoderStateCompleted
			case i == f.encoder && !f.between:
				info.errorState = encoderStateFaulted
			default:
				info.errorState = encoderStatePending
			}
			infos = append(infos, objc.Autorelease(objc.NewObject(encoderInfoClass, &info)))
		}
		userInfo := objc.Autorelease(objc.NewDictionary(
			[]objc.ID{newString(descriptionErrorKey), newString(encoderInfoErrorKey)},
			[]objc.ID{newString(f.text), objc.Autorelease(objc.NewArray(infos))}))
		id = objc.Retain(objc.SendID(objc.Software().Class("NSError"), selErrorWithDomain,
			uintptr(newString(commandBufferErrorDomain)), uintptr(f.code), uintptr(userInfo)))
	})
	return id
}
