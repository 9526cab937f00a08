package mtl

import (
	"context"
	"os"
	"testing"

	"github.com/puremetal/puremetal/soft"
	"github.com/puremetal/puremetal/soft/msl"
)

func init() {
	scenarios = append(scenarios,
		scenario{"library files", playLibraryFiles}, scenario{"function descriptors", playFunctionDescriptors},
		scenario{"asynchronous compilers", playAsync}, scenario{"archives", playArchives}, scenario{"newer compile options", playCompileOptions})
}

func playLibraryFiles(t *testing.T, d *Device) error {
	file := must(soft.LibraryFile("kernel void k(device int *p [[buffer(0)]]) { p[0] = 1; }", msl.Options{}))(t)
	l, err := d.NewLibraryWithData(file)
	if err != nil {
		return err
	}
	l.Type()
	l.InstallName()
	l.Release()
	if _, err := d.NewLibraryWithURL("/no/such/file"); err == nil {
		t.Error("a library of no file")
	}
	if _, err := d.NewDynamicLibraryWithURL("/no/such/file"); err == nil {
		t.Error("a dynamic library of the software device")
	}
	return nil
}

func playFunctionDescriptors(t *testing.T, d *Device) error {
	l := must(d.NewLibraryWithSource(`constant int c [[function_constant(3)]];
kernel void k(device int *p [[buffer(0)]], threadgroup int *s [[threadgroup(1)]]) { s[0] = c; p[0] = s[0]; }`, nil))(t)
	defer l.Release()
	must(l.FunctionConstants("k"))(t)
	f, err := l.NewFunctionWithDescriptor(&FunctionDescriptor{Name: "k", SpecializedName: "k4", Constants: []FunctionConstant{ConstantInt32(3, 4)}})
	if err != nil {
		return err
	}
	defer f.Release()
	f.Type()
	p, _, err := d.NewComputePipelineStateWithReflection(&ComputePipelineDescriptor{ComputeFunction: f, SupportIndirectCommandBuffers: true})
	if err != nil {
		return err
	}
	p.Release()
	if _, err := d.NewComputePipelineState(&ComputePipelineDescriptor{ComputeFunction: f, LinkedFunctions: &LinkedFunctions{}}); err == nil {
		t.Error("linked functions of the software device")
	}
	return nil
}

func playAsync(t *testing.T, d *Device) error {
	defer settle()
	l, err := d.NewLibraryWithSourceAsync(context.Background(), "kernel void k(device int *p [[buffer(0)]]) { p[0] = 1; }", nil)
	if err != nil {
		return err
	}
	defer l.Release()
	f := must(l.NewFunction("k"))(t)
	defer f.Release()
	p, err := d.NewComputePipelineStateAsync(context.Background(), &ComputePipelineDescriptor{ComputeFunction: f})
	if err != nil {
		return err
	}
	p.Release()
	return nil
}

func playArchives(t *testing.T, d *Device) error {
	// The transcript's path is the same everywhere.
	before := must(os.Getwd())(t)
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(before)
	l := must(d.NewLibraryWithSource("kernel void k(device int *p [[buffer(0)]]) { p[0] = 1; }", nil))(t)
	defer l.Release()
	a, err := d.NewBinaryArchive("")
	if err != nil {
		return err
	}
	defer a.Release()
	a.SetLabel("archive")
	f := must(l.NewFunctionWithDescriptor(&FunctionDescriptor{Name: "k", BinaryArchives: []*BinaryArchive{a}}))(t)
	defer f.Release()
	if err := a.AddComputePipelineFunctions(&ComputePipelineDescriptor{ComputeFunction: f}); err != nil {
		return err
	}
	if err := a.Serialize("archive"); err != nil {
		return err
	}
	again, err := d.NewBinaryArchive("archive")
	if err != nil {
		return err
	}
	defer again.Release()
	p, err := d.NewComputePipelineState(&ComputePipelineDescriptor{
		ComputeFunction: f, BinaryArchives: []*BinaryArchive{again}, FailOnBinaryArchiveMiss: true,
	})
	if err != nil {
		return err
	}
	p.Release()
	return nil
}

func playCompileOptions(_ *testing.T, d *Device) error {
	l, err := d.NewLibraryWithSource("kernel void k(device int *p [[buffer(0)]]) { p[0] = 1; }",
		&CompileOptions{OptimizationLevel: LibraryOptimizationLevelSize, MaxTotalThreadsPerThreadgroup: 64})
	if err != nil {
		return err
	}
	l.Release()
	return nil
}
