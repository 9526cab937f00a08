package syntax

import (
	"github.com/puremetal/puremetal/soft/msl/token"
)

// Parse preprocesses and parses src. name is the name of the text in positions; macros are object-like macros defined before
// its first line; languageVersion is major*10 + minor, and 0 means 31. The error is a token.ErrorList, at most 20 diagnostics
// and a remark that there were more; the file is then nil.
//
// A position is where a token is spelled. A token that comes out of a macro's body has the position of the macro's use, and a
// diagnostic about it notes the macro. Parse is safe for concurrent use.
func Parse(name, src string, macros map[string]string, languageVersion int) (*File, error) {
	if languageVersion == 0 {
		languageVersion = 31
	}
	var errs errorList
	if len(src) > maxSource {
		errs.add(token.Pos{File: &token.File{Name: name}, Line: 1, Col: 1}, "the text is longer than 64 MiB", nil)
		return nil, errs.list.Err()
	}
	toks := preprocess(&token.File{Name: name}, src, macros, languageVersion, &errs)
	if errs.full || len(errs.list) > 0 {
		return nil, errs.list.Err()
	}
	p := newParser(toks, &errs)
	f := &File{Decls: p.declarations()}
	if err := errs.list.Err(); err != nil {
		return nil, err
	}
	return f, nil
}
