package rules

import (
	"strings"
	"testing"
)

// FuzzSketch checks the sketches of any two texts: equal texts are similar, and
// similarity is symmetric and at most 1.
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
