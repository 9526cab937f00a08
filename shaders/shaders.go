// Package shaders holds the Metal text of the library's kernels, and nothing else. A kernel is in the file of its name;
// headers are included between quotes.
package shaders

import "embed"

// Files are the .metal files and the headers that they include.
//
//go:embed *.metal *.h
var Files embed.FS
