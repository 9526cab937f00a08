package soft

import "github.com/puremetal/puremetal/objc"

// The software device cannot be captured: its manager supports no destination.
func init() {
	var class *objc.Class
	class = objc.Software().Register(objc.ClassDef{
		Name: "MTLCaptureManager",
		Class: map[objc.SEL]objc.Method{
			selSharedCaptureManager: func(_ *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(objc.NewObject(class, nil)))
			},
		},
		Instance: map[objc.SEL]objc.Method{
			selSupportsDestination: func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(false) },
			selIsCapturing:         func(_ *objc.Object, m *objc.Msg) { m.ReturnBool(false) },
		},
	})
}
