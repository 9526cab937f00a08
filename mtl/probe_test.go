package mtl

import (
	"context"
	"sync"
	"testing"
)

func TestAProbeFindsWhatKernelsCanUse(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		for f := range features {
			for range 2 { // found, then kept
				has, err := d.Probe(context.Background(), f)
				if err != nil {
					t.Errorf("%s: %v", f, err)
				}
				if !has && d.IsSoftware() {
					t.Errorf("the software device does not have %s", f)
				}
			}
		}
	})
}

func TestAProbeDistrustsCompilersAndWrongNumbers(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		for f := range features {
			p := probePrograms[f]
			if has, err := d.try(&p); !has || err != nil {
				t.Errorf("%s: %v, error %v", f, has, err)
			}
			want := p.want()
			for i := range want {
				p.want = func() []float32 {
					wrong := append([]float32(nil), want...)
					wrong[i]++
					return wrong
				}
				if has, _ := d.try(&p); has {
					t.Errorf("%s: a wrong number %d does not count", f, i)
				}
			}
			for what, source := range map[string]string{
				"does not compile":  "kernel void probe(device float *v [[buffer(1)]]) { v[0] = nowhere; }",
				"writes elsewhere":  "kernel void probe(device float *v [[buffer(1)]], uint i [[thread_position_in_grid]]) { if (i == 0) v[63] = 1; }",
				"leaves its buffer": "kernel void probe(device float *v [[buffer(1)]]) { v[64] = 1; }",
			} {
				p := p
				p.source = source
				if what == "leaves its buffer" && !d.IsSoftware() {
					continue
				}
				if has, err := d.try(&p); has || err != nil {
					t.Errorf("%s: a kernel that %s: %v, error %v", f, what, has, err)
				}
			}
			p.source = "kernel void other(device float *v [[buffer(1)]]) { v[0] = 1; }"
			if has, err := d.try(&p); has || err == nil {
				t.Errorf("%s: no kernel: %v, error %v", f, has, err)
			}
		}
	})
}

func TestAProbeThatCouldNotBeMadeIsMadeAgain(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		key := probeKey{d.runtime, ^d.registryID, FeatureBFloat}
		p := &probe{done: make(chan struct{})}
		probes.mu.Lock()
		probes.all[key] = p
		probes.mu.Unlock()
		p.run(key, &Device{}) // a released one
		<-p.done
		probes.mu.Lock()
		defer probes.mu.Unlock()
		if p.has || p.err == nil || probes.all[key] != nil {
			t.Errorf("has %v, error %v, kept %v", p.has, p.err, probes.all[key] != nil)
		}
	})
}

func TestManyCallersShareAProbe(t *testing.T) {
	each(t, func(t *testing.T, d *Device) {
		key := probeKey{d.runtime, d.registryID, FeatureBFloat}
		probes.mu.Lock()
		delete(probes.all, key)
		probes.mu.Unlock()
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if has, err := d.Probe(context.Background(), FeatureBFloat); err != nil || !has && d.IsSoftware() {
					t.Errorf("%v, error %v", has, err)
				}
			})
		}
		wait.Wait()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := d.Probe(ctx, FeatureBFloat); err != context.Canceled {
			t.Errorf("got %v", err)
		}
		for _, f := range []Feature{-1, features} {
			_, err := d.Probe(context.Background(), f)
			refused(t, err, "Device.Probe", "feature")
		}
	})
}
