package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// oneCondition reports whether a holds under a condition that b does not set, and that may change it.
// Who says that something is so of all things of a kind says it for those under the condition too: all
// backups are encrypted.
func (m *matcher) oneCondition(a, b *mention) bool {
	if a.Value.Kind == schema.ValueBool && ofAll(b.said, a.said) {
		return false
	}
	s, t := a.said, b.said
	return slices.ContainsFunc(s.Scope, func(c string) bool {
		switch {
		case a.Class == string(schema.Day) && a.Value.Quantity.Hi-a.Value.Quantity.Lo < 2 && (strings.Trim(c, "0123456789-") == "" || placed(s, c)):
			return false // the calendar of 2026, the meeting of 3 May: the day is said in full, and what it is the day of
		case placed(s, c) && versionWord(c) && slices.ContainsFunc(s.words, func(w toldWord) bool { return versionWord(w.Concept) }):
			return false // moving to v2: of v1
		case slices.Contains(t.Scope, c), t.knows(c), slices.ContainsFunc(m.lexicon.Concepts(c), t.knows), (c == "night" || c == "nightly") && eachNight(a):
			return false
		case environments[c]:
			return !(builtIn(a) && builtIn(b)) && !(placed(s, c) && homes[c] && chosen(a) && chosen(b) && !atHome(s)) && !(lived[c] && s.From == schema.OriginCode && !slices.ContainsFunc(t.Scope, func(o string) bool { return environments[o] }))
		}
		return true
	})
}

// placed reports whether only the headings above a saying and the title of its page set a condition.
func placed(t *told, c string) bool {
	return slices.Contains(t.Placed, c) && !strings.Contains(strings.ToLower(string(t.Span.In(t.page.Source))), c)
}

// versionWord reports whether a word is the number of a version: v2.
func versionWord(w string) bool {
	return len(w) > 1 && w[0] == 'v' && strings.Trim(w[1:], "0123456789.") == ""
}

// lived are the environments that are meant where none is said: what a page says, the configuration of
// production sets. Who says in a sentence that it is so in production, means that it is not elsewhere.
var lived = map[string]bool{"production": true, "prod": true}

// environments are the conditions that say in which installation of a program something holds.
var environments = map[string]bool{"dev": true, "development": true, "staging": true, "stage": true, "prod": true, "production": true, "test": true,
	"testing": true, "local": true, "ci": true, "canary": true, "preview": true}

// builtIn reports whether a value is part of a program, which it takes along wherever it is installed:
// what its variables are called, what it is written in.
func builtIn(a *mention) bool {
	if a.Value.Kind == schema.ValueVersion && len(a.Value.Words) > 0 {
		class := claim.English().Class(a.Value.Words[0])
		return class == "language" || class == "runtime"
	}
	return a.Class == "code" || a.Class == "class:language" || a.Class == "class:runtime"
}

// homes are the environments that a guide to work on a program is about, much of which tells of the program itself.
var homes = map[string]bool{"local": true, "dev": true, "development": true}

// chosen reports whether a value is a well-known program that something is built on, with its version or without: unlike ports and
// sizes it is rarely another one where people work on it, and a guide that has another one says so.
func chosen(a *mention) bool {
	if a.Value.Kind == schema.ValueVersion && len(a.Value.Words) > 0 {
		return claim.English().Class(a.Value.Words[0]) != ""
	}
	return a.Class == "class:database"
}

// atHome reports whether a saying tells of the machine of whoever works on a program.
func atHome(t *told) bool {
	text := strings.ToLower(string(t.Span.In(t.page.Source)))
	return slices.ContainsFunc([]string{"laptop", "your machine", "your own", "yourself", "sandbox", "locally", "instead", "in memory", "in-memory", "sqlite", "emulator", "mock", "fake", "stub"},
		func(word string) bool { return strings.Contains(text, word) })
}

// eachNight reports whether a time of day stands beside each night: the time says that already.
func eachNight(a *mention) bool {
	d := a.Value.Quantity.Dimension
	if d == schema.Duration {
		return strings.Contains(strings.ToLower(a.Text), "night") // which says how often
	}
	if a.Value.Kind == schema.ValueQuantity && d != schema.Clock && d != schema.ClockUTC {
		return false
	}
	text := strings.ToLower(strings.Join(strings.Fields(string(a.said.Span.In(a.said.page.Source))), " "))
	return slices.ContainsFunc([]string{"each night", "every night", "nightly", "in the night", "at night"}, func(when string) bool { return strings.Contains(text, when) })
}

// more are words of what goes beyond a value: one more is refused.
var more = []string{"one more", "any more", "another", "the next", "further", "the rest", "beyond that", "above that", "additional",
	"anything larger", "anything bigger", "anything longer", "anything higher", "anything more", "anything above", "anything over", "anything beyond", "larger ones", "longer ones", "bigger ones",
	"everything above", "everything beyond", "whatever is larger", "the excess"}

// beyond reports whether what is not let through is what goes beyond a value, and not what it is a
// limit of.
func beyond(a *mention) bool {
	src := a.said.page.Source
	text := " " + strings.ToLower(strings.Join(strings.Fields(string(src[min(a.Span.End, a.said.Span.End):a.said.Span.End])), " ")) + " "
	return slices.ContainsFunc(more, func(phrase string) bool { return strings.Contains(text, " "+phrase+" ") })
}

// unsaidCase reports whether a stands behind a verb and another value before it, which says in which
// case a holds, and b says that case neither by a value nor by its words: a row of 3.4, the first train.
func (m *matcher) unsaidCase(a, b *mention) bool {
	if slices.ContainsFunc(a.said.Values, func(v claim.SaidValue) bool {
		return v.Value.Kind == schema.ValueVersion && v.To <= a.From && slices.ContainsFunc(strings.Fields(v.Text), func(number string) bool { return labels(b.said, number) })
	}) {
		return false
	}
	return slices.ContainsFunc(caseValues(a, b), func(v claim.SaidValue) bool {
		if v.Value.Kind == schema.ValueName && !slices.ContainsFunc(m.lexicon.Concepts(v.Text), func(c string) bool { return !b.said.has(c) }) {
			return false // the other says it as well
		}
		return !done(a.said, &v) && !sameHalf(a.said, b.said, &v) && !(strings.HasPrefix(v.Class, "ordinal") && slices.ContainsFunc(m.lexicon.Concepts(v.Text), b.said.has))
	})
}

// sameHalf reports whether both say the same of two opposites: automatic, automatically.
func sameHalf(s, t *told, v *claim.SaidValue) bool {
	s, t = s.entire(), t.entire()
	concept, pole := strings.CutPrefix(v.Class, "pole:")
	denied, known := t.poles[concept]
	return pole && known && denied == s.poles[concept]
}

// deeds are the opposites that say what is done, and of nothing which it is: refuses.
var deeds = map[string]bool{"pole:accept": true, "pole:includ": true}

// done reports whether an opposite says what is done.
func done(t *told, v *claim.SaidValue) bool {
	return v.Value.Kind == schema.ValueBool && (deeds[v.Class] || slices.ContainsFunc(t.Saying.Words, func(w claim.SaidWord) bool { return w.At == v.From && w.Verb }))
}
