package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

var judge = flag.Bool("judge", false, "write every error on the shared wikis that nobody has judged to testdata/judged.tsv, to be judged")

// judgedRoots are public wikis kept by people, below ../shared/corpora.
var judgedRoots = []string{"olas-wiki/.wiki", "tasks-demo-vault/vault", "tasks-demo-vault/docs", "codebase-wikis"}

// The verdicts: would the wiki's maintainer call the finding right?
const (
	right     = "right"
	debatable = "debatable"
	wrong     = "wrong"
)

const judgedFile = "testdata/judged.tsv"

// judgement is a person's verdict on one finding.
type judgement struct {
	verdict, root, fingerprint, rule, place, reason string
}

func (j judgement) String() string {
	return strings.Join([]string{j.verdict, j.root, j.fingerprint, j.rule, j.place, j.reason}, "\t")
}

func readJudgements(t *testing.T) []judgement {
	t.Helper()
	src, err := os.ReadFile(filepath.FromSlash(judgedFile))
	if err != nil {
		t.Fatal(err)
	}
	var out []judgement
	for n, line := range strings.Split(strings.TrimSpace(string(src)), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 6 || !slices.Contains([]string{right, debatable, wrong}, f[0]) || f[5] == "" {
			t.Fatalf("%s:%d: expected verdict, root, fingerprint, rule, place and reason, separated by tabs: %q", judgedFile, n+1, line)
		}
		out = append(out, judgement{f[0], f[1], f[2], f[3], f[4], f[5]})
	}
	return out
}

// TestErrorPrecisionOnRealWikis compares all errors on real wikis, at default settings,
// with people's verdicts: none without a verdict, and fewer than one in twenty wrong.
func TestErrorPrecisionOnRealWikis(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes minutes under the race detector, and one wiki is linted after the other")
	}
	judged := map[string]judgement{}
	counts := map[string]int{}
	for _, j := range readJudgements(t) {
		judged[j.root+" "+j.fingerprint] = j
	}
	var unjudged []string
	for _, root := range judgedRoots {
		_, res := corpus(t, "corpora/"+root)
		for _, d := range res.Findings {
			if d.Severity != schema.Error {
				continue
			}
			key := root + " " + d.Fingerprint
			if j, ok := judged[key]; ok {
				counts[j.verdict]++
				delete(judged, key)
				continue
			}
			j := judgement{"?", root, d.Fingerprint, d.Rule, fmt.Sprintf("%s:%d", d.Path, d.From.Line), d.Message}
			unjudged = append(unjudged, j.String())
		}
	}
	if *judge {
		appendJudged(t, unjudged)
	}
	for _, line := range unjudged {
		t.Errorf("nobody has judged: %s", line)
	}
	for key, j := range judged {
		t.Errorf("%s (%s at %s) is judged and no longer reported; take it out of %s", key, j.rule, j.place, judgedFile)
	}
	if all := counts[right] + counts[debatable] + counts[wrong]; counts[wrong]*20 >= max(all, 1) {
		t.Errorf("%d of %d errors are wrong", counts[wrong], all)
	}
	t.Logf("%d right, %d debatable, %d wrong", counts[right], counts[debatable], counts[wrong])
}

func appendJudged(t *testing.T, lines []string) {
	f, err := os.OpenFile(filepath.FromSlash(judgedFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, l := range lines {
		fmt.Fprintln(f, l)
	}
}
