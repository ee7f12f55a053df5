package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// A claim names its subject in words if its heading or row is the title, an alias or a
// link of one page. It is compared with that page's claim of the same name.

// own are the fields of each page about itself: front matter, inline fields, and items above the first
// section.
type own map[ownKey]ref

type ownKey struct {
	page int32
	attr uint64
}

// named finds the facts that name another page's subject and give another value than that page.
func (x *index) named() (out []cellPair) {
	fields, names := own{}, x.names()
	for i := range x.groups {
		g := &x.groups[i]
		if x.ofPage(g) {
			for k := range g.Cells {
				if h := g.Rows[g.Cells[k].Row].Hash; h != 0 && g.Cells[k].Col == 0 {
					fields[ownKey{g.page, h}] = ref{int32(i), int32(k)}
				}
			}
		}
	}
	said := map[ownKey][]ref{}
	var order []ownKey
	for i := range x.groups {
		if g := &x.groups[i]; !x.ofPage(g) {
			for k := range g.Cells {
				r := ref{int32(i), int32(k)}
				key, ok := x.about(names, g, k)
				if _, has := fields[key]; ok && has && key.page != g.page {
					if len(said[key]) == 0 {
						order = append(order, key)
					}
					said[key] = append(said[key], r)
				}
			}
		}
	}
	for _, key := range order {
		refs, mine := said[key], fields[key]
		if _, form := x.kinds(append(slices.Clone(refs), mine)...); form {
			continue
		}
		for _, r := range refs[:min(len(refs), mostSides)] {
			if Compare(x.value(r), x.value(mine)) == Apart {
				out = append(out, x.namedPair(r, mine))
			}
		}
	}
	return out
}

// namedPair weighs a fact that names a page against the field of that page.
func (x *index) namedPair(r, mine ref) cellPair {
	g := &x.groups[r.group]
	p := cellPair{a: r, b: mine}
	p.A, p.B = x.claim(r), x.claim(mine)
	p.Rule = ruleOf(p.A.Value)
	p.Evidence = []Evidence{{"both name " + x.page(mine).Title, 1}}
	switch {
	case x.pages[g.page].Reserved():
		p.Rule = "index-conflict"
		p.Evidence = append(p.Evidence, Evidence{"an index repeats the page", 1})
	case g.From == schema.OriginList:
		p.Evidence = append(p.Evidence, Evidence{"both are fields", 1})
	case g.Rows[g.Cells[r.cell].Row].Link >= 0:
		p.Evidence = append(p.Evidence, Evidence{"the row is a link to the page", 1})
	}
	x.veto(&p.Pair, x.page(r), x.page(mine))
	return p
}

// ofPage reports whether a group says what its page is about.
func (x *index) ofPage(g *group) bool {
	switch g.From {
	case schema.OriginFrontmatter, schema.OriginField:
		return true
	case schema.OriginList:
		return x.heading(g) == ""
	}
	return false
}

// heading returns the heading above a list, "" before the first section.
func (x *index) heading(g *group) string {
	section := claim.Section(x.pages[g.page], g.Cells[0].At.Start)
	if len(section) == 0 {
		return ""
	}
	return section[len(section)-1]
}

// names are the pages by title and alias; -1 where several share one.
func (x *index) names() map[uint64]int32 {
	out := map[uint64]int32{}
	for i, p := range x.pages {
		if x.mute[i] || p.Reserved() {
			continue
		}
		names := []string{p.Title}
		for k := range p.Meta.Aliases {
			names = append(names, p.Meta.Aliases[k].Name)
		}
		for _, name := range names {
			h := x.Lexicon.HashOf(name)
			if was, ok := out[h]; ok && was != int32(i) {
				out[h] = -1
			} else {
				out[h] = int32(i)
			}
		}
	}
	return out
}

// about returns the page that a cell names and what it says of it.
func (x *index) about(names map[uint64]int32, g *group, cell int) (key ownKey, ok bool) {
	c := &g.Cells[cell]
	var name uint64
	if g.From == schema.OriginTable {
		name, key.attr = g.Rows[c.Row].Hash, g.Cols[c.Col].Hash
		if row := &g.Rows[c.Row]; row.Link >= 0 {
			if x.pages[g.page].Links[row.Link].Span.Len() < row.At.Len()-len("****") {
				return key, false // the row is about more than it links to
			}
			return x.linked(g, int(row.Link), key)
		}
	} else {
		if !g.named {
			g.named, g.subject = true, x.Lexicon.HashOf(x.heading(g))
		}
		name, key.attr = g.subject, g.Rows[c.Row].Hash
	}
	page, found := names[name]
	key.page = page
	return key, found && page >= 0 && name != 0 && key.attr != 0
}

func (x *index) linked(g *group, link int, key ownKey) (ownKey, bool) {
	res := x.Wiki.Resolution(x.pages[g.page], link)
	if res == nil || res.Kind != schema.TargetPage || key.attr == 0 {
		return key, false
	}
	page, ok := x.numbers[res.Page]
	key.page = page
	return key, ok
}

// lines finds the lines of indexes that give another value than the page they begin with a link to.
func (x *index) lines() (out []cellPair) {
	fields := map[int32][]ref{}
	for i := range x.groups {
		if g := &x.groups[i]; x.ofPage(g) {
			for k := range g.Cells {
				fields[g.page] = append(fields[g.page], ref{int32(i), int32(k)})
			}
		}
	}
	for i, page := range x.pages {
		if !page.Reserved() || x.mute[i] {
			continue
		}
		last := schema.Span{}
		for n := range page.Links {
			l := &page.Links[n]
			if l.Field != "" || l.Block == last {
				continue
			}
			last = l.Block
			res := x.Wiki.Resolution(page, n)
			if res == nil || res.Kind != schema.TargetPage {
				continue
			}
			for _, mine := range fields[x.numbers[res.Page]] {
				if p, ok := x.line(page, l, mine); ok {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// line compares the value after a field's name in a line of an index with that field of
// the page.
func (x *index) line(page *schema.Page, l *schema.Link, mine ref) (p cellPair, ok bool) {
	g := &x.groups[mine.group]
	own := x.value(mine)
	if own.Kind != schema.ValueQuantity && own.Kind != schema.ValueVersion || l.Block.End <= l.Span.End || l.Block.Start > l.Span.Start {
		return p, false
	}
	src := page.Source[l.Span.End:l.Block.End]
	if len(src) > longestText {
		return p, false
	}
	name := strings.ToLower(strings.TrimRight(claim.PlainText(g.Rows[g.Cells[mine.cell].Row].At.In(x.page(mine).Source)), ": "))
	at := strings.Index(strings.ToLower(string(src)), name)
	if name == "" || at < 0 || !bounded(src, at, at+len(name)) {
		return p, false
	}
	rest := string(src[at+len(name):])
	text := strings.TrimLeft(rest, " :=*`(")
	n := claim.NumberAt(text)
	if n == 0 {
		return p, false
	}
	if i := strings.IndexAny(text[n:], " ,;.)*`\n"); i == 0 && len(text) > n+1 && text[n] == ' ' {
		if k := strings.IndexAny(text[n+1:]+" ", " ,;.)*`\n"); claim.ParseValue(text[:n+1+k], nil).Kind == schema.ValueQuantity {
			n += 1 + k
		}
	} else if i > 0 {
		n += i
	} else if i < 0 {
		n = len(text)
	}
	value := counted(claim.ParseValue(text[:n], nil))
	if Compare(value, own) != Apart {
		return p, false
	}
	start := l.Span.End + at + len(name) + len(rest) - len(text)
	p = cellPair{a: mine, b: mine}
	p.B = x.claim(mine)
	p.A = schema.Claim{Page: page.ID, Path: page.Path, Section: claim.Section(page, start), Span: schema.Span{Start: start, End: start + n}, Text: text[:n],
		From: schema.OriginList, Subject: schema.Entity{Names: []string{x.page(mine).Title}, Link: -1, Sure: true}, Attr: p.B.Attr, Value: value}
	p.A.ID = identify(&p.A)
	p.Rule = "index-conflict"
	p.Evidence = []Evidence{{"the line links to the page", 1}, {"an index repeats the page", 1}}
	x.veto(&p.Pair, page, x.page(mine))
	return p, true
}

// bounded reports whether a word stands alone in a text.
func bounded(src []byte, from, to int) bool {
	letter := func(i int) bool {
		return i >= 0 && i < len(src) && (src[i]|0x20 >= 'a' && src[i]|0x20 <= 'z' || src[i] == '_')
	}
	return !letter(from-1) && !letter(to)
}
