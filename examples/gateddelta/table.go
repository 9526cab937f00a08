package main

import (
	"fmt"
	"io"
	"math"
)

// table prints results as they come and remembers which were out of bounds.
type table struct {
	out      io.Writer
	cases    int
	exceeded []string
}

const rowFormat = "%-8s %-36s %10s %10s %9s   %10s %10s %9s\n"

func (t *table) header() {
	fmt.Fprintf(t.out, rowFormat, "", "", "chunked", "", "", "recurrent", "", "")
	fmt.Fprintf(t.out, rowFormat, "case", "shape", "o", "state", "ms", "o", "state", "ms")
}

func (t *table) row(c *goldenCase, chunked, recurrent result) {
	t.cases++
	format := func(r result, bound, stateBound float64) (o, state, ms string) {
		return t.errorText(c.name, r.o, bound), t.errorText(c.name, r.state, stateBound), fmt.Sprintf("%.2f", r.ms)
	}
	co, cs, cms := format(chunked, chunkedBound, chunkedStateBound)
	ro, rs, rms := format(recurrent, recurrentBound, recurrentBound)
	fmt.Fprintf(t.out, rowFormat, c.name, c, co, cs, cms, ro, rs, rms)
}

// errorText formats an error, with a mark if it exceeds its bound.
func (t *table) errorText(name string, e, bound float64) string {
	if e <= bound {
		return fmt.Sprintf("%.2e", e)
	}
	if n := len(t.exceeded); n == 0 || t.exceeded[n-1] != name {
		t.exceeded = append(t.exceeded, name)
	}
	return fmt.Sprintf("!%.2e", e)
}

// stage prints a line of one stage of the chunked path.
func (t *table) stage(name string, shape []int, ms float64) {
	fmt.Fprintf(t.out, "         %-24s -> %-32s %9.2f\n", name, fmt.Sprint(shape), ms)
}

// verdict prints the last line, or returns it as an error if an error exceeded its bound.
func (t *table) verdict() error {
	bounds := fmt.Sprintf("chunked o %.1e, state %.1e; recurrent %.1e", chunkedBound, chunkedStateBound, recurrentBound)
	if len(t.exceeded) > 0 {
		return fmt.Errorf("relative RMS errors marked ! exceed the bounds (%s) in %d of %d cases: %v",
			bounds, len(t.exceeded), t.cases, t.exceeded)
	}
	_, err := fmt.Fprintf(t.out, "\nall relative RMS errors are within the bounds: %s\n", bounds)
	return err
}

// relativeRMS is the root of sum (got-want)^2 / sum want^2. Anything that is not a number is infinite, so that it exceeds
// any bound.
func relativeRMS(got, want []float32) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var difference, scale float64
	for i := range want {
		d := float64(got[i]) - float64(want[i])
		difference += d * d
		scale += float64(want[i]) * float64(want[i])
	}
	if difference == 0 {
		return 0
	}
	r := math.Sqrt(difference / scale)
	if math.IsNaN(r) {
		return math.Inf(1)
	}
	return r
}
