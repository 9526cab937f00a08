package soft

import (
	"fmt"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl"
	"github.com/puremetal/puremetal/soft/msl/ir"
)

// MTLMathMode
const (
	mathModeSafe = 0
	mathModeFast = 2
)

const languageVersion3_1 = 3<<16 | 1

// compileOptions is the state of an MTLCompileOptions. Like Metal's it starts with fast math.
type compileOptions struct {
	version uintptr
	mode    uintptr
	macros  objc.ID // NSDictionary, retained
}

func init() {
	objc.Software().Register(objc.ClassDef{
		Name: "MTLCompileOptions",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = &compileOptions{version: languageVersion3_1, mode: mathModeFast}
				m.ReturnID(self.ID)
			},
			selLanguageVersion:    func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*compileOptions).version) },
			selSetLanguageVersion: func(self *objc.Object, m *objc.Msg) { self.State.(*compileOptions).version = m.Arg(0) },
			selMathMode:           func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*compileOptions).mode) },
			selSetMathMode:        func(self *objc.Object, m *objc.Msg) { self.State.(*compileOptions).mode = m.Arg(0) },
			selFastMathEnabled: func(self *objc.Object, m *objc.Msg) {
				m.ReturnBool(self.State.(*compileOptions).mode == mathModeFast)
			},
			selSetFastMathEnabled: func(self *objc.Object, m *objc.Msg) {
				o := self.State.(*compileOptions)
				o.mode = mathModeSafe
				if m.ArgBool(0) {
					o.mode = mathModeFast
				}
			},
			selPreprocessorMacros: func(self *objc.Object, m *objc.Msg) { m.ReturnID(self.State.(*compileOptions).macros) },
			selSetPreprocessorMacros: func(self *objc.Object, m *objc.Msg) {
				o := self.State.(*compileOptions)
				old := o.macros
				o.macros = objc.Retain(m.ArgID(0))
				objc.Release(old)
			},
		},
		Dealloc: func(self *objc.Object) {
			if o, ok := self.State.(*compileOptions); ok {
				objc.Release(o.macros)
			}
		},
	})
}

// options gives the compiler's form. A pool is in place.
func (o *compileOptions) options() msl.Options {
	all := msl.Options{
		LanguageVersion: int(o.version>>16)*10 + int(o.version&0xffff),
		FastMath:        o.mode == mathModeFast,
	}
	if o.macros == 0 {
		return all
	}
	all.Macros = make(map[string]string)
	keys := objc.SendID(o.macros, selAllKeys)
	for i := range objc.Send(keys, selCount) {
		key := objc.SendID(keys, selObjectAt, i)
		value := objc.SendID(o.macros, selObjectForKey, uintptr(key))
		all.Macros[objc.GoString(key)] = objc.GoString(objc.SendID(value, selDescription)) // a string or a number
	}
	return all
}

type library struct {
	label
	msl *msl.Library
}

var libraryClass *objc.Class

func init() {
	libraryClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLLibrary",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selFunctionNames: func(self *objc.Object, m *objc.Msg) {
				var names []objc.ID
				for _, f := range self.State.(*library).msl.Functions() {
					names = append(names, objc.Autorelease(objc.Software().NewString(f.Name)))
				}
				m.ReturnID(objc.Autorelease(objc.NewArray(names)))
			},
			selNewFunctionWithName:      newFunctionWithName,
			selNewFunctionWithConstants: newFunctionWithConstants,
		}),
	})
}

func newLibraryWithSource(_ *objc.Object, m *objc.Msg) {
	if m.Arg(0) == 0 {
		assertion(m, "MTLDevice", "source must not be nil")
	}
	o := &compileOptions{version: languageVersion3_1, mode: mathModeFast}
	if m.Arg(1) != 0 {
		o = stateOf[*compileOptions](m, "MTLDevice", m.ArgID(1))
	}
	var options msl.Options
	objc.Software().Pool(func() { options = o.options() })
	compiled, err := msl.Compile(objc.GoString(m.ArgID(0)), options)
	if err != nil {
		storeError(m, 2, libraryErrorCompileFailure, err.Error())
		return
	}
	m.ReturnID(objc.NewObject(libraryClass, &library{msl: compiled}))
}

// function is the state of an MTLFunction.
type function struct {
	label
	library  *msl.Library
	function *msl.Function
	kernel   *ir.Kernel // nil until its constants are set, or it becomes a pipeline without
}

const functionTypeKernel = 3

var functionClass *objc.Class

func init() {
	functionClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLFunction",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selName: func(self *objc.Object, m *objc.Msg) {
				m.ReturnID(objc.Autorelease(objc.Software().NewString(self.State.(*function).function.Name)))
			},
			selFunctionType:                func(_ *objc.Object, m *objc.Msg) { m.Return(functionTypeKernel) },
			selFunctionConstantsDictionary: functionConstantsDictionary,
		}),
	})
}

func (l *library) find(name string) *msl.Function {
	for _, f := range l.msl.Functions() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func newFunctionWithName(self *objc.Object, m *objc.Msg) {
	l := self.State.(*library)
	if f := l.find(objc.GoString(m.ArgID(0))); f != nil {
		m.ReturnID(objc.NewObject(functionClass, &function{library: l.msl, function: f}))
	}
}

func newFunctionWithConstants(self *objc.Object, m *objc.Msg) {
	l := self.State.(*library)
	name := objc.GoString(m.ArgID(0))
	f := l.find(name)
	if f == nil {
		storeError(m, 2, libraryErrorFunctionNotFound, fmt.Sprintf("Function %s was not found in the library", name))
		return
	}
	var values []msl.ConstantValue
	if m.Arg(1) != 0 {
		values = stateOf[*constantValues](m, "MTLLibrary", m.ArgID(1)).all
	}
	kernel, err := l.msl.Kernel(name, values)
	if err != nil {
		storeError(m, 2, libraryErrorCompileFailure, err.Error())
		return
	}
	m.ReturnID(objc.NewObject(functionClass, &function{library: l.msl, function: f, kernel: kernel}))
}
