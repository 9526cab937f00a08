package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops/golden"
	"github.com/puremetal/puremetal/ops/safetensors"
)

// program runs the program and checks that it released everything.
func program(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	code = run(args, &o, &e)
	if n := mtl.LiveObjects(); n != 0 {
		t.Errorf("%d live objects, want 0", n)
	}
	return code, o.String(), e.String()
}

// generated returns a file of the given cases, after change has had its way with each tensor; a tensor that it makes nameless is
// left out.
func generated(t *testing.T, change func(*safetensors.Data), cases ...golden.Case) string {
	t.Helper()
	var out bytes.Buffer
	if err := golden.Generate(&out, 7, cases...); err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Parse(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var tensors []safetensors.Data
	for _, tensor := range f.Tensors() {
		p, err := tensor.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		d := safetensors.Data{Name: tensor.Name, DType: tensor.DType, Shape: slices.Clone(tensor.Shape), Bytes: p}
		if change != nil {
			change(&d)
		}
		if d.Name != "" {
			tensors = append(tensors, d)
		}
	}
	path := filepath.Join(t.TempDir(), "golden.safetensors")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := safetensors.Write(file, nil, tensors); err != nil {
		t.Fatal(err)
	}
	return path
}

var small = golden.Case{B: 1, T: 5, Hg: 1, H: 1, K: 64, V: 32, InitialState: true, Decay: 0.2}

func TestEveryEmbeddedCaseIsWithinItsBounds(t *testing.T) {
	code, out, errs := program(t)
	t.Logf("\n%s%s", out, errs)
	if code != 0 || strings.Count(out, "\ncase") != 9 || !strings.Contains(out, "within the bounds") {
		t.Errorf("exit code %d, want 0, eight cases and the verdict", code)
	}
}

func TestOtherShapesPassWithoutAChange(t *testing.T) {
	path := generated(t, nil,
		golden.Case{B: 1, T: 77, Hg: 1, H: 3, K: 128, V: 128, InitialState: true, Decay: 0.1},
		golden.Case{B: 2, T: 130, Hg: 1, H: 1, K: 192, V: 64, Decay: 0.3},
		golden.Case{B: 1, T: 257, Hg: 2, H: 6, K: 64, V: 32, InitialState: true, Decay: 2},
		golden.Case{B: 1, T: 63, Hg: 1, H: 1, K: 256, V: 224, InitialState: true, Decay: 0.05},
	)
	code, out, errs := program(t, "-golden", path, "-device", "software")
	t.Logf("\n%s%s", out, errs)
	if code != 0 || strings.Count(out, "\ncase") != 5 {
		t.Errorf("exit code %d, want 0 and four cases", code)
	}
}

func TestStagesAreShownOnRequest(t *testing.T) {
	code, out, errs := program(t, "-golden", generated(t, nil, small), "-v", "-n", "2")
	if code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", code, out, errs)
	}
	for _, want := range []string{
		"chunk_local_cumsum       -> [1 5 1]", "gated_delta_kkt          -> [1 5 1 64]",
		"gated_delta_solve        -> [1 5 1 64]", "gated_delta_wu           -> [1 5 1 32]",
		"gated_delta_chunk_state  -> [1 1 1 32 64]", "gated_delta_chunk_o      -> [1 5 1 32]",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("got\n%s\nwant %q", out, want)
		}
	}
}

func TestResultsThatAreNotTheFilesExitWith1(t *testing.T) {
	for name, change := range map[string]func(*safetensors.Data){
		"another o":           func(d *safetensors.Data) { perturb(d, "case0.o") },
		"another state":       func(d *safetensors.Data) { perturb(d, "case0.final_state") },
		"no initial state":    func(d *safetensors.Data) { drop(d, "case0.initial_state") },
		"o is zero":           func(d *safetensors.Data) { zero(d, "case0.o") },
		"another decay":       func(d *safetensors.Data) { zero(d, "case0.g") },
		"another beta":        func(d *safetensors.Data) { zero(d, "case0.beta") },
		"final state is zero": func(d *safetensors.Data) { zero(d, "case0.final_state") },
	} {
		code, out, errs := program(t, "-golden", generated(t, change, small))
		if code != exitFailed || !strings.Contains(out, "!") || !strings.Contains(errs, "exceed the bounds") {
			t.Errorf("%s: exit code %d, want 1\n%s%s", name, code, out, errs)
		}
	}
}

func zero(d *safetensors.Data, name string) {
	if d.Name == name {
		clear(d.Bytes)
	}
}

func drop(d *safetensors.Data, name string) {
	if d.Name == name {
		d.Name = ""
	}
}

// perturb changes every float32 by 0.8 % to 1.6 %, by the bit of its fraction that stands for 2^-6.
func perturb(d *safetensors.Data, name string) {
	if d.Name == name {
		for i := 2; i < len(d.Bytes); i += 4 {
			d.Bytes[i] ^= 0x02
		}
	}
}

func TestFilesThatCannotBeUsedExitWith2AndSayWhy(t *testing.T) {
	reshape := func(name string, shape ...int) func(*safetensors.Data) {
		return func(d *safetensors.Data) {
			if d.Name == name {
				d.Shape = shape
			}
		}
	}
	unchanged := func(*safetensors.Data) {}
	for _, c := range []struct {
		name   string
		change func(*safetensors.Data)
		shape  golden.Case
		want   string
	}{
		{"no cases", func(d *safetensors.Data) { drop(d, "case0.q") }, small, "no cases"},
		{"missing tensor", func(d *safetensors.Data) { drop(d, "case0.beta") }, small, `tensor "case0.beta"`},
		{"rank", reshape("case0.q", 5, 64), small, "case0.q: wanted 4 dimensions"},
		{"shape", reshape("case0.k", 1, 1, 5, 64), small, "case0.k: wanted shape [1 5 1 64], got [1 1 5 64]"},
		{"state shape", reshape("case0.final_state", 1, 1, 32, 64), small, "case0.final_state: wanted shape [1 1 64 32]"},
		{"dtype", func(d *safetensors.Data) {
			if d.Name == "case0.v" {
				d.DType = safetensors.F16
			}
		}, small, "case0.v: wanted BF16, got F16"},
		{"growing state", func(d *safetensors.Data) {
			if d.Name == "case0.g" {
				d.Bytes[3] &^= 0x80
			}
		}, small, "case0.g: wanted log-decays <= 0"},
		{"not finite", func(d *safetensors.Data) {
			if d.Name == "case0.q" {
				d.Bytes[2], d.Bytes[3] = 0x80, 0x7f
			}
		}, small, "case0.q: wanted finite values, got +Inf at element 1"},
		{"unsupported K", unchanged, golden.Case{B: 1, T: 2, Hg: 1, H: 1, K: 96, V: 32}, "64, 128, 192 or 256"},
		{"unsupported V", unchanged, golden.Case{B: 1, T: 2, Hg: 1, H: 1, K: 64, V: 48}, "multiple of 32"},
	} {
		code, out, errs := program(t, "-golden", generated(t, c.change, c.shape))
		if code != exitInput || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s%s", c.name, code, c.want, out, errs)
		}
	}
}

func TestArgumentsThatCannotBeUsedExitWith2AndSayWhy(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent.safetensors")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-golden", absent}, absent},
		{[]string{"-golden", "main_test.go"}, "header length"},
		{[]string{"-n", "0"}, "-n: wanted at least 1"},
		{[]string{"-device", "Voodoo 2"}, `there are`},
		{[]string{"-unknown"}, "-unknown"},
		{[]string{"golden.safetensors"}, `unexpected argument "golden.safetensors"`},
	} {
		if code, out, errs := program(t, c.args...); code != exitInput || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit code %d, want 2 and %q\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}

func TestCasesAreInNumericOrder(t *testing.T) {
	cases := make([]golden.Case, 11)
	for i := range cases {
		cases[i] = golden.Case{B: 1, T: 1, Hg: 1, H: 1, K: 1, V: 1}
	}
	f, err := safetensors.Open(generated(t, nil, cases...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names, err := caseNames(f)
	if err != nil || len(names) != 11 || names[2] != "case2" || names[10] != "case10" {
		t.Errorf("got %v, %v", names, err)
	}
}
