package soft

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/puremetal/puremetal/objc"
	"github.com/puremetal/puremetal/soft/msl"
)

// A library file of the software device is Metal Shading Language text under a header of comments, so that it is shader text
// still, and the lines of its errors are those of the file:
//
//	// puremetal software library 1
//	// language 3.1
//	// math safe
//	// define N 4
//	//
const (
	libraryFirst    = "// puremetal software library 1\n"
	libraryLast     = "//\n"
	libraryLanguage = "// language "
	libraryMath     = "// math "
	libraryDefine   = "// define "
	metallibMagic   = "MTLB"
)

// LibraryFile gives the contents of a library file for newLibraryWithURL:error: and newLibraryWithData:error: of the software
// device: src under a header that keeps the options. It does not compile. The error is for a macro that cannot be written in one line.
func LibraryFile(src string, o msl.Options) ([]byte, error) {
	version := o.LanguageVersion
	if version == 0 {
		version = 31
	}
	mode := "safe"
	if o.FastMath {
		mode = "fast"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%d.%d\n%s%s\n", libraryFirst, libraryLanguage, version/10, version%10, libraryMath, mode)
	for _, name := range slices.Sorted(maps.Keys(o.Macros)) {
		if name == "" || strings.ContainsAny(name, " \n") || strings.Contains(o.Macros[name], "\n") {
			return nil, fmt.Errorf("soft: LibraryFile: macro %q with value %q cannot be written in one line", name, o.Macros[name])
		}
		fmt.Fprintf(&b, "%s%s %s\n", libraryDefine, name, o.Macros[name])
	}
	b.WriteString(libraryLast)
	b.WriteString(src)
	return []byte(b.String()), nil
}

// parseLibraryFile reads the header of a library file.
func parseLibraryFile(text string) (msl.Options, error) {
	var o msl.Options
	if strings.HasPrefix(text, metallibMagic) {
		return o, errors.New("this is a library compiled for a GPU; the software device loads shader text, in a file that soft.LibraryFile wrote")
	}
	rest, ok := strings.CutPrefix(text, libraryFirst)
	if !ok {
		return o, fmt.Errorf("not a library file of the software device, which begins with %q", strings.TrimSpace(libraryFirst))
	}
	o.LanguageVersion = 31
	for {
		line, after, found := strings.Cut(rest, "\n")
		if !found {
			return o, fmt.Errorf("the header of the library file does not end with a line %q", strings.TrimSpace(libraryLast))
		}
		if line+"\n" == libraryLast {
			return o, nil
		}
		if err := parseLibraryLine(&o, line); err != nil {
			return o, err
		}
		rest = after
	}
}

func parseLibraryLine(o *msl.Options, line string) error {
	bad := fmt.Errorf("the header of the library file has the line %q", line)
	if version, ok := strings.CutPrefix(line, libraryLanguage); ok {
		if len(version) != 3 || version[0] < '1' || version[0] > '9' || version[1] != '.' || version[2] < '0' || version[2] > '9' {
			return bad
		}
		o.LanguageVersion = int(version[0]-'0')*10 + int(version[2]-'0')
		return nil
	}
	if mode, ok := strings.CutPrefix(line, libraryMath); ok && (mode == "safe" || mode == "fast") {
		o.FastMath = mode == "fast"
		return nil
	}
	definition, ok := strings.CutPrefix(line, libraryDefine)
	name, value, two := strings.Cut(definition, " ")
	if !ok || !two || name == "" {
		return bad
	}
	if o.Macros == nil {
		o.Macros = make(map[string]string)
	}
	o.Macros[name] = value
	return nil
}

// loadLibrary makes a library of the contents of a file, and gives an NSError through argument word 1 if it cannot.
func loadLibrary(m *objc.Msg, text string) {
	options, err := parseLibraryFile(text)
	if err != nil {
		storeError(m, 1, libraryErrorUnsupported, err.Error())
		return
	}
	id, failure := compileLibrary(text, options, 0)
	if failure != nil {
		storeError(m, 1, failure.code, failure.text)
		return
	}
	m.ReturnID(id)
}

func newLibraryWithURL(_ *objc.Object, m *objc.Msg) {
	if m.Arg(0) == 0 {
		assertion(m, "MTLDevice", "url must not be nil")
	}
	text, err := os.ReadFile(pathOf(m.ArgID(0)))
	if err != nil {
		code := libraryErrorInternal
		if errors.Is(err, fs.ErrNotExist) {
			code = libraryErrorFileNotFound
		}
		storeError(m, 1, code, err.Error())
		return
	}
	loadLibrary(m, string(text))
}

func newLibraryWithData(_ *objc.Object, m *objc.Msg) {
	data := stateOf[[]byte](m, "MTLDevice", m.ArgID(0))
	loadLibrary(m, string(data))
}

// pathOf gives the path of an NSURL.
func pathOf(url objc.ID) string { return objc.GoString(objc.SendID(url, selPath)) }

func init() {
	// What libdispatch makes is an NSData here; the bytes are copied, as they are there for a nil destructor.
	objc.Software().RegisterFunc("dispatch_data_create", "@r^vQ@@?", func(m *objc.Msg) {
		m.ReturnID(objc.NewData(objc.View(m.Arg(0), int(m.Arg(1)))))
	})
}
