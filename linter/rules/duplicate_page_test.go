package rules

import (
	"strings"
	"testing"
)

func TestVersions(t *testing.T) {
	t.Parallel()
	for paths, want := range map[string]bool{
		"v1.4/a.md v1.5/a.md": true, "p/c9dd949/a.md p/f91c12b/b.md": true, "x@v1.2.0/a.md x@v1.3.0/a.md": true, "1.x/a.md latest/a.md": true,
		"en/a.md pt-BR/a.md": true, "2.0-rc1/a.md 2.0/a.md": true, "v2026.5.18/d/a.md v2026.5.22/d/a.md": true,
		"a/x.md b/x.md": false, "x.md y.md": false, "v1/a.md x/v2/a.md": false, "10-bases/a.md 11-acids/a.md": false, "notes/a.md v2/a.md": false,
		"defaced/a.md faceted/a.md": false,
	} {
		a, b, _ := strings.Cut(paths, " ")
		if got := versions(a, b); got != want {
			t.Errorf("versions(%q, %q) = %v", a, b, got)
		}
	}
}

// FuzzSketch holds what the sketches of any two texts promise: equal texts are
// alike, and what is alike is so both ways and no more than wholly.
func FuzzSketch(f *testing.F) {
	f.Add([]byte("a b c d e f"), []byte("a b c d e g"))
	f.Add([]byte(""), []byte("ÄÖ 日本語 x"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if s := sharedRuns(a, b); s != sharedRuns(b, a) || s < 0 || s > 1 {
			t.Errorf("shared %v and %v", s, sharedRuns(b, a))
		}
		runs := 0
		eachRun(a, func(uint64) { runs++ })
		if s := sharedRuns(a, a); runs > 0 && s != 1 {
			t.Errorf("a text shares %v of itself", s)
		}
		folded := 0
		eachRun([]byte(strings.ToLower(strings.ToValidUTF8(string(a), ""))), func(uint64) { folded++ })
		if folded > 0 && runs == 0 {
			t.Errorf("%d runs in small letters, none as written", folded)
		}
	})
}
