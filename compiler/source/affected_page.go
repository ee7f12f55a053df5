package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// page finds what one page says that the changed files concern.
func (a *affected) page(page *schema.Page) {
	p := &affectedPage{affected: a, page: page, records: claim.NewRecords(page), edited: a.changes.Files[page.Path], seen: map[string]bool{}, spans: map[string]schema.Span{}}
	p.references()
	p.quoted()
	eachCodeSpan(page, func(at schema.Span) {
		name := strings.TrimSuffix(string(at.In(page.Source)), "()")
		if own := lastPart(nameKey(name)); p.spans[own].Len() == 0 {
			p.spans[own] = at
		}
		if p.seen[name] || p.records.At(at.Start) {
			return
		}
		p.seen[name] = true
		p.symbol(name, at)
		p.value(name, at)
		p.word(name, at)
	})
	p.members()
}

// affectedPage is a page that is being compared.
type affectedPage struct {
	*affected
	page    *schema.Page
	records *claim.Records
	edited  schema.Change // what changed of the page itself
	seen    map[string]bool
	spans   map[string]schema.Span // of what stands between backticks, by its last part
}

// note adds an effect of a file, but for a line that was written in the same commit or later:
// whoever did that knew the code.
func (p *affectedPage) note(f *twoVersions, e Effect, format string, args ...any) {
	line := p.page.Lines.Position(e.At.Start).Line
	if p.edited.Touches(line, line) && p.knows(f) {
		return
	}
	e.Page, e.Reason = p.page, fmt.Sprintf(format, args...)
	p.out = append(p.out, e)
}

// knows reports whether the page was changed no earlier than a file.
func (p *affectedPage) knows(f *twoVersions) bool {
	r, err := p.wiki.Repository(p.ctx)
	h := p.wiki.History()
	if err != nil || h == nil || h.Files[p.page.Path] == nil {
		return true // one that is in no commit is newer than all
	}
	return !h.Files[p.page.Path].Changed.Time.Before(r.Changed(f.name).Time)
}

// references compares the lines and the symbols that the page says it describes.
func (p *affectedPage) references() {
	for _, r := range References(p.ctx, p.wiki, p.page) {
		if p.records.At(r.At.Start) {
			continue
		}
		file := r.Resolved
		if file == "" {
			file, _ = p.code.cites(p.ctx, &r)
		}
		f := p.byPath[file]
		for _, was := range p.code.bases(p.page, r.Anchor.Path) {
			f = cmp.Or(f, p.byPath[was])
		}
		switch {
		case f == nil || f.nowSrc == nil:
		case r.Anchor.FromLine > 0:
			p.lines(&r, f)
		case r.Anchor.Symbol != "":
			p.bound(&r, f)
		}
	}
}

// A range of more lines than mostCited shows where something is, and is concerned only if at
// least leastChanged of its lines are gone.
const (
	mostCited    = 40
	leastChanged = 0.2
)

// lines compares lines that the page cites. A citation that was itself written since has the
// numbers of another version.
func (p *affectedPage) lines(r *Reference, f *twoVersions) {
	from, to := r.Anchor.FromLine, max(r.Anchor.FromLine, r.Anchor.ToLine)
	line := p.page.Lines.Position(r.At.Start).Line
	if to > f.oldText.Lines() || p.edited.Touches(line, line) {
		return
	}
	o := citation.Compare(f.oldText, f.nowText, from, to)
	if o.State != citation.Changed {
		return
	}
	if n := to - from + 1; n > mostCited && float64(f.gone(from, to)) < leastChanged*float64(n) {
		return
	}
	p.note(f, Effect{Facet: ByLines, Target: fmt.Sprintf("%s:%d", f.path, from), At: r.At}, "it cites lines that changed: %q", shortSignature(o.Was))
}

// gone counts the lines of a range that the file has no more.
func (f *twoVersions) gone(from, to int) int {
	n := 0
	for _, line := range f.oldText.Trimmed()[from-1 : to] {
		if line != "" && !f.nowText.Has(line) {
			n++
		}
	}
	return n
}

// bound compares a symbol that the page binds itself to: every facet counts, unless the
// section was written since.
func (p *affectedPage) bound(r *Reference, f *twoVersions) {
	first, last := p.page.Lines.Position(r.Section.Span.Start).Line, p.page.Lines.Position(r.Section.Span.End).Line
	if f.old == nil || p.edited.Touches(first, last) && p.knows(f) {
		return
	}
	old, _ := f.old.Anchored(&r.Anchor)
	if old == nil {
		return
	}
	target := f.path + "#" + old.Name
	var now *Symbol
	if f.now != nil {
		var several bool
		if now, several = f.now.Anchored(&r.Anchor); several {
			return
		}
	}
	switch {
	case now == nil:
		p.note(f, Effect{Facet: goneBound, Target: target, At: r.At}, "%s is gone", old.Name)
		return
	case now.Facets == old.Facets:
		return
	case now.Facets.Signature != old.Facets.Signature:
		p.note(f, Effect{Facet: BySignature, Target: target, At: r.At}, "%s is declared as %q now", old.Name, shortSignature(now.Signature))
	default:
		p.note(f, Effect{Facet: ByTokens, Target: target, At: r.At}, "%s changed", old.Name)
	}
	p.values(r, f, old, now, target)
}

// values adds what the section of a reference states of the values that a symbol had.
func (p *affectedPage) values(r *Reference, f *twoVersions, old, now *Symbol, target string) {
	if now.Facets.Literals == old.Facets.Literals || f.now == nil {
		return
	}
	v := Verdict{Bound: Bound{Reference: *r, File: f.name, Target: target, Symbol: now}, Old: old}
	for _, s := range staleValues(&v, nil, f.now.Whole.Values) {
		text := fmt.Sprintf("it states %q, which %s has no more", s.Old, old.Name)
		if s.New != "" {
			text = fmt.Sprintf("it states %q, and %s has %q", s.Old, old.Name, s.New)
		}
		p.note(f, Effect{Facet: ByLiterals, Target: target, At: s.At}, "%s", text)
	}
}

// quoted compares the lines of code that the page shows.
func (p *affectedPage) quoted() {
	for _, lines := range quotedLines(p.page) {
		for _, f := range p.files {
			stood, lost, first := 0, 0, 0
			for _, n := range lines {
				text := strings.TrimSpace(string(p.page.Lines.Line(n).In(p.page.Source)))
				if !f.oldText.Has(text) {
					continue
				}
				stood++
				if !slices.ContainsFunc(p.files, func(o *twoVersions) bool { return o.nowText.Has(text) }) {
					lost++
					first = cmp.Or(first, n)
				}
			}
			if lost > 0 && f.namedOn(p.page) && (2*stood >= len(lines) || lost >= mostByChance) {
				line := p.page.Lines.Line(first)
				p.note(f, Effect{Facet: ByQuote, Target: f.path, At: line}, "it shows code that changed: %q", shortSignature(strings.TrimSpace(string(line.In(p.page.Source)))))
			}
		}
	}
}

// symbol compares a symbol that the page names: that it is there, how a function is
// declared, and the values that the page's sentence states of it.
func (p *affectedPage) symbol(name string, at schema.Span) {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "-") {
		return // a command or a flag
	}
	name, parameters, _ := strings.Cut(name, "(")
	all := p.symbols[nameKey(name)]
	for _, c := range all {
		qualified := strings.ContainsAny(nameKey(name), ".")
		if len(all) > 1 && !c.file.namedOn(p.page) || !qualified && !tellingName(lastPart(c.old.Name)) {
			continue
		}
		target := c.file.path + "#" + c.old.Name
		switch {
		case c.now == nil:
			p.note(c.file, Effect{Facet: ByName, Target: target, At: at}, "%s is gone", name)
			continue
		case c.now.Facets.Signature != c.old.Facets.Signature && (parameters != "" || p.names(at, c)):
			p.note(c.file, Effect{Facet: BySignature, Target: target, At: at}, "%s is declared as %q now", name, shortSignature(c.now.Signature))
		}
		r := Reference{Page: p.page, At: at, Section: Section{Heading: "passage", Span: passage(p.page, at)}, Anchor: schema.Anchor{Path: c.file.path, Symbol: c.old.Name}}
		p.values(&r, c.file, c.old, c.now, target)
	}
}

// names reports whether the passage around a function's name also has a word of its old
// declaration that the new one lacks.
func (p *affectedPage) names(at schema.Span, c changedSymbol) bool {
	if c.now.Kind != KindFunction && c.now.Kind != KindMethod {
		return false
	}
	said := string(passage(p.page, at).In(p.page.Source))
	found := false
	eachWordOf([]byte(c.old.Signature), func(w string) {
		found = found || len(w) > 2 && !holdsWord(c.now.Signature, w) && holdsWord(said, w)
	})
	return found
}

// value compares what the page's sentence states of a flag, a key, a variable or a constant.
func (p *affectedPage) value(name string, at schema.Span) {
	c, ok := p.stated[name]
	if !ok {
		c, ok = p.stated[strings.TrimPrefix(nameKey(name), "$")]
	}
	old := strings.Trim(c.old, "\"'`")
	if !ok || len(old) < 2 || !Telling(name) && !c.file.namedOn(p.page) {
		return
	}
	said := string(passage(p.page, at).In(p.page.Source))
	if holdsWord(said, old) && !holdsWord(said, strings.Trim(c.now, "\"'`")) {
		p.note(c.file, Effect{Facet: ByLiterals, Target: c.file.path + "#" + name, At: at}, "it states %q of %s, and the code has %q", old, name, shortSignature(c.now))
	}
}

// holdsWord reports whether a word or a number stands in a text.
func holdsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		start, end := from+i, from+i+len(word)
		if (start == 0 || !wordByte[text[start-1]]) && (end == len(text) || !wordByte[text[end]]) {
			return true
		}
		from = end
	}
}

// word compares any other word of code: an option, a key, the text of a string.
func (p *affectedPage) word(name string, at schema.Span) {
	bare := strings.TrimLeft(name, "-")
	if len(bare) < 4 || !Telling(name) || strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 || !wordByte[r] }) {
		return
	}
	if f := p.words[bare]; f != nil && !p.still[bare] && len(p.symbols[nameKey(name)]) == 0 {
		p.note(f, Effect{Facet: ByName, Target: f.path + "#" + name, At: at}, "%s is gone", name)
	}
}

// fewestListed is how many members of a declaration a page names that lists them.
const fewestListed = 3

// members finds lists of what a declaration holds, its fields or the values of an
// enumeration, that lack a new member.
func (p *affectedPage) members() {
	for _, f := range p.files {
		if f.old == nil || f.now == nil || f.old.Language == "text" {
			continue
		}
		old := map[string][]string{}
		for i := range f.old.Symbols {
			group, own := memberOf(&f.old.Symbols[i])
			old[group] = append(old[group], own)
		}
		for i := range f.now.Symbols {
			group, own := memberOf(&f.now.Symbols[i])
			if all := old[group]; group != "" && !slices.Contains(all, own) && p.spans[own].Len() == 0 {
				p.lacks(f, &f.now.Symbols[i], all)
			}
		}
	}
}

func (p *affectedPage) lacks(f *twoVersions, s *Symbol, siblings []string) {
	named, at := 0, schema.Span{}
	for _, o := range siblings {
		if span := p.spans[o]; span.Len() > 0 {
			named++
			at = span
		}
	}
	if named >= fewestListed && 4*named >= 3*len(siblings) {
		p.note(f, Effect{Facet: ByMember, Target: f.path + "#" + s.Name, At: at}, "it lists %d of %d members beside %s, which is new", named, len(siblings), s.Name)
	}
}

// memberOf returns the declaration that holds a symbol, with the symbol's kind, and its
// own name; the first is empty for what nothing holds, and for functions.
func memberOf(s *Symbol) (group, own string) {
	i := strings.LastIndexByte(s.Name, '.')
	if i < 0 || s.Kind == KindFunction || s.Kind == KindMethod {
		return "", s.Name
	}
	return s.Name[:i] + " " + string(s.Kind), s.Name[i+1:]
}
