package card_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

const pages = `
-- wiki/index.md --
[[retry]] [[a/notes]] [[b/notes]]
-- wiki/retry.md --
---
title: Retry policy
id: R-1
aliases: [Giving up]
---
Text.
-- wiki/a/notes.md --
# First notes
-- wiki/b/notes.md --
# Second notes
-- wiki/b/Retry policies.md --
Plural.
`

// compile compiles an archive as the program does: the root is detected.
func compile(t *testing.T, archive string) *compiler.Wiki {
	t.Helper()
	ws, err := compiler.Detect(compilertest.Write(t, archive), "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestFind(t *testing.T) {
	t.Parallel()
	w := compile(t, pages)
	for name, want := range map[string]string{
		"retry":                  "retry.md",
		"retry.md":               "retry.md",
		"./retry.md":             "retry.md",
		"wiki/retry.md":          "retry.md",
		`a\notes.md`:             "a/notes.md",
		"R-1":                    "retry.md",
		"r-1":                    "retry.md",
		"Retry policy":           "retry.md",
		"RETRY POLICY":           "retry.md",
		"giving up":              "retry.md",
		"b/notes":                "b/notes.md",
		"B/Notes":                "b/notes.md",
		"Retry policies":         "b/Retry policies.md",
		"retry policies":         "b/Retry policies.md",
		"b/../retry":             "retry.md",
		"notes":                  "2 pages are called \"notes\"",
		"Notes":                  "2 pages are called \"Notes\"",
		"retri":                  "page \"retri\" not found",
		"":                       "page \"\" not found",
		"../outside.md":          "page \"../outside.md\" not found",
		"R-1/../../../x":         "page \"R-1/../../../x\" not found",
		strings.Repeat("x", 300): "page \"" + strings.Repeat("x", 300) + "\" not found",
	} {
		p, err := card.Find(w, name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = p.Path
		}
		if got != want {
			t.Errorf("Find(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestHints(t *testing.T) {
	t.Parallel()
	w := compile(t, pages)
	for name, want := range map[string]string{
		"retri":  "did you mean retry.md?",
		"notes":  "use more of the path: a/notes.md or b/notes.md",
		"zzzzzz": "use 'wiki search' to find it",
	} {
		_, err := card.Find(w, name)
		h, ok := err.(interface{ Hint() string })
		if !ok || h.Hint() != want {
			t.Errorf("%q: %v, want the hint %q", name, err, want)
		}
	}
}

// The text around a link is cut between characters, whatever they are.
func TestContextIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for pad := range 5 {
		text := strings.Repeat("x", pad) + strings.Repeat("日本語", 60)
		w := compile(t, "-- wiki/a.md --\n"+text+"[[b]]"+text+"\n-- wiki/b.md --\nB\n")
		p, err := card.Find(w, "b")
		if err != nil {
			t.Fatal(err)
		}
		back := card.Of(w, p, schema.Watched{}).Backlinks
		if len(back) != 1 {
			t.Fatalf("backlinks: %v", back)
		}
		got := back[0].Context
		if !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") || !strings.Contains(got, "[[b]]") {
			t.Errorf("context: %q", got)
		}
	}
}
