package difference

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter/claims"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// reader reads the claims of a wiki's pages.
type reader struct {
	wiki *compiler.Wiki
	in   *conflict.Input
}

func newReader(w *compiler.Wiki) *reader { return &reader{w, conflict.NewInput(w)} }

// stated is a claim with what it is matched by.
type stated struct {
	Claim
	key   string // its subject, attribute and conditions
	row   string // its subject, if that is a row of a table
	at    int    // its index among those of its page
	value string // normalised
	apart bool   // compared elsewhere, as front matter is, or not a value at all
	words map[string]bool
}

// claims are those of a page; nil for one that states nothing of the present.
func (r *reader) claims(p *schema.Page) []stated {
	if claim.MuteReason(p) != "" {
		return nil
	}
	found := conflict.Claims(r.in, p)
	out := make([]stated, len(found))
	for i := range found {
		out[i] = r.stated(p, &found[i])
		out[i].at = i
	}
	return out
}

func (r *reader) stated(p *schema.Page, c *schema.Claim) stated {
	s := stated{Claim: Claim{
		Path: p.Path, Line: p.Lines.Position(c.Span.Start).Line, Section: append([]string{}, c.Section...),
		Subject: p.Title, Attr: c.Attr.Name, Text: text.Collapse(c.Text),
	}, value: claims.Normalised(c.Value)}
	if strings.Count(s.Text, "`")%2 != 0 { // cut by taking off the marks at its ends
		s.Text = text.Collapse(string(c.Span.In(p.Source)))
	}
	s.apart = c.From == schema.OriginFrontmatter || c.From == schema.OriginList && !label(s.Attr)
	if len(c.Subject.Names) > 0 {
		s.Subject = c.Subject.Names[0]
	}
	if c.From == schema.OriginSentence {
		s.words = words(s.Text)
		return s
	}
	parts := append([]string{string(c.From), claim.Fold(strings.Join(c.Subject.Names, " ")), claim.Fold(c.Attr.Name), c.Role}, c.Scope...)
	s.key = strings.Join(parts, "\x00")
	if c.From == schema.OriginTable {
		s.row = parts[1]
	}
	return s
}

// mostLabel is how many words the label of an item has; more are a sentence with a colon.
const mostLabel = 4

// label reports whether what stands before a colon names a value.
func label(s string) bool { return len(strings.Fields(s)) <= mostLabel && strings.Count(s, "`")%2 == 0 }

// list are the claims of some pages.
func (r *reader) list(pages []*schema.Page) []Claim {
	out := []Claim{}
	for _, p := range pages {
		for _, s := range ofValues(r.claims(p)) {
			out = append(out, s.Claim)
		}
	}
	return out
}

func (r *reader) pages(pages []*schema.Page) []Page {
	out := []Page{}
	for _, p := range pages {
		out = append(out, Page{p.Path, p.Title, p.Meta.Type, p.Words, len(ofValues(r.claims(p)))})
	}
	return out
}

// ofValues leaves out sentences, which are among the texts of their sections, and what front
// matter states, whose fields are compared as such.
func ofValues(all []stated) []stated {
	return slices.DeleteFunc(all, func(s stated) bool { return s.apart || s.words != nil })
}

// compareClaims compares the claims of two versions of a page. A claim is removed or added
// only with its row or item: one whose row is still there, or was reworded, may be read in
// another way now.
func compareClaims(d *Claims, was, now []stated, sections []sectionChange) {
	apart := func(s stated) bool { return s.apart }
	was, now = slices.DeleteFunc(was, apart), slices.DeleteFunc(now, apart)
	was, now = matchClaims(was, now, func(_, _ *stated) {}, func(a, b *stated) { d.Changed = append(d.Changed, ClaimChange{a.Claim, b.Claim}) })
	removed, added := map[int]bool{}, map[int]bool{}
	for i := range sections {
		mark(removed, sections[i].removed)
		mark(added, sections[i].added)
	}
	was, now = ofValues(was), ofValues(now)
	for i := range was {
		if removed[was[i].Line] {
			d.Removed = append(d.Removed, was[i].Claim)
		}
	}
	for i := range now {
		if added[now[i].Line] {
			d.Added = append(d.Added, now[i].Claim)
		}
	}
}

// mark notes the lines of blocks.
func mark(lines map[int]bool, blocks []block) {
	for i := range blocks {
		for n := blocks[i].from; n <= blocks[i].to; n++ {
			lines[n] = true
		}
	}
}

// matchClaims matches the claims of two versions of a page: first those that are the same,
// then those of one name, then sentences that share most of their words. It passes the
// pairs of one value to same, those of two to changed, and returns the rest.
func matchClaims(was, now []stated, same, changed func(a, b *stated)) (restWas, restNow []stated) {
	named := func(a, b *stated) bool { return a.key != "" && a.key == b.key }
	value := func(a, b *stated) bool { return a.value == b.value }
	row := func(a, b *stated) bool { return a.row != "" && a.row == b.row }
	section := func(a, b *stated) bool { return slices.Equal(a.Section, b.Section) }
	for _, step := range []struct {
		fits []func(a, b *stated) bool
		f    func(a, b *stated)
	}{
		{[]func(a, b *stated) bool{named, value, section}, same},
		{[]func(a, b *stated) bool{named, value}, same},
		{[]func(a, b *stated) bool{identical}, same},
		{[]func(a, b *stated) bool{alike, value}, same},
		{[]func(a, b *stated) bool{named, section}, changed},
		{[]func(a, b *stated) bool{named}, changed},
		{[]func(a, b *stated) bool{alike}, changed},
		{[]func(a, b *stated) bool{row, value}, same}, // the column has another name
	} {
		was, now = pairUp(was, now, func(a, b *stated) bool {
			for _, fits := range step.fits {
				if !fits(a, b) {
					return false
				}
			}
			return true
		}, step.f)
	}
	return was, now
}

// identical reports whether two sentences are the same.
func identical(a, b *stated) bool { return a.words != nil && b.words != nil && a.Text == b.Text }

// pairUp takes out of two lists what fits, in order, and passes each pair to f.
func pairUp(was, now []stated, fits func(a, b *stated) bool, f func(a, b *stated)) (restWas, restNow []stated) {
	taken := make([]bool, len(now))
	for i := range was {
		k := -1
		for j := range now {
			if !taken[j] && fits(&was[i], &now[j]) {
				k = j
				break
			}
		}
		if k < 0 {
			restWas = append(restWas, was[i])
			continue
		}
		taken[k] = true
		f(&was[i], &now[k])
	}
	for j := range now {
		if !taken[j] {
			restNow = append(restNow, now[j])
		}
	}
	return restWas, restNow
}

// alike reports whether two sentences share most of their words.
func alike(a, b *stated) bool { return shared(a.words, b.words) > 0 }

// words are those of a text, folded; what has none, such as code, is a word itself.
func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range claim.Words(s) {
		set[w] = true
	}
	if len(set) == 0 {
		set[s] = true
	}
	return set
}

// shared counts the words that two texts share; 0 unless they are more than half of those
// of the longer one.
func shared(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	if 2*n <= max(len(a), len(b)) {
		return 0
	}
	return n
}

// sortClaims sorts by path and place.
func sortClaims(d *Claims) {
	order := func(a, b Claim) int { return cmp.Or(cmp.Compare(a.Path, b.Path), a.Line-b.Line) }
	slices.SortStableFunc(d.Added, order)
	slices.SortStableFunc(d.Removed, order)
	slices.SortStableFunc(d.Changed, func(a, b ClaimChange) int { return order(a.Now, b.Now) })
}
