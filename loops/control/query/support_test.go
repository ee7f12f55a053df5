package query

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
)

const prices = `-- wiki.yaml --
version: 1
-- wiki/index.md --
# Index

- [[price]]
-- wiki/price.md --
# Price

A price is an integer of cents.

## Rounding

Half a cent is rounded up.
`

func TestSupport(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, prices)
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ answer, want string }{
		"empty":                 {"", "the answer is empty"},
		"cited":                 {"A price is in cents ([[price]]).", ""},
		"a quote that stands":   {`It is "an integer of cents" ([[price]]).`, ""},
		"a quote that doesn't":  {`It is "a float of euros" ([[price]]).`, `[[price]]: `},
		"a heading":             {"Half is rounded up ([[price#Rounding]]).", ""},
		"no such heading":       {"Half is rounded up ([[price#Truncating]]).", `[[price#Truncating]]: price.md has no heading "Truncating"`},
		"no such page":          {"It costs money ([[cost]]).", "[[cost]]: no such page"},
		"nothing cited":         {"It costs money.", `no citation for "It costs money."`},
		"one paragraph of two":  {"A price is in cents ([[price]]).\n\nIt costs money.", `no citation for "It costs money."`},
		"headings and lead-ins": {"# Prices\n\nIn short:\n\n- cents ([[price]])", ""},
		"code":                  {"See [[price]].\n\n```\ncents\n```", ""},
	} {
		_, wrong, err := Support(t.Context(), w, c.answer)
		got := strings.Join(wrong, "; ")
		if err != nil || (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}

	// The gate says the same of the answer in a folder.
	folder := t.TempDir()
	for answer, effect := range map[string]loops.Effect{"Cents ([[price]]).": loops.Passed, "Money.": loops.Red} {
		if err := os.WriteFile(filepath.Join(folder, run.AnswerFile), []byte(answer), 0o666); err != nil {
			t.Fatal(err)
		}
		results, err := Reader{Root: dir}.JudgeAnswer(t.Context(), nil, folder)
		if err != nil || len(results) != 1 || results[0].Effect != effect || (effect == loops.Red) != (len(results[0].Reason) == 1) {
			t.Errorf("%q: %+v, %v", answer, results, err)
		}
	}
}

// A reader is shown the question, passages of pages about it, and why its last answer was
// refused.
func TestReaderPrompt(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, prices)
	asked := loops.PromptRequest{Start: &loops.Start{Query: &loops.QueryRequest{Question: "How is half a cent rounded?"}}}
	asked.Command.Feedback = []loops.Feedback{{Reasons: []loops.Reason{{Message: "nothing is cited for that"}}}}
	search := func(_ context.Context, w *compiler.Wiki, query string, size int) ([]loops.Passage, error) {
		if query != asked.Start.Query.Question || size != PassageSize {
			t.Errorf("searched for %q in %d bytes", query, size)
		}
		for _, page := range w.Pages() {
			for _, part := range compiler.Parts(page) {
				if part.Heading() == "Rounding" {
					return []loops.Passage{{Path: "wiki/" + page.Path, Heading: part.Heading(), Text: string(part.Span.In(page.Source))}}, nil
				}
			}
		}
		return nil, nil
	}
	p, err := Reader{Root: dir, Passages: search}.Prompt(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"How is half a cent rounded?", "[[price#Rounding]]", "Half a cent is rounded up.", "Your last answer was rejected", "nothing is cited for that"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
}
