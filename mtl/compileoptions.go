package mtl

import (
	"strconv"

	"github.com/puremetal/puremetal/objc"
)

// CompileOptions say how shader text is compiled. The zero value is Metal 3.1 (3.0 on macOS 13) with safe math. The version never
// follows the program's own build, as Metal's default does. What the system is too old for is ErrUnsupported.
//
// Reference: https://developer.apple.com/documentation/metal/mtlcompileoptions
type CompileOptions struct {
	LanguageVersion    LanguageVersion // 0 is LanguageVersion3_1, and LanguageVersion3_0 on macOS 13
	MathMode           MathMode        // before macOS 15, MathModeRelaxed is fast math
	PreprocessorMacros map[string]string

	OptimizationLevel             LibraryOptimizationLevel // the software device does not optimise and takes either
	MaxTotalThreadsPerThreadgroup int                      // for kernels that do not say it themselves; 0 leaves it to the device; macOS 13.3
	EnableLogging                 bool                     // os_log in kernels; macOS 15

	// Dynamic libraries, where the device has them.
	LibraryType                      LibraryType // LibraryTypeDynamic makes a text for NewDynamicLibrary, which needs an InstallName
	InstallName                      string      // where programs that link to the dynamic library find it
	Libraries                        []*DynamicLibrary
	SymbolVisibility                 CompileSymbolVisibility // macOS 13.3
	AllowReferencingUndefinedSymbols bool                    // macOS 13.3
}

// dynamic reports whether the options need dynamic libraries.
func (o *CompileOptions) dynamic() bool {
	return o.LibraryType != LibraryTypeExecutable || o.InstallName != "" || len(o.Libraries) > 0 ||
		o.SymbolVisibility != CompileSymbolVisibilityDefault || o.AllowReferencingUndefinedSymbols
}

// check holds the options to what Metal would assert on and to what the device has. A pool is in place.
func (o *CompileOptions) check(op string, d *Device) error {
	switch {
	case o.MathMode < MathModeSafe || o.MathMode > MathModeFast:
		return intArgument(op, "MathMode", "MathModeSafe, MathModeRelaxed or MathModeFast", int(o.MathMode))
	case o.OptimizationLevel != LibraryOptimizationLevelDefault && o.OptimizationLevel != LibraryOptimizationLevelSize:
		return intArgument(op, "OptimizationLevel", "LibraryOptimizationLevelDefault or LibraryOptimizationLevelSize", int(o.OptimizationLevel))
	case o.MaxTotalThreadsPerThreadgroup < 0:
		return intArgument(op, "MaxTotalThreadsPerThreadgroup", "0 or more", o.MaxTotalThreadsPerThreadgroup)
	case o.LibraryType != LibraryTypeExecutable && o.LibraryType != LibraryTypeDynamic:
		return intArgument(op, "LibraryType", "LibraryTypeExecutable or LibraryTypeDynamic", int(o.LibraryType))
	case o.LibraryType == LibraryTypeDynamic && o.InstallName == "":
		return argument(op, "InstallName", "a name for the dynamic library", strconv.Quote(""))
	}
	if o.dynamic() && !d.can(selSupportsDynamicLibraries) {
		return unsupported(op, "dynamic libraries")
	}
	_, err := objects(op, "Libraries", d, o.Libraries)
	return err
}

// newCompileOptions makes an MTLCompileOptions for device d, which the caller releases. A pool is in place.
func newCompileOptions(op string, d *Device, o *CompileOptions) (objc.ID, error) {
	if err := o.check(op, d); err != nil {
		return 0, err
	}
	rt := d.runtime
	id := newObject(rt, "MTLCompileOptions")
	version, err := d.languageVersion(op, o.LanguageVersion, id)
	if err != nil {
		objc.Release(id)
		return 0, err
	}
	objc.Send(id, selSetLanguageVersion, uintptr(version))
	setMathMode(id, o.MathMode)
	if len(o.PreprocessorMacros) > 0 {
		macros := newDictionary(rt, o.PreprocessorMacros)
		objc.Send(id, selSetPreprocessorMacros, uintptr(macros))
	}
	if o.OptimizationLevel != LibraryOptimizationLevelDefault {
		objc.Send(id, selSetOptimizationLevel, uintptr(o.OptimizationLevel))
	}
	if o.dynamic() {
		setDynamic(rt, id, o)
	}
	if err := o.setNewer(op, id); err != nil {
		objc.Release(id)
		return 0, err
	}
	return id, nil
}

// setNewer sets what systems after macOS 13 have.
func (o *CompileOptions) setNewer(op string, id objc.ID) error {
	if o.MaxTotalThreadsPerThreadgroup > 0 {
		if !objc.Responds(id, selSetMaxTotalThreads) {
			return unsupported(op, "MaxTotalThreadsPerThreadgroup")
		}
		objc.Send(id, selSetMaxTotalThreads, uintptr(o.MaxTotalThreadsPerThreadgroup))
	}
	if o.EnableLogging {
		if !objc.Responds(id, selSetEnableLogging) {
			return unsupported(op, "EnableLogging")
		}
		objc.Send(id, selSetEnableLogging, 1)
	}
	if o.SymbolVisibility != CompileSymbolVisibilityDefault {
		if !objc.Responds(id, selSetCompileSymbolVisibility) {
			return unsupported(op, "SymbolVisibility")
		}
		objc.Send(id, selSetCompileSymbolVisibility, uintptr(o.SymbolVisibility))
	}
	if o.AllowReferencingUndefinedSymbols {
		if !objc.Responds(id, selSetAllowReferencingUndefinedSymbols) {
			return unsupported(op, "AllowReferencingUndefinedSymbols")
		}
		objc.Send(id, selSetAllowReferencingUndefinedSymbols, 1)
	}
	return nil
}

// setDynamic sets what concerns dynamic libraries, which the device has.
func setDynamic(rt objc.Runtime, id objc.ID, o *CompileOptions) {
	objc.Send(id, selSetLibraryType, uintptr(o.LibraryType))
	if o.InstallName != "" {
		sendString(id, selSetInstallName, o.InstallName)
	}
	if len(o.Libraries) > 0 {
		ids := make([]objc.ID, len(o.Libraries))
		for i, l := range o.Libraries {
			ids[i] = l.object()
		}
		objc.Send(id, selSetLibraries, uintptr(newArray(rt, ids)))
	}
}

// setMathMode sets the math mode of an MTLCompileOptions: before macOS 15 it knows safe and fast only.
func setMathMode(id objc.ID, mode MathMode) {
	if objc.Responds(id, selSetMathMode) {
		objc.Send(id, selSetMathMode, uintptr(mode))
	} else {
		objc.Send(id, selSetFastMathEnabled, bit(mode != MathModeSafe))
	}
}

// newDictionary makes an autoreleased NSDictionary of strings.
func newDictionary(rt objc.Runtime, entries map[string]string) objc.ID {
	keys := make([]objc.ID, 0, len(entries))
	values := make([]objc.ID, 0, len(entries))
	for k, v := range entries {
		keys = append(keys, rt.NewString(k))
		values = append(values, rt.NewString(v))
	}
	m := new(objc.Msg)
	d := objc.ID(m.Send(rt.Class("NSDictionary"), selDictionaryWithObjectsForKeys, m.IDs(values), m.IDs(keys), uintptr(len(keys))))
	for i := range keys {
		objc.Release(keys[i])
		objc.Release(values[i])
	}
	return d
}
