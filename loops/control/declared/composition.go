package declared

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/spec"
)

// mostDepth is how deep compositions may lie within each other.
const mostDepth = 4

// composition takes the children of a composition over, as loops within the loop.
func (c *converter) composition() {
	of := c.spec.Composition
	if of == nil {
		return
	}
	if c.depth == mostDepth {
		c.refuse(at("composition"), "compositions lie more than %d deep in each other; join fewer", mostDepth)
		return
	}
	for i, a := range of.Adapters {
		if a.Transform != "" {
			c.refuse(at("composition", "adapters", i, "transform"), "%q is not carried out; hand the output over as it is, and say in the next loop's role what to do with it", a.Transform)
		}
	}
	var all []loops.Child
	for i := range of.Children {
		if child, ok := c.child(i, &of.Children[i]); ok {
			all = append(all, child)
		}
	}
	if len(all) < len(of.Children) {
		return // which was said
	}
	switch of.Type {
	case spec.Sequential:
		c.out.Children, c.out.Join = all, loops.JoinRule{Kind: loops.InSequence}
	case spec.Parallel:
		c.out.Children, c.out.Join = all, loops.JoinRule{Kind: loops.JoinKind(of.Merge.Strategy), Least: of.Merge.MinBranchesPass}
	case spec.Nested:
		c.nested(of, all)
	}
}

// nested puts the inner loops into the outer one, which is the only child of the whole.
func (c *converter) nested(of *spec.Composition, all []loops.Child) {
	outer := slices.IndexFunc(of.Children, func(o spec.Child) bool { return o.Role == "outer" })
	if outer < 0 {
		return // the semantic checks say so
	}
	for i, child := range all {
		if i == outer {
			continue
		}
		for k := range child.Gets { // what the outer loop hands over comes from around the inner one
			if child.Gets[k].Child == all[outer].ID {
				child.Gets[k].Child = ""
			}
		}
		child.After = c.trigger(i, all[outer])
		all[outer].Loop.Inner = append(all[outer].Loop.Inner, child)
	}
	c.out.Children, c.out.Join = all[outer:outer+1], loops.JoinRule{Kind: loops.InSequence}
}

// trigger returns the evaluator of the outer loop whose failure lets an inner one run.
func (c *converter) trigger(i int, outer loops.Child) string {
	text := c.own(i, "trigger")
	if text == "" {
		return ""
	}
	id, ok := strings.CutPrefix(text, "children."+outer.ID+".evaluators.")
	id, failed := strings.CutSuffix(id, ".failed")
	if !ok || !failed || outer.Loop.Evaluator(id) == nil {
		c.refuse(at("composition", "children", i, "trigger"), "unknown trigger %q; use children.%s.evaluators.ID.failed, or remove it to run after any of them", text, outer.ID)
	}
	return id
}

// own returns a text of a child that the standard does not name.
func (c *converter) own(i int, key string) string {
	of, _ := c.doc.Value["composition"].(map[string]any)
	children, _ := of["children"].([]any)
	child, _ := children[i].(map[string]any)
	text, _ := child[key].(string)
	return text
}

// child converts a child; ok is false if it can't be read.
func (c *converter) child(i int, of *spec.Child) (out loops.Child, ok bool) {
	place := at("composition", "children", i, "ref")
	file, src, err := c.open(of.Ref)
	if err != nil {
		c.refuse(place, "child %s: %v; ref is relative to this file", of.ID, err)
		return out, false
	}
	doc, err := spec.Read(file, src)
	if err != nil {
		c.refuse(place, "child %s: %v", of.ID, err)
		return out, false
	}
	s, err := doc.Spec()
	if err != nil {
		c.refuse(place, "child %s: %v", of.ID, err)
		return out, false
	}
	out = loops.Child{ID: of.ID, Gets: c.handovers(of.ID)}
	in := &converter{Request: c.Request, doc: doc, spec: s, depth: c.depth + 1, gets: map[string]bool{}}
	in.Path, in.Src, in.Inputs = file, src, nil
	for _, g := range out.Gets {
		in.gets[g.Input] = true
	}
	for _, given := range c.out.Inputs {
		if _, takes := s.Inputs.Schema[given.Name]; takes && !in.gets[given.Name] {
			in.Inputs = append(in.Inputs, given.Name+"="+given.Text)
		}
	}
	out.Loop = in.convert()
	c.sources = append(append(c.sources, src), in.sources...)
	out.Loop.Objective = s.Objective
	if lens := c.own(i, "lens"); lens != "" {
		out.Loop.Objective += "\n\nYour perspective: " + lens
	}
	var refused *RefusedError
	if errors.As(in.refused(), &refused) {
		c.lines = append(c.lines, refused.Reasons...)
	}
	c.runs = append(c.runs, in.runs...)
	for _, a := range in.advisory {
		c.advise("%s, in %s", a, of.ID)
	}
	return out, true
}

// open reads the file of a child: of the library, or beside the specification.
func (c *converter) open(ref string) (file string, src []byte, err error) {
	if file = ref; !strings.HasPrefix(ref, spec.LibraryFolder) {
		file = path.Join(path.Dir(c.Path), ref)
	}
	if !fs.ValidPath(file) {
		return "", nil, fmt.Errorf("%s is outside of the repository", ref)
	}
	src, err = fs.ReadFile(c.Files, file)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(file, spec.LibraryFolder) {
		return file, src, err
	}
	d, err := spec.FromLibrary(file)
	if err != nil {
		return "", nil, err
	}
	return d.Path, d.Text(), nil
}

// handovers returns what a child gets of others, by the adapters.
func (c *converter) handovers(id string) []loops.Handover {
	var out []loops.Handover
	for i, a := range c.spec.Composition.Adapters {
		input, ok := strings.CutPrefix(a.To, "children."+id+".inputs.")
		if !ok {
			if !strings.Contains(a.To, ".inputs.") {
				c.refuse(at("composition", "adapters", i, "to"), "%q is no input; use children.ID.inputs.NAME", a.To)
			}
			continue
		}
		from, ok := strings.CutPrefix(a.From, "children.")
		parts := strings.Split(from, ".")
		if !ok || len(parts) != 3 || parts[1] != "outputs" && parts[1] != "workers" {
			c.refuse(at("composition", "adapters", i, "from"), "%q is no output; use children.ID.outputs.WORKER", a.From)
			continue
		}
		out = append(out, loops.Handover{Input: input, Child: parts[0], Worker: parts[2]})
	}
	return out
}
