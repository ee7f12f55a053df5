package spec

import "github.com/loopwiki/wiki/loops/spec/schemas"

// Verdict is all that is known about a document's form.
type Verdict struct {
	Schema   string          // that Faults are of
	Faults   []schemas.Fault // none in a valid document
	Composed bool            // the document was judged by LSS 1.1 too
	Joints   []schemas.Fault // of LSS 1.1, which judges the composition alone
	Semantic []Finding
	Conformance
}

// Check judges a document by one schema, or by LSS 1.0 and, if it is a composition,
// by 1.1 apart; open reads the children of a composition.
func (d *Document) Check(name string, open func(ref string) (*Document, error)) Verdict {
	v := Verdict{Schema: name}
	if name == "" {
		v.Schema, v.Composed = LSS10, d.Composed()
	}
	v.Faults = d.Validate(v.Schema)
	if v.Composed {
		v.Joints = d.Validate(LSS11)
	}
	v.Semantic = d.Semantic(open)
	if len(v.Faults)+len(v.Joints) == 0 && v.Schema == LSS10 {
		v.Conformance = d.Conform(v.Semantic)
	}
	return v
}
