// A stand-in for Apple's frameworks on GCC's Objective-C runtime, so that package objc's native path runs on Linux. It has what
// that runtime lacks (a root class, autorelease pools, blocks, objc_msgSend) and a class whose methods have the shapes of Metal's and
// write down the words they receive. For tests only.
#include <objc/objc.h>
#include <objc/runtime.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t NSUInteger;
typedef int64_t NSInteger;
typedef struct { NSUInteger location, length; } NSRange;
typedef struct { NSUInteger width, height, depth; } MTLSize;
typedef struct { MTLSize origin, size; } MTLRegion;
typedef struct { uint64_t value; } MTLResourceID;
typedef struct { uint8_t r, g, b, a; } Swizzle;
typedef struct { double r, g, b, a; } ClearColor;
typedef struct { double w, h; } DoublePair;
typedef struct { float x, y; } FloatPair;
typedef struct { float x, y, z; } FloatTriple;
typedef struct { uint64_t n; double d; } Mixed;
typedef struct { double a, b, c; } DoubleTriple;

// --- the words that a Probe's method received

static uint64_t words[4096];
static int nwords;

uint64_t *shim_words(void) { return words; }
int64_t shim_count(void) { return nwords; }
void shim_clear(void) { nwords = 0; memset(words, 0xee, 512); }

static void put(uint64_t w) { words[nwords++] = w; }
static void putSize(MTLSize s) { put(s.width); put(s.height); put(s.depth); }
static void putDouble(double d) { uint64_t w; memcpy(&w, &d, 8); put(w); }
static void putFloat(float f) { uint32_t w; memcpy(&w, &f, 4); put(w); }
static void putMemory(const void *p, size_t n) {
	for (size_t i = 0; i < n; i += 8) {
		uint64_t w = 0;
		memcpy(&w, (const char *)p + i, n - i < 8 ? n - i : 8);
		put(w);
	}
}

// --- autorelease pools

static int64_t live, unpooled;
int64_t shim_live(void) { return __atomic_load_n(&live, __ATOMIC_SEQ_CST); }
int64_t shim_unpooled(void) { return __atomic_load_n(&unpooled, __ATOMIC_SEQ_CST); }

typedef struct Pool { struct Pool *outer; pthread_t thread; id *objects; size_t n, room; } Pool;
static __thread Pool *innermost;

@interface NSObject { Class isa; @public int64_t refs; }
+ (id)alloc;
+ (id)new;
- (id)init;
- (id)retain;
- (void)release;
- (id)autorelease;
- (void)dealloc;
- (Class)class;
- (NSUInteger)retainCount;
- (BOOL)respondsToSelector:(SEL)s;
@end

void *objc_autoreleasePoolPush(void) {
	Pool *p = calloc(1, sizeof *p);
	p->outer = innermost;
	p->thread = pthread_self();
	return innermost = p;
}

void objc_autoreleasePoolPop(void *token) {
	for (;;) {
		Pool *p = innermost;
		if (!p) {
			fprintf(stderr, "autorelease pool %p popped on the wrong thread\n", token);
			abort();
		}
		while (p->n) [p->objects[--p->n] release];
		innermost = p->outer;
		int last = p == token;
		free(p->objects);
		free(p);
		if (last) return;
	}
}

@implementation NSObject
+ (id)alloc {
	NSObject *o = class_createInstance(self, 0);
	o->refs = 1;
	__atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
	return o;
}
+ (id)new { return [[self alloc] init]; }
- (id)init { return self; }
- (id)retain { __atomic_add_fetch(&refs, 1, __ATOMIC_SEQ_CST); return self; }
- (void)release { if (__atomic_sub_fetch(&refs, 1, __ATOMIC_SEQ_CST) == 0) [self dealloc]; }
- (id)autorelease {
	Pool *p = innermost;
	if (!p) {
		__atomic_add_fetch(&unpooled, 1, __ATOMIC_SEQ_CST);
		return self;
	}
	if (p->n == p->room) p->objects = realloc(p->objects, (p->room = p->room * 2 + 8) * sizeof(id));
	p->objects[p->n++] = self;
	return self;
}
- (void)dealloc {
	__atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
	memset((void *)self, 0xa5, class_getInstanceSize(isa)); // a later use must not go unnoticed
	free((void *)self);
}
- (Class)class { return isa; }
- (NSUInteger)retainCount { return refs; }
- (BOOL)respondsToSelector:(SEL)s { return class_respondsToSelector(isa, s); }
@end

// --- Foundation

@interface NSString : NSObject { char *text; NSUInteger length; }
@end
@implementation NSString
- (id)initWithBytes:(const void *)bytes length:(NSUInteger)n encoding:(NSUInteger)encoding {
	if (encoding != 4) { [self release]; return nil; }
	text = malloc(n + 1);
	memcpy(text, bytes, n);
	text[length = n] = 0;
	return self;
}
- (const char *)UTF8String { return text; }
- (NSUInteger)lengthOfBytesUsingEncoding:(NSUInteger)encoding { return encoding == 4 ? length : 0; }
- (void)dealloc { memset(text, 0xa5, length); free(text); [super dealloc]; }
@end

static NSString *string(const char *s) { return [[NSString alloc] initWithBytes:s length:strlen(s) encoding:4]; }

@interface NSError : NSObject { @public NSInteger code; NSString *domain, *text; }
@end
@implementation NSError
- (NSInteger)code { return code; }
- (NSString *)domain { return [[domain retain] autorelease]; }
- (NSString *)localizedDescription { return [[text retain] autorelease]; }
- (void)dealloc { [domain release]; [text release]; [super dealloc]; }
@end

// --- blocks

struct Block;
typedef struct { uintptr_t reserved, size; void (*copy)(void *, void *); void (*dispose)(void *); } BlockDescriptor;
typedef struct Block { Class isa; int32_t flags, refs; void (*invoke)(struct Block *, ...); BlockDescriptor *descriptor; } Block;

void *_NSConcreteStackBlock[32];

@interface NSBlock : NSObject
@end

void *_Block_copy(Block *b) {
	if ((void *)b->isa != (void *)_NSConcreteStackBlock) {
		__atomic_add_fetch(&b->refs, 1, __ATOMIC_SEQ_CST);
		return b;
	}
	Block *heap = malloc(b->descriptor->size);
	memcpy(heap, b, b->descriptor->size);
	heap->isa = objc_getClass("NSBlock");
	heap->refs = 1;
	__atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
	if (b->flags & 1 << 25) b->descriptor->copy(heap, b);
	return heap;
}

void _Block_release(Block *b) {
	if (__atomic_sub_fetch(&b->refs, 1, __ATOMIC_SEQ_CST)) return;
	if (b->flags & 1 << 25) b->descriptor->dispose(b);
	__atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
	memset(b, 0xa5, sizeof *b);
	free(b);
}

@implementation NSBlock
- (id)retain { return _Block_copy((Block *)self); }
- (void)release { _Block_release((Block *)self); }
@end

static void *callBlock(void *p) {
	Block *b = p;
	((void (*)(Block *, uint64_t, uint64_t, uint64_t))b->invoke)(b, 0x11, 0x22, 0x33);
	_Block_release(b);
	return 0;
}

// shim_call_later calls a block of three arguments on a thread of its own and waits for it if join is set.
void shim_call_later(Block *b, int join) {
	pthread_t t;
	pthread_create(&t, 0, callBlock, _Block_copy(b));
	if (join) pthread_join(t, 0);
	else pthread_detach(t);
}

// --- Metal's shapes

@interface Probe : NSObject
@end
@implementation Probe
- (void)setBuffer:(id)b offset:(NSUInteger)o atIndex:(NSUInteger)i { put((uintptr_t)b); put(o); put(i); }
- (id)itself { return self; }
- (BOOL)flip:(BOOL)b { put(b); return !b; }
// Whoever reads a BOOL may only look at its low 8 bits.
- (uint64_t)dirtyNo { return 0xdeadbeefdeadbe00; }
- (uint64_t)dirtyYes { return 0xdeadbeefdeadbe01; }
- (int32_t)narrow:(int8_t)a u:(uint8_t)b s:(int16_t)c us:(uint16_t)d i:(int32_t)e ui:(uint32_t)f {
	put(a); put(b); put(c); put(d); put(e); put(f);
	return -2;
}
- (BOOL)sameSelector:(SEL)s { return sel_isEqual(s, @selector(itself)); }
- (void)dispatch:(MTLSize)a threads:(MTLSize)b { putSize(a); putSize(b); a.width = b.width = 99; }
- (void)replaceRegion:(MTLRegion)r mipmapLevel:(NSUInteger)l withBytes:(const void *)p bytesPerRow:(NSUInteger)n {
	putSize(r.origin); putSize(r.size); put(l); put((uintptr_t)p); put(n);
}
- (void)fillBuffer:(id)b range:(NSRange)r value:(uint8_t)v { put((uintptr_t)b); put(r.location); put(r.length); put(v); }
- (NSRange)rangeFrom:(NSUInteger)n { return (NSRange){n, n * 3}; }
- (void)a:(NSUInteger)a b:(NSUInteger)b c:(NSUInteger)c range:(NSRange)r d:(NSUInteger)d {
	put(a); put(b); put(c); put(r.location); put(r.length); put(d);
}
- (void)a:(NSUInteger)a b:(NSUInteger)b c:(NSUInteger)c d:(NSUInteger)d e:(NSUInteger)e range:(NSRange)r f:(NSUInteger)f {
	put(a); put(b); put(c); put(d); put(e); put(r.location); put(r.length); put(f);
}
- (void)copyFromTexture:(id)t sourceSlice:(NSUInteger)a sourceLevel:(NSUInteger)b sourceOrigin:(MTLSize)c sourceSize:(MTLSize)d
	toTexture:(id)u destinationSlice:(NSUInteger)e destinationLevel:(NSUInteger)f destinationOrigin:(MTLSize)g {
	put((uintptr_t)t); put(a); put(b); putSize(c); putSize(d); put((uintptr_t)u); put(e); put(f); putSize(g);
}
- (void)setBuffers:(const id *)b offsets:(const NSUInteger *)o withRange:(NSRange)r {
	for (NSUInteger i = 0; i < r.length; i++) { put((uintptr_t)b[i]); put(o[i]); }
	put(r.location);
}
- (void)setBytes:(const void *)p length:(NSUInteger)n atIndex:(NSUInteger)i { putMemory(p, n); put(i); }
- (MTLSize)size { return (MTLSize){3, 5, 7}; }
- (MTLSize)sizeTimes:(NSUInteger)n { return (MTLSize){3 * n, 5 * n, 7 * n}; }
- (MTLRegion)regionOf:(MTLSize)s { return (MTLRegion){{1, 2, 3}, s}; }
- (MTLResourceID)next:(MTLResourceID)r by:(NSUInteger)n { return (MTLResourceID){r.value + n}; }
- (Swizzle)turn:(Swizzle)s { putMemory(&s, 4); return (Swizzle){s.a, s.r, s.g, s.b}; }
- (double)time { return 1234.5678; }
- (float)bias { return -0.75f; }
- (double)halve:(double)d { putDouble(d); return d / 2; }
- (void)setSampler:(id)s lodMinClamp:(float)a lodMaxClamp:(float)b atIndex:(NSUInteger)i {
	put((uintptr_t)s); putFloat(a); putFloat(b); put(i);
}
- (ClearColor)mix:(ClearColor)c with:(NSUInteger)n { putMemory(&c, sizeof c); put(n); return (ClearColor){c.a, c.b, c.g, c.r}; }
- (FloatPair)swap:(FloatPair)p { putMemory(&p, sizeof p); return (FloatPair){p.y, p.x}; }
- (FloatTriple)triple:(float)f { return (FloatTriple){f, 2 * f, 3 * f}; }
- (DoublePair)swapSize:(DoublePair)p { putMemory(&p, sizeof p); return (DoublePair){p.h, p.w}; }
- (Mixed)mixed:(Mixed)m { putMemory(&m, sizeof m); return (Mixed){m.n + 1, m.d + 1}; }
- (void)a:(double)a b:(double)b c:(double)c d:(double)d e:(double)e f:(double)f triple:(DoubleTriple)t g:(double)g {
	putDouble(a); putDouble(b); putDouble(c); putDouble(d); putDouble(e); putDouble(f); putMemory(&t, sizeof t); putDouble(g);
}
- (Probe *)newProbe { return [Probe new]; }
- (Probe *)probe { return [[Probe new] autorelease]; }
- (Probe *)nothing { return nil; }
- (Probe *)probeWithError:(NSError **)e {
	if (e) {
		*e = [[NSError new] autorelease];
		(*e)->code = -42;
		(*e)->domain = string("ProbeErrorDomain");
		(*e)->text = string("no such probe");
	}
	return nil;
}
- (void)addHandler:(void *)block { shim_call_later(block, 0); }
@end

// --- C functions and constants, and errors

NSString *ProbeErrorDomain;
Probe *ProbeCreate(MTLSize s, NSUInteger n) { putSize(s); put(n); return [Probe new]; }
double ProbeScale(double d, NSUInteger n) { return d * n; }

static IMP unrecognised(id o, SEL s) {
	fprintf(stderr, "-[%s %s]: unrecognised selector\n", object_getClassName(o), sel_getName(s));
	abort();
}

extern IMP (*__objc_msg_forward2)(id, SEL);

void shim_start(void) {
	__objc_msg_forward2 = unrecognised;
	ProbeErrorDomain = string("ProbeErrorDomain");
}

// --- for benchmarks: what a C program would do

extern id objc_msgSend(id, SEL, ...);

static volatile NSUInteger sink;
@interface Encoder : NSObject
@end
@implementation Encoder
- (void)setBuffers:(const id *)b offsets:(const NSUInteger *)o withRange:(NSRange)r { sink = r.location; }
- (void)setBytes:(const void *)p length:(NSUInteger)n atIndex:(NSUInteger)i { sink = n; }
- (void)dispatch:(MTLSize)a threads:(MTLSize)b { sink = a.width; }
- (void)setBuffer:(id)b offset:(NSUInteger)o atIndex:(NSUInteger)i { sink = i; }
- (void)setComputePipelineState:(id)p { sink = (uintptr_t)p; }
@end

// shim_dispatches encodes n dispatches of four messages each: pipeline, 6 buffers, 64 bytes of parameters, dispatch.
void shim_dispatches(id e, int64_t n, const id *b, const NSUInteger *o, const void *p) {
	typedef void (*SetPipeline)(id, SEL, id);
	typedef void (*SetBuffers)(id, SEL, const id *, const NSUInteger *, NSRange);
	typedef void (*SetBytes)(id, SEL, const void *, NSUInteger, NSUInteger);
	typedef void (*Dispatch)(id, SEL, MTLSize, MTLSize);
	SEL setPipeline = @selector(setComputePipelineState:), setBuffers = @selector(setBuffers:offsets:withRange:);
	SEL setBytes = @selector(setBytes:length:atIndex:), dispatch = @selector(dispatch:threads:);
	for (int64_t i = 0; i < n; i++) {
		((SetPipeline)objc_msgSend)(e, setPipeline, e);
		((SetBuffers)objc_msgSend)(e, setBuffers, b, o, (NSRange){0, 6});
		((SetBytes)objc_msgSend)(e, setBytes, p, 64, 6);
		((Dispatch)objc_msgSend)(e, dispatch, (MTLSize){8, 8, 1}, (MTLSize){32, 4, 1});
	}
}

// shim_dispatches_9 does the same with nine messages each, a buffer at a time.
void shim_dispatches_9(id e, int64_t n, const id *b, const NSUInteger *o, const void *p) {
	typedef void (*SetPipeline)(id, SEL, id);
	typedef void (*SetBuffer)(id, SEL, id, NSUInteger, NSUInteger);
	typedef void (*SetBytes)(id, SEL, const void *, NSUInteger, NSUInteger);
	typedef void (*Dispatch)(id, SEL, MTLSize, MTLSize);
	SEL setPipeline = @selector(setComputePipelineState:), setBuffer = @selector(setBuffer:offset:atIndex:);
	SEL setBytes = @selector(setBytes:length:atIndex:), dispatch = @selector(dispatch:threads:);
	for (int64_t i = 0; i < n; i++) {
		((SetPipeline)objc_msgSend)(e, setPipeline, e);
		for (int64_t j = 0; j < 6; j++) ((SetBuffer)objc_msgSend)(e, setBuffer, b[j], o[j], j);
		((SetBytes)objc_msgSend)(e, setBytes, p, 64, 6);
		((Dispatch)objc_msgSend)(e, dispatch, (MTLSize){8, 8, 1}, (MTLSize){32, 4, 1});
	}
}
