package claim

// joinedNouns are nouns that a verb and the particle behind it make: it times out, the timeout.
var joinedNouns = wordSet(`timeout backup rollout rollback login logout signin signup signout setup startup shutdown lookup cleanup failover takeover handover lockout checkout checkin`)

// particles are the words that stand behind such a verb.
var particles = wordSet(`out up in off over down back by around on`)

// joined returns the noun that a verb at a token makes with the particle behind it; empty for others.
func (s *statement) joined(i int) string {
	if i+1 >= len(s.tokens) || s.tokens[i].kind != 'w' || s.tokens[i+1].kind != 'w' || !particles[s.tokens[i+1].text] || s.tokens[i].link >= 0 && s.tokens[i].link != s.tokens[i+1].link {
		return ""
	}
	verb, particle := s.tokens[i].word, s.tokens[i+1].text
	for _, noun := range []string{verb + particle, verb + "e" + particle, verb + "-" + particle} {
		if joinedNouns[noun] {
			return s.x.words.concept(noun)
		}
	}
	return ""
}
