package judge

import (
	"context"
	"encoding/json"
	"strings"

	_ "github.com/loopwiki/wiki/linter/rules"
	"github.com/loopwiki/wiki/schema"
)

// asking is a backend that answers each pair of a prompt by a function.
type asking struct {
	calls int
	pairs int
	rule  func(a, b side) ruled
}

func (*asking) Name() string { return "oracle" }

func (j *asking) Ask(_ context.Context, prompt string) ([]byte, error) {
	j.calls++
	var doc struct {
		Verdicts []ruled `json:"verdicts"`
	}
	for _, p := range pairsIn(prompt) {
		j.pairs++
		r := j.rule(p.A, p.B)
		r.ID = p.ID
		doc.Verdicts = append(doc.Verdicts, r)
	}
	return json.Marshal(doc)
}

// pairsIn reads the pairs of a prompt as a model does: the lines of JSON between
// the two marks.
func pairsIn(prompt string) []asked {
	var out []asked
	fence := ""
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		var p asked
		switch {
		case strings.HasPrefix(line, "PAIRS-") && fence == "":
			fence = line
		case fence != "" && line == fence:
			return out
		case fence != "" && json.Unmarshal([]byte(line), &p) == nil:
			out = append(out, p)
		}
	}
	return out
}

// titles stands for the titles of pages.
func titles(id schema.PageID) string { return string(id) }
