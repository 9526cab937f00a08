package objc

import "testing"

func TestAnOverloadedSelectorIsOneSELForEachEncoding(t *testing.T) {
	number := Sel("overloaded:", "v@:Q")
	object, small := Overload("overloaded:", "v@:@"), Overload("overloaded:", "v@:B")
	if number == object || object == small || number == small {
		t.Errorf("%d, %d and %d are not different", number, object, small)
	}
	if again := Overload("overloaded:", "v@:@"); again != object {
		t.Errorf("the same overload is %d, and then %d", object, again)
	}
	if again := Sel("overloaded:", "v@:Q"); again != number {
		t.Errorf("the plain selector is %d, and then %d", number, again)
	}
	for _, s := range []SEL{number, object, small} {
		if s.Name() != "overloaded:" {
			t.Errorf("name is %s", s.Name())
		}
	}
	if object.Encoding() != "v@:@" {
		t.Errorf("encoding is %s", object.Encoding())
	}
	c := Software().Register(ClassDef{Name: "TestOverload", Instance: map[SEL]Method{object: func(*Object, *Msg) {}}})
	o := NewObject(c, nil)
	defer Release(o)
	if !Responds(o, object) || Responds(o, number) {
		t.Errorf("responds to its own encoding: %t, to another: %t", Responds(o, object), Responds(o, number))
	}
}
