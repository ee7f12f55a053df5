package markdown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is one piece of markdown from the tests of goldmark.
type example struct {
	file     string
	number   int
	markdown string
}

func (e example) name() string { return fmt.Sprintf("%s/%d", e.file, e.number) }

// examples reads those of the CommonMark specification and of the GFM and
// footnote extensions, from the folder of the goldmark module.
func examples(t *testing.T) []example {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("go list can not say where goldmark lies: %v", err)
	}
	root := strings.TrimSpace(string(dir))
	read := func(path ...string) []byte {
		b, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
		if err != nil {
			t.Skipf("the folder of goldmark holds no examples: %v", err)
		}
		return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	}
	var spec []struct {
		Markdown string
		Example  int
	}
	if err := json.Unmarshal(read("_test", "spec.json"), &spec); err != nil {
		t.Fatal(err)
	}
	var all []example
	for _, e := range spec {
		all = append(all, example{"spec", e.Example, e.Markdown})
	}
	add := func(name string, b []byte) {
		cases := strings.Split(string(b), "//= = = = = = = = = = = = = = = = = = = = = = = =//\n")
		for _, c := range cases {
			head, rest, ok := strings.Cut(c, "//- - - - - - - - -//\n")
			written, _, closed := strings.Cut(rest, "//- - - - - - - - -//\n")
			number := 0
			if _, err := fmt.Sscan(head, &number); !ok || !closed || err != nil {
				continue
			}
			// Options belong to other extensions, or to how HTML is written.
			all = append(all, example{name, number, written})
		}
	}
	add("extra", read("_test", "extra.txt"))
	for _, name := range []string{"table", "strikethrough", "tasklist", "linkify", "footnote"} {
		add(name, read("extension", "_test", name+".txt"))
	}
	return all
}

// TestConformance compares our HTML with that of goldmark on the examples of
// the specification.
func TestConformance(t *testing.T) {
	all := examples(t)
	equal, different := 0, 0
	seen := map[string]bool{}
	for _, e := range all {
		seen[e.name()] = true
		want, got := theirs(t, e.markdown), ours(t, e.markdown)
		reason := byDesign[e.name()]
		switch {
		case want == got && reason != "":
			t.Errorf("%s is equal, though by design it differs: %s", e.name(), reason)
		case want == got:
			equal++
		case reason != "":
			different++
		default:
			t.Errorf("%s differs: %q\n(-goldmark +ours)\n%s", e.name(), e.markdown, cmp.Diff(want, got))
		}
	}
	for name := range byDesign {
		if !seen[name] {
			t.Errorf("byDesign names %s, which is no example", name)
		}
	}
	if equal < 600 {
		t.Errorf("only %d examples were compared", equal)
	}
	t.Logf("%d examples: %d equal, %d different by design", len(all), equal, different)
}

// byDesign says which examples are shown otherwise, and why.
var byDesign = map[string]string{
	"spec/64":  "#hashtag is a tag",
	"spec/548": "[[foo]] is a wikilink",
	"spec/559": "[[foo]] is a wikilink",
	"spec/590": "![[foo]] is an embed",
	"extra/52": "a bare URL may stand behind a quotation mark",
	"table/14": "a line of dashes alone is no delimiter row, as in GitHub's parser",
}
