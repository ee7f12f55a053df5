package rules

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// scripted is a judge that reads its verdicts from a case's file judge.txt: a line per
// contradiction, with two quotes and a reason between bars; lines that begin with
// "unjudged"; or "failure".
type scripted struct{ lines []string }

func judgeIn(t testing.TB, w *compiler.Wiki) linter.Judge {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(w.Workspace().Root, "judge.txt"))
	if err != nil {
		return nil
	}
	var j scripted
	for line := range strings.Lines(string(bytes.TrimSpace(src))) {
		j.lines = append(j.lines, strings.TrimSpace(line))
	}
	return j
}

func (j scripted) Judge(_ context.Context, doubts []schema.Doubt) linter.Judgement {
	out := linter.Judgement{Verdicts: make([]linter.Verdict, len(doubts))}
	for i := range doubts {
		a, b := doubts[i].A.Text, doubts[i].B.Text
		v := &out.Verdicts[i]
		v.Ruling, v.By = linter.Compatible, "example-1"
		for _, line := range j.lines {
			part := strings.Split(line, " | ")
			switch {
			case part[0] == "failure":
				out.Failure = part[1]
			case part[0] == "unjudged" && slices.ContainsFunc([]string{a, b}, func(text string) bool { return strings.Contains(text, part[1]) }):
				*v = linter.Verdict{}
			case part[0] == "contradiction" && strings.Contains(a, part[1]) && strings.Contains(b, part[2]):
				v.Ruling, v.Quotes, v.Reason = linter.Contradictory, [2]string{part[1], part[2]}, part[3]
			}
		}
	}
	return out
}
