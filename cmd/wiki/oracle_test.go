package main

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// oracle is a judge for scripts: a program that knows the lines of the file that
// it is given, with a quote of each side and a reason between bars, and lets
// everything else hold. Without a file it says what is not an answer.
func oracle() {
	if len(os.Args) < 2 {
		os.Stdout.WriteString("I would rather not.\n")
		return
	}
	known, err := os.ReadFile(os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	type side struct{ Text string }
	verdicts := []map[string]any{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var pair struct {
			ID   int
			A, B side
		}
		if json.Unmarshal(lines.Bytes(), &pair) != nil || pair.ID == 0 || pair.A.Text == "" {
			continue
		}
		v := map[string]any{"id": pair.ID, "ruling": "both-hold", "quote_a": pair.A.Text, "quote_b": pair.B.Text}
		for line := range strings.Lines(string(known)) {
			f := strings.Split(strings.TrimSpace(line), " | ")
			for _, q := range [][2]string{{f[0], f[1]}, {f[1], f[0]}} {
				if strings.Contains(pair.A.Text, q[0]) && strings.Contains(pair.B.Text, q[1]) {
					v = map[string]any{"id": pair.ID, "ruling": "contradicts", "quote_a": q[0], "quote_b": q[1], "reason": f[2]}
				}
			}
		}
		verdicts = append(verdicts, v)
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"verdicts": verdicts})
}

// The lines of the file of verdicts, but for the first, fit their schema.
func TestVerdictsFitTheirSchema(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(documents, func(d document) bool { return d.name == "verdicts" })
	s, err := schemaOf(documents[i])
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	known, err := os.ReadFile("testdata/script/judge.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, file, _ := strings.Cut(string(known), "-- want.jsonl --\n")
	n := 0
	for line := range strings.Lines(file) {
		var value map[string]any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			t.Fatal(err)
		}
		if n++; n == 1 {
			continue
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
		delete(value, "ruling")
		if resolved.Validate(value) == nil {
			t.Error("the schema takes a verdict without a ruling")
		}
	}
	if n < 2 {
		t.Errorf("%d lines were looked at", n)
	}
}
