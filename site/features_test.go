package site

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFeaturePageNamesTests checks that the tests that show a feature exist, and that a
// feature that is there is shown.
func TestFeaturePageNamesTests(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../wiki/20_SYSTEM/site-features.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z/]+)` (Test\\w+)").FindAllStringSubmatch(string(page), -1)
	if len(named) < 50 {
		t.Errorf("the page names %d tests", len(named))
	}
	for _, m := range named {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(m[1]), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(source), "\nfunc "+m[2]+"(")
		}
		if !found {
			t.Errorf("%s has no %s", m[1], m[2])
		}
	}
	for line := range strings.Lines(string(page)) {
		if strings.Contains(line, "| yes") && !strings.Contains(line, "Test") && !strings.Contains(line, "[[") && !strings.Contains(line, "one binary") {
			t.Errorf("nothing shows %s", line)
		}
	}
}
