package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// TestVetoesOnPairs checks what drops two facts, and what is as near to that as can be.
func TestVetoesOnPairs(t *testing.T) {
	t.Parallel()
	field := func(from schema.Origin, attr, text string, kind schema.ValueKind) schema.Claim {
		return schema.Claim{From: from, Attr: schema.Attribute{Name: attr}, Text: text, Value: schema.Value{Kind: kind}}
	}
	for _, tt := range []struct {
		name string
		a, b schema.Claim
		want string
	}{
		{"dates of pages", field(schema.OriginFrontmatter, "released", "2024-01-02", schema.ValueDate), field(schema.OriginTable, "released", "2024-01-03", schema.ValueDate), "metadata of the page"},
		{"dates in tables", field(schema.OriginTable, "released", "2024-01-02", schema.ValueDate), field(schema.OriginTable, "released", "2024-01-03", schema.ValueDate), ""},
		{"known fields", field(schema.OriginTable, "Status", "draft", schema.ValueName), field(schema.OriginFrontmatter, "status", "final", schema.ValueName), "metadata of the page"},
		{"fields of one's own", field(schema.OriginTable, "Port", "80", schema.ValueQuantity), field(schema.OriginFrontmatter, "port", "90", schema.ValueQuantity), ""},
		{"sentences", field(schema.OriginTable, "Owner", "Ada", schema.ValueName), field(schema.OriginTable, "Owner", "the team that built it", schema.ValueName), "prose"},
		{"calls", field(schema.OriginTable, "Owner", "newOwner()", schema.ValueName), field(schema.OriginTable, "Owner", "Ada", schema.ValueName), "prose"},
		{"names of three words", field(schema.OriginTable, "Owner", "Ada de Vries", schema.ValueName), field(schema.OriginTable, "Owner", "Bo", schema.ValueName), ""},
		{"amounts with words", field(schema.OriginTable, "Limit", "40 MB for each of them", schema.ValueQuantity), field(schema.OriginTable, "Limit", "50 MB", schema.ValueQuantity), ""},
		{"lines of files", field(schema.OriginTable, "Limit", "pool.go:12", schema.ValueQuantity), field(schema.OriginTable, "Limit", "40", schema.ValueQuantity), "cited line"},
		{"lines on GitHub", field(schema.OriginTable, "Limit", "40", schema.ValueQuantity), field(schema.OriginTable, "Limit", "pool.go#L12", schema.ValueQuantity), "cited line"},
		{"times of day", field(schema.OriginTable, "Start", "12:30", schema.ValueQuantity), field(schema.OriginTable, "Start", "13:30", schema.ValueQuantity), ""},
	} {
		if got := (*index)(nil).vetoCells(&Pair{A: tt.a, B: tt.b}); got != tt.want {
			t.Errorf("%s: veto %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestVetoesOnPages holds which pages are not compared, although their tables agree but for a cell.
func TestVetoesOnPages(t *testing.T) {
	t.Parallel()
	table := func(last string) string {
		return "# Pools\n\n| Setting | Default |\n|---|---|\n| pool.size | 40 |\n| pool.idle | 12 |\n| pool.wait | 77 |\n| pool.max | " + last + " |\n"
	}
	for _, tt := range []struct{ name, a, b, want string }{
		{"versions", "docs/1.2/pools.md", "docs/1.3/pools.md", "another edition"},
		{"series", "report-2025.md", "report-2026.md", "another edition"},
		{"translations", "en/pools.md", "de/pools.md", "another edition"},
		{"folders that are no editions", "one/pools.md", "two/sizing.md", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := NewInput(compilertest.Compile(t, compilertest.Write(t, "-- "+tt.a+" --\n"+table("900")+"-- "+tt.b+" --\n"+table("800"))))
			in.All = true
			found := Find(in)
			if len(found.Pairs) != 1 || found.Pairs[0].Veto != tt.want || len(found.Conflicts) != map[bool]int{tt.want == "": 1}[true] {
				t.Errorf("%d conflicts of %+v, want veto %q", len(found.Conflicts), found.Pairs, tt.want)
			}
		})
	}
}
