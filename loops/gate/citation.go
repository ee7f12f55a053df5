package gate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "citation",
	Stages: []loops.Stage{loops.StageWiki},
	Doc:    "Every new page cites a raw source, every citation on a changed page points to existing lines and words, every raw source is cited, and agents add no raw sources.",
	phase:  phaseChange,
	judge:  judgeCitations,
})

func judgeCitations(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	if j.c.Start.Ingest == nil {
		return nil, nil
	}
	now := workspace(j.now.dir)
	if now == nil {
		return because(loops.Red, loops.ClassLint, []loops.Reason{{Message: "there is no wiki"}}), nil
	}
	var added []loops.Reason
	for i := range j.changes {
		if c := &j.changes[i]; c.added && isRaw(now, c.path) {
			added = append(added, loops.Reason{Path: c.path, Message: "is a new raw source; only a person adds sources, with wiki ingest"})
		}
	}
	if len(added) > 0 {
		return because(loops.Violation, loops.ClassTampering, added), nil
	}
	at, err := compileAt(ctx, now, j)
	if err != nil {
		return nil, err
	}
	cited := source.NewCited(at.wiki)
	var wrong []loops.Reason
	pages := pagesByPath(at)
	for i := range j.changes {
		c := &j.changes[i]
		p := pages[below(now, c.path)]
		if c.ignored || c.gone || p == nil || p.Reserved() || p.Layer == schema.LayerSource {
			continue
		}
		wrong = append(wrong, wrongCitations(at.wiki, cited, p, c)...)
	}
	for _, s := range j.c.Start.Ingest.Sources {
		if file := below(now, s.Path); !s.Binary && !namedAnywhere(at.wiki, cited, file) {
			wrong = append(wrong, loops.Reason{Path: s.Path, Message: fmt.Sprintf("no page cites it; write its content into pages that cite it: ^[%s:LINE] after a claim, or sources: in the frontmatter", file)})
		}
	}
	return because(loops.Red, loops.ClassLint, wrong), nil
}

// wrongCitations returns what is wrong with the citations of one page.
func wrongCitations(w *compiler.Wiki, cited *source.Cited, p *schema.Page, c *change) []loops.Reason {
	var out []loops.Reason
	say := func(span schema.Span, format string, args ...any) {
		out = append(out, loops.Reason{Path: c.path, Line: p.Lines.Position(span.Start).Line, Message: fmt.Sprintf(format, args...)})
	}
	folder, any := path.Dir(p.Path), false
	for i := range p.Meta.Sources {
		s := &p.Meta.Sources[i]
		any = true
		if s.Anchor.Path == "" || s.Anchor.Rev != "" || !strings.ContainsAny(s.Anchor.Path, "./") || strings.Contains(s.Anchor.Path, "[[") {
			continue // an address, or a name that is not a path
		}
		if why := cited.Wrong(folder, s.Anchor, ""); why != "" {
			say(s.Span, "its source %s", why)
		}
	}
	for i := range p.Citations {
		s := &p.Citations[i]
		any = true
		if s.Ref.Path == "" || s.Ref.Rev != "" {
			continue
		}
		if why := cited.Wrong(folder, s.Ref, source.QuoteBefore(p.Source, s.Span.Start)); why != "" {
			say(s.Span, "broken citation: %s", why)
		}
	}
	if c.added && !any && !linksSource(w, p) {
		out = append(out, loops.Reason{Path: c.path, Message: "cites no source; cite one: ^[raw/FILE:LINE] after a claim, or sources: in the frontmatter"})
	}
	return out
}

// linksSource reports whether a page links to a raw source.
func linksSource(w *compiler.Wiki, p *schema.Page) bool {
	for _, res := range w.Links(p) {
		if to := w.Page(res.Page); to != nil && to.Layer == schema.LayerSource {
			return true
		}
	}
	return false
}

// namedAnywhere reports whether a page that is neither an index nor a log rests on a source.
func namedAnywhere(w *compiler.Wiki, cited *source.Cited, file string) bool {
	for _, p := range w.Pages() {
		if p.Reserved() || p.Layer == schema.LayerSource {
			continue
		}
		folder := path.Dir(p.Path)
		if slices.ContainsFunc(p.Meta.Sources, func(s schema.SourceRef) bool { return s.Anchor.Path != "" && cited.File(folder, s.Anchor.Path) == file }) ||
			slices.ContainsFunc(p.Citations, func(s schema.Citation) bool { return s.Ref.Path != "" && cited.File(folder, s.Ref.Path) == file }) {
			return true
		}
		for _, res := range w.Links(p) {
			if to := w.Page(res.Page); to != nil && to.Path == file || res.Kind == schema.TargetFile && res.Path == file {
				return true
			}
		}
	}
	return false
}
