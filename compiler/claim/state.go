package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// stages are words for where in its life a thing is, which say nothing else of it.
var stages = wordSet(`deprecated retired decommissioned discontinued obsolete experimental archived superseded active`)

// staged adds the state of a thing that a sentence says and nothing more: the inbox is deprecated.
func (s *statement) staged() bool {
	t := s.tokens
	if s.negative || s.lead > 0 || s.verb < 1 || !wordIn(t[s.verb].text, "is", "are") || s.past {
		return false
	}
	at := s.verb + 1
	for at < len(t) && wordIn(t[at].text, "now", "currently", "also", "already", "officially", "still") {
		at++
	}
	if at >= len(t) || !stages[t[at].text] || slices.ContainsFunc(t[:s.verb], func(t token) bool { return t.is(isCondition) || t.text == "," }) {
		return false
	}
	for _, next := range t[at+1:] {
		if next.text == "," || next.is(isJoiner) {
			break
		}
		if !wordIn(next.text, "as", "well", "too", "again", "now", "since", "of") && next.kind != 'n' && next.kind != 'p' && months[next.text] == 0 {
			return false // active in winter
		}
	}
	before := len(s.x.claims)
	s.x.add(schema.OriginSentence, t[at].span, s.named(0, s.verb), "status", t[at].text, nil, s.scope)
	return len(s.x.claims) > before
}
