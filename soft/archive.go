package soft

import (
	"crypto/sha256"
	"encoding/hex"
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

// archiveFirst begins the file of an archive; a line for each function follows.
const archiveFirst = "puremetal software binary archive 1\n"

// MTLPipelineOption
const (
	pipelineOptionBindingInfo    = 1
	pipelineOptionBufferTypeInfo = 2
	pipelineOptionFailOnMiss     = 4
)

// archive is the state of an MTLBinaryArchive. It holds no code, for the software device makes none that could be stored: it
// knows which functions were added, so that pipelines find or miss them as on a GPU.
type archive struct {
	label
	functions map[string]bool // by function.key
}

var archiveClass *objc.Class

func init() {
	url, setURL := property(func(d *archiveDescriptor) *objc.ID { return &d.url })
	objc.Software().Register(objc.ClassDef{
		Name: "MTLBinaryArchiveDescriptor",
		Instance: map[objc.SEL]objc.Method{
			selInit: func(self *objc.Object, m *objc.Msg) {
				self.State = new(archiveDescriptor)
				m.ReturnID(self.ID)
			},
			selURL: url, selSetURL: setURL,
		},
		Dealloc: func(self *objc.Object) {
			if d, ok := self.State.(*archiveDescriptor); ok {
				objc.Release(d.url)
			}
		},
	})
	archiveClass = objc.Software().Register(objc.ClassDef{
		Name: "SoftwareMTLBinaryArchive",
		Instance: withLabel(map[objc.SEL]objc.Method{
			selAddComputePipelineFunctions: func(self *objc.Object, m *objc.Msg) {
				d := checkPipeline(m, stateOf[*pipelineDescriptor](m, "MTLBinaryArchive", m.ArgID(0)))
				if _, failure := buildPipeline(d, 0); failure != nil {
					storeErrorIn(m, 1, binaryArchiveDomain, binaryArchiveErrorCompilationFailure, failure.text)
					return
				}
				self.State.(*archive).functions[objc.ObjectOf(d.function).State.(*function).key()] = true
				m.ReturnBool(true)
			},
			selSerializeToURL: func(self *objc.Object, m *objc.Msg) {
				if err := self.State.(*archive).write(pathOf(m.ArgID(0))); err != nil {
					storeErrorIn(m, 1, binaryArchiveDomain, binaryArchiveErrorInvalidFile, err.Error())
					return
				}
				m.ReturnBool(true)
			},
		}),
	})
}

// archiveDescriptor is the state of an MTLBinaryArchiveDescriptor.
type archiveDescriptor struct{ url objc.ID }

func newBinaryArchive(_ *objc.Object, m *objc.Msg) {
	d := stateOf[*archiveDescriptor](m, "MTLDevice", m.ArgID(0))
	a := &archive{functions: make(map[string]bool)}
	if d.url != 0 {
		if err := a.read(pathOf(d.url)); err != nil {
			storeErrorIn(m, 1, binaryArchiveDomain, binaryArchiveErrorInvalidFile, err.Error())
			return
		}
	}
	m.ReturnID(objc.NewObject(archiveClass, a))
}

func (a *archive) write(path string) error {
	if len(a.functions) == 0 {
		return errors.New("an archive without functions cannot be written")
	}
	var b strings.Builder
	b.WriteString(archiveFirst)
	for _, key := range slices.Sorted(maps.Keys(a.functions)) {
		b.WriteString(key + "\n")
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

func (a *archive) read(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no file %s", path)
	} else if err != nil {
		return err
	}
	return a.parse(string(text))
}

func (a *archive) parse(text string) error {
	rest, ok := strings.CutPrefix(text, archiveFirst)
	if !ok || !strings.HasSuffix(rest, "\n") {
		return errors.New("not a binary archive of the software device")
	}
	for line := range strings.Lines(rest) {
		key := strings.TrimSuffix(line, "\n")
		if n, err := hex.DecodeString(key); err != nil || len(n) != sha256.Size {
			return fmt.Errorf("a binary archive of the software device with the line %q", key)
		}
		a.functions[key] = true
	}
	return nil
}

// key tells functions with their constants apart: those of equal text, options, name and values are one.
func (f *function) key() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n", f.library.key, f.function.Name)
	values := slices.Clone(f.values)
	slices.SortFunc(values, func(a, b msl.ConstantValue) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	for _, v := range values {
		fmt.Fprintf(h, "%q %d %d %x\n", v.Name, v.Index, v.Kind, v.Bits)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// libraryKey tells libraries apart by text and options.
func libraryKey(src string, o msl.Options, maxThreads int) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %t %d %d\n", o.LanguageVersion, o.FastMath, maxThreads, len(o.Macros))
	for _, name := range slices.Sorted(maps.Keys(o.Macros)) {
		fmt.Fprintf(h, "%q %q\n", name, o.Macros[name])
	}
	h.Write([]byte(src))
	return hex.EncodeToString(h.Sum(nil))
}

// inArchives reports whether one of the archives, an NSArray or nil, has the function.
func inArchives(array objc.ID, key string) bool {
	for i := range objc.Send(array, selCount) {
		if a, ok := objc.ObjectOf(objc.SendID(array, selObjectAt, i)).State.(*archive); ok && a.functions[key] {
			return true
		}
	}
	return false
}
