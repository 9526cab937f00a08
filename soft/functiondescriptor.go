package soft

import (
	"fmt"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl"
)

// functionDescriptor is the state of an MTLFunctionDescriptor; its objects are retained.
type functionDescriptor struct{ name, specializedName, constants, archives objc.ID }

func (d *functionDescriptor) release() {
	for _, id := range []objc.ID{d.name, d.specializedName, d.constants, d.archives} {
		objc.Release(id)
	}
}

// property gives the getter and the setter of a retained property of a class whose state is an S.
func property[S any](field func(S) *objc.ID) (get, set objc.Method) {
	get = func(self *objc.Object, m *objc.Msg) { m.ReturnID(*field(self.State.(S))) }
	set = func(self *objc.Object, m *objc.Msg) {
		p := field(self.State.(S))
		old := *p
		*p = objc.Retain(m.ArgID(0))
		objc.Release(old)
	}
	return get, set
}

func init() {
	type state = *functionDescriptor
	name, setName := property(func(d state) *objc.ID { return &d.name })
	specializedName, setSpecializedName := property(func(d state) *objc.ID { return &d.specializedName })
	constants, setConstants := property(func(d state) *objc.ID { return &d.constants })
	archives, setArchives := property(func(d state) *objc.ID { return &d.archives })
	objc.Software().Register(objc.ClassDef{
		Name: "MTLFunctionDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(functionDescriptor)
				m.ReturnID(self.ID)
			},
			selName: name, selSetName: setName,
			selSpecializedName: specializedName, selSetSpecializedName: setSpecializedName,
			selConstantValues: constants, selSetConstantValues: setConstants,
			selBinaryArchives: archives, selSetBinaryArchives: setArchives,
		},
		Dealloc: func(self *objc.Object) {
			if d, ok := self.State.(state); ok {
				d.release()
			}
		},
	})
}

func newFunctionWithDescriptor(self *objc.Object, m *objc.Msg) {
	l := self.State.(*library)
	d := stateOf[*functionDescriptor](m, "MTLLibrary", m.ArgID(0))
	var values []msl.ConstantValue
	if d.constants != 0 {
		values = stateOf[*constantValues](m, "MTLLibrary", d.constants).all
	}
	f, failure := l.specialise(objc.GoString(d.name), values)
	if failure != nil {
		storeError(m, 1, failure.code, failure.text)
		return
	}
	f.specializedName = objc.GoString(d.specializedName)
	m.ReturnID(objc.NewObject(functionClass, f))
}

// specialise gives the function of a name with its constants set.
func (l *library) specialise(name string, values []msl.ConstantValue) (*function, *failure) {
	f := l.find(name)
	if f == nil {
		return nil, &failure{code: libraryErrorFunctionNotFound, text: fmt.Sprintf("Function %s was not found in the library", name)}
	}
	kernel, err := l.msl.Kernel(name, values)
	if err != nil {
		return nil, &failure{code: libraryErrorCompileFailure, text: err.Error()}
	}
	return &function{library: l, function: f, kernel: kernel, values: values}, nil
}
