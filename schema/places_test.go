package schema_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestPlacesOfArchitecturePageExist checks that the paths in the table about where to
// add a rule, command or gate exist.
func TestPlacesOfArchitecturePageExist(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../wiki/20_SYSTEM/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "\n## Where the next thing goes\n")
	if !ok {
		t.Fatal("architecture.md has no section \"Where the next thing goes\"")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string]bool{}
	place := regexp.MustCompile("`([a-z./][\\w./-]*/[\\w./-]*)`")
	for line := range strings.Lines(section) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !ok || !strings.HasPrefix(line, "| ") {
			continue
		}
		rows[name] = true
		found := place.FindAllStringSubmatch(rest, -1)
		if name != "the next" && len(found) < 2 {
			t.Errorf("%s: names no place and test of it", name)
		}
		for _, m := range found {
			if strings.HasPrefix(m[1], "testdata/") {
				continue // beside the file
			}
			if _, err := os.Stat(path.Join("..", m[1])); err != nil {
				t.Errorf("%s: %s does not exist", name, m[1])
			}
		}
	}
	for _, thing := range []string{"rule", "fix", "dialect", "alias", "agent", "gate", "report format", "command", "flag", "page block", "facet", "loop kind", "connector", "language"} {
		known := false
		for name := range rows {
			known = known || strings.HasPrefix(name, thing)
		}
		if !known {
			t.Errorf("no row says where the next %s goes", thing)
		}
	}
}
