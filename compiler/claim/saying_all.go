package claim

import "strings"

// ofAll adds that something is so of all things of a kind, or of some of them only: all jobs are logged, only failed
// jobs are logged.
func (x *sayer) ofAll(s *Saying, st *statement) {
	t := st.tokens
	if len(t) < 4 || st.past || said(t, "was") || said(t, "were") || st.negative || st.hypothetic() && st.word(0) != "only" {
		return
	}
	some, from := false, 1
	switch st.word(0) {
	case "all", "every", "each":
		for from < len(t) && t[from].is(isDeterminer) {
			from++
		}
	case "only", "just":
		some = true
	case "some", "most", "few", "selected", "certain":
		some, from = true, 0
	default:
		return
	}
	to := from
	for to < len(t) && t[to].kind == 'w' && t[to].link < 0 && !t[to].is(isAuxiliary|isConjunction|isJoiner|isPronoun|isNegation|isNumber) && !wordIn(t[to].text, "of", "in", "on", "with", "from") && to < from+4 {
		to++
	}
	if to >= len(t) || to == from || some == (to-from < 2) || !some && to-from > 1 {
		return
	}
	head, done := to-1, to
	switch {
	case t[to].is(isAuxiliary) && to+1 < len(t) && (t[to+1].is(isVerb) || strings.HasSuffix(t[to+1].text, "ed")):
		done = to + 1
	default:
		return
	}
	if t[head].word != "" && t[done].word != "" {
		s.Facts = append(s.Facts, SaidFact{Kind: FactAll, Denied: some, Concept: t[head].word + " " + t[done].word, At: head, Span: t[head].span})
	}
}
