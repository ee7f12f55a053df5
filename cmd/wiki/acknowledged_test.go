package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// What --ack writes is what the schema of the file says, and it is read again.
func TestAcknowledgedFitsItsSchema(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki/index.md --\n# Index\n\n[[gateway]] [[b]]\n-- wiki/gateway.md --\n---\nport: 1\n---\n# Gateway\n-- wiki/b.md --\n# B\n\n## Gateway\n\n- Port: 2\n")
	if code, _, stderr := runIn(t, dir, "lint", "--ack", "wiki/b.md:5", "--reason", `it's "known"`, "--by", "Ana: the first", "--until", "2026-12-31"); code != 0 {
		t.Fatal(stderr)
	}
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(schema.AcknowledgedFile)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := linter.ReadAcknowledged("x", src)
	if err != nil || len(a.Entries) != 1 || a.Entries[0].Reason != `it's "known"` || a.Entries[0].By != "Ana: the first" {
		t.Fatalf("%+v, %v\n%s", a, err, src)
	}
	b, err := json.Marshal(linter.AcknowledgedDocument{Version: linter.AcknowledgedVersion, Acknowledged: a.Entries})
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(b, &value); err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if d.name != "acknowledged" {
			continue
		}
		s, err := schemaOf(d)
		if err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Error(err)
		}
		delete(value["acknowledged"].([]any)[0].(map[string]any), "reason")
		if resolved.Validate(value) == nil {
			t.Error("the schema takes an entry without a reason")
		}
		return
	}
	t.Error("there is no schema of the file")
}
