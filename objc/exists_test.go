package objc

import "testing"

func TestAnObjectExistsUntilItsLastRelease(t *testing.T) {
	id := Software().NewString("once")
	Retain(id)
	Release(id)
	if !Exists(id) {
		t.Error("it is gone with a reference left")
	}
	Release(id)
	again := Software().NewString("takes its slot")
	defer Release(again)
	if Exists(id) || Exists(0) || Exists(4096) || !Exists(again) {
		t.Error("an object that is gone exists, or nil, or an address")
	}
}
