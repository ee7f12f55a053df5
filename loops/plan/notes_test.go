package plan

import (
	"errors"
	"strings"
	"testing"
)

func TestAddNotes(t *testing.T) {
	t.Parallel()
	const line = "- finding `0`, bug at `a.go`: it is so\n"
	for _, tt := range []struct {
		name, src, want string
		err             error
	}{
		{"at the end", "---\n---\n# A\n## Chunks\n## Notes\n", "---\n---\n# A\n## Chunks\n## Notes\n\n" + line, nil},
		{"after others", "---\n---\n## Notes\nmine\n\n\n", "---\n---\n## Notes\nmine\n\n" + line, nil},
		{"without an end of line", "---\n---\n## Notes\nmine", "---\n---\n## Notes\nmine\n\n" + line, nil},
		{"made", "---\n---\n## Chunks\n### 1. A\ntext\n", "---\n---\n## Chunks\n### 1. A\ntext\n## Notes\n\n" + line, nil},
		{"before a section", "---\n---\n## Notes\nmine\n## Risks\nnone\n", "---\n---\n## Notes\nmine\n\n" + line + "\n## Risks\nnone\n", nil},
		{"what looks like it is code", "---\n---\n## Chunks\n```\n## Notes\n```\n", "---\n---\n## Chunks\n```\n## Notes\n```\n## Notes\n\n" + line, nil},
		{"a block that does not end", "---\n---\n## Chunks\n```\n", "", ErrNotes},
		{"a comment that does not end", "---\n---\n## Chunks\n<!-- a\n", "", ErrNotes},
	} {
		got, err := AddNotes([]byte(tt.src), line)
		if string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v\n%s", tt.name, err, got)
		}
	}
	out, err := AddNotes([]byte(example), line)
	if err != nil {
		t.Fatal(err)
	}
	if _, faults := Parse("plans/2026-07-example.md", out); len(faults) > 0 || !strings.HasPrefix(string(out), strings.TrimRight(example, "\n")) {
		t.Errorf("%v\n%s", faults, out)
	}
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		`{"a": [1]}`:         "",
		"{\n\"a\": 1,\n}":    "2:7: error: malformed JSON: a comma before the } [json]",
		`{"a": 1, "a": 2}`:   `1:10: error: duplicate key "a"; remove one [duplicate-key]`,
		"{} {}":              "1:4: error: malformed JSON: content after the end of the document [json]",
		"\xff":               "1:1: error: malformed JSON: the file is not UTF-8 [json]",
		"{'a': 1}":           `1:2: error: malformed JSON: expected a key in double quotes, got "'" [json]`,
		"[1, // a comment\n": `1:5: error: malformed JSON: expected a value, got "/" [json]`,
	} {
		root, faults := ReadJSON([]byte(src))
		got := ""
		if len(faults) > 0 {
			got = faults[0].String()
		}
		if got != want || root == nil && got == "" {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
