package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guideBlock is a fenced block of a guide, and the name of the file that it is,
// which stands above it.
var guideBlock = regexp.MustCompile("(?ms)(?:^`([^`\n]+)`\n\n)?^```([a-z]+)\n(.*?)^```$")

// TestGuide follows the guide to a wiki's own rules: it writes every file that
// has a name above it, in the order of the page, and holds the page to what the
// commands print.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "wiki", "10_DOMAIN", "custom-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	ran := 0
	for _, m := range guideBlock.FindAllStringSubmatch(string(page), -1) {
		name, language, text := m[1], m[2], m[3]
		if name != "" {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if language != "console" {
			t.Errorf("a block of %s has no name:\n%s", language, text)
		}
		for _, c := range strings.Split(text, "$ wiki ")[1:] {
			args, want, _ := strings.Cut(c, "\n")
			var out bytes.Buffer
			run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, &out, func(string) string { return "" })
			if got := out.String(); got != want {
				t.Errorf("wiki %s prints\n%s\nand not what the guide shows\n%s", args, got, want)
			}
			ran++
		}
	}
	if ran < 6 {
		t.Errorf("only %d commands were run", ran)
	}
}
