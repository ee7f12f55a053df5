package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// answersByTitle reports whether a cell answers by the title of its page what a sentence says that a
// thing can do: on the page of the trailer hitch, the row of the van below Supported. The head of the
// column is the verb of the sentence, its object the title, and the rest of the labels is said too.
func (m *matcher) answersByTitle(a, b *mention) bool {
	if a.Class != able {
		a, b = b, a
	}
	if b.Class != "yes" || b.said.From != schema.OriginTable || b.said.page.Reserved() {
		return false
	}
	title := m.titleWords(b.said.page.Title)
	if len(title) == 0 || slices.ContainsFunc(title, func(w string) bool { return !behind(a, w) }) {
		return false
	}
	verb, rest := false, 0
	for i := range b.said.words {
		w := &b.said.words[i]
		switch {
		case !w.Label:
		case abilities()[w.Concept]:
			verb = verb || isVerbOf(a, w.Concept)
		case !a.said.knows(w.Concept):
			return false
		default:
			rest++
		}
	}
	return verb && rest > 0 && m.objectIs(a, title)
}

// behind reports whether a word stands behind a mention.
func behind(a *mention, concept string) bool {
	return slices.ContainsFunc(a.said.Saying.Words, func(w claim.SaidWord) bool { return w.At >= a.To && w.Concept == concept })
}

// isVerbOf reports whether a concept is the word that a mention is.
func isVerbOf(a *mention, concept string) bool {
	return slices.ContainsFunc(a.said.Saying.Words, func(w claim.SaidWord) bool { return w.At == a.From && w.Concept == concept })
}

// objectIs reports whether the words of a title are all that stands behind a mention up to the next
// mark: supports the hitch, and not the paint of the hitch.
func (m *matcher) objectIs(a *mention, title []string) bool {
	src := a.said.page.Source
	end := max(a.said.Span.End, a.Span.End)
	text := string(src[a.Span.End:end])
	if i := strings.IndexAny(text, ",;:("); i >= 0 {
		text = text[:i]
	}
	for _, w := range m.lexicon.Concepts(text) {
		if !m.lexicon.Empty(w) && !slices.Contains(title, w) {
			return false
		}
	}
	return true
}
