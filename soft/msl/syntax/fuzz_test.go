package syntax

import (
	"errors"
	"testing"
	"time"

	"github.com/puremetal/puremetal/soft/msl/token"
)

// fuzzSeeds gives texts to start from.
func fuzzSeeds(f *testing.F) {
	for _, src := range kernels(f) {
		f.Add(src)
	}
	for _, src := range []string{
		"#define f(x, ...) x ## __VA_ARGS__ #x\nf(f(1), 2 f(", "#if 1 ? defined(A) : __has_include(<x>)\n#elif 2\n#else\n#endif", "#line 3 \"x\"\n__LINE__ __FILE__",
		"template <typename... T> struct S<T...> : A<T> { int f() const { return (x && ...); } S() : a(1), b{2} {} };",
		"void f() { if (int x = a; x) for (;;) switch (x) { case 1: default: do ; while (0); } }", "typedef struct { union { int a; }; } S; enum class E : uint { A = 1 };",
		"template [[host_name(\"x\")]] kernel decltype(f<1, int>) f<1, int>;", "int (*a)[4] = (device int (*)[4])b, c{1}, &&d;", "a<b<c>>(d) >>= 'x' + 0x1.8p3h;",
		"struct S { operator int() const; bool operator()(int); }; using T = S; T t(1); auto u = T{.a = 1};", "namespace a::b { using namespace c; } static_assert(a < b, \"c\");",
	} {
		f.Add(src)
	}
}

func FuzzPreprocess(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		start := time.Now()
		var errs errorList
		toks := preprocess(&token.File{Name: "fuzz"}, src, map[string]string{"N": "4"}, 31, &errs)
		if len(toks) == 0 || toks[len(toks)-1].kind != kEOF {
			t.Fatal("the tokens do not end")
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Fatalf("takes %v", d)
		}
	})
}

func FuzzParse(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		start := time.Now()
		file, err := Parse("fuzz", src, nil, 31)
		if (file == nil) == (err == nil) {
			t.Fatal("there must be a tree or an error")
		}
		var list token.ErrorList
		if err != nil && (!errors.As(err, &list) || len(list) == 0) {
			t.Fatalf("the error is %v", err)
		}
		for _, e := range list {
			if e.Pos.Line < 0 || e.Pos.Col < 1 || e.Pos.File == nil {
				t.Fatalf("%q has no position", e.Text)
			}
		}
		if file != nil {
			Dump(file)
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Fatalf("takes %v", d)
		}
	})
}
