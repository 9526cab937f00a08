package objc

import (
	"math"
	"testing"
)

func TestStringsKeepTheirText(t *testing.T) {
	balanced(t)
	class := Software().Class("NSString")
	for _, s := range []string{"", "matmul", "naïve 𝄞", "a\x00b"} {
		id := Software().NewString(s)
		if got := GoString(id); got != s {
			t.Errorf("%q comes back as %q", s, got)
		}
		if n := int(Send(id, selLengthOfBytes, utf8Encoding)); n != len(s) {
			t.Errorf("%q has %d bytes", s, n)
		}
		Release(id)
	}
	Software().Pool(func() {
		m := new(Msg)
		id := ID(m.Send(class, selStringWithUTF8, m.CString("naïve 𝄞")))
		if GoString(id) != "naïve 𝄞" || CString(Send(id, selUTF8String)) != "naïve 𝄞" {
			t.Errorf("string is %q", GoString(id))
		}
		if n := Send(id, selLength); n != 8 {
			t.Errorf("length is %d UTF-16 units, want 8", n)
		}
		again := Software().NewString("naïve 𝄞")
		defer Release(again)
		if !SendBool(id, selIsEqual, uintptr(again)) || Send(id, selHash) != Send(again, selHash) {
			t.Error("equal strings are not equal")
		}
		other := SendID(SendID(class, selAlloc), selInitWithUTF8, m.CString("other"))
		defer Release(other)
		if SendBool(id, selIsEqualToString, uintptr(other)) || SendBool(id, selIsEqual, 0) {
			t.Error("different strings are equal")
		}
		if SendID(id, selDescription) != id || GoString(SendID(autoreleasedThing(), selDescription)) == "" {
			t.Error("no description")
		}
	})
	if GoString(0) != "" {
		t.Error("nil has text")
	}
	mustPanic[*UnrecognizedSelector](t, func() { GoString(Software().Class("NSArray")) })
}

// autoreleasedThing makes an autoreleased Thing.
func autoreleasedThing() ID { return Autorelease(NewObject(thingClass(), new(thing))) }

func TestArraysAndDictionariesOwnWhatIsInThem(t *testing.T) {
	balanced(t)
	m := new(Msg)
	var array, dictionary ID
	Software().Pool(func() {
		a, b := Autorelease(newString("a")), Autorelease(newString("b"))
		one, two := Autorelease(newString("1")), Autorelease(newString("2"))
		array = Retain(ID(m.Send(Software().Class("NSArray"), selArrayWithObjects, m.IDs([]ID{a, b, a}), 3)))
		dictionary = Retain(ID(m.Send(Software().Class("NSDictionary"), selDictionaryWithPairs, m.IDs([]ID{one, one, two}), m.IDs([]ID{a, b, a}), 3)))
	})
	if n := Send(array, selCount); n != 3 || GoString(SendID(array, selObjectAtIndex, 1)) != "b" {
		t.Errorf("array of %d", n)
	}
	e := mustPanic[*RangeError](t, func() { Send(array, selObjectAtIndex, 3) })
	if e != nil && (e.Index != 3 || e.Count != 3) {
		t.Errorf("panicked with %+v", e)
	}
	key := newString("a") // another object with the same text
	if got := GoString(SendID(dictionary, selObjectForKey, uintptr(key))); got != "2" {
		t.Errorf("a is %q, want the later 2", got)
	}
	if SendID(dictionary, selObjectForKey, uintptr(array)) != 0 {
		t.Error("a key that is not there has a value")
	}
	Software().Pool(func() {
		if n, keys := Send(dictionary, selCount), Send(SendID(dictionary, selAllKeys), selCount); n != 2 || keys != 2 {
			t.Errorf("%d pairs, %d keys, want 2", n, keys)
		}
	})
	Release(key)
	Release(array)
	Release(dictionary)
}

func TestNumbersConvertAsCDoes(t *testing.T) {
	balanced(t)
	class := Software().Class("NSNumber")
	Software().Pool(func() {
		n := SendID(class, selNumberWithInt, ^uintptr(0))
		if Send(n, selLongValue) != ^uintptr(0) || Send(n, selUIntValue) != math.MaxUint32 || SendFloat64(n, selDoubleValue) != -1 {
			t.Error("int -1 is not -1")
		}
		n = SendID(class, selNumberWithUInt, 0xffffffff_fffffffe)
		if Send(n, selULongValue) != 0xfffffffe {
			t.Errorf("unsigned int is %#x", Send(n, selULongValue))
		}
		n = SendID(class, selNumberWithFloat, uintptr(math.Float32bits(-2.5)))
		if SendFloat64(n, selDoubleValue) != -2.5 || int32(Send(n, selIntValue)) != -2 || uint32(Send(n, selFloatValue)) != math.Float32bits(-2.5) {
			t.Error("float -2.5 is not -2.5")
		}
		if !SendBool(n, selBoolValue) || SendBool(SendID(class, selNumberWithBool, 0), selBoolValue) {
			t.Error("boolValue is wrong")
		}
		three, threeFloat := SendID(class, selNumberWithULong, 3), SendID(class, selNumberWithDouble, uintptr(math.Float64bits(3)))
		if !SendBool(three, selIsEqual, uintptr(threeFloat)) || SendBool(three, selIsEqual, uintptr(n)) {
			t.Error("isEqual: does not compare values")
		}
		if s := GoString(SendID(threeFloat, selStringValue)); s != "3" {
			t.Errorf("3.0 is %q", s)
		}
	})
}

func TestErrorsURLsAndDataHoldTheirParts(t *testing.T) {
	balanced(t)
	Software().Pool(func() {
		m := new(Msg)
		key, text, domain := Autorelease(newString(descriptionKey)), Autorelease(newString("no")), Autorelease(newString("D"))
		info := ID(m.Send(Software().Class("NSDictionary"), selDictionaryWithPairs, m.IDs([]ID{text}), m.IDs([]ID{key}), 1))
		e := SendID(Software().Class("NSError"), selErrorWithDomain, uintptr(domain), ^uintptr(2), uintptr(info))
		if got := ErrorOf(e); *got != (Error{"D", -3, "no"}) {
			t.Errorf("error is %+v", got)
		}
		if SendID(e, selUserInfo) != info {
			t.Error("userInfo is lost")
		}
		made := Autorelease(NewError("D", 4, "made"))
		if got := GoString(SendID(SendID(made, selUserInfo), selObjectForKey, uintptr(key))); got != "made" {
			t.Errorf("userInfo describes %q", got)
		}
		url := SendID(Software().Class("NSURL"), selFileURLWithPath, uintptr(domain))
		if SendID(url, selPath) != domain {
			t.Error("path is lost")
		}
		data := ID(m.Send(Software().Class("NSData"), selDataWithBytes, m.Bytes([]byte{1, 2, 3}), 3))
		if b := View(Send(data, selBytes), int(Send(data, selLength))); len(b) != 3 || b[2] != 3 {
			t.Errorf("data is %v", b)
		}
		again := SendID(data, selCopy)
		if again != data || Send(data, selRetainCount) != 2 {
			t.Error("copy of an immutable object is not a retain")
		}
		Release(again)
	})
}

func TestTheArenaKeepsAllPayloadsOfAMessage(t *testing.T) {
	m := new(Msg)
	big := make([]byte, 3*arenaSize)
	for i := range big {
		big[i] = byte(i * 7)
	}
	type payload struct {
		at   uintptr
		want []byte
	}
	var all []payload
	for _, n := range []int{1, 4096, 17, 4096, len(big), 5} {
		all = append(all, payload{m.Bytes(big[:n]), big[:n]})
	}
	for _, p := range all {
		if p.at%arenaAlign != 0 {
			t.Errorf("%d bytes at %#x", len(p.want), p.at)
		}
		if got := View(p.at, len(p.want)); string(got) != string(p.want) {
			t.Errorf("%d bytes have changed", len(p.want))
		}
	}
	first := all[0].at
	m.Send(0, selHash)
	if at := m.Bytes(big[:1]); at != first {
		t.Error("the arena does not start anew after a message")
	}
	if m.Bytes(nil) != 0 || m.IDs(nil) != 0 || m.Uintptrs(nil) != 0 {
		t.Error("nothing has an address")
	}
	if w := ViewUintptrs(m.Uintptrs([]uintptr{5, 6}), 2); w[0] != 5 || w[1] != 6 {
		t.Errorf("words are %v", w)
	}
}
