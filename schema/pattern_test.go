package schema

import (
	"strings"
	"testing"
)

func TestPatternsAreBounded(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		`\bTBD\b`: "", `(a?){20}b`: "", `(a?){900}b`: "instructions, at most 1000 are allowed", `((a{10}){10}){10}x`: "instructions",
		`[a-z]{999}`: "instructions", `(`: "missing closing", strings.Repeat("a", 1001): "1001 bytes long", `a{2000}`: "invalid repeat count",
		`(?i)\b(alpha|beta|gamma)\s+[0-9]{1,3}\b`: "",
	} {
		re, size, err := CompilePattern(text)
		if says == "" {
			if err != nil || re == nil || size == 0 || size > MaxPatternSize {
				t.Errorf("%s: %d instructions, %v", text, size, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), says) || re != nil {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

func TestGlobsAreBounded(t *testing.T) {
	t.Parallel()
	for glob, fine := range map[string]bool{
		"drafts/**": true, "**/{a,b}/**/*.md": true, "*.{md,markdown}": true, strings.Repeat("*a", 40): true,
		strings.Repeat("**/a/", 5) + "b": false, strings.Repeat("{a,b}", 10): false, strings.Repeat("{", 20): false,
		"{" + strings.Repeat("a,", 600) + "b}": false,
	} {
		if err := CheckGlob(glob); (err == nil) != fine {
			t.Errorf("%.40s: %v", glob, err)
		}
	}
}

func FuzzCompilePattern(f *testing.F) {
	f.Add(`(a?){900}b`)
	f.Add(`[[:alpha:]]+|\pL{3,}`)
	f.Fuzz(func(t *testing.T, text string) {
		if re, size, err := CompilePattern(text); (re == nil) != (err != nil) || size > MaxPatternSize {
			t.Errorf("%q: %v, %d, %v", text, re, size, err)
		}
		_ = CheckGlob(text)
	})
}
