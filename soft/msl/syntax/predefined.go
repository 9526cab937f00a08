package syntax

import (
	"strconv"
	"strings"
	"sync"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// knownHeader reports whether name is a header of Metal's library. Its contents are built in, so including it adds nothing.
func knownHeader(name string) bool {
	switch name {
	case "metal_stdlib", "metal_algorithm", "metal_array", "metal_atomic", "metal_bfloat", "metal_common", "metal_compute",
		"metal_config", "metal_extended_vector", "metal_geometric", "metal_graphics", "metal_initializer_list", "metal_integer",
		"metal_iterator", "metal_limits", "metal_logging", "metal_math", "metal_matrix", "metal_numeric", "metal_pack",
		"metal_packed_vector", "metal_quadgroup", "metal_relational", "metal_simdgroup", "metal_simdgroup_matrix",
		"metal_tuple", "metal_type_traits", "metal_types", "metal_uniform", "metal_utility", "metal_vector",
		"metal_texture", "metal_assert", "metal_command_buffer", "metal_imageblocks", "metal_interpolate", "metal_mesh",
		"metal_raytracing", "metal_pull_interpolation", "metal_tessellation", "metal_visible_function_table", "metal_tensor",
		"simd/simd.h":
		return true
	}
	return false
}

// constants are the object-like macros of Metal's headers that do not come in precisions.
const constants = `
__METAL__ 1
__METAL_MACOS__ 1
METAL_FUNC inline __attribute__((__always_inline__))
MAXFLOAT FLT_MAX
HUGE_VALF __metal_inff
INFINITY __metal_inff
NAN __metal_nanf
HUGE_VALH __metal_infh
MAXHALF HALF_MAX
FLT_DIG 6
FLT_MANT_DIG 24
FLT_MAX_10_EXP +38
FLT_MAX_EXP +128
FLT_MIN_10_EXP -37
FLT_MIN_EXP -125
FLT_RADIX 2
FLT_MAX 0x1.fffffep127f
FLT_MIN 0x1.0p-126f
FLT_EPSILON 0x1.0p-23f
FLT_DECIMAL_DIG 9
FP_ILOGB0 (-2147483647 - 1)
FP_ILOGBNAN (-2147483647 - 1)
HALF_DIG 2
HALF_MANT_DIG 11
HALF_MAX_10_EXP +4
HALF_MAX_EXP +16
HALF_MIN_10_EXP -4
HALF_MIN_EXP -13
HALF_RADIX 2
HALF_MAX 0x1.ffcp15h
HALF_MIN 0x1.0p-14h
HALF_EPSILON 0x1.0p-10h
__CHAR_BIT__ 8
__INT_MAX__ 2147483647
__INT8_MAX__ 127
__INT16_MAX__ 32767
__INT32_MAX__ 2147483647
__UINT8_MAX__ 255
__UINT16_MAX__ 65535
__UINT32_MAX__ 4294967295u
__FLT_MAX__ FLT_MAX
__FLT_MIN__ FLT_MIN
__FLT_EPSILON__ FLT_EPSILON
CHAR_BIT 8
CHAR_MAX SCHAR_MAX
CHAR_MIN SCHAR_MIN
SCHAR_MAX 127
SCHAR_MIN (-128)
UCHAR_MAX 255
SHRT_MAX 32767
SHRT_MIN (-32768)
USHRT_MAX 65535
INT_MAX 2147483647
INT_MIN (-2147483647 - 1)
UINT_MAX 4294967295u
LONG_MAX 9223372036854775807l
LONG_MIN (-9223372036854775807l - 1l)
ULONG_MAX 18446744073709551615ul
`

// bfloatConstants come with bfloat, in Metal 3.1.
const bfloatConstants = `
__HAVE_BFLOAT__ 1
HUGE_VALBF __metal_infbf
MAXBFLOAT BFLT_MAX
BFLT_DIG 2
BFLT_MANT_DIG 8
BFLT_MAX_10_EXP +38
BFLT_MAX_EXP +128
BFLT_MIN_10_EXP -37
BFLT_MIN_EXP -125
BFLT_RADIX 2
BFLT_MAX 0x1.fep127bf
BFLT_MIN 0x1.0p-126bf
BFLT_EPSILON 0x1.0p-7bf
`

// mathConstants exist for each floating type, as M_PI_F, M_PI_H and M_PI_BF.
const mathConstants = `
M_E 2.71828182845904523536028747135266250
M_LOG2E 1.44269504088896340735992468100189214
M_LOG10E 0.434294481903251827651128918916605082
M_LN2 0.693147180559945309417232121458176568
M_LN10 2.30258509299404568401799145468436421
M_PI 3.14159265358979323846264338327950288
M_PI_2 1.57079632679489661923132169163975144
M_PI_4 0.785398163397448309615660845819875721
M_1_PI 0.318309886183790671537767526745028724
M_2_PI 0.636619772367581343075535053490057448
M_2_SQRTPI 1.12837916709551257389615890312154517
M_SQRT2 1.41421356237309504880168872420969808
M_SQRT1_2 0.707106781186547524400844362104849039
`

var predefinedCache sync.Map // language version -> map[string]*macro, never changed once stored

// predefined gives the macros that exist before the first line. Metal 4 is C++17; earlier versions are C++14.
func predefined(version int) map[string]*macro {
	if m, ok := predefinedCache.Load(version); ok {
		return m.(map[string]*macro)
	}
	file := &token.File{Name: "<built-in>"}
	ms := map[string]*macro{}
	def := func(name, body string) { ms[name] = objectMacro(file, name, body, func(token.Pos, string) {}) }
	each := func(text string, f func(name, body string)) {
		for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
			name, body, _ := strings.Cut(l, " ")
			f(name, body)
		}
	}
	each(constants, def)
	suffixes := []string{"f", "h"}
	if version >= 31 {
		each(bfloatConstants, def)
		suffixes = append(suffixes, "bf")
	}
	for _, s := range suffixes {
		each(mathConstants, func(name, body string) { def(name+"_"+strings.ToUpper(s), body+s) })
	}
	def("__METAL_VERSION__", strconv.Itoa(version*10))
	if version >= 40 {
		def("__cplusplus", "201703L")
	} else {
		def("__cplusplus", "201402L")
	}
	for _, name := range []string{"__LINE__", "__FILE__", "__COUNTER__"} {
		ms[name] = &macro{name: name, pos: token.Pos{File: file, Line: 1, Col: 1}, dynamic: name}
	}
	m, _ := predefinedCache.LoadOrStore(version, ms)
	return m.(map[string]*macro)
}
