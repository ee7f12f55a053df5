package record_test

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/spec/record"
	"github.com/loopwiki/wiki/schema/schematest"
)

// FuzzCheck reads any file: whatever it holds is an error of the corpus, not a panic,
// and what is valid can be replayed and described.
func FuzzCheck(f *testing.F) {
	for _, s := range schematest.Vary(300, valid, validRow, validTrace, `{"records": [{}]}`) {
		f.Add(s, false)
		f.Add(strings.ReplaceAll(s, "\n", " ")+"\n{}\n", true)
	}
	f.Fuzz(func(t *testing.T, src string, lines bool) {
		name := "x.json"
		if lines {
			name = "x.jsonl"
		}
		items, err := record.Read(name, []byte(src))
		if err != nil {
			return
		}
		c := record.Check(items, true)
		n := 0
		for _, of := range c.Kinds {
			n += of
		}
		if n != len(items) {
			t.Errorf("%d documents, %d of a kind", len(items), n)
		}
		if s := record.Describe(c.Records); s.Records != len(c.Records) {
			t.Errorf("%d records are described as %d", len(c.Records), s.Records)
		}
		for i := range c.Records {
			if r := c.Records[i].Play(record.Choice{}, nil); r.Steps < 1 || len(r.Trajectory) != len(c.Records[i].Trajectory) {
				t.Errorf("a valid record is replayed as %+v", r)
			}
		}
	})
}
