package objc

// ID is an object of one of the runtimes, or 0 for nil. The number of a software object lies in a range that neither a
// pointer nor a tagged pointer has.
type ID uintptr

// A software id is tag<<61 | slot<<28 | generation<<4. The top bits 010 are no address on any system Go runs on (user
// addresses have at most 57 bits). A tagged pointer of Apple's has any bits, but also bit 63 set on arm64 or bit 0 on amd64.
const (
	softwareTag     = 0b010
	tagShift        = 61
	slotShift       = 28
	slotBits        = tagShift - slotShift
	generationShift = 4
	generationMask  = 1<<(slotShift-generationShift) - 1
)

func isSoftware(id ID) bool {
	const lowBits = 1<<generationShift - 1
	return id&(0b111<<tagShift|lowBits) == softwareTag<<tagShift
}

func softwareID(slot uint32, generation uint32) ID {
	return softwareTag<<tagShift | ID(slot)<<slotShift | ID(generation&generationMask)<<generationShift
}

func slotOf(id ID) uint64 { return uint64(id) >> slotShift & (1<<slotBits - 1) }
