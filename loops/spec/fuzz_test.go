package spec_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema/schematest"
)

// FuzzDocument tries all that is derived from any text that is one map; what is written
// has the values of what was read.
func FuzzDocument(f *testing.F) {
	var seeds []string
	names, err := filepath.Glob("library/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(names, "testdata/full.yaml") {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(src))
	}
	for _, s := range append(seeds, schematest.Vary(100, seeds...)...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		d, err := spec.Read("loop.yaml", []byte(src))
		if err != nil {
			return
		}
		v := d.Check("", func(string) (*spec.Document, error) { return d, nil })
		for _, at := range v.Faults {
			if p := d.Position(at.At, at.Unknown...); p.Line < 1 || p.Column < 1 {
				t.Errorf("%s is at %v", at, p)
			}
		}
		for _, text := range []string{d.Diagram(), d.LoopctlDiagram()} {
			if text == "" {
				t.Error("no diagram")
			}
		}
		d.Minify()
		if _, err := d.Explain(); err != nil && len(v.Faults) == 0 && !d.Composed() {
			t.Errorf("valid, but not explained: %v", err)
		}
		if _, err := d.Spec(); err == nil != (len(v.Faults)+len(d.Validate(spec.LSS11)) == 0) {
			t.Errorf("valid, but: %v", err)
		}
		if !utf8.ValidString(src) {
			return
		}
		again, err := spec.Read("loop.yaml", d.Text())
		if len(d.Root.Pairs) > 0 && (err != nil || !reflect.DeepEqual(again.Value, d.Value)) {
			t.Errorf("%v: written as\n%s", err, d.Text())
		}
	})
}
