package claim

// supposes reports whether all that a sentence says is supposed only: for example, a guest with three
// bags gets two tags; if a ride cost 10 EUR, you would get 5 EUR.
func (s *statement) supposes() bool {
	switch s.word(0) {
	case "for":
		return wordIn(s.word(1), "example", "instance")
	case "example", "e.g":
		return s.word(1) == ":"
	case "suppose", "imagine", "assume", "say", "assuming":
		return true
	case "if":
		for i := range s.tokens {
			if s.tokens[i].text == "would" {
				return true
			}
		}
	}
	return false
}
