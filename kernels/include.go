package kernels

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// An IncludeError is a quoted #include that could not be resolved.
type IncludeError struct {
	File    string   // the file that includes, or is to be read
	Line    int      // the line of the #include; 0 if File itself could not be read
	Include string   // the name between the quotes
	Stack   []string // the files being included, outermost first
	Err     error    // why: fs.ErrNotExist, ErrIncludeCycle, ...
}

// ErrIncludeCycle is the reason when a file without #pragma once includes itself, through however many others.
var ErrIncludeCycle = errors.New("the file is being included already")

// Error names file, line, what was to be included, and how the file was reached.
func (e *IncludeError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d: #include %q", e.Line, e.Include)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	if len(e.Stack) > 1 {
		b.WriteString(" (included by way of ")
		b.WriteString(strings.Join(e.Stack, ", "))
		b.WriteByte(')')
	}
	return b.String()
}

// Unwrap returns the reason.
func (e *IncludeError) Unwrap() error { return e.Err }

// Resolve returns the text of file in fsys with every #include "name" replaced by that file, for a compiler
// that sees no files. Names are relative to the including file. #line directives keep positions: a diagnostic
// names the file and line that its author wrote. #include <name> is the compiler's own and stays.
//
// A file with #pragma once counts once. Conditionals are not evaluated here: a file that is included first inside an
// #if is repeated, under a guard, where it is included again, and a name inside #if 0 must exist too. The error is
// an *IncludeError.
func Resolve(fsys fs.FS, file string) (string, error) {
	r := &resolver{fsys: fsys, state: map[string]*included{}}
	if err := r.file(file, false); err != nil {
		return "", err
	}
	return r.out.String(), nil
}

type resolver struct {
	fsys  fs.FS
	out   bytes.Buffer
	stack []string
	state map[string]*included
}

// included is what is known of a file that was met before.
type included struct {
	text   string
	once   bool // it has #pragma once
	placed bool // it stands in the output outside any conditional
	guard  string
}

// file appends a file's text. conditional says that it stands inside an #if.
func (r *resolver) file(name string, conditional bool) error {
	f := r.state[name]
	if f == nil {
		text, err := []byte(nil), error(fs.ErrInvalid)
		if fs.ValidPath(name) { // some file systems would say that ../x does not exist
			text, err = fs.ReadFile(r.fsys, name)
		}
		if err != nil {
			// A *fs.PathError would repeat the name.
			if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
				err = pathError.Err
			}
			return &IncludeError{File: name, Err: err}
		}
		f = &included{text: string(text), guard: fmt.Sprintf("PUREMETAL_INCLUDED_%d", len(r.state))}
		f.once = hasPragmaOnce(f.text)
		r.state[name] = f
	}
	nested := len(r.stack) > 0
	guarded := nested && f.once
	if guarded {
		if f.placed || slices.Contains(r.stack, name) {
			return nil
		}
		f.placed = !conditional
		fmt.Fprintf(&r.out, "#ifndef %s\n#define %s\n", f.guard, f.guard)
	}
	if slices.Contains(r.stack, name) {
		return ErrIncludeCycle
	}
	r.stack = append(r.stack, name)
	defer func() { r.stack = r.stack[:len(r.stack)-1] }()

	r.line(1, name)
	var scan lineScanner
	depth := 0
	for number, text := 1, f.text; text != ""; number++ {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		word, argument := scan.directive(line)
		switch word {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
		case "pragma":
			if argument == "once" {
				line = ""
			}
		case "include":
			quoted, ok := quotedName(argument)
			if !ok {
				break
			}
			if err := r.file(path.Join(path.Dir(name), quoted), conditional || depth > 0); err != nil {
				return r.at(err, name, number, quoted)
			}
			r.line(number+1, name)
			continue
		}
		r.out.WriteString(strings.TrimSuffix(line, "\r"))
		r.out.WriteByte('\n')
	}
	if guarded {
		r.out.WriteString("#endif\n")
	}
	return nil
}

// at says where a file was included, if err is about that file itself and not about one further down.
func (r *resolver) at(err error, name string, line int, include string) error {
	e, ok := err.(*IncludeError)
	if ok && e.Line > 0 {
		return err
	}
	if ok {
		err = e.Err
	}
	return &IncludeError{File: name, Line: line, Include: include, Stack: slices.Clone(r.stack), Err: err}
}

func (r *resolver) line(number int, name string) {
	r.out.WriteString("#line ")
	r.out.WriteString(strconv.Itoa(number))
	r.out.WriteString(" ")
	r.out.WriteString(strconv.Quote(name))
	r.out.WriteByte('\n')
}

func hasPragmaOnce(text string) bool {
	var scan lineScanner
	for line := range strings.Lines(text) {
		if word, argument := scan.directive(strings.TrimSuffix(line, "\n")); word == "pragma" && argument == "once" {
			return true
		}
	}
	return false
}

// quotedName takes the name from between the quotes that an argument of #include begins with.
func quotedName(argument string) (name string, ok bool) {
	if !strings.HasPrefix(argument, `"`) {
		return "", false
	}
	name, _, ok = strings.Cut(argument[1:], `"`)
	return name, ok
}

// lineScanner finds the preprocessor directives of a text line by line. It knows comments, so that a directive in a
// comment is none.
type lineScanner struct {
	comment   bool // the line begins inside /* */
	continued bool // the line before ended in a backslash
}

// directive returns the name and the argument of a directive, both without comments, or "" for any other line.
func (s *lineScanner) directive(line string) (word, argument string) {
	line = strings.TrimSuffix(line, "\r")
	continued := s.continued
	s.continued = strings.HasSuffix(line, `\`)
	code := strings.TrimSpace(s.strip(line))
	if continued || !strings.HasPrefix(code, "#") {
		return "", ""
	}
	code = strings.TrimSpace(code[1:])
	end := strings.IndexFunc(code, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		return code, ""
	}
	return code[:end], strings.TrimSpace(code[end:])
}

// strip removes comments from a line and notes whether one stays open at its end.
func (s *lineScanner) strip(line string) string {
	if !s.comment && !strings.Contains(line, "/") {
		return line
	}
	var b strings.Builder
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		two := line[i:min(i+2, len(line))]
		switch {
		case s.comment:
			if two == "*/" {
				s.comment = false
				b.WriteByte(' ')
				i++
			}
			continue
		case quote != 0:
			if c == '\\' && len(two) == 2 {
				b.WriteByte(c)
				i++
				c = line[i]
			} else if c == quote {
				quote = 0
			}
		case two == "//":
			return b.String()
		case two == "/*":
			s.comment = true
			i++
			continue
		case c == '"' || c == '\'':
			quote = c
		}
		b.WriteByte(c)
	}
	return b.String()
}
