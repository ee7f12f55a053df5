package claim

import "slices"

// adding are words that begin a clause which says why, what for or what else: what is said before it holds
// without it.
var adding = wordSet(`so because since although though whereas but which while and as`)

// aside takes what a sentence says behind all of its values in another clause, as a reason or what
// follows, off the saying, and returns what is done there as a saying of its own; nil for nothing. Who says the
// same elsewhere need not say that: the index is kept for 30 days, so there is time to ask.
func (x *sayer) aside(s *Saying, tokens []token) *Saying {
	if len(s.Values) == 0 {
		return nil
	}
	last := 0
	for _, values := range [][]SaidValue{s.Values, s.Lists} {
		for i := range values {
			last = max(last, values[i].To)
		}
	}
	at := 0
	for i := max(last, 2); i+2 < len(tokens) && at == 0; i++ {
		if x.adds(tokens, i) {
			at = i
		}
	}
	behind := func(w SaidWord) bool { return w.At >= at && !w.Label }
	if at == 0 || !slices.ContainsFunc(s.Words, behind) || !slices.ContainsFunc(s.Words, func(w SaidWord) bool { return !behind(w) }) {
		return nil
	}
	rest := *s
	rest.Part, rest.Values, rest.Lists = true, nil, nil
	rest.Words, rest.Near, rest.Scope, rest.Roles = slices.Clone(s.Words), slices.Clone(s.Near), slices.Clone(s.Scope), slices.Clone(s.Roles)
	rest.Facts = slices.DeleteFunc(slices.Clone(s.Facts), func(f SaidFact) bool { return f.At < at })
	s.Facts = slices.DeleteFunc(slices.Clone(s.Facts), func(f SaidFact) bool { return f.At >= at })
	for _, w := range s.Words {
		if behind(w) {
			s.Near = append(slices.Clip(s.Near), w.Concept)
		}
	}
	s.Words = slices.DeleteFunc(slices.Clone(s.Words), behind)
	s.Denied = x.parse(tokens[:at], nil).denies()
	if len(rest.Facts) == 0 {
		return nil
	}
	return &rest
}

// adds reports whether another clause begins at a token: behind a mark and a word that joins it, or with
// a word that nothing but a clause follows.
func (x *sayer) adds(tokens []token, i int) bool {
	t := &tokens[i]
	switch {
	case t.link >= 0:
		return false
	case t.kind == 'p' && (t.text == ";" || t.text == ":" || t.text == "—" || t.text == "–"):
		return true
	case t.text == "because", t.text == "so" && tokens[i+1].text == "that":
		return true
	case tokens[i-1].text != "," || !adding[t.text]:
		return false
	}
	return slices.ContainsFunc(tokens[i:], func(t token) bool { return t.is(isVerb | isAuxiliary) })
}
