package source

import (
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Cited holds what is cited of a wiki's pages and sources against what they say.
type Cited struct {
	wiki  *compiler.Wiki
	tree  *compiler.Tree
	pages map[string]*schema.Page
	names map[string][]string // paths by their base name in lower case
}

// NewCited returns what can be cited in a wiki.
func NewCited(w *compiler.Wiki) *Cited {
	c := &Cited{wiki: w, tree: compiler.NewTree(w), pages: make(map[string]*schema.Page), names: make(map[string][]string)}
	add := func(file string) {
		base := strings.ToLower(path.Base(file))
		c.names[base] = append(c.names[base], file)
	}
	for _, p := range w.Pages() {
		c.pages[p.Path] = p
		add(p.Path)
	}
	for _, f := range w.Files() {
		add(f)
	}
	return c
}

// File returns the file that a path means which is written in a folder of the
// wiki: it counts from there, from the wiki's root or from the repository, or is
// the name of one file alone. The result is relative to the wiki's root, "" for
// nothing.
func (c *Cited) File(folder, name string) string {
	name = strings.TrimPrefix(name, "/")
	for _, p := range []string{path.Join(folder, name), path.Clean(name), c.tree.Above(path.Clean(name))} {
		if isFolder, ok := c.tree.Exists(p); ok && !isFolder {
			return p
		}
	}
	if all := c.names[strings.ToLower(name)]; len(all) == 1 {
		return all[0]
	}
	return ""
}

// Wrong says why a citation which is written in a folder of the wiki does not hold,
// "" if it does: the file is there, it has the lines or the heading, and the quote, if
// there is one, stands there word for word.
func (c *Cited) Wrong(folder string, a schema.Anchor, quote string) string {
	file := c.File(folder, a.Path)
	if file == "" {
		return fmt.Sprintf("%q is not there", a.Path)
	}
	if a.Symbol != "" && c.pages[file] != nil {
		return c.WrongPage(c.pages[file], a.Symbol, quote)
	}
	if a.FromLine == 0 && quote == "" {
		return ""
	}
	text, ok := c.tree.Read(file, MaxRaw)
	if p := c.pages[file]; p != nil {
		text, ok = p.Source, true
	}
	if !ok || Binary(text) {
		return fmt.Sprintf("%q is no text that could be cited by its lines or words", a.Path)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	where := a.Path
	if a.FromLine > 0 {
		if a.FromLine > len(lines) || a.ToLine > len(lines) || a.ToLine < a.FromLine {
			return fmt.Sprintf("%q has %d lines, and no line %d to %d", a.Path, len(lines), a.FromLine, a.ToLine)
		}
		lines = lines[a.FromLine-1 : a.ToLine]
		where = fmt.Sprintf("%s:%d-%d", a.Path, a.FromLine, a.ToLine)
	}
	return lacks(strings.Join(lines, ""), where, quote)
}

// WrongPage says why a citation of a page does not hold, "" if it does: heading is
// that of the section which is cited, "" for the whole page.
func (c *Cited) WrongPage(p *schema.Page, heading, quote string) string {
	if heading == "" {
		return lacks(string(p.Source[p.Body:]), p.Path, quote)
	}
	parts := strings.Split(heading, "#")
	last := strings.TrimSpace(parts[len(parts)-1])
	for i, h := range p.Headings {
		if !strings.EqualFold(h.Text, last) && h.ID != last {
			continue
		}
		end := len(p.Source)
		for _, next := range p.Headings[i+1:] {
			if next.Level <= h.Level {
				end = next.Span.Start
				break
			}
		}
		return lacks(string(p.Source[h.Span.Start:end]), p.Path+"#"+last, quote)
	}
	return fmt.Sprintf("%s has no heading %q", p.Path, last)
}

// lacks says that a quote does not stand in a text.
func lacks(text, where, quote string) string {
	if quote == "" || strings.Contains(wordByWord(text), wordByWord(quote)) {
		return ""
	}
	if len(quote) > 80 {
		quote = strings.ToValidUTF8(quote[:80], "") + "…"
	}
	return fmt.Sprintf("%s does not say %q", where, quote)
}

// unmarked takes away what marks text up: a quote may leave emphasis out.
var unmarked = strings.NewReplacer("*", "", "_", "", "`", "", `\`, "", "[[", "", "]]", "", "“", `"`, "”", `"`, "’", "'", "‘", "'", "\n>", "\n")

// wordByWord is a text as quotes are compared: without marks, with one space for any
// white space.
func wordByWord(s string) string {
	return text.Collapse(unmarked.Replace(strings.ReplaceAll(s, "\r\n", "\n")))
}

// leastQuote is how many bytes a quote has: what is shorter is a word that somebody
// put in quotation marks.
const leastQuote = 12

// maxQuote is how far before a citation its quote may begin, in bytes.
const maxQuote = 2000

// QuoteBefore returns what stands in quotation marks right before an offset: the quote
// that the citation there is for; "" if there is none.
func QuoteBefore(src []byte, at int) string {
	text := strings.TrimRight(string(src[max(0, at-maxQuote):at]), " \t\r\n(.,;:[^—–-")
	if i := strings.LastIndex(text, "\n\n"); i >= 0 {
		text = text[i:]
	}
	opening, ok := "", false
	if text, ok = strings.CutSuffix(text, "”"); ok {
		opening = "“"
	} else if text, ok = strings.CutSuffix(text, `"`); ok {
		opening = `"`
	} else {
		return ""
	}
	i := strings.LastIndex(text, opening)
	if i < 0 {
		return ""
	}
	quote := strings.Trim(text[i+len(opening):], " .,;")
	if len(quote) < leastQuote {
		return ""
	}
	return quote
}
