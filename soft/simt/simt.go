// Package simt runs compute kernels in the form of package ir: lanes in simdgroups of 32, simdgroups in threadgroups,
// threadgroups on all cores, with barriers, simdgroup operations and 8x8 matrices, and checks what they do. It owns
// execution and its checks; it knows no source language, no device and no Objective-C.
package simt

import (
	"errors"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// Width is the number of lanes of a simdgroup.
const Width = 32

// Checks choose what a dispatch is held to.
type Checks uint8

const (
	CheckBounds   Checks = 1 << iota // every device, constant, threadgroup and thread access lies in its object
	CheckBarriers                    // every barrier is reached by the whole threadgroup, or simdgroup
	CheckRaces                       // no two lanes touch a threadgroup byte between barriers unless both read
	CheckAll      = CheckBounds | CheckBarriers | CheckRaces
)

// Kernel is a kernel compiled for this engine. It is safe for concurrent use.
type Kernel struct{}

// Binding is what a [[buffer(n)]] argument points to.
type Binding struct {
	Mem   []byte // from the bound offset to the end of the buffer; nil: nothing is bound
	Bound bool
}

// Dispatch is one launch.
type Dispatch struct {
	Grid              [3]int    // in threads
	Threadgroup       [3]int    // threads per threadgroup; those at the end of the grid may be smaller
	Buffers           []Binding // by [[buffer(n)]] index
	ThreadgroupMemory []int     // bytes, by [[threadgroup(n)]] index
	Checks            Checks
	Workers           int // goroutines that run threadgroups; 0 means GOMAXPROCS
}

// FaultKind says which rule a kernel broke.
type FaultKind uint8

const (
	OutOfBounds FaultKind = iota + 1
	BarrierDivergence
	Race
	NullPointer
	InvalidMatrixUse // a simdgroup matrix operation reached by a part of a simdgroup
)

// Fault is the error of a dispatch whose kernel broke a rule. Execution stops at the first one.
type Fault struct {
	Kind   FaultKind
	Kernel string
	Pos    token.Pos
	Thread [3]int // position in the grid
	Lane   int    // index in the threadgroup
	Object string // the buffer, threadgroup or local variable
	Buffer int    // [[buffer(n)]] index, or -1
	Text   string // the whole story: offset, size, the other access of a race, the lanes missing from a barrier
}

func (f *Fault) Error() string { return f.Text }

// Compile prepares k.
func Compile(k *ir.Kernel) (*Kernel, error) { return nil, errors.New("simt: no engine yet") }

// StaticThreadgroupMemory is the size in bytes of the threadgroup variables declared in the function.
func (k *Kernel) StaticThreadgroupMemory() int { return 0 }

// Run executes the dispatch and returns when all threadgroups have ended. The error is a *Fault if the kernel broke a rule.
func (k *Kernel) Run(d *Dispatch) error { return errors.New("simt: no engine yet") }
