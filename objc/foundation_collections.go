package objc

import "slices"

var (
	selCount               = Sel("count", "Q@:")
	selObjectAtIndex       = Sel("objectAtIndex:", "@@:Q")
	selArrayWithObjects    = Sel("arrayWithObjects:count:", "@@:r^@Q")
	selInitWithObjects     = Sel("initWithObjects:count:", "@@:r^@Q")
	selObjectForKey        = Sel("objectForKey:", "@@:@")
	selAllKeys             = Sel("allKeys", "@@:")
	selDictionaryWithPairs = Sel("dictionaryWithObjects:forKeys:count:", "@@:r^@r^@Q")
)

var arrayClass, dictionaryClass *Class

// key is what makes two objects equal: contents for strings and numbers, identity for the rest.
type key struct {
	class  *Class
	text   string
	number number
	id     ID
}

func keyOf(id ID) key {
	o := ObjectOf(id)
	if o == nil {
		return key{id: id}
	}
	switch s := o.State.(type) {
	case text:
		return key{class: stringClass, text: s.string()}
	case number:
		return key{class: numberClass, number: s.canonical()}
	}
	return key{id: id}
}

// dictionary is the state of a software NSDictionary. Like NSArray's []ID it owns a reference to each object in it.
type dictionary struct {
	keys   []ID
	values []ID
	at     map[key]int
}

// NewArray makes a software NSArray, which the caller owns; it retains its objects.
func NewArray(ids []ID) ID { return NewObject(arrayClass, retainAll(ids)) }

// NewDictionary makes a software NSDictionary, which the caller owns; it retains its keys and values. Of equal keys
// the last counts.
func NewDictionary(keys, values []ID) ID {
	d := &dictionary{at: make(map[key]int, len(keys))}
	for i, k := range keys {
		Retain(k)
		Retain(values[i])
		if j, ok := d.at[keyOf(k)]; ok {
			Release(d.keys[j])
			Release(d.values[j])
			d.keys[j], d.values[j] = k, values[i]
			continue
		}
		d.at[keyOf(k)] = len(d.keys)
		d.keys = append(d.keys, k)
		d.values = append(d.values, values[i])
	}
	return NewObject(dictionaryClass, d)
}

func retainAll(ids []ID) []ID {
	ids = slices.Clone(ids)
	for _, id := range ids {
		Retain(id)
	}
	return ids
}

func releaseAll(ids []ID) {
	for _, id := range ids {
		Release(id)
	}
}

func arrayOf(self *Object) []ID {
	ids, _ := self.State.([]ID)
	return ids
}

func dictionaryOf(self *Object) *dictionary {
	if d, ok := self.State.(*dictionary); ok {
		return d
	}
	return &dictionary{}
}

func registerCollections() {
	arrayClass = register(ClassDef{
		Name: "NSArray",
		Class: map[SEL]Method{
			selArrayWithObjects: func(_ *Object, m *Msg) {
				m.ReturnID(Autorelease(NewArray(ViewIDs(m.Arg(0), int(m.Arg(1))))))
			},
		},
		Instance: map[SEL]Method{
			selInitWithObjects: func(self *Object, m *Msg) {
				self.State = retainAll(ViewIDs(m.Arg(0), int(m.Arg(1))))
				m.ReturnID(self.ID)
			},
			selCount: func(self *Object, m *Msg) { m.Return(uintptr(len(arrayOf(self)))) },
			selCopy:  copySelf,
			selObjectAtIndex: func(self *Object, m *Msg) {
				ids := arrayOf(self)
				if m.Arg(0) >= uintptr(len(ids)) {
					panic(&RangeError{"NSArray", "objectAtIndex:", uint64(m.Arg(0)), len(ids)})
				}
				m.ReturnID(ids[m.Arg(0)])
			},
		},
		Dealloc: func(self *Object) { releaseAll(arrayOf(self)) },
	}, rootClass)
	dictionaryClass = register(ClassDef{
		Name: "NSDictionary",
		Class: map[SEL]Method{
			selDictionaryWithPairs: func(_ *Object, m *Msg) {
				n := int(m.Arg(2))
				m.ReturnID(Autorelease(NewDictionary(ViewIDs(m.Arg(1), n), ViewIDs(m.Arg(0), n))))
			},
		},
		Instance: map[SEL]Method{
			selCount:   func(self *Object, m *Msg) { m.Return(uintptr(len(dictionaryOf(self).keys))) },
			selCopy:    copySelf,
			selAllKeys: func(self *Object, m *Msg) { m.ReturnID(Autorelease(NewArray(dictionaryOf(self).keys))) },
			selObjectForKey: func(self *Object, m *Msg) {
				d := dictionaryOf(self)
				if i, ok := d.at[keyOf(m.ArgID(0))]; ok {
					m.ReturnID(d.values[i])
				}
			},
		},
		Dealloc: func(self *Object) {
			d := dictionaryOf(self)
			releaseAll(d.keys)
			releaseAll(d.values)
		},
	}, rootClass)
}
