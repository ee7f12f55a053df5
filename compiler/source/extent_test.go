package source

import (
	"context"
	"testing"
)

func TestExtent(t *testing.T) {
	t.Parallel()
	const before = "package a\n\n// F does it.\nfunc F(n int) int {\n\treturn n + limit\n}\n\nconst limit = 3\n"
	read := func(name, text string) *File {
		f, err := Parse(context.Background(), name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for name, c := range map[string]struct {
		now  string
		want Extent
	}{
		"the same":         {before, ExtentNone},
		"formatting":       {"package a\n\nfunc F(n int) int { return n +\n\tlimit }\n\nconst limit = 3 // of them\n", ExtentNone},
		"a body":           {"package a\n\nfunc F(n int) int {\n\treturn limit + n\n}\n\nconst limit = 3\n", ExtentBody},
		"a signature":      {"package a\n\nfunc F(n int64) int {\n\treturn n + limit\n}\n\nconst limit = 3\n", ExtentDeclarations},
		"a value":          {"package a\n\nfunc F(n int) int {\n\treturn n + limit\n}\n\nconst limit = 4\n", ExtentDeclarations},
		"a name":           {"package a\n\nfunc G(n int) int {\n\treturn n + limit\n}\n\nconst limit = 3\n", ExtentDeclarations},
		"one symbol fewer": {"package a\n\nconst limit = 3\n", ExtentDeclarations},
	} {
		if got := extent(read("a.go", before), read("a.go", c.now)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := extent(read("a.xyz", "a b"), read("a.xyz", "a  b")); got != ExtentNone {
		t.Errorf("white space of a text: %d", got)
	}
	if got := extent(read("a.xyz", "a b"), read("a.xyz", "a c")); got != ExtentUnknown {
		t.Errorf("a text: %d", got)
	}
}
