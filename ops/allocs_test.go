package ops_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/puremetal/puremetal/mtl"
	"github.com/puremetal/puremetal/ops"
)

func TestEncodingAllocatesNothingOnceCompiled(t *testing.T) {
	if raceDetector {
		t.Skip("sync.Pool forgets at random under the race detector")
	}
	list := validOps(t)
	run(t, asEncoders(list)...)
	for _, op := range list {
		name := reflect.TypeOf(op).Elem().Name()
		if err := rig.queue.Run(context.Background(), func(enc *mtl.ComputeCommandEncoder) error {
			n := testing.AllocsPerRun(20, func() {
				if err := op.Encode(enc, rig.registry); err != nil {
					t.Error(err)
				}
			})
			if n != 0 {
				t.Errorf("%s: %g allocations", name, n)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		ranges := make([]ops.Range, 0, 32)
		if n := testing.AllocsPerRun(20, func() { ranges = op.AppendWrites(op.AppendReads(ranges[:0])) }); n != 0 {
			t.Errorf("%s: %g allocations for its ranges", name, n)
		}
	}
}

func asEncoders(list []validator) []encoder {
	out := make([]encoder, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}
