package source

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// mostVersions is how far back a symbol is looked for in git.
const mostVersions = 60

// past is what a file was at the commits that changed it, newest first, as far
// as somebody wanted to know.
type past struct {
	versions []version
	complete bool
}

// version is a file at a commit; nil where it could not be read.
type version struct {
	at   schema.Moment // of the commit
	file *File
}

// symbol returns what an anchor named then.
func (v *version) symbol(a *schema.Anchor) *Symbol {
	if v.file == nil {
		return nil
	}
	s, _ := v.file.Anchored(a)
	return s
}

// until returns the versions of a file, newest first, at least up to the first
// that is enough. Those under former names of the file follow.
func (j *judge) until(v *Verdict, enough func(*version) bool) []version {
	r := j.repository()
	if r == nil || v.File == "" {
		return nil
	}
	p := j.past[v.File]
	if p == nil {
		p = &past{}
		j.past[v.File] = p
	}
	for i := range p.versions {
		if enough(&p.versions[i]) {
			return p.versions[:i+1]
		}
	}
	if p.complete {
		return p.versions
	}
	p.versions = nil
	done := false
	for _, name := range append([]string{v.File}, r.Former(v.File)...) {
		err := j.wiki.Versions(j.ctx, name, mostVersions-len(p.versions), func(at schema.Moment, src []byte) bool {
			f, err := parsed.parse(j.ctx, name, src)
			if err != nil {
				f = nil
			}
			p.versions = append(p.versions, version{at, f})
			done = enough(&p.versions[len(p.versions)-1])
			return !done && j.ctx.Err() == nil
		})
		if done || err != nil || len(p.versions) >= mostVersions {
			break
		}
	}
	p.complete = !done
	return p.versions
}

// old returns the symbol as it was locked, nil when git does not have it.
func (j *judge) old(v *Verdict) *Symbol {
	anchor := v.Anchor
	if a := schema.ParseAnchor(v.Locked.Target); a.Symbol != "" {
		anchor.Symbol = a.Symbol
	}
	locked := func(of *version) bool { s := of.symbol(&anchor); return s != nil && s.Facets == v.Locked.Facets }
	all := j.until(v, locked)
	if n := len(all); n > 0 && locked(&all[n-1]) {
		return all[n-1].symbol(&anchor)
	}
	return nil
}

// since returns the commit that made the symbol what it is; zero when that is
// not committed, or git does not tell.
func (j *judge) since(v *Verdict) schema.Moment {
	same := func(of *version) bool { s := of.symbol(&v.Anchor); return s != nil && s.Facets == v.Symbol.Facets }
	var since schema.Moment
	for _, of := range j.until(v, func(of *version) bool { return !same(of) }) {
		if same(&of) {
			since = of.at
		}
	}
	return since
}

// has returns the values that what a reference names has now. Of lines, which may
// have been put elsewhere and changed, it is those of the whole file.
func (j *judge) has(v *Verdict) []Value {
	if v.Anchor.FromLine > 0 {
		if f, err := j.code.File(j.ctx, v.File); err == nil {
			return f.Whole.Values
		}
	}
	return v.Symbol.Values
}

// lost returns the commit by which a file lost a value; zero when that is not
// committed, or git does not tell.
func (j *judge) lost(v *Verdict, value *Value) schema.Moment {
	has := func(of *version) bool {
		return of.file != nil && slices.ContainsFunc(of.file.Whole.Values, func(l Value) bool { return value.same(&l) })
	}
	var since schema.Moment
	for _, of := range j.until(v, has) {
		if has(&of) {
			return since
		}
		since = of.at
	}
	return since
}

// reviewed reports whether the section was written anew after the code was, and
// names the symbol: then whoever wrote it knew. Values in paragraphs that nobody
// touched are as stale as before, and stay.
func (j *judge) reviewed(v *Verdict) bool {
	if v.Section.Hash(v.Page) == v.Locked.Reviewed || j.repository() == nil {
		return false
	}
	if name := lastPart(nameKey(v.Anchor.Symbol)); name != "" && !mentions(v.Section.Span.In(v.Page.Source), name) {
		return false
	}
	rev := "HEAD"
	if v.Since.Commit != "" {
		rev = v.Since.Commit + "^"
	}
	before, _ := j.wiki.Was(j.ctx, rev, v.Page.Path)
	text := words(before)
	if strings.Contains(text, words(v.Section.Span.In(v.Page.Source))) {
		return false
	}
	v.Values = slices.DeleteFunc(v.Values, func(s StaleValue) bool {
		return !strings.Contains(text, words(paragraph(v.Page.Source, s.At).In(v.Page.Source)))
	})
	return len(v.Values) == 0
}

// words writes a text with one space between its words, and at its ends.
func words(text []byte) string { return " " + strings.Join(strings.Fields(string(text)), " ") + " " }
