package conflict

import (
	"math"
	"slices"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// words measures what both say.
func (m *matcher) words(a, b *mention, x *features) {
	s, t := a.said, b.said
	ca, la := covered(s, t)
	cb, lb := covered(t, s)
	x.set(featCovered, math.Max(ca, cb))
	x.set(featCoveredLess, math.Min(ca, cb))
	x.set(featLeftMost, math.Max(la, lb))
	x.set(featLeftLeast, math.Min(la, lb))
	x.flag(featReplaced, math.Min(la, lb) > 0.35)
	shared, n := 0.0, 0
	for i := range s.words {
		if w := &s.words[i]; t.has(w.Concept) {
			shared += w.weight
			n++
		}
	}
	x.set(featShared, shared)
	x.set(featSharedWords, math.Log2(1+float64(n)))
	if a.Value.Kind == schema.ValueBool || a.Class == "name" {
		x.set(featBoolCovered, math.Min(ca, cb))
	}
	nearby(a, b, x)
	m.doers(s, t, x)
	ha, hb := t.has(a.beside), s.has(b.beside)
	x.flag(featBeside, ha && hb)
	x.flag(featBesideOne, ha != hb)
	x.flag(featCounted, a.Counted != "" && a.Counted == b.Counted)
	x.flag(featCountedApart, a.Counted != "" && !t.has(a.Counted) || b.Counted != "" && !s.has(b.Counted))
	x.set(featLabel, math.Min(labelShare(s, t), labelShare(t, s)))
	x.flag(featLabelsApart, bothWays(s, t, func(w *toldWord) bool { return w.Label && w.weight > 0.2 }) > 0)
	va, vb := verbs(s), verbs(t)
	common := slices.ContainsFunc(va, t.has) || slices.ContainsFunc(vb, s.has)
	x.flag(featVerb, common)
	x.flag(featVerbApart, len(va) > 0 && len(vb) > 0 && !common)
}

// covered returns which part of what s says is said or taken for granted by t, and how much is
// left.
func covered(s, t *told) (part, left float64) {
	total := 0.0
	for i := range s.words {
		w := &s.words[i]
		total += w.weight
		switch {
		case t.says(w):
			part += w.weight
		case t.grants(w):
			part += 0.9 * w.weight
		case t.resembles(w):
			part += 0.7 * w.weight
		default:
			left += w.weight
		}
	}
	if total == 0 {
		return 0, 0
	}
	return part / total, left
}

// nearby measures what stands near the values: what is further away is weighed less.
func nearby(a, b *mention, x *features) {
	part, left := math.Inf(1), 0.0
	var words [2]int
	for side, pair := range [][2]*mention{{a, b}, {b, a}} {
		total, said := 0.0, 0.0
		for i := range pair[0].said.words {
			w := &pair[0].said.words[i]
			share := w.weight * nearness(pair[0], w)
			total += share
			switch {
			case pair[1].said.says(w) || pair[1].said.grants(w):
				said += share
			case pair[1].said.resembles(w):
				said += 0.7 * share
			case w.weight > 0.15:
				words[side]++
			}
		}
		if total > 0 {
			part = math.Min(part, said/total)
			left = math.Max(left, total-said)
		}
	}
	x.set(featNear, math.Min(part, 1))
	x.set(featNearLeft, left)
	x.set(featLeftWords, math.Log2(1+float64(max(words[0], words[1]))))
	x.set(featLeftFewest, math.Log2(1+float64(min(words[0], words[1]))))
	x.set(featPhrase, math.Log2(1+float64(longestRun(a.said, b.said))))
}

// parallels counts the words of s that stand beside a word that both say where other words stand
// in t: the nightly snapshot starts, the nightly benchmark starts.
func (m *matcher) parallels(s, t *told) int {
	u, v := s.Saying.Words, t.Saying.Words
	found := map[string]bool{}
	other := func(x, y *claim.SaidWord) bool {
		return !x.Verb && !y.Verb && x.At >= 0 && y.At >= 0 && x.Concept != y.Concept && !t.knows(x.Concept) && !s.knows(y.Concept) && !m.vague(x.Concept) && !m.vague(y.Concept)
	}
	for i := range u {
		for j := range v {
			if u[i].Concept != v[j].Concept {
				continue
			}
			if i > 0 && j > 0 && other(&u[i-1], &v[j-1]) {
				found[u[i-1].Concept] = true
			}
			if i+1 < len(u) && j+1 < len(v) && other(&u[i+1], &v[j+1]) {
				found[u[i+1].Concept] = true
			}
		}
	}
	return len(found)
}

// nearness is how near a word is to a value, from 0.15 to 1.
func nearness(a *mention, w *toldWord) float64 {
	best := math.MaxInt
	for _, p := range w.places {
		switch {
		case w.Label:
			best = 0
		case p < a.From:
			best = min(best, a.From-p)
		default:
			best = min(best, p-a.To+1)
		}
	}
	return math.Max(0.15, math.Min(1, 1-float64(best-3)/10))
}

// longestRun returns how many words in a row both say, whatever small words stand among them.
func longestRun(s, t *told) (longest int) {
	u, v := s.Saying.Words, t.Saying.Words
	for i := range u {
		for j := range v {
			n := 0
			for i+n < len(u) && j+n < len(v) && u[i+n].Concept == v[j+n].Concept {
				n++
			}
			longest = max(longest, n)
		}
	}
	return longest
}

// besideOf returns the word that stands nearest to the value and tells something.
func (m *matcher) besideOf(a *mention) string {
	if a.Counted != "" {
		return a.Counted
	}
	const ofLabel = 2 // as far as a label is from what it labels
	best, at := "", math.MaxInt
	for i := range a.said.words {
		w := &a.said.words[i]
		if m.vague(w.Concept) {
			continue
		}
		for _, p := range w.places {
			d := p - a.To + 1
			if p < a.From {
				d = a.From - p
			}
			if w.Label {
				d = ofLabel
			}
			if d < at {
				best, at = w.Concept, d
			}
		}
	}
	return best
}

// labelShare returns which part of the labels of s is said by t.
func labelShare(s, t *told) float64 {
	n, of := 0, 0
	for i := range s.words {
		if w := &s.words[i]; w.Label {
			of++
			if t.knows(w.Concept) {
				n++
			}
		}
	}
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// bothWays counts the words of a kind that one says and the other neither says nor takes for
// granted.
func bothWays(s, t *told, of func(*toldWord) bool) (n int) {
	for _, pair := range [][2]*told{{s, t}, {t, s}} {
		for i := range pair[0].words {
			if w := &pair[0].words[i]; of(w) && !pair[1].knows(w.Concept) {
				n++
			}
		}
	}
	return n
}

// verbs returns those that tell something.
func verbs(s *told) (out []string) {
	for i := range s.words {
		if w := &s.words[i]; w.Verb && w.weight > 0.25 {
			out = append(out, w.Concept)
		}
	}
	return out
}

// modifiers counts the words of s that t does not know and that stand beside one that both say:
// the roof area, the area.
func (m *matcher) modifiers(s, t *told) (n int) {
	common := map[int]bool{}
	for i := range s.words {
		if w := &s.words[i]; t.has(w.Concept) && !w.Verb {
			for _, p := range w.places {
				common[p] = p >= 0
			}
		}
	}
	for i := range s.words {
		w := &s.words[i]
		if t.knows(w.Concept) || w.Verb || m.vague(w.Concept) {
			continue
		}
		if slices.ContainsFunc(w.places, func(p int) bool { return common[p+1] || common[p-1] }) {
			n++
		}
	}
	return n
}
