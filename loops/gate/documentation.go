package gate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "documentation",
	Stages: []loops.Stage{loops.StageWiki},
	Doc:    "A documentation run changes every page of its work list that names something removed or has findings; it deletes no page; it changes only pages of the wiki, never plans, agent instructions or raw sources; its images contain no scripts; and pages with new claims about code cite an existing source.",
	phase:  phaseChange,
	judge:  judgeDocumentation,
})

func judgeDocumentation(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	request := j.c.Start.Documentation
	if request == nil {
		return nil, nil
	}
	before, after, err := j.wikis(ctx)
	if before == nil || after == nil || err != nil {
		return nil, err // that there is no wiki anymore is for the gate wiki to say
	}
	if forged := j.newSources(before); len(forged) > 0 {
		return because(loops.Violation, loops.ClassTampering, forged), nil
	}
	out := j.beyondPages(request, before, after)
	left, err := j.leftUndone(ctx, request, before, after)
	if err != nil {
		return nil, err
	}
	unfounded, err := j.unfounded(ctx, before, after)
	if err != nil {
		return nil, err
	}
	return because(loops.Red, loops.ClassLint, slices.Concat(out, left, unfounded)), nil
}

// pictures are what a page may show.
var pictures = map[string]bool{".png": true, ".svg": true, ".jpg": true, ".jpeg": true, ".gif": true, ".webp": true}

// newSources are raw sources that a writer made: what a page rests on is taken in by
// a person, and not written to be cited.
func (j *judge) newSources(before *wikiAt) []loops.Reason {
	var out []loops.Reason
	for i := range j.changes {
		if c := &j.changes[i]; c.added && !c.ignored && isRaw(before.ws, c.path) && !matchAny(j.unlocked, c.path) {
			out = append(out, loops.Reason{Path: c.path, Message: "is a new raw source; only a person adds sources, with wiki ingest"})
		}
	}
	return out
}

// instructs reports files that tell agents or the runner what to do. Where the wiki is
// the whole repository they are pages, too, and still nothing for a writer to extend.
func instructs(p string) bool {
	lower := strings.ToLower(p)
	switch path.Base(lower) {
	case "agents.md", "claude.md", "gemini.md", "skill.md":
		return true
	}
	return strings.HasPrefix(lower, "plans/") || strings.HasPrefix(lower, "agents/")
}

// active is what runs where an SVG is opened by itself.
var active = schema.Expression(`(?i)<\s*(?:[\w-]+:)?(?:script|foreignobject|iframe|embed|object|handler|listener)\b|[\s"'/]on[a-z]+\s*=|javascript\s*:|<!entity`)

// beyondPages returns what was changed that is not a page, or was removed.
func (j *judge) beyondPages(request *loops.DocumentationRequest, before, after *wikiAt) []loops.Reason {
	var out []loops.Reason
	pages := pagesByPath(after)
	listed := func(p string) bool {
		return slices.ContainsFunc(request.Pages, func(page loops.DocumentationPage) bool { return page.Path == p })
	}
	for i := range j.changes {
		c := &j.changes[i]
		page := strings.EqualFold(path.Ext(c.path), ".md")
		inWiki := below(before.ws, c.path) != ""
		switch {
		case c.ignored || matchAny(j.unlocked, c.path):
		case c.path == "CONTEXT.md" || c.path == "agents/CONTEXT.md":
		case !inWiki:
			out = append(out, loops.Reason{Path: c.path, Message: "is outside the wiki, and not CONTEXT.md; revert the change"})
		case c.gone && page:
			out = append(out, loops.Reason{Path: c.path, Message: "was deleted or renamed, which only a person does; restore it, and describe the current state"})
		case !page && !pictures[strings.ToLower(path.Ext(c.path))]:
			out = append(out, loops.Reason{Path: c.path, Message: "is neither a page nor an image; revert the change"})
		case page && instructs(c.path) && !listed(c.path):
			out = append(out, loops.Reason{Path: c.path, Message: "instructs agents or the runner, and is not on the work list; revert the change"})
		case page && pages[below(after.ws, c.path)] == nil:
			out = append(out, loops.Reason{Path: c.path, Message: "is not a page of this wiki; revert the change"})
		case strings.EqualFold(path.Ext(c.path), ".svg") && active().Match(c.now):
			out = append(out, loops.Reason{Path: c.path, Message: "is an image with a script; remove the script"})
		}
	}
	return out
}

// leftUndone returns which pages of the work list can't be right as they are. Those
// that people changed are theirs: what is written of them is a proposal.
func (j *judge) leftUndone(ctx context.Context, request *loops.DocumentationRequest, before, after *wikiAt) ([]loops.Reason, error) {
	var out []loops.Reason
	listed := map[string]bool{}
	for _, page := range request.Pages {
		if page.Edited {
			continue
		}
		listed[page.Path] = true
		if page.Wrong && j.changed(page.Path) == nil {
			out = append(out, loops.Reason{Path: page.Path, Message: "is unchanged, but needs an update: " + page.Reason})
		}
	}
	was, err := j.lint(ctx, before)
	if err != nil {
		return nil, err
	}
	now, err := j.lint(ctx, after)
	if err != nil {
		return nil, err
	}
	known := map[string]int{}
	for i := range was {
		known[was[i].Fingerprint]++
	}
	for i := range now {
		f := &now[i]
		if known[f.Fingerprint]--; known[f.Fingerprint] < 0 || !listed[path.Join(after.ws.RootPath, f.Path)] || forPeople(f) || Mended(&f.Diagnostic) {
			continue // what is new is for the gate wiki to say
		}
		r := f.reason(after)
		r.Message = "still " + r.Message
		out = append(out, r)
	}
	return out, nil
}

// forPeople reports findings that no writer can settle: which side of a
// contradiction holds, and that a page is still right, is for a person to say.
func forPeople(f *finding) bool {
	switch f.Rule {
	case "expired", "signature-changed", "retracted-source":
		return true
	}
	return f.group == linter.Contradiction || f.group == linter.Judged
}

// MovedRule reports citations whose code is elsewhere now.
const MovedRule = "source-moved"

// Mended reports whether a finding is one that the runner settles when the run ends: a
// citation whose code only moved, with a safe fix.
func Mended(f *schema.Diagnostic) bool {
	return f.Rule == MovedRule && len(f.Fixes) > 0 && f.Fixes[0].Safe
}

// unfounded returns which pages cite what does not exist, or state something new of
// code and name no source at all.
func (j *judge) unfounded(ctx context.Context, before, after *wikiAt) ([]loops.Reason, error) {
	was, now := pagesByPath(before), pagesByPath(after)
	code := source.NewCode(after.wiki)
	var out []loops.Reason
	for i := range j.changes {
		c := &j.changes[i]
		page := now[below(after.ws, c.path)]
		if page == nil || c.ignored || c.gone || isLog(page.Path, c.path) {
			continue
		}
		cited := map[string]bool{}
		if old := was[page.Path]; old != nil {
			for _, r := range source.References(ctx, before.wiki, old) {
				cited[r.Anchor.Raw] = true
			}
		}
		sound := false
		for _, r := range source.References(ctx, after.wiki, page) {
			why := missing(ctx, code, &r)
			if why != "" && r.Weak {
				continue
			}
			sound = sound || why == ""
			if why != "" && !cited[r.Anchor.Raw] {
				out = append(out, loops.Reason{Path: c.path, Line: page.Lines.Position(r.At.Start).Line, Message: fmt.Sprintf("cites %s, %s; cite the source of the claim", clip(r.Anchor.Raw, 100), why)})
			}
		}
		if !sound && !showsCode(after, code, page) {
			if line, name := newlyStated(c, page); name != "" {
				out = append(out, loops.Reason{Path: c.path, Line: line, Message: fmt.Sprintf("has a claim about `%s`, and the page cites no existing source; cite a path, with the symbol or the lines", clip(name, 60))})
			}
		}
	}
	return out, ctx.Err()
}

// missing reports why what a reference names does not exist, "" if it does, or if nobody
// can tell.
func missing(ctx context.Context, code *source.Code, r *source.Reference) string {
	file := r.Resolved
	if file == "" {
		var folder bool
		if file, folder = code.Locate(r.Page, r.Anchor.Path); file == "" {
			if strings.ContainsAny(r.Anchor.Path, "*?{") {
				return "" // a glob: the linter says whether it fits anything
			}
			return "which does not exist"
		} else if folder {
			return ""
		}
	}
	f, err := code.File(ctx, file)
	if err != nil {
		return ""
	}
	if s, several := f.Anchored(&r.Anchor); s == nil && !several {
		return "but the file has no such symbol or line"
	}
	return ""
}

// showsCode reports whether a page leads to a file of the repository: by a link,
// or by a path in backticks.
func showsCode(w *wikiAt, code *source.Code, page *schema.Page) bool {
	for l, res := range w.wiki.Links(page) {
		if !l.External && (res.Kind == schema.TargetOutside || res.Kind == schema.TargetFile) && source.Known(res.Path) {
			return true
		}
	}
	return slices.ContainsFunc(source.CodeSpans(page), func(name string) bool {
		file, folder := code.Locate(page, schema.ParseAnchor(name).Path)
		return file != "" && !folder && source.Known(file)
	})
}

// newlyStated returns the first line of a page that is new and names something of
// code, with the name.
func newlyStated(c *change, page *schema.Page) (line int, name string) {
	spans := source.CodeSpans(page)
	addedLines(c.old, page.Source, func(n int, text string) {
		if name != "" || page.Lines.Line(n).Start < page.Body {
			return
		}
		for _, s := range spans {
			if ofCode(s) && strings.Contains(text, "`"+s+"`") {
				line, name = n, s
				return
			}
		}
	})
	return line, name
}

// ofCode reports whether what is in backticks is called as code is, and is not
// a word, a value or a command.
func ofCode(s string) bool {
	if strings.ContainsAny(s, " \t<>\"'=$") || s == "" {
		return false
	}
	if strings.HasSuffix(s, "()") || source.Known(s) {
		return true
	}
	inner := strings.Trim(s, "._-")
	letters := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
	if !letters(rune((inner + " ")[0])) {
		return false
	}
	for i := 1; i < len(inner); i++ {
		lower := inner[i-1] >= 'a' && inner[i-1] <= 'z'
		if lower && inner[i] >= 'A' && inner[i] <= 'Z' || inner[i] == '_' {
			return true
		}
	}
	return false
}
