package source

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// weak adds pages that only speak of what changed: they mention a symbol in a code
// span, link to a file, or cite it.
func (l *worklist) weak(ctx context.Context, changes *schema.Changes) {
	names, files := l.changedNames(ctx, changes)
	for _, page := range l.wiki.Pages() {
		if ctx.Err() != nil {
			return
		}
		if claim.Mute(page) || schema.TemplatePath(page.Path) {
			continue
		}
		for _, name := range CodeSpans(page) {
			if target := names[strings.TrimSuffix(name, "()")]; target != "" {
				l.add(page.Path, ByMention, target, "it mentions "+name)
			}
		}
		for link, res := range l.wiki.Links(page) {
			if files[res.Path] && link.Fragment == "" && (res.Kind == schema.TargetOutside || res.Kind == schema.TargetFile) {
				l.add(page.Path, ByLink, l.code.tree.Below(res.Path), "it links to the file")
			}
		}
		for i := range page.Citations {
			name := page.Citations[i].Ref.Path
			if file, _ := l.code.Locate(page, name); files[file] {
				l.add(page.Path, ByCitation, l.code.tree.Below(file), "it cites the file")
			}
		}
	}
}

// changedNames returns what may be called by the name of a symbol that changed:
// its qualified name and, where that tells enough, its own. A name that is that
// of several symbols that changed is none's. files are those of which more than
// comments and formatting changed.
func (l *worklist) changedNames(ctx context.Context, changes *schema.Changes) (names map[string]string, files map[string]bool) {
	names, files = map[string]string{}, map[string]bool{}
	base, err := l.wiki.Base(ctx, changes.Revision)
	if err != nil {
		return names, files
	}
	several := map[string]bool{}
	name := func(n, target string) {
		if was := names[n]; was != "" && was != target {
			several[n] = true
		}
		names[n] = target
	}
	for _, file := range slices.Sorted(maps.Keys(changes.Files)) {
		old, now := l.versions(ctx, base, file, changes.Files[file])
		files[file] = now != nil && (old == nil || old.Whole.Facets.Tokens != now.Whole.Facets.Tokens)
		if old == nil || old.Language == "text" {
			continue // what is new is on no page yet
		}
		for i := range old.Symbols {
			s := &old.Symbols[i]
			if now != nil && slices.ContainsFunc(now.Lookup(s.Name), func(n *Symbol) bool { return n.Facets == s.Facets }) {
				continue
			}
			target := l.code.tree.Below(file) + "#" + s.Name
			if own := lastPart(s.Name); own != s.Name {
				name(s.Name, target)
				if tellingName(own) {
					name(own, target)
				}
			} else if tellingName(own) {
				name(own, target)
			}
		}
	}
	for n := range several {
		delete(names, n)
	}
	return names, files
}

// versions returns what a file was at a revision and what it is; nil where it
// was or is not there, or can not be read.
func (l *worklist) versions(ctx context.Context, base, file string, change schema.Change) (old, now *File) {
	was := cmp.Or(change.Before, file)
	if src, ok := l.wiki.Was(ctx, base, was); ok {
		old, _ = parsed.parse(ctx, was, src)
	}
	if !change.Gone {
		now, _ = l.code.File(ctx, file)
	}
	return old, now
}

// tellingName reports whether a name is hardly a word of prose: it has two parts.
func tellingName(name string) bool { return len(parts(name)) > 1 }

// CodeSpans returns what stands between single backticks on a page, fences left
// out, each once and in order.
func CodeSpans(page *schema.Page) []string {
	var out []string
	seen := map[string]bool{}
	eachCodeSpan(page, func(at schema.Span) {
		if name := string(at.In(page.Source)); !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	})
	return out
}

// eachCodeSpan yields what stands between single backticks, fences left out, in order.
func eachCodeSpan(page *schema.Page, yield func(schema.Span)) {
	at := page.Body
	fence := 0
	for at < len(page.Source) {
		for fence < len(page.Fences) && page.Fences[fence].Span.End <= at {
			fence++
		}
		if fence < len(page.Fences) && page.Fences[fence].Span.Contains(at) {
			at = page.Fences[fence].Span.End
			continue
		}
		if page.Source[at] != '`' {
			at++
			continue
		}
		end := at + 1
		for end < len(page.Source) && page.Source[end] != '`' && page.Source[end] != '\n' {
			end++
		}
		if end >= len(page.Source) || page.Source[end] != '`' {
			at = end
			continue
		}
		if end > at+1 {
			yield(schema.Span{Start: at + 1, End: end})
		}
		at = end + 1
	}
}
