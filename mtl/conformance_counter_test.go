package mtl

import "testing"

func init() { scenarios = append(scenarios, scenario{"counters", playCounters}) }

func playCounters(t *testing.T, d *Device) error {
	set, err := d.TimestampCounterSet()
	if err != nil {
		return err
	}
	b, err := d.NewCounterSampleBuffer(&CounterSampleBufferDescriptor{CounterSet: set, Label: "times", SampleCount: 4})
	if err != nil {
		return err
	}
	defer b.Release()
	if _, err := d.SampleTimestamps(); err != nil {
		return err
	}
	out := must(d.NewBuffer(512, StorageModeShared))(t)
	defer out.Release()
	q := must(d.NewCommandQueue())(t)
	defer q.Release()
	c := must(q.NewCommandBuffer())(t)
	defer c.Release()
	e, err := c.NewComputeCommandEncoderWithDescriptor(&ComputePassDescriptor{SampleBufferAttachments: []SampleBufferAttachment{{b, 1, CounterDontSample}}})
	if err != nil {
		return err
	}
	if err := e.EndEncoding(); err != nil {
		return err
	}
	blit := must(c.NewBlitCommandEncoder())(t)
	blit.ResolveCounters(b, 1, 2, out, 256)
	if err := blit.EndEncoding(); err != nil {
		return err
	}
	if err := c.Commit(); err != nil {
		return err
	}
	if err := c.WaitUntilCompleted(); err != nil {
		return err
	}
	_, err = b.ResolveTimestamps(0, 4)
	return err
}
