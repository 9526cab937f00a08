package soft

import (
	"cmp"

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

	optimization uintptr // MTLLibraryOptimizationLevel; there is nothing to choose
	maxThreads   uintptr // of kernels that do not say it; 0: the device's
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
			selOptimizationLevel: func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*compileOptions).optimization) },
			selSetOptimizationLevel: func(self *objc.Object, m *objc.Msg) {
				self.State.(*compileOptions).optimization = m.Arg(0)
			},
			selMaxTotalThreads:    func(self *objc.Object, m *objc.Msg) { m.Return(self.State.(*compileOptions).maxThreads) },
			selSetMaxTotalThreads: func(self *objc.Object, m *objc.Msg) { self.State.(*compileOptions).maxThreads = m.Arg(0) },
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
	msl        *msl.Library
	key        string // of text and options
	maxThreads int    // of kernels that do not say it; 0: the device's
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
			selNewFunctionWithName:       newFunctionWithName,
			selNewFunctionWithConstants:  newFunctionWithConstants,
			selNewFunctionWithDescriptor: newFunctionWithDescriptor,
			selLibraryType:               func(_ *objc.Object, m *objc.Msg) { m.Return(libraryTypeExecutable) },
			selInstallName:               func(*objc.Object, *objc.Msg) {},
		}),
	})
}

// MTLLibraryType
const libraryTypeExecutable = 0

// sourceOf gives the text in argument word 0 and the options in word 1 of a message to the device.
func sourceOf(m *objc.Msg) (src string, options msl.Options, maxThreads int) {
	if m.Arg(0) == 0 {
		assertion(m, "MTLDevice", "source must not be nil")
	}
	o := &compileOptions{version: languageVersion3_1, mode: mathModeFast}
	if m.Arg(1) != 0 {
		o = stateOf[*compileOptions](m, "MTLDevice", m.ArgID(1))
	}
	objc.Software().Pool(func() { options = o.options() })
	return objc.GoString(m.ArgID(0)), options, int(min(o.maxThreads, maxTotalThreads))
}

// compileLibrary makes a library, which the caller owns.
func compileLibrary(src string, options msl.Options, maxThreads int) (objc.ID, *failure) {
	compiled, err := msl.Compile(src, options)
	if err != nil {
		return 0, &failure{code: libraryErrorCompileFailure, text: err.Error()}
	}
	return objc.NewObject(libraryClass, &library{msl: compiled, key: libraryKey(src, options, maxThreads), maxThreads: maxThreads}), nil
}

func newLibraryWithSource(_ *objc.Object, m *objc.Msg) {
	id, failure := compileLibrary(sourceOf(m))
	if failure != nil {
		storeError(m, 2, failure.code, failure.text)
		return
	}
	m.ReturnID(id)
}

// newLibraryWithSourceAsync compiles on a goroutine and calls the block in argument word 2 with library and NSError.
func newLibraryWithSourceAsync(_ *objc.Object, m *objc.Msg) {
	src, options, maxThreads := sourceOf(m)
	block := objc.Retain(m.ArgID(2))
	go func() {
		id, failure := compileLibrary(src, options, maxThreads)
		e := failure.object()
		objc.Software().Pool(func() { objc.CallBlock(block, id, e) })
		objc.Release(id)
		objc.Release(e)
		objc.Release(block)
	}()
}

// function is the state of an MTLFunction.
type function struct {
	label
	library         *library
	function        *msl.Function
	kernel          *ir.Kernel // nil until its constants are set, or it becomes a pipeline without
	values          []msl.ConstantValue
	specializedName string
}

const functionTypeKernel = 3

var functionClass *objc.Class

func init() {
	functionClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLFunction",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selName: func(self *objc.Object, m *objc.Msg) {
				f := self.State.(*function)
				m.ReturnID(objc.Autorelease(objc.Software().NewString(cmp.Or(f.specializedName, f.function.Name))))
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
		m.ReturnID(objc.NewObject(functionClass, &function{library: l, function: f}))
	}
}

func newFunctionWithConstants(self *objc.Object, m *objc.Msg) {
	var values []msl.ConstantValue
	if m.Arg(1) != 0 {
		values = stateOf[*constantValues](m, "MTLLibrary", m.ArgID(1)).all
	}
	f, failure := self.State.(*library).specialise(objc.GoString(m.ArgID(0)), values)
	if failure != nil {
		storeError(m, 2, failure.code, failure.text)
		return
	}
	m.ReturnID(objc.NewObject(functionClass, f))
}
