package mtl

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/puremetal/puremetal/objc"
)

// settle waits until the software device has let go of the blocks that it called: it does so after the call, and then of nothing more.
func settle() {
	for range 1000 {
		if objc.LiveSoftwareObjectsByClass()["NSBlock"] == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestCompilersRunBesideTheCaller(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				l, err := d.NewLibraryWithSourceAsync(t.Context(), fileKernel, &CompileOptions{PreprocessorMacros: map[string]string{"N": "7"}})
				if err != nil {
					t.Error(err)
					return
				}
				defer l.Release()
				f, err := l.NewFunction("fill")
				if err != nil {
					t.Error(err)
					return
				}
				defer f.Release()
				p, err := d.NewComputePipelineStateAsync(t.Context(), &ComputePipelineDescriptor{ComputeFunction: f, Label: "fill", MaxTotalThreadsPerThreadgroup: 64})
				if err != nil {
					t.Error(err)
					return
				}
				defer p.Release()
				if p.Label() != "fill" || p.MaxTotalThreadsPerThreadgroup() > 64 || p.MaxTotalThreadsPerThreadgroup() < 1 {
					t.Errorf("pipeline %q of %d threads", p.Label(), p.MaxTotalThreadsPerThreadgroup())
				}
			})
		}
		group.Wait()
		settle()
	})
}

func TestAsynchronousFailuresAreThoseOfTheOtherWay(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		l, err := d.NewLibraryWithSourceAsync(t.Context(), "kernel void k(device int *a) { b = 1; }", nil)
		var e *CompileError
		if l != nil || !errors.As(err, &e) || e.Op != "Device.NewLibraryWithSourceAsync" || len(e.Diagnostics) == 0 || e.Diagnostics[0].Line != 1 {
			t.Errorf("a text with an error: %v, %v", l, err)
		}
		_, err = d.NewLibraryWithSourceAsync(t.Context(), "", &CompileOptions{MathMode: 9})
		refused(t, err, "Device.NewLibraryWithSourceAsync", "MathMode")
		_, err = d.NewComputePipelineStateAsync(t.Context(), &ComputePipelineDescriptor{})
		refused(t, err, "Device.NewComputePipelineStateAsync", "ComputeFunction")
		settle()
	})
	softly(t, func(t *testing.T, d *Device) {
		l := must(d.NewLibraryWithSource("kernel void k(device int *a) { a[0] = 1; }", nil))(t)
		defer l.Release()
		f := must(l.NewFunction("k"))(t)
		defer f.Release()
		p, err := d.NewComputePipelineStateAsync(t.Context(), &ComputePipelineDescriptor{ComputeFunction: f, MaxTotalThreadsPerThreadgroup: 4096})
		var e *CompileError
		if p != nil || !errors.As(err, &e) || !strings.Contains(e.Text, "4096") {
			t.Errorf("too many threads: %v, %v", p, err)
		}
		settle()
	})
}

// slow is the class of a device whose compiler answers when its state, a channel of ids, does.
var slow = sync.OnceValue(func() *objc.Class {
	return objc.Software().Register(objc.ClassDef{
		Name: "FakeSlowDevice",
		Instance: map[objc.SEL]objc.Method{
			selNewLibraryWithSourceAsync: func(self *objc.Object, m *objc.Msg) {
				block, answers := objc.Retain(m.ArgID(2)), self.State.(chan objc.ID)
				go func() {
					id := <-answers
					objc.CallBlock(block, id, 0)
					objc.Release(id)
					objc.Release(block)
					answers <- 0
				}()
			},
		},
	})
})

func TestTheEndOfAContextEndsTheWaitingAndNotTheCompiler(t *testing.T) {
	softly(t, func(t *testing.T, d *Device) {
		l := must(d.NewLibraryWithSource(fileKernel, &CompileOptions{PreprocessorMacros: map[string]string{"N": "1"}}))(t)
		answers := make(chan objc.ID)
		s := &Device{runtime: objc.Software()}
		own(s, &s.handle, objc.NewObject(slow(), answers), drop)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
		if _, err := s.NewLibraryWithSourceAsync(ctx, "", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v", err)
		}
		if _, err := s.NewLibraryWithSourceAsync(ctx, "", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a context that has ended: %v", err)
		}
		answers <- objc.Retain(l.object())
		<-answers
		// What came too late is let go of by the goroutine that still waits: nobody else knows when it is done.
		objects := func() int { return objc.LiveSoftwareObjectsByClass()["SoftwareMTLLibrary"] }
		before := objects()
		l.Release()
		for range 1000 {
			if objects() == before-1 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		s.Release()
		settle()
	})
}
