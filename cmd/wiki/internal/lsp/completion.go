package lsp

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	schematext "github.com/loopwiki/wiki/schema/text"
)

// mostItems bounds a list of completions. A longer one is incomplete: the client asks
// again once more is typed.
const mostItems = 100

// completing is what stands before the cursor.
type completing struct {
	page   *schema.Page
	offset int
	line   string // before the cursor
	after  string // on the same line
}

// completion offers what can stand at a place: pages, headings and blocks in links, tags,
// and the keys and values of front matter.
func (v *view) completion(_ context.Context, p positionParams) (completionList, error) {
	none := completionList{Items: []completionItem{}}
	page, offset := v.at(p)
	if page == nil {
		return none, nil
	}
	line := page.Lines.Line(page.Lines.LineOf(offset))
	c := completing{page, offset, string(schema.Span{Start: line.Start, End: offset}.In(page.Source)), string(schema.Span{Start: offset, End: line.End}.In(page.Source))}
	if text, ok := openWikilink(c.line); ok {
		return v.completeWikilink(c, text), nil
	}
	if v.inFront(page, offset) {
		return v.completeFront(c), nil
	}
	if slices.ContainsFunc(page.Fences, func(f schema.Fence) bool { return f.Content.Start <= offset && offset < f.Content.End }) {
		return none, nil
	}
	if text, ok := openDestination(c.line); ok {
		return v.completeDestination(c, text), nil
	}
	if word, ok := openTag(c.line); ok {
		return v.completeTag(c, word), nil
	}
	return none, nil
}

// openWikilink returns the text behind [[ if no ]] follows it.
func openWikilink(line string) (string, bool) {
	i := strings.LastIndex(line, "[[")
	if i < 0 || strings.Contains(line[i:], "]]") {
		return "", false
	}
	return line[i+2:], true
}

// openDestination returns the text behind ]( if it is not closed.
func openDestination(line string) (string, bool) {
	i := strings.LastIndex(line, "](")
	if i < 0 || strings.ContainsAny(line[i+2:], ") \t") {
		return "", false
	}
	return strings.TrimPrefix(line[i+2:], "<"), true
}

// openTag returns the word behind a # that begins a tag.
func openTag(line string) (string, bool) {
	i := strings.LastIndexByte(line, '#')
	if i < 0 || strings.ContainsAny(line[i+1:], " \t#[](),;") || i > 0 && !strings.ContainsAny(line[i-1:i], " \t(") {
		return "", false
	}
	return line[i+1:], true
}

// item is a candidate, and how well it fits.
type item struct {
	completionItem
	text string // that is written
	rank int
}

// offer returns the best candidates, which replace the typed text before the cursor and
// end with close unless that follows.
func (v *view) offer(c completing, typed string, items []item, end string) completionList {
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Or(b.rank-a.rank, cmp.Compare(len(a.text), len(b.text))) })
	out := completionList{Incomplete: len(items) > mostItems, Items: []completionItem{}}
	if strings.HasPrefix(c.after, end) {
		end = ""
	}
	span := v.text(c.page).span(schema.Span{Start: c.offset - len(typed), End: c.offset})
	for n, it := range items[:min(len(items), mostItems)] {
		it.Edit = &textEdit{span, it.text + end}
		it.Label, it.Detail = schematext.Line(it.Label), schematext.Line(it.Detail)
		it.Sort = fmt.Sprintf("%04d", n)
		it.Filter = cmp.Or(it.Filter, it.text)
		if out.Incomplete { // the client filters by words that it can't know all of
			it.Filter = cmp.Or(typed, it.Filter)
		}
		out.Items = append(out.Items, it.completionItem)
	}
	return out
}

// completeWikilink offers pages, or after a # the headings of the page, or after #^ its
// blocks.
func (v *view) completeWikilink(c completing, typed string) completionList {
	labelFirst := v.wiki.Workspace().Dialect.Profile.LabelFirst
	if i := strings.LastIndexByte(typed, '|'); i >= 0 {
		if !labelFirst {
			return completionList{Items: []completionItem{}}
		}
		typed = typed[i+1:]
	}
	end := "]]"
	if before := strings.TrimSuffix(c.line, typed); strings.Contains(c.after, "]]") || c.page.Outline && strings.HasSuffix(before, "([[") {
		end = ""
	}
	name, fragment, hash := strings.Cut(typed, "#")
	if !hash {
		return v.offer(c, typed, v.pageItems(c.page, typed), end)
	}
	target := v.named(c.page, name, schema.SyntaxWikilink)
	if target == nil {
		return completionList{Items: []completionItem{}}
	}
	if block, ok := strings.CutPrefix(fragment, "^"); ok {
		return v.offer(c, fragment, blockItems(target, block), end)
	}
	last := fragment[strings.LastIndexByte(fragment, '#')+1:]
	return v.offer(c, last, headingItems(target, last, func(h schema.Heading) string { return fragmentOf(h.Text) }), end)
}

// named returns the page that a name leads to from another, which is that itself for "".
func (v *view) named(from *schema.Page, name string, syntax schema.LinkSyntax) *schema.Page {
	if strings.TrimSpace(name) == "" {
		return from
	}
	res := v.wiki.Resolve(from, &schema.Link{Syntax: syntax, Raw: name, Target: name})
	if res.Kind != schema.TargetPage {
		return nil
	}
	return v.wiki.Page(res.Page)
}

// fragmentOf is the text of a heading as a wikilink writes it.
func fragmentOf(heading string) string {
	return schematext.Collapse(strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]|#^", r) {
			return ' '
		}
		return r
	}, heading))
}

func headingItems(p *schema.Page, typed string, spell func(schema.Heading) string) []item {
	var out []item
	for i, h := range p.Headings {
		text := spell(h)
		if rank := max(match(h.Text, typed), match(text, typed)); rank > 0 && text != "" {
			rank = rank*(len(p.Headings)+1) - i // in the order of the page
			out = append(out, item{completionItem{Label: h.Text, Kind: completeReference, Detail: strings.Repeat("#", h.Level), Filter: h.Text + " " + text}, text, rank})
		}
	}
	return out
}

func blockItems(p *schema.Page, typed string) []item {
	var out []item
	for _, b := range p.Blocks {
		if rank := match(b.Name, typed); rank > 0 {
			detail := schematext.Collapse(string(bytes.ToValidUTF8(b.Block.In(p.Source), nil)))
			out = append(out, item{completionItem{Label: "^" + b.Name, Kind: completeReference, Detail: clipped(detail, 60)}, "^" + b.Name, rank})
		}
	}
	return out
}

func clipped(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// pageItems offers pages by their path, title and aliases, each with the shortest name
// that leads to it from the page.
func (v *view) pageItems(from *schema.Page, typed string) []item {
	var out []item
	for _, p := range v.wiki.Pages() {
		rank, label := max(match(stem(p.Path), typed), match(p.Title, typed), min(2, match(p.Path, typed))), p.Title
		for _, a := range p.Meta.Aliases {
			if r := match(a.Name, typed); r > rank {
				rank, label = r, a.Name+" ("+p.Title+")"
			}
		}
		if rank > 0 {
			out = append(out, item{completionItem{Label: cmp.Or(label, stem(p.Path)), Kind: completeFile, Detail: p.Path, Filter: stem(p.Path) + " " + label + " " + p.Path}, p.Path, rank})
		}
	}
	slices.SortStableFunc(out, func(a, b item) int { return cmp.Or(b.rank-a.rank, cmp.Compare(len(a.text), len(b.text))) })
	for i := range out[:min(len(out), mostItems)] {
		out[i].text = v.wikiName(from, out[i].text)
	}
	return out
}

// wikiName returns the shortest end of a path that leads to its page from another.
func (v *view) wikiName(from *schema.Page, to string) string {
	full := strings.TrimSuffix(to, path.Ext(to))
	parts := strings.Split(full, "/")
	for n := 1; n < len(parts); n++ {
		name := strings.Join(parts[len(parts)-n:], "/")
		res := v.wiki.Resolve(from, &schema.Link{Syntax: schema.SyntaxWikilink, Raw: name, Target: name})
		if res.Path == to && res.By <= schema.BySuffix && len(res.Candidates) == 0 {
			return name
		}
	}
	return full
}

// completeDestination offers the paths of pages and files, relative to the page, or after
// a # the anchors of the page.
func (v *view) completeDestination(c completing, typed string) completionList {
	name, fragment, hash := strings.Cut(typed, "#")
	if hash {
		target := v.named(c.page, name, schema.SyntaxInline)
		if target == nil {
			return completionList{Items: []completionItem{}}
		}
		return v.offer(c, fragment, headingItems(target, fragment, func(h schema.Heading) string { return h.ID }), "")
	}
	var items []item
	add := func(p, title string) {
		text := schema.EscapeDestination(schema.RelativePath(c.page.Path, p), "")
		if strings.HasPrefix(typed, "./") && !strings.HasPrefix(text, "../") {
			text = "./" + text
		}
		if strings.HasPrefix(typed, "/") {
			text = "/" + p
		}
		if rank := max(match(text, typed), match(title, typed)); rank > 0 && p != c.page.Path {
			items = append(items, item{completionItem{Label: text, Kind: completeFile, Detail: title, Filter: text + " " + title}, text, rank})
		}
	}
	for _, p := range v.wiki.Pages() {
		add(p.Path, p.Title)
	}
	for _, f := range v.wiki.Files() {
		add(f, "")
	}
	return v.offer(c, typed, items, "")
}

// completeTag offers the tags of the wiki, those that many pages have first.
func (v *view) completeTag(c completing, typed string) completionList {
	return v.offer(c, typed, v.tagItems(c, typed), "")
}

func (v *view) tagItems(c completing, typed string) []item {
	count := counter{}
	for _, p := range v.wiki.Pages() {
		for _, t := range p.Tags {
			if p != c.page || t.Span.End != c.offset { // which is being typed
				count.add(t.Name)
			}
		}
	}
	return count.items(typed, completeValue, "page")
}
