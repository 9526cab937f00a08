package mtl

import "github.com/puremetal/puremetal/objc"

// languageVersion is the version to compile for: the one asked for, or by default 3.1, the first with bfloat, and 3.0 on
// macOS 13, which knows none later. A version that the system is too old for is ErrUnsupported. Versions came with systems,
// and a system's age shows in the selectors and classes of the same age.
func (d *Device) languageVersion(op string, asked LanguageVersion, options objc.ID) (LanguageVersion, error) {
	has := func(v LanguageVersion) bool {
		switch {
		case v <= LanguageVersion3_0:
			return true
		case v <= LanguageVersion3_1: // macOS 14
			return objc.Responds(d.object(), selArchitecture)
		case v <= LanguageVersion3_2: // macOS 15
			return objc.Responds(options, selSetMathMode)
		}
		return d.runtime.Class("MTL4CompilerDescriptor") != 0 // macOS 26
	}
	switch {
	case asked == 0 && has(LanguageVersion3_1):
		return LanguageVersion3_1, nil
	case asked == 0:
		return LanguageVersion3_0, nil
	case !has(asked):
		return 0, unsupported(op, asked.String())
	}
	return asked, nil
}
