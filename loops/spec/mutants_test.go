package spec_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/schemas"
)

// full reads testdata/full.yaml anew: callers change it.
func full(t *testing.T) map[string]any {
	t.Helper()
	src, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(src)).Value
}

func read(t *testing.T, src string) *spec.Document {
	t.Helper()
	d, err := spec.Read("loop.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// paths are the places of faults.
func paths(faults []schemas.Fault) []string {
	out := []string{}
	for _, f := range faults {
		out = append(out, f.Path())
	}
	return out
}

func TestMutantsGetTheVerdictsOfTheStandard(t *testing.T) {
	t.Parallel()
	if faults := schemas.Validate(spec.LSS10, full(t)); len(faults) > 0 {
		t.Fatalf("full.yaml is not valid: %v", faults)
	}
	table, err := os.ReadFile("testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		i := strings.LastIndex(line, " -> ")
		want := strings.Fields(line[i+len(" -> "):])
		if want[0] == "ok" {
			want = []string{}
		}
		doc := full(t)
		mutate(t, doc, line[:i])
		if got := paths(schemas.Validate(spec.LSS10, doc)); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", line[:i], got, want)
		}
	}
	if n < 150 {
		t.Errorf("only %d mutants", n)
	}
}

// mutate carries out one line of the table.
func mutate(t *testing.T, doc map[string]any, line string) {
	t.Helper()
	op, rest, _ := strings.Cut(line, " ")
	path, text, _ := strings.Cut(rest, " = ")
	var to any
	if op == "set" {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&to); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	keys := strings.Split(path, ".")
	var at any = doc
	for _, key := range keys[:len(keys)-1] {
		if i, err := strconv.Atoi(key); err == nil {
			at = at.([]any)[i]
		} else {
			at = at.(map[string]any)[key]
		}
	}
	last := keys[len(keys)-1]
	switch in := at.(type) {
	case []any:
		i, _ := strconv.Atoi(last)
		in[i] = to
	case map[string]any:
		if _, there := in[last]; op == "drop" && !there {
			t.Fatalf("%s: there is no such key", line)
		}
		if in[last] = to; op == "drop" {
			delete(in, last)
		}
	default:
		t.Fatalf("%s: no such place", line)
	}
}
