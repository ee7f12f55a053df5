package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// keyUnits are the last words of a key that give the unit of its number.
var keyUnits = wordSet(`ns us ms sec secs seconds minutes hours days weeks months years bytes kb mb gb tb kib mib gib percent pct hz khz mhz ghz
	mm cm km kg`)

// attributeUnit splits the unit off an attribute's name: Timeout (s), Size [MB]
// and timeout_ms. unit is nil when it gives none.
func (l *Lexicon) attributeUnit(name string) (attr string, unit *schema.Unit) {
	name = plainText(name)
	for _, brackets := range []string{"()", "[]"} {
		open := strings.LastIndexByte(name, brackets[0])
		if open > 0 && strings.HasSuffix(name, brackets[1:]) {
			if u, ok := l.UnitOf(strings.TrimSpace(name[open+1 : len(name)-1])); ok {
				return strings.TrimSpace(name[:open]), &u
			}
		}
	}
	last, n := "", 0
	for w := range wordsOf(name) {
		last, n = w, n+1
	}
	if n > 1 && oneOf(last, keyUnits) {
		words := split(name)
		if u, ok := l.UnitOf(words[len(words)-1]); ok {
			return strings.Join(words[:len(words)-1], " "), &u
		}
	}
	return name, nil
}

// conditionWords are words that say under which conditions something holds:
// environments, plans, platforms and the like.
var conditionWords = wordSet(`dev development staging stage prod production test testing local ci canary preview
	free basic pro premium enterprise trial demo linux windows macos darwin android ios web mobile desktop arm64 amd64 x86
	eu us asia europe america emea apac summer winter night weekend beta alpha nightly lts`)

// conditions returns the conditions that a heading or a title sets: versions, days,
// years, environments.
func conditions(text string) []string {
	if text == "" {
		return nil
	}
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t()[],;:/|`*—–", r) }) {
		_, _, date := schema.ParseTime(w)
		year := len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")) && strings.Trim(w, "0123456789") == ""
		if conditionWords[w] || isVersion(w) || date || year {
			out = append(out, w)
		}
	}
	return out
}
