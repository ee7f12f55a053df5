package difference

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// blockKind is the construct that a block is. Only blocks of one kind are compared.
type blockKind uint8

const (
	prose blockKind = iota
	listItem
	tableRow
	codeLine
)

// block is a sentence, an item of a list, a row of a table or a line of code.
type block struct {
	kind     blockKind
	text     string // as written, in one line
	key      string // as text, with the pages that its links lead to instead of how they are written
	folded   string // as key, without what only looks different
	from, to int    // lines of the paragraph that it is in
}

func sameBlock(a, b block) bool { return a.same() == b.same() }

// label is the text as a reader sees it: without the targets of links.
func (b *block) label() string { return targets().ReplaceAllString(b.folded, "]") }

// targets are the targets of links as reading.line writes them.
var targets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\([^)]*\)`) })

// marks are the marks of emphasis and code, and forms of one sign.
var marks = strings.NewReplacer("**", "", "`", "", "“", `"`, "”", `"`, "‘", "'", "’", "'", "| ", "|", " |", "|")

// fold returns a text without what changes how it looks but not what it says: emphasis,
// forms of quotation marks, and the punctuation at its ends.
func fold(s string) string {
	s = strings.Trim(marks.Replace(s), " .,;\"'*_")
	switch open, closed := strings.Count(s, "("), strings.Count(s, ")"); {
	case open > closed:
		s = strings.TrimPrefix(s, "(")
	case closed > open:
		s = strings.TrimSuffix(s, ")")
	case open == 1 && s[0] == '(' && s[len(s)-1] == ')':
		s = s[1 : len(s)-1]
	}
	return strings.Trim(s, " .,;\"'*_")
}

// reading cuts one page into sections and blocks.
type reading struct {
	page    *schema.Page
	source  []byte // of the page, as shown returns it
	links   []target
	renamed map[string]string // paths that pages have in the other state, by their paths in this one
}

// target is a link of the page, and what it leads to.
type target struct {
	at         schema.Span
	label, key string
}

// newReading reads a page of a wiki.
func newReading(w *compiler.Wiki, p *schema.Page, renamed map[string]string) *reading {
	r := &reading{page: p, source: shown(p), renamed: renamed}
	for l, res := range w.Links(p) {
		if l.Field != "" || l.Span.Len() == 0 || !res.OK() || res.Path == "" {
			continue
		}
		to := res.Path
		if now, ok := renamed[to]; ok {
			to = now
		}
		r.links = append(r.links, target{l.Span, l.Label, strings.TrimSuffix(to+"#"+res.Fragment, "#")})
	}
	return r
}

// scripts are the elements of HTML whose text nobody reads.
var scripts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)<(?:script|style)\b.*?</(?:script|style)>`)
})

// shown is the source of a page, with spaces for what no reader sees: comments, scripts, and
// the definitions of links, which are compared by where the links lead.
func shown(p *schema.Page) []byte {
	out := bytes.Clone(p.Source)
	blank := func(s schema.Span) {
		for i, c := range out[s.Start:s.End] {
			if c != '\n' {
				out[s.Start+i] = ' '
			}
		}
	}
	for _, s := range p.Comments {
		blank(s)
	}
	for _, d := range p.Definitions {
		if !d.Used || !strings.Contains(d.Target, "://") {
			blank(d.Span)
		}
	}
	for _, m := range scripts().FindAllIndex(p.Source, -1) {
		inCode := slices.ContainsFunc(p.Fences, func(f schema.Fence) bool { return m[0] >= f.Span.Start && m[0] < f.Span.End })
		if m[0] >= p.Body && !inCode {
			blank(schema.Span{Start: m[0], End: m[1]})
		}
	}
	return out
}

// line returns a line as it is compared: each link as its label and its target.
func (r *reading) line(from, to int) string {
	var b strings.Builder
	for _, l := range r.links {
		if l.at.Start < from || l.at.End > to {
			continue
		}
		b.Write(r.source[from:l.at.Start])
		label := l.label
		if label == "" {
			label = strings.TrimSuffix(path.Base(l.key), path.Ext(l.key))
		}
		b.WriteString("[" + label + "](" + strings.ReplaceAll(l.key, ". ", ".") + ")")
		from = l.at.End
	}
	b.Write(r.source[from:to])
	return b.String()
}

// blocks cuts a part of the page.
func (r *reading) blocks(at schema.Span) []block {
	c := &cutter{}
	p, fences, tables := r.page, r.page.Fences, r.page.Tables
	for begin := at.Start; begin < at.End; {
		end := at.End
		if n := bytes.IndexByte(r.source[begin:at.End], '\n'); n >= 0 {
			end = begin + n + 1
		}
		for len(fences) > 0 && fences[0].Span.End <= begin {
			fences = fences[1:]
		}
		for len(tables) > 0 && tables[0].Span.End <= begin {
			tables = tables[1:]
		}
		c.number = p.Lines.LineOf(begin)
		written := strings.TrimSpace(string(r.source[begin:end]))
		c.inTable = len(tables) > 0 && tables[0].Span.Start < end
		switch inCode := len(fences) > 0 && fences[0].Span.Start < end; {
		case inCode && end > fences[0].Content.Start && begin < fences[0].Content.End:
			c.code(written)
		case inCode:
			c.flush() // the marks around it
		default:
			c.line(written, strings.TrimSpace(r.line(begin, end)))
		}
		begin = end
	}
	c.flush()
	return c.out
}

// cutter collects the lines of a paragraph.
type cutter struct {
	out           []block
	kind          blockKind
	lines, keys   []string
	first, number int
	inTable       bool // the line is one of a table
}

func (c *cutter) code(line string) {
	c.flush()
	if line != "" && !delimiter(line) {
		line = flatten(line)
		c.out = append(c.out, block{codeLine, line, line, line, c.number, c.number})
	}
}

func (c *cutter) line(line, key string) {
	rest, kind, starts := opening(line)
	if c.inTable {
		kind, starts = tableRow, true
	}
	if line == "" || starts || c.kind == tableRow {
		c.flush()
	}
	if line == "" || delimiter(line) {
		return
	}
	if len(c.lines) == 0 {
		c.first, c.kind = c.number, kind
	}
	keyRest, _, _ := opening(key)
	c.lines, c.keys = append(c.lines, rest), append(c.keys, keyRest)
}

// flush ends a paragraph, item or row. The sentences of a text and of its key are the
// same in number, unless the target of a link looks like the end of one.
func (c *cutter) flush() {
	text, key := flatten(strings.Join(c.lines, " ")), flatten(strings.Join(c.keys, " "))
	c.lines, c.keys = c.lines[:0], c.keys[:0]
	if text == "" {
		return
	}
	texts, keys := []string{text}, []string{key}
	if c.kind != tableRow {
		texts, keys = sentences(text), sentences(key)
	}
	if len(texts) != len(keys) {
		texts, keys = []string{text}, []string{key}
	}
	for i := range texts {
		c.out = append(c.out, block{c.kind, texts[i], keys[i], fold(keys[i]), c.first, c.number})
	}
	c.kind = prose
}

func flatten(s string) string { return strings.Join(strings.Fields(s), " ") }

// sentences cuts a text behind marks that end a sentence and are followed by space, and
// behind such marks of scripts that write no space. A small letter begins a sentence too,
// as names of programs do, but not behind an abbreviation.
func sentences(s string) (out []string) {
	for s != "" {
		n := sentence(s)
		out = append(out, strings.TrimSpace(s[:n]))
		s = strings.TrimSpace(s[n:])
	}
	return out
}

func sentence(s string) int {
	inCode := false
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		switch r {
		case '`':
			inCode = !inCode
		case '。', '！', '？':
			return end
		case '.', '!', '?':
			if closing := strings.TrimLeft(s[end:], "*_`)\"”"); strings.HasPrefix(closing, " ") {
				end = len(s) - len(closing)
			}
			rest := strings.TrimLeft(s[end:], " ")
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, "*_`[(\"“"))
			if inCode || rest == "" || len(rest) == len(s[end:]) || unicode.IsPunct(next) {
				continue
			}
			ends := !unicode.IsLower(next)
			if r == '.' {
				ends = !abbreviation(s[:i], !ends)
			}
			if ends {
				return end
			}
		}
	}
	return len(s)
}

// abbreviation reports whether the last word before a full stop is cut short, so that no
// sentence ends there; before a small letter that may be so of more words.
func abbreviation(s string, small bool) bool {
	word := strings.ToLower(strings.TrimLeft(s[strings.LastIndexByte(s, ' ')+1:], "(*_\"“"))
	switch word {
	case "approx", "cf", "e.g", "eg", "esp", "fig", "i.e", "ie", "incl", "resp", "viz", "vs":
		return true
	case "al", "etc", "max", "min", "no", "pp", "sec", "st":
		return small
	}
	return small && (len(word) < 2 || word[1] == '.' && word[0] >= 'a' && word[0] <= 'z' || strings.HasSuffix(word, "."))
}

// opening returns what follows the mark of a list's item, of what kind the block is that a
// line begins, and whether it begins one at all.
func opening(line string) (rest string, kind blockKind, starts bool) {
	switch {
	case line == "":
		return line, prose, false
	case line[0] == '|':
		return line, tableRow, true
	case line[0] == '>':
		return line, prose, true
	}
	mark, text, ok := strings.Cut(line, " ")
	number := strings.TrimRight(mark, ".)")
	digits := number != "" && strings.Trim(number, "0123456789") == ""
	if ok && (mark == "-" || mark == "*" || mark == "+" || digits && len(mark) == len(number)+1) {
		return text, listItem, true
	}
	return line, prose, false
}

// delimiter reports whether a line holds nothing but marks: the delimiter row of a table,
// or a line across the page.
func delimiter(line string) bool { return strings.Trim(line, "|-:*_= ") == "" }
