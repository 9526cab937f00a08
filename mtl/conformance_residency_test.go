package mtl

import (
	"errors"
	"testing"
)

func init() {
	scenarios = append(scenarios, scenario{"residency sets", playResidency}, scenario{"capture", playCapture})
}

func playResidency(t *testing.T, d *Device) error {
	s, err := d.NewResidencySet(&ResidencySetDescriptor{Label: "set", InitialCapacity: 2})
	if err != nil {
		return err
	}
	defer s.Release()
	b := must(d.NewBuffer(16, StorageModeShared))(t)
	defer b.Release()
	if err := s.Add(b); err != nil {
		return err
	}
	s.Commit()
	s.Contains(b)
	s.AllocationCount()
	s.AllocatedSize()
	s.RequestResidency()
	s.EndResidency()
	if err := s.Remove(b); err != nil {
		return err
	}
	s.RemoveAll()
	q := must(d.NewCommandQueue())(t)
	defer q.Release()
	if err := q.AddResidencySet(s); err != nil {
		return err
	}
	return q.RemoveResidencySet(s)
}

func playCapture(t *testing.T, d *Device) error {
	if _, err := d.StartCapture(&CaptureDescriptor{Path: "a.gputrace"}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a capture of the software device: %v", err)
	}
	return nil
}
