package rules

import (
	"bytes"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// additions returns the edits that add a folder's missing pages to an index, in the form
// and order of its other entries; nil if the form is unclear.
func additions(p *linter.Pass, x *index, k *keptFolder) []schema.Edit {
	a := &adder{w: p.Wiki, names: nameFact.Of(p), x: x, k: k}
	texts := map[int]string{}
	a.order()
	for _, page := range a.sorted() {
		at, line, ok := a.place(page)
		if !ok {
			return nil
		}
		texts[at] += line
	}
	var edits []schema.Edit
	for at, text := range texts {
		if at == len(x.page.Source) && at > 0 && x.page.Source[at-1] != '\n' {
			text = newline(x.page) + strings.TrimRight(text, "\r\n")
		}
		edits = append(edits, schema.Edit{Path: x.page.Path, Span: schema.Span{Start: at, End: at}, Text: text})
	}
	slices.SortFunc(edits, compareSpans)
	return edits
}

func compareSpans(a, b schema.Edit) int { return a.Span.Start - b.Span.Start }

// adder writes new entries of one folder into an index.
type adder struct {
	w     *compiler.Wiki
	names *names
	x     *index
	k     *keptFolder
	key   func(*schema.Page) string // that the entries are in order of; nil when they are in none
	keys  []string                  // of the entries
	down  bool                      // the greatest first
}

// order finds out what the entries of the folder are sorted by.
func (a *adder) order() {
	if len(a.k.entries) < 2 {
		return
	}
	for _, key := range []func(*schema.Page) string{
		func(page *schema.Page) string { return fold(page.Path) },
		func(page *schema.Page) string { return fold(page.Title) },
	} {
		keys := make([]string, len(a.k.entries))
		up, down := true, true
		for i := range keys {
			keys[i] = key(a.entry(i).page(a.w))
			up, down = up && (i == 0 || keys[i-1] <= keys[i]), down && (i == 0 || keys[i-1] >= keys[i])
		}
		if up || down {
			a.key, a.keys, a.down = key, keys, !up
			return
		}
	}
}

func (a *adder) entry(i int) *indexEntry { return &a.x.entries[a.k.entries[i]] }

// sorted returns the missing pages in the order that their entries will have.
func (a *adder) sorted() []*schema.Page {
	pages := slices.Clone(a.k.missing)
	if a.key != nil {
		slices.SortStableFunc(pages, func(p, q *schema.Page) int {
			if a.down {
				p, q = q, p
			}
			return strings.Compare(a.key(p), a.key(q))
		})
	}
	return pages
}

// place returns where a page's entry belongs, and its line.
func (a *adder) place(page *schema.Page) (at int, line string, ok bool) {
	n := len(a.k.entries)
	if n == 0 {
		return a.firstRow(page)
	}
	if a.key != nil {
		key := a.key(page)
		i := sort.Search(n, func(i int) bool { return !a.down && key < a.keys[i] || a.down && key > a.keys[i] })
		if i < n {
			line, ok = a.write(a.entry(i), page)
			return a.lineStart(a.entry(i)), line, ok
		}
	}
	line, ok = a.write(a.entry(n-1), page)
	return a.end(a.entry(n - 1)), line, ok
}

func (a *adder) lineStart(e *indexEntry) int { return lineOf(a.x.page, e.line.Start).Start }

// end returns where an entry ends with all that is indented below it.
func (a *adder) end(e *indexEntry) int {
	src := a.x.page.Source
	indent := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
	own := indent(src[e.line.Start:e.line.End])
	at := lineOf(a.x.page, e.line.Start).End
	for e.cells == nil && at < len(src) {
		next := lineOf(a.x.page, at)
		text := src[next.Start:next.End]
		if len(bytes.TrimSpace(text)) == 0 || indent(text) <= own {
			break
		}
		at = next.End
	}
	return at
}

// write returns the entry of a page in the form of another one.
func (a *adder) write(like *indexEntry, page *schema.Page) (string, bool) {
	if like.cells != nil {
		return a.writeRow(like, page)
	}
	src := a.x.page.Source
	first := like.links[0].Link
	before := string(src[like.line.Start:first.Span.Start])
	if strings.ContainsAny(before, "0123456789") || strings.Contains(before, "[x]") {
		return "", false // a number would have to be counted on
	}
	links, end, ok := a.links(like, page)
	if !ok {
		return "", false
	}
	after := src[end:like.line.End]
	closing := strings.TrimPrefix(strings.TrimLeft(before, " \t>-+"), "* ")
	closing = strings.Trim(strings.TrimPrefix(closing, "[ ]"), " \t")
	if !bytes.HasPrefix(after, []byte(closing)) {
		return "", false
	}
	line := before + links + closing
	if sep, _ := separator(after[len(closing):]); sep != "" {
		if summary := text.Collapse(page.Meta.Summary); summary != "" {
			line += sep + summary
		}
	}
	return line + newline(a.x.page), true
}

// links writes the links of an entry that lead to its page for another one,
// and returns where the last of them ends.
func (a *adder) links(like *indexEntry, page *schema.Page) (text string, end int, ok bool) {
	src, target := a.x.page.Source, like.page(a.w)
	at := like.links[0].Link.Span.Start
	for _, s := range like.links {
		between := string(src[at:max(at, s.Link.Span.Start)])
		if s.Res.Kind != schema.TargetPage || a.w.Page(s.Res.Page) != target || len(strings.Trim(between, " ()|,")) > 0 {
			break
		}
		link, ok := a.link(s.Link, target, page)
		if !ok {
			return "", 0, false
		}
		text += between + link
		at = s.Link.Span.End
	}
	if close := strings.Count(text, "(") - strings.Count(text, ")"); close > 0 && at < like.line.End && src[at] == ')' {
		text += ")"
		at++
	}
	return text, at, text != ""
}

// link writes a link to page as l is one to target.
func (a *adder) link(l *schema.Link, target, page *schema.Page) (string, bool) {
	label := a.label(l, target, page)
	if strings.ContainsAny(label, "[]|\n") {
		return "", false
	}
	switch l.Syntax {
	case schema.SyntaxWikilink:
		name := a.names.wikiName(page.Path, l.Target)
		if strings.ContainsAny(name, "[]|#^\n") {
			return "", false
		}
		if bytes.IndexByte(l.Span.In(a.x.page.Source), '|') >= 0 {
			name += "|" + label
		}
		return "[[" + name + "]]", true
	case schema.SyntaxInline:
		to := schema.RelativePath(a.x.page.Path, page.Path)
		if strings.HasPrefix(l.Target, "./") {
			to = "./" + to
		}
		if strings.ContainsRune(to, ' ') && !strings.ContainsAny(to, "<>\n") {
			return "[" + label + "](<" + to + ">)", true
		}
		return "[" + label + "](" + schema.EscapeDestination(to, "") + ")", true
	}
	return "", false
}

// label returns the label of a link to page that says of it what that of l
// says of target: its path, its name, or its title.
func (a *adder) label(l *schema.Link, target, page *schema.Page) string {
	written := page.Title
	switch l.Label {
	case schema.RelativePath(a.x.page.Path, target.Path):
		written = schema.RelativePath(a.x.page.Path, page.Path)
	case path.Base(target.Path):
		written = path.Base(page.Path)
	case stem(target.Path):
		written = stem(page.Path)
	case strings.TrimSuffix(target.Path, path.Ext(target.Path)):
		written = strings.TrimSuffix(page.Path, path.Ext(page.Path))
	}
	if code := l.LabelAt.In(a.x.page.Source); len(code) > 2 && code[0] == '`' && code[len(code)-1] == '`' {
		return "`" + written + "`"
	}
	return written
}

// separator returns the text between the links of an entry and its description, and the
// offset of the description; empty if there is none.
func separator(after []byte) (sep string, at int) {
	text := bytes.TrimLeft(after, " \t")
	for _, s := range []string{"—", "–", "--", "-", ":"} {
		if rest, ok := bytes.CutPrefix(text, []byte(s)); ok {
			body := bytes.TrimLeft(rest, " \t")
			at = len(after) - len(body)
			if len(body) == 0 || len(body) == len(rest) {
				return "", 0
			}
			return string(after[:at]), at
		}
	}
	return "", 0
}
