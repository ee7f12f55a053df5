package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "one-way-relation",
	Group:    linter.GraphRules,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page supersedes or contradicts another page that does not declare the relation.",
	Doc: `Readers who arrive at the other page aren't warned that it was replaced or is disputed. Declare the relation
on both pages.

The fields are ` + "`supersedes` and `superseded_by`, `replaces` and `replaced_by`" + `; any field of the ` + "`contradicts`" + `
family answers another. A path, a name or a title works, with or without brackets. Relations through a third
page count: if B replaces A and C replaces B, C may list both. A relation in a list of ` + "`edges`" + ` is answered by
any link back, because such lists often have one direction only. Raw sources, indexes and logs need not
answer, and pages that supersede each other in a cycle are left to ` + "`relation-cycle`" + `.

The safe fix adds the field, or the page to an existing field, in the other page's front matter, in the same
form as on the first page. A page without front matter has no fix.

Switch it off if your convention is to declare only one direction.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d relations are declared on one of the two pages only; declare them on the other too. First: %s", n, first.Message)
	},
	Check: oneWayRelation,
})

// statement is that one page has a relation to another.
type statement struct {
	kind     schema.FieldName
	page, to *schema.Page
}

// oneWay is the state of the rule about inverse relations.
type oneWay struct {
	*linter.Pass
	relations *relations
	said      map[statement]bool
	links     map[*schema.Page]map[schema.PageID]bool // of pages that were asked about
	mended    map[*schema.Page]bool                   // have a fix already
}

func oneWayRelation(p *linter.Pass) {
	rs := relationFact.Of(p)
	o := &oneWay{p, rs, map[statement]bool{}, map[*schema.Page]map[schema.PageID]bool{}, map[*schema.Page]bool{}}
	for i := range rs.all {
		o.said[statement{rs.all[i].kind, rs.all[i].page, rs.all[i].to}] = true
	}
	for i := range rs.all {
		r := &rs.all[i]
		answer := statement{inverses[r.kind], r.to, r.page}
		if r.page == r.to || o.said[answer] || !linkable(r.to) || !linkable(r.page) || unread(r.to) || rs.circular(r) || rs.indirect(r) {
			continue
		}
		own := fieldAt(r)
		if own == "" && o.linked(r.to, r.page) {
			continue
		}
		o.said[answer] = true // once, however often the page repeats it
		o.report(r, own)
	}
}

// linked reports whether a page links to another.
func (o *oneWay) linked(from, to *schema.Page) bool {
	set, known := o.links[from]
	if !known {
		set = map[schema.PageID]bool{}
		for _, id := range o.Wiki.Graph().Out(from.ID) {
			set[id] = true
		}
		o.links[from] = set
	}
	return set[to.ID]
}

// relationWords are the relations in a sentence.
var relationWords = map[schema.FieldName]string{schema.FieldSupersedes: "supersedes",
	schema.FieldSupersededBy: "is superseded by", schema.FieldContradicts: "contradicts"}

// report reports r, which is in the field own. Of several relations to one page, only
// the first is fixed at a time, since their edits would be at the same place.
func (o *oneWay) report(r *relation, own string) {
	field := answerField(o.relations, r, own)
	remedy := "add " + field + " to its front matter"
	if r.to.Front == nil {
		remedy = "add front matter with " + field + " there"
	}
	d := o.ReportCause(string(r.kind), r.page.Path, r.at, "this page %s %q, which does not declare it; %s", relationWords[r.kind], r.to.Path, remedy)
	d.Related = []schema.Related{{Path: r.to.Path, Span: titleAt(r.to), Message: "the other page"}}
	if own == "" || o.mended[r.to] {
		return
	}
	value, ok := answerValue(o.Pass, r)
	if !ok {
		return
	}
	o.mended[r.to] = true
	if edits := edit.AddValue(r.to, field, value); edits != nil {
		d.Fixes = []schema.Fix{{Title: fmt.Sprintf("add %s: %s to %s", field, value, r.to.Path), Safe: true, Edits: edits}}
	}
}

// answerField returns the field for the inverse of a relation in the field own: the one
// that the other page uses, else the inverse of own.
func answerField(rs *relations, r *relation, own string) string {
	if there := r.to.Front.Lookup(inverses[r.kind]); there != nil {
		return there.Key
	}
	switch key := fieldKey(own); {
	case r.kind == schema.FieldContradicts && own != "":
		return own
	case key == "replaces":
		return "replaced_by"
	case key == "replaced_by":
		return "replaces"
	case r.kind == schema.FieldSupersedes:
		return rs.usual
	}
	return string(inverses[r.kind])
}

// fieldAt returns the field of a relation, "" for a list of edges.
func fieldAt(r *relation) string {
	for _, pair := range pairs(r.page) {
		if v := pair.Value.Span; schema.FieldOf(pair.Key) == r.kind && v.Start <= r.at.Start && r.at.End <= v.End {
			return pair.Key
		}
	}
	return ""
}

// answerValue returns how the other page names this one: as this one named the
// other, quotes included. It is checked by resolving it.
func answerValue(p *linter.Pass, r *relation) (value string, ok bool) {
	n := nameFact.Of(p)
	l := &schema.Link{Syntax: r.link.Syntax}
	switch r.link.Syntax {
	case schema.SyntaxWikilink:
		l.Raw = n.wikiName(r.page.Path, r.link.Target)
		value = "[[" + l.Raw + "]]"
	case schema.SyntaxInline:
		l.Raw = schema.RelativePath(r.to.Path, r.page.Path)
		value = "[" + r.page.Title + "](" + schema.EscapeDestination(l.Raw, "") + ")"
	default:
		l.Raw = n.plainName(r)
		value = l.Raw
	}
	l.Target = l.Raw
	res := p.Wiki.Resolve(r.to, l)
	if res.Kind != schema.TargetPage || res.Page != r.page.ID || len(res.Candidates) > 1 || strings.ContainsAny(value, "\\\"'") {
		return "", false
	}
	quote := ""
	if written := string(r.at.In(r.page.Source)); written != "" && strings.ContainsAny(written[:1], "\"'") {
		quote = written[:1]
	}
	return quote + value + quote, true
}

// plainName names the page of r without brackets, as r named the other.
func (n *names) plainName(r *relation) string {
	switch {
	case r.by == schema.ByID && r.page.Meta.ID != "":
		return r.page.Meta.ID
	case r.by == schema.ByTitle:
		return r.page.Title
	case r.by == schema.ByRelative:
		name := schema.RelativePath(r.to.Path, n.wikiName(r.page.Path, r.link.Target))
		if strings.HasPrefix(name, "../") {
			return name
		}
		return "./" + name
	}
	return n.wikiName(r.page.Path, r.link.Target)
}
