package conflict

import (
	"slices"

	"github.com/loopwiki/wiki/compiler/claim"
)

// denied reports whether one of two facts denies the other: what is left over was found to be
// idle, and who does what is told alike.
func (f *finder) denied(a, b *said) bool {
	if a.Value.Bool == b.Value.Bool {
		return false
	}
	if a.Role == claim.RoleNeeded || a.Role == claim.RoleAnyone || a.Role == claim.RoleOrder || slices.Equal(a.topic, b.topic) {
		return true
	}
	if len(a.topic) == 0 || len(b.topic) == 0 {
		return !f.lone(a) && !f.lone(b) // taking photographs, nobody
	}
	if len(a.Value.Words) > 0 && slices.Equal(a.Value.Words, b.Value.Words) && len(leftIn(a.topic, b)) == 0 && len(leftIn(b.topic, a)) == 0 {
		return true // sends its frames unencrypted, its frames are encrypted
	}
	// Done to it, or done by anyone: in any other case another does it.
	for _, pair := range [][2]*said{{a, b}, {b, a}} {
		passive, active := pair[0], pair[1]
		if len(passive.Value.Words) > 0 && len(active.Value.Words) == 0 && f.anyone(active.topic) && subset(passive.topic, active.hard) {
			return true
		}
	}
	return f.sameTopic(a, b)
}

// leftIn returns those of some words that a claim neither says nor takes for granted.
func leftIn(words []string, s *said) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return slices.Contains(s.hard, w) || slices.Contains(s.soft, w)
	})
}

// lone reports whether a fact has so few words that it needs a subject.
func (f *finder) lone(s *said) bool { return len(s.hard) < 2 }

// sameTopic reports whether what stands before the verbs is one thing, of which one side says
// more than the other.
func (f *finder) sameTopic(a, b *said) bool {
	if !subset(a.topic, b.topic) && !subset(b.topic, a.topic) {
		return false
	}
	return slices.Equal(a.explicit, b.explicit) && len(a.explicit) > 0
}

// anyone reports whether all of some words say only that people do something.
func (f *finder) anyone(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !f.lexicon.Anyone(w) })
}

// unsaid reports whether a word that only one of two facts has is none that restricts it: who
// does it where the other says what is done, the verb where the other says what is needed.
func (f *finder) unsaid(w string, s, other *said) bool {
	switch {
	case f.lexicon.Anyone(w):
		return slices.Contains(s.topic, w) && !slices.ContainsFunc(other.topic, f.lexicon.Anyone)
	case f.lexicon.Having(w) && len(leftOver(other, s)) > 0:
		return false // which another verb may answer to
	case f.lexicon.Having(w):
		return s.Role == claim.RoleNeeded || !slices.ContainsFunc(other.hard, func(v string) bool { return f.lexicon.Having(v) && !slices.Contains(s.hard, v) })
	case slices.Contains(s.explicit, other.own):
		return slices.Contains(f.ownWords(other), w) // whose page says it
	}
	return false
}
