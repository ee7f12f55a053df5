package conflict

import (
	"bytes"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// said is a sentence with its page.
type said struct {
	page int32
	*claim.Sentence
}

// drifted finds sentences that are equal but for one number, on two pages of which one
// links to the other: probably an outdated copy. They are doubts.
func (x *index) drifted() (out []cellPair) {
	first := map[uint64]int32{}
	alike := map[uint64][]said{}
	x.eachSentence(func(s said) {
		if page, ok := first[s.Hash]; !ok {
			first[s.Hash] = s.page
		} else if page != s.page {
			alike[s.Hash] = nil
		}
	})
	var order []uint64
	x.eachSentence(func(s said) {
		if all, ok := alike[s.Hash]; ok {
			if len(all) == 0 {
				order = append(order, s.Hash)
			}
			alike[s.Hash] = append(all, s)
		}
	})
	links := map[int32]map[schema.PageID]bool{}
	for _, h := range order {
		all := alike[h]
		if x.formOf(all) {
			continue
		}
		for i, a := range all[:min(len(all), mostSides)] {
			for _, b := range all[i+1 : min(len(all), mostSides)] {
				if a.page != b.page && (x.linksTo(links, a.page, b.page) || x.linksTo(links, b.page, a.page)) {
					if p, ok := x.drift(a, b); ok {
						out = append(out, p)
					}
				}
			}
		}
	}
	return out
}

func (x *index) eachSentence(yield func(said)) {
	for i, p := range x.pages {
		if x.mute[i] || p.Reserved() {
			continue
		}
		facts := x.Facts(p)
		for k := range facts.Sentences {
			yield(said{int32(i), &facts.Sentences[k]})
		}
	}
}

// formOf reports whether so many pages have a sentence with so many values that it is a form.
func (x *index) formOf(all []said) bool {
	pages, values := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		pages[x.Wiki.Identity().Work(x.pages[s.page].Path)] = true
		var text []byte
		src := s.At.In(x.pages[s.page].Source)
		for _, n := range claim.Numbers(src) {
			text = append(append(text, n.In(src)...), ' ')
		}
		values[string(text)] = true
	}
	return len(pages) >= formPages && len(values) >= formValues
}

// linksTo reports whether a page links to another. known are the targets of the pages asked about before.
func (x *index) linksTo(known map[int32]map[schema.PageID]bool, from, to int32) bool {
	if known[from] == nil {
		known[from] = map[schema.PageID]bool{}
		for _, res := range x.Wiki.Links(x.pages[from]) {
			if res.Kind == schema.TargetPage {
				known[from][res.Page] = true
			}
		}
	}
	return known[from][x.pages[to].ID]
}

// drift compares two sentences with the same words.
func (x *index) drift(a, b said) (p cellPair, ok bool) {
	src, other := a.At.In(x.pages[a.page].Source), b.At.In(x.pages[b.page].Source)
	m, n := claim.Numbers(src), claim.Numbers(other)
	if len(m) != len(n) {
		return p, false
	}
	differ := -1
	for i := range m {
		if !bytes.Equal(m[i].In(src), n[i].In(other)) {
			if differ >= 0 {
				return p, false
			}
			differ = i
		}
	}
	if differ < 0 {
		return p, false
	}
	p.A, p.B = sentenceClaim(x.pages[a.page], a.Sentence, differ), sentenceClaim(x.pages[b.page], b.Sentence, differ)
	p.Rule = "numeric-conflict"
	p.Evidence = []Evidence{{"two sentences are alike but for one number, on pages of which one links to the other", Doubts}}
	x.veto(&p.Pair, x.pages[a.page], x.pages[b.page])
	if p.Veto == "" && numbering(src, m[differ]) {
		p.Veto = "number of an example"
	}
	return p, true
}

// numbering reports whether a number only names what its sentence is about, as in Example 7: …, or is a line of
// a cited file.
func numbering(text []byte, n schema.Span) bool {
	before := bytes.TrimLeft(text[:n.Start], "*_# ")
	return n.End < len(text) && text[n.End] == ':' || len(bytes.Fields(before)) <= 1 && !bytes.ContainsAny(before, ".:")
}

// veto drops a pair if a veto bars it.
func (x *index) veto(p *Pair, a, b *schema.Page) {
	if p.Veto = x.vetoPages(a, b); p.Veto == "" {
		p.Veto = x.vetoCells(p)
	}
}
