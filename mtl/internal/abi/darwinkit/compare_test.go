package darwinkit

import (
	"go/constant"
	"slices"
	"strings"
	"testing"

	"github.com/puremetal/puremetal/mtl/internal/abi"
)

func TestDarwinkitSendsWhatTheTableDeclares(t *testing.T) {
	table := abi.Load()
	differ := make(map[string]bool)
	compared, other := 0, make(map[string]bool)
	for _, c := range load(t).calls() {
		if table.Types[c.typ] == nil {
			other[c.typ] = true
			continue
		}
		key := c.typ + " " + c.selector
		m, ok := table.Method(c.typ, c.selector)
		if !ok && c.selector[0] == '+' {
			m, ok = table.Method("NSObject", c.selector)
		}
		if !ok {
			t.Errorf("%s: the table has no %s", c.at, key)
			continue
		}
		compared++
		if want := kindsOf(m.Encoding); !slices.Equal(c.kinds, want) {
			differ[key] = true
			if knownSelectors[key] != strings.Join(c.kinds, " ") {
				t.Errorf("%s: %s goes with %v, the table has %s", c.at, key, c.kinds, m.Encoding)
			}
		}
	}
	for key := range knownSelectors {
		if !differ[key] {
			t.Errorf("%s is listed and does not differ", key)
		}
	}
	t.Logf("%d selectors compared, %d of them listed as different; %d types are not in the table", compared, len(knownSelectors), len(other))
	if compared < 600 {
		t.Errorf("only %d selectors were compared", compared)
	}
}

// kindsOf gives result and arguments of an encoding in the words of text.kind.
func kindsOf(encoding string) []string {
	var all []string
	for i := 0; i < len(encoding); i++ {
		switch c := encoding[i]; c {
		case 'r', 'V', 'n', 'N', 'o', 'O', 'R':
		case '@':
			if strings.HasPrefix(encoding[i+1:], "?") {
				all = append(all, "block")
				i++
			} else {
				all = append(all, "object")
			}
		case '#':
			all = append(all, "object")
		case ':':
			all = append(all, "selector")
		case 'v':
			all = append(all, "void")
		case '*':
			all = append(all, "pointer")
		case '^':
			all = append(all, "pointer")
			for i++; strings.IndexByte("^rV", encoding[i]) >= 0; i++ {
			}
			i = closing(encoding, i)
		case '{':
			all = append(all, "struct")
			i = closing(encoding, i)
		default:
			all = append(all, string(c))
		}
	}
	return append(all[:1], all[3:]...) // self and _cmd
}

// closing gives the place of the brace that closes the one at i, or i.
func closing(s string, i int) int {
	for depth := 0; ; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
}

func TestDarwinkitsEnumeratorsHaveTheTablesValues(t *testing.T) {
	have := load(t).values()
	compared := 0
	for _, e := range abi.Load().Enums {
		for _, want := range e.Values {
			v, ok := have[want.Name]
			if !ok {
				continue // newer than darwinkit
			}
			compared++
			got, exact := constant.Uint64Val(constant.ToInt(v))
			if !exact {
				if s, ok := constant.Int64Val(constant.ToInt(v)); ok {
					got, exact = uint64(s), true
				}
			}
			if !exact || got != want.Value {
				t.Errorf("%s is %s there, %d in the table", want.Name, v, want.Value)
			}
		}
	}
	t.Logf("%d enumerators compared", compared)
	if compared < 600 {
		t.Errorf("only %d enumerators were compared", compared)
	}
}
