package ir

var kindNames = [...]string{"void", "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half",
	"bfloat", "float", "pointer", "simdgroup_half8x8", "simdgroup_bfloat8x8", "simdgroup_float8x8"}

var kindSizes = [...]int64{0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 0, 0, 0}

// String gives the Metal name.
func (k Kind) String() string { return kindNames[k] }

// Size is the size in memory in bytes; 0 for matrices and Void, which have none.
func (k Kind) Size() int64 { return kindSizes[k] }

// IsFloat reports whether k is half, bfloat or float.
func (k Kind) IsFloat() bool { return k == F16 || k == BF16 || k == F32 }

// IsInt reports whether k is an integer kind; Bool is not.
func (k Kind) IsInt() bool { return k >= I8 && k <= U64 }

// IsSigned reports whether k is a signed integer kind.
func (k Kind) IsSigned() bool { return k == I8 || k == I16 || k == I32 || k == I64 }

// IsMat reports whether k is a simdgroup matrix.
func (k Kind) IsMat() bool { return k >= MatF16 && k <= MatF32 }

// Elem is the element kind of a matrix kind.
func (k Kind) Elem() Kind { return k - MatF16 + F16 }

// Mat is the matrix kind of an element kind.
func (k Kind) Mat() Kind { return k - F16 + MatF16 }
