// Gateddelta runs the gated delta rule, chunked through its six kernels and token by token, for every case of a golden file, and
// shows how far the results are from the file's.
//
//	go run ./examples/gateddelta [-golden FILE] [-device NAME|gpu|software] [-n REPEATS] [-v]
//
// Without -golden it uses the file that is embedded in package ops/golden, which also describes the layout. It exits 1 if an
// error exceeds its bound or the device fails, and 2 if the arguments or the file cannot be used.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/puremetal/puremetal/kernels"
	"github.com/puremetal/puremetal/ops/golden"
	"github.com/puremetal/puremetal/ops/safetensors"
	"github.com/puremetal/puremetal/shaders"
	_ "github.com/puremetal/puremetal/soft" // -device software on a Mac too
)

// Bounds on the relative RMS error. The recurrent path is float32 throughout. The chunked path rounds the operands of
// its matrix products to bfloat16, which alone costs up to 3.9e-3 and 3.0e-3 on the embedded cases. It costs more the smaller K and
// the weaker the decay: 4.5e-3 and 3.8e-3 at K = 64 and a decay of 0.1 % a token, so a file of such cases is reported.
const (
	recurrentBound    = 2e-6
	chunkedBound      = 4.5e-3
	chunkedStateBound = 3.5e-3
)

// Exit codes.
const (
	exitFailed = 1
	exitInput  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

type options struct {
	golden  string
	device  string
	repeats int
	verbose bool
}

// run is the program; it returns the exit code.
func run(args []string, out, errs io.Writer) int {
	var o options
	flags := flag.NewFlagSet("gateddelta", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&o.golden, "golden", "", "golden `file`; default: the embedded one")
	flags.StringVar(&o.device, "device", "", "gpu, software, or part of a device's `name`; default: the system's default device")
	flags.IntVar(&o.repeats, "n", 1, "run each case this `often` and show the fastest")
	flags.BoolVar(&o.verbose, "v", false, "show each stage of the chunked path")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitInput
	}
	if err := o.run(flags.Args(), out); err != nil {
		fmt.Fprintln(errs, "gateddelta:", err)
		var input *inputError
		if errors.As(err, &input) {
			return exitInput
		}
		return exitFailed
	}
	return 0
}

// inputError is what is wrong with the arguments or the file, as opposed to the results.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

func badInput(format string, args ...any) error { return &inputError{fmt.Errorf(format, args...)} }

func (o *options) run(rest []string, out io.Writer) error {
	if len(rest) > 0 {
		return badInput("unexpected argument %q", rest[0])
	}
	if o.repeats < 1 {
		return badInput("-n: wanted at least 1, got %d", o.repeats)
	}
	file, from, err := o.open()
	if err != nil {
		return &inputError{err}
	}
	defer file.Close()
	names, err := caseNames(file)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}

	device, err := pickDevice(o.device)
	if err != nil {
		return err
	}
	defer device.Release()
	registry, err := kernels.New(device, shaders.Files)
	if err != nil {
		return err
	}
	defer registry.Release()
	queue, err := device.NewCommandQueue()
	if err != nil {
		return err
	}
	defer queue.Release()
	r := &runner{device: device, registry: registry, queue: queue, repeats: o.repeats}

	fmt.Fprintf(out, "device: %s\ngolden: %s, %d cases\n\n", device.Name(), from, len(names))
	t := table{out: out}
	t.header()
	for _, name := range names {
		if err := r.runCase(file, name, &t, o.verbose); err != nil {
			return fmt.Errorf("%s: %s: %w", from, name, err)
		}
	}
	return t.verdict()
}

// open opens the golden file and says where it came from.
func (o *options) open() (file *safetensors.File, from string, err error) {
	if o.golden == "" {
		file, err = golden.GDN()
		return file, "embedded", err
	}
	file, err = safetensors.Open(o.golden)
	return file, o.golden, err
}

// runCase reads one case, runs it both ways and adds its row.
func (r *runner) runCase(file *safetensors.File, name string, t *table, stages bool) error {
	c, err := readCase(file, name)
	if err != nil {
		return err
	}
	b, err := r.upload(c)
	defer b.release()
	if err != nil {
		return err
	}
	chunked, err := r.measure(c, b.chunked())
	if err != nil {
		return err
	}
	recurrent, err := r.measure(c, b.recurrent())
	if err != nil {
		return err
	}
	t.row(c, chunked, recurrent)
	if stages {
		return r.stages(c, b, t)
	}
	return nil
}
