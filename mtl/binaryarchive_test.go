package mtl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnArchiveIsFilledWrittenLoadedAndUsed(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		l := must(d.NewLibraryWithSource(constantKernels, nil))(t)
		defer l.Release()
		biased := func(v int32) *Function { return must(l.NewFunction("biased", ConstantInt32(7, v)))(t) }
		three, four := biased(3), biased(4)
		defer three.Release()
		defer four.Release()

		a := must(d.NewBinaryArchive(""))(t)
		defer a.Release()
		a.SetLabel("mine")
		if a.Label() != "mine" || a.Device() != d {
			t.Error("label or device is wrong")
		}
		path := filepath.Join(t.TempDir(), "archive")
		isError(t, a.Serialize(path), "BinaryArchive.Serialize", "MTLBinaryArchiveDomain", 1, "without functions")
		if err := a.AddComputePipelineFunctions(&ComputePipelineDescriptor{ComputeFunction: three}); err != nil {
			t.Fatal(err)
		}
		if err := a.Serialize(path); err != nil {
			t.Fatal(err)
		}

		loaded := must(d.NewBinaryArchive(path))(t)
		defer loaded.Release()
		again := biased(3) // another object, the same function
		defer again.Release()
		desc := &ComputePipelineDescriptor{ComputeFunction: again, BinaryArchives: []*BinaryArchive{a, loaded}, FailOnBinaryArchiveMiss: true}
		for _, archives := range [][]*BinaryArchive{{a}, {loaded}, {a, loaded}} {
			desc.BinaryArchives = archives
			p := must(d.NewComputePipelineState(desc))(t)
			p.Release()
			p = must(d.NewComputePipelineStateAsync(t.Context(), desc))(t)
			p.Release()
			settle()
		}
		desc.ComputeFunction = four
		var e *CompileError
		if _, err := d.NewComputePipelineState(desc); !errors.As(err, &e) || !strings.Contains(e.Text, "biased") {
			t.Errorf("a function that is in no archive: %v", err)
		}
		desc.FailOnBinaryArchiveMiss = false
		p := must(d.NewComputePipelineState(desc))(t)
		p.Release()
		f := must(l.NewFunctionWithDescriptor(&FunctionDescriptor{Name: "none", BinaryArchives: []*BinaryArchive{a}}))(t)
		f.Release()
	})
}

func TestWhatIsNoArchiveIsRefused(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		const op, domain = "Device.NewBinaryArchive", "MTLBinaryArchiveDomain"
		path := filepath.Join(t.TempDir(), "archive")
		_, err := d.NewBinaryArchive(path)
		isError(t, err, op, domain, 1, path)
		const first = "puremetal software binary archive 1\n"
		for _, text := range []string{"", "MTLB", first + "12\n", first + strings.Repeat("0", 64), first + strings.Repeat("x", 64) + "\n"} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := d.NewBinaryArchive(path)
			isError(t, err, op, domain, 1, "binary archive")
		}
		a := must(d.NewBinaryArchive(""))(t)
		l := must(d.NewLibraryWithSource(constantKernels, nil))(t)
		f := must(l.NewFunction("none"))(t)
		const add = "BinaryArchive.AddComputePipelineFunctions"
		refused(t, a.AddComputePipelineFunctions(nil), add, "descriptor")
		refused(t, a.AddComputePipelineFunctions(&ComputePipelineDescriptor{}), add, "ComputeFunction")
		isError(t, a.AddComputePipelineFunctions(&ComputePipelineDescriptor{ComputeFunction: f, MaxTotalThreadsPerThreadgroup: 2000}), add, domain, 3, "2000")
		isUnsupported(t, a.AddFunction(&FunctionDescriptor{Name: "none"}, l), "BinaryArchive.AddFunction")
		refused(t, a.AddFunction(nil, l), "BinaryArchive.AddFunction", "descriptor")
		refused(t, a.AddFunction(&FunctionDescriptor{Name: "none"}, nil), "BinaryArchive.AddFunction", "library")
		refused(t, a.Serialize(""), "BinaryArchive.Serialize", "path")
		a.Release()
		refused(t, a.Serialize(path), "BinaryArchive.Serialize", "archive")
		refused(t, a.AddComputePipelineFunctions(nil), add, "archive")
		const pipeline = "Device.NewComputePipelineState"
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, BinaryArchives: []*BinaryArchive{a}})
		refused(t, err, pipeline, "BinaryArchives")
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, FailOnBinaryArchiveMiss: true})
		refused(t, err, pipeline, "BinaryArchives")
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, LinkedFunctions: &LinkedFunctions{}})
		isUnsupported(t, err, pipeline)
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, MaxCallStackDepth: 2})
		isUnsupported(t, err, pipeline)
		_, err = d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, PreloadedLibraries: []*DynamicLibrary{nil}})
		isUnsupported(t, err, pipeline)
		f.Release()
		l.Release()
	})
}
