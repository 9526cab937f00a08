// Fakes of Metal's classes on GCC's Objective-C runtime: they answer every selector by telling a callback what they received, as it
// came by registers and stack. For tests only.
#include "../../../objc/testdata/shim/shim.m"

// told gets the receiver, its class, whether it is the class itself, the selector and the words behind self and _cmd: those in
// registers and then those on the stack. Its result is the message's.
typedef uint64_t (*Told)(id self, const char *class, uint64_t isClass, const char *selector, const uint64_t *words);
static Told told;

#ifdef __aarch64__
#define REGISTERS uint64_t r0, uint64_t r1, uint64_t r2, uint64_t r3, uint64_t r4, uint64_t r5
#define WORDS r0, r1, r2, r3, r4, r5
#else
#define REGISTERS uint64_t r0, uint64_t r1, uint64_t r2, uint64_t r3
#define WORDS r0, r1, r2, r3
#endif

static uint64_t tell(id self, SEL s, const uint64_t *words) {
	Class c = object_getClass(self);
	return told(self, class_getName(c), class_isMetaClass(c), sel_getName(s), words);
}

static uint64_t fake(id self, SEL s, REGISTERS, uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3, uint64_t s4, uint64_t s5) {
	uint64_t words[] = {WORDS, s0, s1, s2, s3, s4, s5};
	return tell(self, s, words);
}
static MTLSize fakeSize(id self, SEL s) {
	uint64_t n = tell(self, s, 0);
	return (MTLSize){n, n, n};
}
static double fakeDouble(id self, SEL s) { return tell(self, s, 0); }

static IMP forward(id o, SEL s) {
	const char *type = sel_getName(s);
	if (!strcmp(type, "maxThreadsPerThreadgroup")) return (IMP)fakeSize;
	if (!strcmp(type, "GPUStartTime") || !strcmp(type, "GPUEndTime")) return (IMP)fakeDouble;
	return (IMP)fake;
}

void fakes_start(Told t) {
	shim_start();
	told = t;
	__objc_msg_forward2 = forward;
}

@interface Fake : NSObject
@end
@implementation Fake
- (BOOL)respondsToSelector:(SEL)s { return 1; }
- (void)dealloc { __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST); } // not freed: an address stands for one object
@end

#define FAKE(name) @interface name : Fake @end @implementation name @end
FAKE(MTLDevice)
FAKE(MTLBuffer)
FAKE(MTLLibrary)
FAKE(MTLFunction)
FAKE(MTLComputePipelineState)
FAKE(MTLCommandQueue)
FAKE(MTLCommandBuffer)
FAKE(MTLComputeCommandEncoder)
FAKE(MTLBlitCommandEncoder)
FAKE(MTLCompileOptions)
FAKE(MTLFunctionConstantValues)
FAKE(MTLComputePipelineDescriptor)
FAKE(NSArray)
FAKE(NSDictionary)
