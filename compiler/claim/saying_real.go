package claim

import "slices"

// pretended are the conditions of a title or a heading below which a page speaks of what stands in
// for a thing.
var pretended = wordSet(`dev development staging stage test testing local demo preview trial`)

// genuine are words of the thing itself, on a page about what stands in for it.
var genuine = wordSet(`real live actual genuine`)

// ofTheReal takes off a saying the conditions of its page and its section where it says that it is
// of the real thing: from there you call the real exchange.
func (s *statement) ofTheReal(said *Saying) {
	for i := 1; i+1 < len(s.tokens); i++ {
		if !genuine[s.tokens[i].text] || s.tokens[i-1].text != "the" || s.tokens[i+1].kind != 'w' || s.tokens[i+1].is(isCondition|isAuxiliary|isJoiner) || s.negative {
			continue
		}
		said.Scope = slices.DeleteFunc(slices.Clone(said.Scope), func(c string) bool { return pretended[c] && !slices.Contains(s.scope, c) })
		return
	}
}
