package simt

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/puremetal/puremetal/soft/msl/ir"
	"github.com/puremetal/puremetal/soft/msl/token"
)

// worker runs threadgroups one after the other. It belongs to one goroutine at a time and is kept for later dispatches.
type worker struct {
	code     *program
	d        *Dispatch
	warps    []warp
	order    []int    // in which the warps run
	mem      [][]byte // by object; those of private objects are in the warps
	own      []byte   // threadgroup memory
	used     int      // bytes of it that this dispatch has
	shadows  [][]cell // of the threadgroup objects
	epoch    uint64
	grid     [3]uint32 // threads
	groups   [3]uint32 // threadgroups
	fullSize [3]uint32 // of a threadgroup
	group    [3]uint32 // the threadgroup under way
	origin   [3]uint32 // its first thread
	size     [3]uint32 // its threads
	shaped   [3]uint32 // the size that the warps' positions are made for
	fuel     int64     // loop iterations until refuel
	spent    int64     // loop iterations given out in this threadgroup
	random   *rand.PCG
}

const fuelPortion = 1 << 14

// Run executes the dispatch and returns when all threadgroups have ended. The error is a *Fault if the kernel broke a
// rule, an *ArgumentError if the dispatch cannot be run, or ErrCanceled. The memory of the bindings must not be touched
// by others while Run lasts, except by other dispatches as Metal allows.
func (k *Kernel) Run(d *Dispatch) error {
	groups, err := k.check(d)
	if err != nil {
		return err
	}
	code, err := k.program(d.Checks)
	if err != nil {
		return err
	}
	n := d.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	total := int64(groups[0]) * int64(groups[1]) * int64(groups[2])
	n = int(min(int64(n), total))
	pool := &k.variants[d.Checks&CheckAll].workers
	if n == 1 {
		return k.serial(pool, code, d, groups, total)
	}
	var (
		wait  sync.WaitGroup
		next  atomic.Int64
		worst atomic.Int64 // the lowest threadgroup that failed
		mu    sync.Mutex
		fail  error
	)
	worst.Store(math.MaxInt64)
	for range n {
		wait.Add(1)
		go func() {
			defer wait.Done()
			wk := getWorker(pool, code, d, groups)
			defer wk.put(pool)
			for {
				i := next.Add(1) - 1
				// Groups are handed out in order, so those below a failed one have all begun and will end.
				if i >= total || i > worst.Load() {
					return
				}
				if err := wk.runGroup(i); err != nil {
					mu.Lock()
					if i < worst.Load() {
						worst.Store(i)
						fail = err
					}
					mu.Unlock()
					return
				}
			}
		}()
	}
	wait.Wait()
	return fail
}

func (k *Kernel) serial(pool *sync.Pool, code *program, d *Dispatch, groups [3]uint32, total int64) error {
	wk := getWorker(pool, code, d, groups)
	defer wk.put(pool)
	for i := range total {
		if err := wk.runGroup(i); err != nil {
			return err
		}
	}
	return nil
}

// check holds the dispatch to what can be run.
func (k *Kernel) check(d *Dispatch) (groups [3]uint32, err error) {
	bad := func(name, want, got string) ([3]uint32, error) {
		return groups, &ArgumentError{k.ir.Name, name, want, got}
	}
	threads, total := int64(1), int64(1)
	for i := range 3 {
		g, t := d.Grid[i], d.Threadgroup[i]
		if g <= 0 || int64(g) > math.MaxUint32 {
			return bad("Grid", "1 to 2^32-1 threads in every dimension", fmt.Sprint(d.Grid))
		}
		if t <= 0 || t > MaxThreads {
			return bad("Threadgroup", "1 to 1024 threads in every dimension", fmt.Sprint(d.Threadgroup))
		}
		threads *= int64(t)
		n := (int64(g) + int64(t) - 1) / int64(t)
		groups[i] = uint32(n)
		if total > math.MaxInt64/4/n {
			return bad("Grid", "fewer than 2^61 threadgroups", fmt.Sprint(d.Grid))
		}
		total *= n
	}
	if threads > MaxThreads {
		return bad("Threadgroup", "at most 1024 threads", fmt.Sprint(threads))
	}
	if m := k.ir.MaxTotalThreads; m > 0 && threads > int64(m) {
		return bad("Threadgroup", fmt.Sprintf("at most the %d threads that the kernel declares", m), fmt.Sprint(threads))
	}
	for _, n := range d.ThreadgroupMemory {
		if n < 0 || n > 1<<30 {
			return bad("ThreadgroupMemory", "0 to 2^30 bytes", fmt.Sprint(n))
		}
	}
	return groups, nil
}

func getWorker(pool *sync.Pool, code *program, d *Dispatch, groups [3]uint32) *worker {
	wk, _ := pool.Get().(*worker)
	if wk == nil {
		wk = &worker{code: code, mem: make([][]byte, len(code.plan.objects)), shadows: make([][]cell, len(code.plan.objects)), random: &rand.PCG{}}
	}
	wk.d = d
	wk.groups = groups
	threads := 1
	for i := range 3 {
		wk.grid[i], wk.fullSize[i] = uint32(d.Grid[i]), uint32(d.Threadgroup[i])
		threads *= d.Threadgroup[i]
	}
	wk.grow((threads + Width - 1) / Width)
	wk.bind()
	return wk
}

// put keeps the worker for the next dispatch without holding on to the memory of this one.
func (wk *worker) put(pool *sync.Pool) {
	wk.d = nil
	for i, o := range wk.code.plan.objects {
		if o.class == bufferObject {
			wk.mem[i] = nil
		}
	}
	pool.Put(wk)
}

// grow makes n warps.
func (wk *worker) grow(n int) {
	if n <= len(wk.warps) {
		return
	}
	p := wk.code
	old := len(wk.warps)
	wk.warps = append(wk.warps, make([]warp, n-old)...)
	wk.order = make([]int, n)
	for i := old; i < n; i++ {
		w := &wk.warps[i]
		w.vf = make([][Width]float32, p.layout.vectors[bankF])
		w.vu = make([][Width]uint32, p.layout.vectors[bankU])
		w.vq = make([][Width]uint64, p.layout.vectors[bankQ])
		w.sf = make([]float32, p.layout.scalars[bankF])
		w.su = make([]uint32, p.layout.scalars[bankU])
		w.sq = make([]uint64, p.layout.scalars[bankQ])
		w.mats = make([][64]float32, p.layout.scalars[bankM])
		w.waits = make([]uint32, p.waits)
		w.priv = make([]byte, p.priv)
		w.index = i
		for r, info := range p.plan.k.Regs {
			if !info.Const {
				continue
			}
			s := p.layout.slots[r]
			switch s.bank {
			case bankF:
				w.sf[s.index] = math.Float32frombits(uint32(info.Bits))
			case bankU:
				w.su[s.index] = narrowed(s.kind, uint32(info.Bits))
			case bankQ:
				w.sq[s.index] = info.Bits
			}
		}
	}
	for i := range wk.warps { // the slice may have moved
		wk.warps[i].wk = wk
	}
	wk.shaped = [3]uint32{}
}

// bind sets the memory of the objects for this dispatch.
func (wk *worker) bind() {
	d, p := wk.d, wk.code.plan
	size := 0
	place := func(o *object, n int) (from, to int) {
		size = alignUp(size, max(int(o.align), 16))
		from = size
		size += n
		return from, size
	}
	length := func(o *object) int {
		switch {
		case o.class == staticObject:
			return int(o.size)
		case o.bind >= 0 && o.bind < len(d.ThreadgroupMemory):
			return d.ThreadgroupMemory[o.bind]
		}
		return 0
	}
	for pass := range 2 {
		size = 0
		for i := range p.objects {
			o := &p.objects[i]
			if !o.shared() {
				continue
			}
			from, to := place(o, length(o))
			if pass == 1 {
				wk.mem[i] = wk.own[from:to:to]
				if cells := (to - from + 1<<o.cell - 1) >> o.cell; wk.code.checks&CheckRaces != 0 && len(wk.shadows[i]) < cells {
					wk.shadows[i] = make([]cell, cells)
				}
			}
		}
		if pass == 0 && len(wk.own) < size {
			wk.own = make([]byte, size)
		}
	}
	wk.used = size
	for i := range p.objects {
		switch o := &p.objects[i]; o.class {
		case bufferObject:
			wk.mem[i] = nil
			if o.bind >= 0 && o.bind < len(d.Buffers) && d.Buffers[o.bind].Bound {
				wk.mem[i] = d.Buffers[o.bind].Mem
			}
		case constantObject:
			wk.mem[i] = p.k.Constants[o.index].Bytes
		}
	}
}

// bound reports whether something is bound to a buffer argument.
func (wk *worker) bound(o *object) bool {
	return o.bind >= 0 && o.bind < len(wk.d.Buffers) && wk.d.Buffers[o.bind].Bound
}

// poison fills threadgroup memory, before a checked threadgroup writes it, with what is NaN in every float format: Metal
// promises no zeros there.
func (wk *worker) poison() {
	m := wk.own[:wk.used]
	if len(m) == 0 {
		return
	}
	m[0] = 0xff
	for n := 1; n < len(m); n *= 2 {
		copy(m[n:], m[:n])
	}
}

// runGroup runs threadgroup number i.
func (wk *worker) runGroup(i int64) (err error) {
	select {
	case <-wk.d.Cancel:
		return ErrCanceled
	default:
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			err = r.err
		default:
			err = fmt.Errorf("simt: kernel %s: internal error: %v\n%s", wk.code.plan.k.Name, r, debug.Stack())
		}
	}()
	g := [3]uint32{uint32(i % int64(wk.groups[0])), uint32(i / int64(wk.groups[0]) % int64(wk.groups[1])), uint32(i / int64(wk.groups[0]) / int64(wk.groups[1]))}
	for c := range 3 {
		wk.group[c] = g[c]
		wk.origin[c] = g[c] * wk.fullSize[c]
		wk.size[c] = min(wk.fullSize[c], wk.grid[c]-wk.origin[c])
	}
	threads := int(volume(wk.size))
	n := (threads + Width - 1) / Width
	if wk.shaped != wk.size {
		wk.shape()
	}
	if wk.code.checks != 0 {
		wk.poison()
	}
	wk.fuel, wk.spent = 0, 0
	wk.nextEpoch()
	for j := range n {
		w := &wk.warps[j]
		w.launch = fullMask
		if left := threads - j*Width; left < Width {
			w.launch = 1<<left - 1
		}
		w.mask, w.pc, w.state = w.launch, 0, ready
		if wk.code.checks&CheckBarriers != 0 {
			w.gone = [Width]token.Pos{}
		}
	}
	wk.schedule(n, i)
	for {
		for _, j := range wk.order[:n] {
			if w := &wk.warps[j]; w.state == ready {
				wk.code.run(w)
			}
		}
		if !wk.release(n) {
			return nil
		}
	}
}

// shape sets the thread positions for threadgroups of this size.
func (wk *worker) shape() {
	wk.shaped = wk.size
	for i := range wk.warps {
		w := &wk.warps[i]
		for lane := range uint32(Width) {
			n := uint32(i)*Width + lane
			w.pos[0][lane] = n % wk.size[0]
			w.pos[1][lane] = n / wk.size[0] % wk.size[1]
			w.pos[2][lane] = n / wk.size[0] / wk.size[1]
		}
	}
}

// schedule chooses the order in which the warps of threadgroup i run.
func (wk *worker) schedule(n int, i int64) {
	order := wk.order[:n]
	for j := range order {
		order[j] = j
		if wk.d.Schedule == -1 {
			order[j] = n - 1 - j
		}
	}
	if s := wk.d.Schedule; s != 0 && s != -1 {
		wk.random.Seed(uint64(s), uint64(i))
		wk.shuffle(order)
	}
}

func (wk *worker) shuffle(order []int) {
	for j := len(order) - 1; j > 0; j-- {
		hi, _ := bits.Mul64(wk.random.Uint64(), uint64(j+1))
		order[j], order[hi] = order[hi], order[j]
	}
}

// release lets the warps that wait at a barrier go on. It reports whether there are any.
func (wk *worker) release(n int) bool {
	waits := 0
	for j := range n {
		if wk.warps[j].state == waiting {
			waits++
		}
	}
	if waits == 0 {
		return false
	}
	if wk.code.checks&CheckBarriers != 0 {
		wk.checkBarrier(n)
	}
	orders := false
	for j := range n {
		if w := &wk.warps[j]; w.state == waiting {
			w.state = ready
			orders = orders || wk.code.plan.sites[w.at].in.Imm&ir.MemThreadgroup != 0
		}
	}
	if orders {
		wk.nextEpoch()
	}
	if s := wk.d.Schedule; s != 0 && s != -1 {
		wk.shuffle(wk.order[:n])
	}
	return true
}

// refuel grants further loop iterations, unless the dispatch is canceled or the threadgroup has had all it may.
func (wk *worker) refuel(w *warp) {
	select {
	case <-wk.d.Cancel:
		panic(stop{ErrCanceled})
	default:
	}
	portion := int64(fuelPortion)
	if m := wk.d.MaxSteps; m > 0 {
		if portion = min(portion, m-wk.spent); portion <= 0 {
			w.fault(StepLimit, wk.code.plan.k.Pos, bits.TrailingZeros32(w.mask|1<<31), nil, "more than %d loop iterations in one threadgroup", m)
		}
	}
	wk.spent += portion
	wk.fuel = portion - 1
}
