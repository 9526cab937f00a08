package soft

import (
	"runtime"

	"github.com/puremetal/puremetal/objc"
)

// architectureName says what a compiler would compile for.
const architectureName = "software"

// argumentBuffersTier1 is MTLArgumentBuffersTier1.
const argumentBuffersTier1 = 0

// architecture is an MTLArchitecture.
var architecture objc.ID

func init() {
	class := objc.Software().Register(objc.ClassDef{
		Name: "MTLArchitecture",
		Instance: map[objc.SEL]objc.Method{
			selName: func(_ *objc.Object, m *objc.Msg) { m.ReturnID(newString(architectureName)) },
		},
	})
	architecture = objc.NewObject(class, nil)
}

func returns(word uintptr) objc.Method {
	return func(_ *objc.Object, m *objc.Msg) { m.Return(word) }
}

// capabilityMethods are those of the device that say what it is and can do.
var capabilityMethods = map[objc.SEL]objc.Method{
	selArchitecture:             func(_ *objc.Object, m *objc.Msg) { m.ReturnID(architecture) },
	selIsLowPower:               returns(0),
	selIsHeadless:               returns(1), // it drives no display
	selIsRemovable:              returns(0),
	selLocation:                 returns(0), // built in
	selLocationNumber:           returns(0),
	selMaxTransferRate:          returns(0), // no bus between CPU and device
	selPeerGroupID:              returns(0),
	selPeerIndex:                returns(0),
	selPeerCount:                returns(0),
	selArgumentBuffersSupport:   returns(argumentBuffersTier1),
	selSupportsDynamicLibraries: returns(0),
	selSupportsFunctionPointers: returns(0),
	selSupportsRaytracing:       returns(0),
	selMaxCompilationTasks:      returns(uintptr(runtime.GOMAXPROCS(0))),
}
