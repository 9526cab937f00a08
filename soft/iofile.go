package soft

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/puremetal/puremetal/objc"
)

const ioErrorDomain = "MTLIOErrorDomain"

// MTLIOError
const (
	ioErrorURLInvalid = 1
	ioErrorInternal   = 2
)

// ioFile is the state of an MTLIOFileHandle: a file that is open until the handle goes.
type ioFile struct {
	label
	file *os.File
	path string
}

var ioFileClass *objc.Class

func init() {
	objc.Software().RegisterConstant(ioErrorDomain, ioErrorDomain)
	ioFileClass = objc.Software().Register(objc.ClassDef{
		Name:     "SoftwareMTLIOFileHandle",
		Instance: map[objc.SEL]objc.Method{selLabel: getLabel, selSetLabel: setLabel},
		Dealloc:  func(self *objc.Object) { self.State.(*ioFile).file.Close() },
	})
}

// newIOFileHandle opens a file, or gives an NSError through argument word 1.
func newIOFileHandle(_ *objc.Object, m *objc.Msg) {
	if m.Arg(0) == 0 {
		assertion(m, "MTLDevice", "url must not be nil")
	}
	path := pathOf(m.ArgID(0))
	file, err := openFile(path)
	if err != nil {
		storeErrorIn(m, 1, ioErrorDomain, ioErrorURLInvalid, err.Error())
		return
	}
	m.ReturnID(objc.NewObject(ioFileClass, &ioFile{file: file, path: path}))
}

func openFile(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("open %s: it is a directory", path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// ioPiece is how much of a load is read before it is asked again whether the command buffer was cancelled.
const ioPiece = 4 << 20

// read fills dst with the file's bytes from offset on. It reports false, without an error, if stop was closed before the end.
func (f *ioFile) read(dst []byte, offset int64, stop <-chan struct{}) (bool, error) {
	for done := 0; done < len(dst); {
		select {
		case <-stop:
			return false, nil
		default:
		}
		piece := dst[done:min(done+ioPiece, len(dst))]
		n, err := f.file.ReadAt(piece, offset+int64(done))
		if n < len(piece) {
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("%s has no more than %d bytes, %d from byte %d on were to be loaded", f.path, offset+int64(done+n), len(dst), offset)
			}
			return false, err
		}
		done += n
	}
	return true, nil
}
