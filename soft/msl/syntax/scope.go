package syntax

import (
	"slices"
	"strings"
)

// symKind is what the parser must know of a name to read what follows it.
type symKind uint8

const (
	symUnknown       symKind = iota
	symValue                 // a variable, function or enumerator
	symType                  // a type
	symTypeTemplate          // a class or alias template: Name<...> is a type
	symValueTemplate         // a function or variable template: Name<...> is an expression
	symNamespace
)

// symbol is a declared name. members is the scope inside a namespace, struct or enumeration.
type symbol struct {
	kind    symKind
	members *scope
	alias   *Name // the namespace that a namespace alias names
	guess   bool  // kind is a guess: a member of a type whose members are not known
}

// maxBases bounds the namespaces and base classes that a lookup goes through.
const maxBases = 128

// scope maps names to symbols. Lookup goes on in bases, then outwards.
type scope struct {
	names map[string]symbol
	outer *scope
	bases []*scope
}

func (s *scope) declare(name string, sym symbol) {
	if name == "" {
		return
	}
	if s.names == nil {
		s.names = map[string]symbol{}
	}
	// A function template keeps its name a template when it is overloaded with plain functions, and a struct's name stays
	// known when its template is specialised.
	if old, ok := s.names[name]; ok {
		if old.kind == symValueTemplate && sym.kind == symValue {
			return
		}
		if sym.members == nil && old.kind == sym.kind {
			sym.members = old.members
		}
	}
	s.names[name] = sym
}

// own looks a name up in s and its bases.
func (s *scope) own(name string) (symbol, bool) {
	if sym, ok := s.names[name]; ok {
		return sym, true
	}
	// Namespaces may use each other in circles.
	for i, all := 0, s.bases; i < len(all) && i < maxBases; i++ {
		if sym, ok := all[i].names[name]; ok {
			return sym, true
		}
		for _, b := range all[i].bases {
			if b != s && !slices.Contains(all, b) {
				all = append(all[:len(all):len(all)], b)
			}
		}
	}
	return symbol{}, false
}

// find looks a name up in s and outwards, then among the built-in names.
func (s *scope) find(name string) symbol {
	for ; s != nil; s = s.outer {
		if sym, ok := s.own(name); ok {
			return sym
		}
	}
	return builtin(name)
}

// builtin gives what Metal's library makes of a name.
func builtin(name string) symbol { return symbol{kind: builtinNames[name]} }

// libraryNamespaces are the namespaces of Metal's library; names in them are looked up among the built-in names.
const libraryNamespaces = "metal simd fast precise std raytracing"

var builtinNames = func() map[string]symKind {
	m := map[string]symKind{}
	add := func(k symKind, names string) {
		for _, n := range strings.Fields(names) {
			m[n] = k
		}
	}
	add(symNamespace, libraryNamespaces)
	scalars := strings.Fields("bool char uchar short ushort int uint long ulong half float bfloat")
	for _, s := range scalars {
		m[s] = symType
		for _, n := range []string{"2", "3", "4"} {
			m[s+n] = symType
			m["packed_"+s+n] = symType
		}
	}
	for _, s := range []string{"half", "float", "bfloat"} {
		for _, c := range []string{"2", "3", "4"} {
			for _, r := range []string{"2", "3", "4"} {
				m[s+c+"x"+r] = symType
			}
		}
		m["simdgroup_"+s+"8x8"] = symType
	}
	add(symType, `void double size_t ptrdiff_t intptr_t uintptr_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
		atomic_int atomic_uint atomic_bool atomic_float atomic_long atomic_ulong
		mem_flags memory_order thread_scope simd_vote quad_vote sampler true_type false_type nullptr_t patch_control_point_none
		command_buffer compute_command render_command visible_function_table_base os_log`)
	add(symTypeTemplate, `vec matrix packed_vec array array_ref span simdgroup_matrix atomic numeric_limits integral_constant bool_constant
		is_same enable_if enable_if_t conditional conditional_t is_integral is_floating_point is_signed is_unsigned is_arithmetic
		is_scalar is_vector is_const is_volatile is_void is_pointer is_reference is_lvalue_reference is_rvalue_reference is_array
		is_function is_enum is_class is_union is_empty is_convertible is_base_of is_constructible is_trivially_copyable is_member_pointer
		remove_const remove_const_t remove_volatile remove_volatile_t remove_cv remove_cv_t remove_reference
		remove_reference_t remove_pointer remove_pointer_t remove_extent remove_extent_t remove_address_space
		remove_address_space_t add_const add_const_t add_volatile add_volatile_t add_cv add_cv_t add_pointer add_pointer_t
		add_lvalue_reference add_lvalue_reference_t add_rvalue_reference add_rvalue_reference_t
		make_signed make_signed_t make_unsigned make_unsigned_t make_scalar make_scalar_t make_vector make_vector_t decay decay_t
		common_type common_type_t underlying_type underlying_type_t result_of void_t rank extent vec_traits
		tuple pair integer_sequence index_sequence make_index_sequence
		make_integer_sequence uniform is_uniform visible_function_table intersection_function_table
		texture1d texture1d_array texture2d texture2d_array texture2d_ms texture2d_ms_array texture3d texturecube
		texturecube_array texture_buffer depth2d depth2d_array depth2d_ms depthcube depthcube_array tensor cooperative_tensor
		extents dextents imageblock object_data mesh`)
	add(symValueTemplate, `as_type make_filled_simdgroup_matrix make_uniform forward move declval get make_array
		is_same_v is_integral_v is_floating_point_v is_signed_v is_unsigned_v is_arithmetic_v is_scalar_v is_vector_v is_const_v
		is_volatile_v is_void_v is_pointer_v is_reference_v is_array_v is_enum_v is_class_v is_convertible_v is_base_of_v
		is_constructible_v is_trivially_copyable_v is_function_v is_empty_v is_union_v is_lvalue_reference_v
		is_rvalue_reference_v rank_v extent_v`)
	return m
}()

// typeMembers are the members of built-in and dependent types that are types even where typename is left out.
func typeMember(name string) bool {
	switch name {
	case "type", "value_type", "element_type", "scalar_type":
		return true
	}
	return false
}
