// Package simt runs compute kernels in the form of package ir: lanes in simdgroups of 32, simdgroups in threadgroups,
// threadgroups on all cores, with barriers, simdgroup operations and 8x8 matrices, and checks what they do. It owns
// execution and its checks; it knows no source language, no device and no Objective-C.
//
// A kernel is compiled to closures, one per operation over the 32 lanes of a simdgroup. A simdgroup runs alone, under a
// mask of active lanes, until it ends or waits at a barrier; then the next one of its threadgroup runs. Values that a static
// analysis proves equal in all lanes are computed once per simdgroup.
//
// What the engine promises where Metal leaves things open: an inactive lane's contribution to a simdgroup operation is
// absent; a shuffle from an inactive lane gives what that lane's register holds; out-of-range lane numbers are taken
// modulo 32; lanes that write one address in one instruction do so in ascending order; with bounds checks off a load
// outside its object gives 0 and such a store is dropped.
package simt

//go:generate go run ./internal/gen

import (
	"errors"
	"fmt"
	"sync"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// Width is the number of lanes of a simdgroup.
const Width = 32

// MaxThreads is the largest number of threads in a threadgroup.
const MaxThreads = 1024

// Checks choose what a dispatch is held to.
type Checks uint8

const (
	CheckBounds   Checks = 1 << iota // every device, constant, threadgroup and thread access lies in its object
	CheckBarriers                    // every barrier is reached by the whole threadgroup, or simdgroup
	CheckRaces                       // no two lanes touch a threadgroup byte between barriers unless both read
	CheckAll      = CheckBounds | CheckBarriers | CheckRaces
)

// Kernel is a kernel compiled for this engine. It is safe for concurrent use.
type Kernel struct {
	ir       *ir.Kernel
	plan     *plan
	static   int
	variants [CheckAll + 1]variant
}

// variant is the code for one choice of checks, compiled when first asked for.
type variant struct {
	once    sync.Once
	code    *program
	err     error
	workers sync.Pool
}

// Binding is what a [[buffer(n)]] argument points to.
type Binding struct {
	Mem   []byte // from the bound offset to the end of the buffer; nil: nothing is bound
	Bound bool
}

// Dispatch is one launch. Run does not change it.
type Dispatch struct {
	Grid              [3]int    // in threads
	Threadgroup       [3]int    // threads per threadgroup; those at the end of the grid may be smaller
	Buffers           []Binding // by [[buffer(n)]] index
	ThreadgroupMemory []int     // bytes, by [[threadgroup(n)]] index
	Checks            Checks
	Workers           int // goroutines that run threadgroups; 0 means GOMAXPROCS

	// Schedule chooses the order in which the simdgroups of a threadgroup run between barriers: 0 ascending, -1
	// descending, any other value seeds a random order. A correct kernel gives the same result under each.
	Schedule int64
	// MaxSteps ends the dispatch with a StepLimit fault when a threadgroup has gone through more loop iterations than
	// this, counted over its simdgroups; 0 means no limit.
	MaxSteps int64
	// Cancel, when closed, ends the dispatch with ErrCanceled at the next threadgroup or within some thousand loop iterations.
	Cancel <-chan struct{}
}

// ErrCanceled is the error of a dispatch that was ended through Dispatch.Cancel.
var ErrCanceled = errors.New("simt: dispatch canceled")

// ArgumentError is the error of a Dispatch that cannot be run.
type ArgumentError struct {
	Kernel string
	Name   string
	Want   string
	Got    string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("simt: kernel %s: %s: want %s, got %s", e.Kernel, e.Name, e.Want, e.Got)
}

// FaultKind says which rule a kernel broke.
type FaultKind uint8

const (
	OutOfBounds FaultKind = iota + 1
	BarrierDivergence
	Race
	NullPointer
	InvalidMatrixUse // a simdgroup matrix operation reached by a part of a simdgroup
	Misaligned       // an atomic operation on an address that is no multiple of its size
	StepLimit        // Dispatch.MaxSteps was used up
)

// Fault is the error of a dispatch whose kernel broke a rule. Execution stops at the first one; where several threadgroups
// break rules, the fault of the one with the lowest index is reported, whatever the number of workers.
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

// Compile prepares k, which must not change afterwards. The error names an operation that the engine does not know or
// whose operands do not fit it.
func Compile(k *ir.Kernel) (*Kernel, error) {
	p, err := analyse(k)
	if err != nil {
		return nil, err
	}
	c := &Kernel{ir: k, plan: p}
	for i := range k.Statics {
		c.static = alignUp(c.static, max(int(k.Statics[i].Align), 1)) + int(k.Statics[i].Size)
	}
	// The code without checks is compiled now, so that what cannot be compiled is known here.
	if _, err := c.program(0); err != nil {
		return nil, err
	}
	return c, nil
}

// StaticThreadgroupMemory is the size in bytes of the threadgroup variables declared in the function.
func (k *Kernel) StaticThreadgroupMemory() int { return k.static }

func (k *Kernel) program(c Checks) (*program, error) {
	v := &k.variants[c&CheckAll]
	v.once.Do(func() { v.code, v.err = generate(k.ir, k.plan, c&CheckAll) })
	return v.code, v.err
}

func alignUp(n, align int) int { return (n + align - 1) / align * align }
