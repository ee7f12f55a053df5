package gate

import (
	"path"
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// unit is one test, or one thing beside tests that they use.
type unit struct {
	name    string // with what it lies in: "price > rejects 0", "TestPrice.test_zero"
	test    bool
	line    int    // from 1
	body    string // without layout
	asserts int
	skipped bool
}

// sheet is a file of tests, taken apart.
type sheet struct {
	// known is false for a file in whose language nothing can be told apart.
	known bool
	units []unit
	// head is what decides whether the file counts at all, rest the lines that
	// belong to no unit, without layout, comments and imports. Those of Go are
	// left out: what they name, the compiler knows.
	head    string
	rest    []string
	imports []binding

	byName map[string]int // the first of every name
}

// language says how tests of a file are found.
type language int

const (
	noLanguage language = iota
	goLanguage
	jsLanguage
	pyLanguage
	rustLanguage
	javaLanguage
)

func languageOf(p string) language {
	switch strings.ToLower(path.Ext(p)) {
	case ".go":
		return goLanguage
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		return jsLanguage
	case ".py":
		return pyLanguage
	case ".rs":
		return rustLanguage
	case ".java", ".kt", ".kts", ".scala", ".groovy":
		return javaLanguage
	}
	return noLanguage
}

// largestSheet is the size in bytes up to which a file is taken apart.
const largestSheet = 2 << 20

// takeApart finds the tests of a file.
func takeApart(p string, src []byte) *sheet {
	s := takeApartBy(p, src)
	s.byName = make(map[string]int, len(s.units))
	for i, u := range s.units {
		if _, ok := s.byName[u.name]; !ok {
			s.byName[u.name] = i
		}
	}
	return s
}

func takeApartBy(p string, src []byte) *sheet {
	if len(src) > largestSheet {
		return &sheet{rest: []string{string(src)}}
	}
	switch l := languageOf(p); l {
	case goLanguage:
		return goSheet(src)
	case pyLanguage:
		return pythonSheet(string(src))
	case jsLanguage, rustLanguage, javaLanguage:
		return blockSheet(l, string(src))
	}
	return &sheet{rest: plainLines(string(src), "")}
}

// find returns the unit of a name, nil if there is none.
func (s *sheet) find(name string) *unit {
	if i, ok := s.byName[name]; ok {
		return &s.units[i]
	}
	return nil
}

// tests returns the units that are tests.
func (s *sheet) tests() []unit {
	var out []unit
	for _, u := range s.units {
		if u.test {
			out = append(out, u)
		}
	}
	return out
}

// assertion is how tests say what must be, in languages other than Go.
var assertion = map[language]func() *regexp.Regexp{
	jsLanguage:   schema.Expression(`\b(?:expect|assert|should|t\.(?:is|deepEqual|true|false|throws|not|like|equal|ok|same))\b\s*[.(]`),
	pyLanguage:   schema.Expression(`(?m)\bassert\b|\bself\.assert\w+\s*\(|\bself\.fail\s*\(|\bpytest\.(?:raises|warns|fail)\b`),
	rustLanguage: schema.Expression(`\b(?:debug_)?assert(?:_eq|_ne|_matches)?!|\bpanic!|\.unwrap\(\)|\.expect\(|#\[should_panic`),
	javaLanguage: schema.Expression(`\b(?:assert\w*|fail|verify|expect\w*|should\w*)\s*[({]|\bthen\s*\(`),
}

// plainLines returns the lines of a text without layout, blank lines and comments,
// imports of the language left out.
func plainLines(text, comment string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" || comment != "" && strings.HasPrefix(line, comment) {
			continue
		}
		out = append(out, line)
	}
	return out
}

// within reports whether the lines of a stand in b in their order, and returns
// those of b that are left over.
func within(a, b []string) (extra []string, ok bool) {
	for _, line := range b {
		if len(a) > 0 && a[0] == line {
			a = a[1:]
			continue
		}
		extra = append(extra, line)
	}
	return extra, len(a) == 0
}
