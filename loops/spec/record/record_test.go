package record_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec/record"
	"github.com/loopwiki/wiki/schema/schematest"
)

// published are the records of the shared corpus.
func published(t *testing.T) []record.Item {
	t.Helper()
	name := filepath.Join(schematest.Shared(t, "corpora/loop-standards"), "loopnet-records.jsonl")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	items, err := record.Read(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func TestPublishedRecordsAreValid(t *testing.T) {
	t.Parallel()
	got := record.Check(published(t), false)
	if len(got.Errors) > 0 || len(got.Records) != 20 {
		t.Errorf("%d records, errors:\n%s", len(got.Records), strings.Join(got.Errors, "\n"))
	}
	// The three captured records are scored with older weights; nothing else contradicts.
	if len(got.Notes) != 3 {
		t.Errorf("notes:\n%s", strings.Join(got.Notes, "\n"))
	}
	for _, n := range got.Notes {
		if !strings.Contains(n, "by older weights; LES 1.0 gives") {
			t.Error(n)
		}
	}
}

func TestCorpusNeedsFailures(t *testing.T) {
	t.Parallel()
	items := published(t)
	got := record.Check(items, true)
	if want := []string{"corpus: 5 of 20 records are failures; at least 40% must be"}; !slices.Equal(got.Errors, want) {
		t.Errorf("got %q", got.Errors)
	}
	failed := func(i record.Item) bool { return strings.Contains(string(i.Text), `"outcome":"failure"`) }
	var some []record.Item
	for _, i := range items {
		if failed(i) || len(some) < 7 {
			some = append(some, i)
		}
	}
	if got := record.Check(some, true); len(got.Errors) > 0 {
		t.Errorf("%d records: %q", len(some), got.Errors)
	}
}

// valid is a record that fits its schema and contradicts nothing.
//
//go:embed testdata/record.json
var valid string

// changed is a document with one value set, or removed for nil.
func changed(t *testing.T, src, path string, to any) []record.Item {
	t.Helper()
	var doc any
	if err := json.Unmarshal([]byte(src), &doc); err != nil {
		t.Fatal(err)
	}
	at := doc
	keys := []string{path}
	if !strings.HasPrefix(path, "metadata.") || !strings.Contains(src, `"metadata.`) {
		keys = strings.Split(path, ".")
	}
	for _, key := range keys[:len(keys)-1] {
		if l, ok := at.([]any); ok {
			at = l[key[0]-'0']
		} else {
			at = at.(map[string]any)[key]
		}
	}
	if last := keys[len(keys)-1]; to == nil {
		delete(at.(map[string]any), last)
	} else {
		at.(map[string]any)[last] = to
	}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	items, err := record.Read("x.json", out)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func TestRecordSchema(t *testing.T) {
	t.Parallel()
	items, err := record.Read("x.json", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	if got := record.Check(items, false); len(got.Errors)+len(got.Notes) > 0 {
		t.Fatalf("errors %q, notes %q", got.Errors, got.Notes)
	}
	for _, c := range []struct {
		path string
		to   any // nil removes
		want string
	}{
		{"record_id", "ln-ABCDEF00-0000-4000-8000-00000000000a", "record_id: "},
		{"record_id", nil, "(root): record_id is missing"},
		{"schema_version", "ln/record-v2", "schema_version: "},
		{"spec_pins.les", "les@1.1.0", "spec_pins.les: "},
		{"created_at", "yesterday", "created_at: "},
		{"created_at", "2026-03-01", "created_at: "},
		{"source", "made_up", "source: "},
		{"split", "dev", "split: "},
		{"patterns", []any{}, "patterns: "},
		{"patterns", []any{"debate-loop", "debate-loop"}, "patterns: "},
		{"patterns", []any{"spiral-loop"}, "patterns.0: "},
		{"loop_name", "ab", "loop_name: "},
		{"loop_name", "Abc", "loop_name: "},
		{"loop_name", strings.Repeat("a", 65), "loop_name: "},
		{"objective", "Nine char", "objective: "},
		{"outcome", "won", "outcome: "},
		{"termination_reason", "bored", "termination_reason: "},
		{"failure_mode", nil, "(root): failure_mode is missing"},
		{"failure_modes", nil, "(root): failure_modes is missing"},
		{"failure_modes", []any{"fail.bad_luck"}, "failure_modes.0: "},
		{"trajectory", []any{}, "trajectory: "},
		{"trajectory", make([]any, 51), "trajectory: "},
		{"trajectory.0.iteration", 0, "trajectory.0.iteration: "},
		{"trajectory.0.goal_score", 1.1, "trajectory.0.goal_score: "},
		{"trajectory.1.cost_usd", -1, "trajectory.1.cost_usd: "},
		{"trajectory.1.cost_usd", nil, "trajectory.1: cost_usd is missing"},
		{"trajectory.1.latency_seconds", nil, "trajectory.1: latency_seconds is missing"},
		{"trajectory.1.tokens", 1.5, "trajectory.1.tokens: "},
		{"trajectory.1.human_intervention", 1, "trajectory.1.human_intervention: "},
		{"trajectory.1.mood", "good", `trajectory.1: unknown key "mood"`},
		{"les_observed.categories.speed", nil, "les_observed.categories: speed is missing"},
		{"les_observed.les_normalized", 63.5, "les_observed.les_normalized: "},
		{"metadata.goal_target", nil, "metadata: goal_target is missing"},
		{"metadata.extra", 1, `metadata: unknown key "extra"`},
		{"metadata.worker_count", 0, "metadata.worker_count: "},
		{"redaction.level", "some", "redaction.level: "},
		{"contributor.mail", "a@b.c", `contributor: unknown key "mail"`},
		{"mood", "good", `(root): unknown key "mood"`},
	} {
		got := record.Check(changed(t, valid, c.path, c.to), false)
		if !slices.ContainsFunc(got.Errors, func(e string) bool { return strings.HasPrefix(e, c.want) }) {
			t.Errorf("%s = %v: %q, want %s", c.path, c.to, got.Errors, c.want)
		}
	}
	partial := changed(t, valid, "outcome", "partial")
	if got := record.Check(partial, false); len(got.Errors) > 0 {
		t.Errorf("a partial run: %q", got.Errors)
	}
	if got := record.Check(changed(t, valid, "loop_spec", map[string]any{"x": []any{1}}), false); len(got.Errors) > 0 {
		t.Errorf("any loop_spec: %q", got.Errors)
	}
}

func TestRecordContradictions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path string
		to   any
		want string
	}{
		{"metadata.iteration_count", 4, "metadata.iteration_count is 4, but the trajectory gives 3"},
		{"metadata.cost_total_usd", .6, "metadata.cost_total_usd is 0.6, but the trajectory gives 0.5"},
		{"metadata.goal_final", .8, "metadata.goal_final is 0.8, but the trajectory gives 0.7"},
		{"metadata.regression_count", 0, "metadata.regression_count is 0, but the trajectory gives 1"},
		{"les_observed.les_normalized", .7, "les_observed.les_normalized is 0.7, but the trajectory gives 0.6348"},
		{"les_observed.categories.speed", .6, "les_observed does not follow from the trajectory"},
		{"trajectory.1.iteration", 4, "the trajectory's iterations are not in order"},
	} {
		got := record.Check(changed(t, valid, c.path, c.to), false)
		if len(got.Errors) > 0 || !slices.Contains(got.Notes, c.want) {
			t.Errorf("%s = %v: errors %q, notes %q", c.path, c.to, got.Errors, got.Notes)
		}
	}
}

func TestRecordIDsAreUnique(t *testing.T) {
	t.Parallel()
	items, err := record.Read("x.json", []byte("["+valid+","+valid+"]"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"record 1: duplicate record_id ln-00000000-0000-4000-8000-00000000000a"}
	if diff := cmp.Diff(want, record.Check(items, false).Errors); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const validRow = `{"metadata.loop_id": "E1722a83-88db-4904-9d65-781f967aefdd", "metadata.loop_name": "x", "metadata.pattern": "any",
	"metadata.iteration_count": 0, "metadata.success": true, "metadata.schema_version": "0.3-draft", "metadata.source": "loop-trace-1.0",
	"metadata.total_cost_usd": null, "trajectory.final_quality": null, "trajectory.trace_path": null, "metadata.termination_reason": null}`

const validTrace = `{"trace_version": "1.0", "loop_id": "a", "loop_name": "b", "started_at": "whenever", "extra": 1,
	"iterations": [{"iteration": 0, "timestamp": "then", "evaluator_scores": {"q": 7}, "more": []}]}`

func TestTraceAndRowSchemas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		doc, path string
		to        any
		want      string // empty for a valid document
	}{
		{validRow, "metadata.worker_count", 0, ""},
		{validRow, "metadata.loop_id", "demo-001", "metadata.loop_id: "},
		{validRow, "metadata.pattern", nil, "(root): metadata.pattern is missing"},
		{validRow, "metadata.iteration_count", -1, "metadata.iteration_count: "},
		{validRow, "metadata.schema_version", "0.3", "metadata.schema_version: "},
		{validRow, "metadata.mood", 1, `(root): unknown key "metadata.mood"`},
		{validTrace, "spec_path", "x", ""},
		{validTrace, "trace_version", "1.1", "trace_version: "},
		{validTrace, "loop_id", nil, "(root): loop_id is missing"},
		{validTrace, "started_at", nil, "(root): started_at is missing"},
		{validTrace, "iterations", []any{}, "iterations: "},
		{validTrace, "iterations.0.iteration", -1, "iterations.0.iteration: "},
		{validTrace, "iterations.0.timestamp", nil, "iterations.0: timestamp is missing"},
		{validTrace, "iterations.0.cost_usd", -.1, "iterations.0.cost_usd: "},
		{validTrace, "iterations.0.evaluator_scores.q", "high", "iterations.0.evaluator_scores.q: "},
		{validTrace, "iterations.0.feedback", []any{1}, "iterations.0.feedback.0: "},
		{validTrace, "total_cost_usd", -1, "total_cost_usd: "},
		{`{"x": 1}`, "y", 1, "unknown document: "},
	} {
		got := record.Check(changed(t, c.doc, c.path, c.to), false).Errors
		fits := slices.ContainsFunc(got, func(e string) bool { return strings.HasPrefix(e, c.want) })
		if c.want == "" && len(got) > 0 || c.want != "" && !fits {
			t.Errorf("%s = %v: %q, want %s", c.path, c.to, got, c.want)
		}
	}
}

func TestReadForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src string
		want      string // lines of the documents, or the fault
	}{
		{"x.json", `{"a": 1}`, "[0]"},
		{"x.json", `[{"a": 1}, {}]`, "[0 0]"},
		{"x.json", `{"records": [{}, {}, {}]}`, "[0 0 0]"},
		{"x.jsonl", "{}\n\n{}\n", "[1 3]"},
		{"x.jsonl", "{}\n{,}\n", "x.jsonl:2: invalid JSON: invalid character ',' looking for beginning of object key string"},
		{"x.json", "{\n\"a\": ]", "x.json:2: invalid JSON: invalid character ']' looking for beginning of value"},
		{"x.json", "{} {}", "x.json:1: invalid JSON: text after the end of the document"},
		{"x.json", "", "x.json:1: invalid JSON: unexpected EOF"},
		{"x.json", "7", "x.json: found neither an object nor a list"},
	} {
		items, err := record.Read(c.name, []byte(c.src))
		lines := []int{}
		for _, i := range items {
			lines = append(lines, i.Line)
		}
		got := fmt.Sprint(lines)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	s := record.Describe(record.Check(published(t), false).Records)
	if s.Records != 20 || s.Captured != 3 {
		t.Errorf("%d records, %d captured", s.Records, s.Captured)
	}
	if diff := cmp.Diff(map[string]int{"success": 9, "failure": 5, "partial": 6}, s.Outcomes); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if s.Iterations.Min != 1 || s.Iterations.Max != 8 || s.LES.Min != .5266 || s.LES.Max != .8982 {
		t.Errorf("iterations %v, LES %v", s.Iterations, s.LES)
	}
	if empty := record.Describe(nil); empty.LES != (record.Spread{}) {
		t.Errorf("an empty corpus: %+v", empty)
	}
}

// checkMarshalled fails the test if a document does not fit its schema as JSON.
func checkMarshalled(t *testing.T, doc any) {
	t.Helper()
	src, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	items, err := record.Read("x.json", src)
	if err != nil {
		t.Fatal(err)
	}
	if got := record.Check(items, false); len(got.Errors)+len(got.Notes) > 0 {
		t.Errorf("errors %q, notes %q in:\n%s", got.Errors, got.Notes, src)
	}
}
