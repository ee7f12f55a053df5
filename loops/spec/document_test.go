package spec_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestReadRefusesWhatIsNotOneMap(t *testing.T) {
	t.Parallel()
	laughs := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'k'; c++ {
		laughs += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 10), ", "))
	}
	for _, c := range []struct{ name, src, want string }{
		{"duplicate key", "loop_name: one\nversion: 1.0.0\nloop_name: two\n", `loop.yaml:3:1: key "loop_name" occurs twice and only the first is used; remove one of them`},
		{"duplicate key of JSON", `{"a": 1, "a": 2}`, `loop.yaml:1:10: key "a" occurs twice and only the first is used; remove one of them`},
		{"tab", "memory:\n\ttype: ephemeral\n", "loop.yaml:2:1: the line is indented with a tab: expected spaces"},
		{"not closed", "workers: [{id: a},\n  {id: b}\n", "loop.yaml:1:10: [ is not closed: expected ], or put the whole value in quotes"},
		{"unknown anchor", "a: *b\n", "loop.yaml:1:4: a value can't begin with *, which marks an anchor, alias or tag: put it in quotes"},
		{"billion laughs", laughs, "loop.yaml:2:8: the aliases expand to too many values: expected at most 10000"},
		{"10 MB of aliases", "a: &a [x]\nb: [" + strings.Repeat("*a, ", 10<<20/4) + "*a]\n", "loop.yaml:1:1: the YAML is 10485778 bytes long: expected at most 1048576"},
		{"two documents", "a: 1\n---\nb: 2\n", "loop.yaml:3:2: a second document begins here: expected one"},
		{"list", "- a\n", "loop.yaml:1:1: found list: expected a map"},
		{"text", "a\n", "loop.yaml:1:1: found text: expected a map"},
		{"nothing", "# no\n", "loop.yaml:1:1: the file is empty: expected a map"},
	} {
		_, err := spec.Read("loop.yaml", []byte(c.src))
		var e *spec.ReadError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if e.More = 0; e.Error() != c.want || e.Hint() == "" {
			t.Errorf("%s:\n got %s\nwant %s", c.name, e, c.want)
		}
	}
}

func TestHostileAliasesTakeBoundedMemory(t *testing.T) {
	src := []byte("a: &a [" + strings.Repeat("x, ", 5000) + "x]\nb: [" + strings.Repeat("*a, ", 10_000) + "*a]\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := spec.Read("loop.yaml", src)
	runtime.ReadMemStats(&after)
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20); err == nil || used > most {
		t.Errorf("%v, after %d bytes for %d: expected at most %d", err, used, len(src), most)
	}
}

func TestReadTakesFlowStyleAnchorsAndNumbers(t *testing.T) {
	t.Parallel()
	d := read(t, `a: {x: 1, y: [2,
  3], z: "wrapped
  text"}
b: &b {k: v}
c: *b
d:
  <<: *b
  own: 0x10
e: [60.0, -1e3, .inf, .nan, 99999999999999999999, 2026-01-01, yes, True, ~]
`)
	want := `map[a:map[x:1 y:[2 3] z:wrapped text] b:map[k:v] c:map[k:v] d:map[k:v own:16] e:[60 -1000 .inf .nan 1e+20 2026-01-01 yes true <nil>]]`
	if got := fmt.Sprint(d.Value); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	for _, c := range []struct {
		at   string
		want schema.Position
	}{
		{"a.y.1", schema.Position{Line: 2, Column: 3}},
		{"e.2", schema.Position{Line: 9, Column: 17}},
		{"a.missing", schema.Position{Line: 1, Column: 4}},
		{"e.99", schema.Position{Line: 9, Column: 4}},
	} {
		if got := d.Position(strings.Split(c.at, ".")); got != c.want {
			t.Errorf("%s is at %v, not %v", c.at, got, c.want)
		}
	}
	if got := d.Position([]string{"a"}, "y"); got != (schema.Position{Line: 1, Column: 11}) {
		t.Errorf("an unknown key is at %v", got)
	}
}

func TestVersionAsANumberIsExplained(t *testing.T) {
	t.Parallel()
	d := read(t, "loop_name: a-loop\nversion: 1.0\n")
	for _, f := range d.Validate(spec.LSS10) {
		if f.Path() == "version" {
			if at := d.Position(f.At); f.Message != "number 1.0 is not a semantic version: expected text such as 1.0.0" || at.Line != 2 || at.Column != 10 {
				t.Errorf("%v: %s", at, f)
			}
			return
		}
	}
	t.Error("version: 1.0 is valid")
}

func TestShortFormIsRecognised(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"termination_conditions: [{type: all_tests_pass}]":           true,
		"evaluators: [{type: test_suite}]":                           true,
		"evaluators: [{type: test_suite, id: a}]":                    false,
		"termination_conditions: {failure: []}\nevaluators: [links]": false,
	} {
		if read(t, src).Short() != want {
			t.Errorf("%s: short is not %v", src, want)
		}
	}
}

func TestSpecIsTheTypedDocument(t *testing.T) {
	t.Parallel()
	s, err := changed(t, `set workers.0.timeout_seconds = 60.0`).Spec()
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "full-loop" || s.Workers[0].TimeoutSeconds != 60 || *s.Workers[0].Model.TopP != 0.9 || s.Workers[1].BudgetUSD != nil ||
		s.Evaluators[1].Rubric.Dimensions[1].Scale != [2]float64{0, 1} || s.Evaluators[2].TimeoutSeconds != 3600 ||
		s.Channels[0].When != "score < pass_threshold" || s.Strategy.Config.RefinementTarget != "workers.writer" || !s.Strategy.Rollback.OnSafetyFailure ||
		*s.Termination.Failure[1].Value != 8 || s.Termination.Stall[0].WindowIterations != 3 || !s.Metrics[0].Primary ||
		s.Safety[0].Config["max_risk_score"] != 0.7 || s.Cost.OnExceed.Action != "halt" || s.Memory.WritePolicy.MaxEntries != 100 || s.Composition != nil {
		t.Errorf("%+v", s)
	}
	_, err = read(t, "loop_name: a-loop\n").Spec()
	if err == nil || err.Error() != "loop.yaml:1:1: (root): version is missing; 'wiki loop spec validate' lists every fault" {
		t.Errorf("an invalid document: %v", err)
	}
}

func TestCorpusSpecsAreValid(t *testing.T) {
	t.Parallel()
	dir := schematest.Shared(t, "corpora/loop-standards")
	for _, name := range []string{"minimal-loop.yaml", "library-research-agent.yaml", "composition-code-debug-repair.yaml"} {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		d := read(t, string(src))
		v := d.Check("", nil)
		if len(v.Faults)+len(v.Joints)+len(v.Semantic) > 0 || v.Composed != strings.HasPrefix(name, "composition") || v.Level != spec.Operational {
			t.Errorf("%s: %+v", name, v)
		}
		if _, err := d.Spec(); err != nil {
			t.Error(err)
		}
	}
}
