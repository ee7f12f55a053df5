package judge

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/conflict"
	_ "github.com/loopwiki/wiki/linter/rules"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
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

// labelled are the two statements of a label, beside what [conflict.Label] has.
type labelled struct {
	ID            string `json:"id"`
	Contradiction bool   `json:"contradiction"`
	A             string `json:"quote_a"`
	B             string `json:"quote_b"`
}

// oracle knows the labels of a set.
func oracle(t *testing.T, src []byte) func(a, b side) ruled {
	t.Helper()
	var labels []labelled
	if err := json.Unmarshal(src, &labels); err != nil {
		t.Fatal(err)
	}
	return func(a, b side) ruled {
		x, y := letters(a.Text), letters(b.Text)
		for _, l := range labels {
			p, q := letters(l.A), letters(l.B)
			if l.Contradiction && (strings.Contains(x, p) && strings.Contains(y, q) || strings.Contains(x, q) && strings.Contains(y, p)) {
				return ruled{Ruling: "contradicts", QuoteA: a.Text, QuoteB: b.Text, Reason: l.ID}
			}
		}
		return holds(a, b)
	}
}

// letters are what of a text is no markup.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// What a judge that is never wrong adds to the rules on the labelled sets is what
// any judge can add at most: the contradictions that are not reported and stand in the
// queue, as far as the usual budget of calls goes. The queue must not grow for it.
func TestCeiling(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		name, dir string
		adds      int // contradictions that no rule reports and a judge is asked about, at least
		queue     int // pairs that it could be asked about, at most
	}{
		{"greenhouses", "eval/contradictions", 3, 120},                     // of 3
		{"a ferry line", "../conflict/testdata/skerry-line", 4, 260},       // of 6
		{"a parking platform", "../conflict/testdata/kestrel-pay", 3, 740}, // of 8
		{"a laboratory", "../conflict/testdata/harrow-lab", 0, 800},        // of 6
		{"a game", "../conflict/testdata/cobalt-play", 2, 800},             // of 9
		{"a water utility", "../conflict/testdata/brook-meter", 3, 800},    // of 13
	} {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			if !strings.HasPrefix(set.dir, "..") {
				set.dir = schematest.Shared(t, set.dir)
			}
			src, err := os.ReadFile(filepath.Join(set.dir, "labels.json"))
			if err != nil {
				t.Fatal(err)
			}
			labels, err := conflict.ReadLabels(src)
			if err != nil {
				t.Fatal(err)
			}
			backend := &asking{rule: oracle(t, src)}
			court := &Court{Backend: backend, Budget: 20, Title: titles}
			before := conflict.Evaluate(labels, conflict.Pairs(run(t, set.dir, nil).Findings))
			score := conflict.Evaluate(labels, conflict.Pairs(run(t, set.dir, court).Findings))
			if score.Tempted.Found > before.Tempted.Found || score.Unlabelled > before.Unlabelled {
				t.Errorf("an oracle was tempted: %v %v", score.Taken, score.Strangers)
			}
			queue, adds := court.Judged+court.Left, score.Found.Found-before.Found.Found
			if queue > set.queue {
				t.Errorf("%d pairs are in the queue, want at most %d", queue, set.queue)
			}
			if missed := len(before.Missed); adds < set.adds {
				t.Errorf("a judge can add %d of %d, want %d", adds, missed, set.adds)
			}
			t.Logf("%d of %d without a judge and %d with an oracle, in %d calls about %d of %d pairs",
				before.Found.Found, before.Found.Of, score.Found.Found, backend.calls, court.Judged, queue)
		})
	}
}

// titles stands for the titles of pages.
func titles(id schema.PageID) string { return string(id) }

// run lints a wiki with the rules about contradictions, and with a judge if one is
// given.
func run(t *testing.T, set string, court *Court) *linter.Result {
	t.Helper()
	w := compilertest.Compile(t, filepath.Join(set, "wiki"))
	var cfg linter.Config
	if court != nil {
		cfg.Judge = court
	}
	for _, r := range linter.Rules() {
		if r.Group == linter.Contradiction || court != nil && r.ID == "judged-contradiction" {
			cfg.Only = append(cfg.Only, r.ID)
		}
	}
	res, err := linter.Run(t.Context(), w, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
