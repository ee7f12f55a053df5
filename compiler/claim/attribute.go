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

// perUnit returns the unit of time by which a name says that its amount is counted: price per
// month, requests per second, hourly rate.
func (l *Lexicon) perUnit(name string) (u schema.Unit, ok bool) {
	if !mayCount(name) {
		return u, false // most give none
	}
	words := split(name)
	for i, w := range words {
		if unit := rhythm(w); unit != "" && i+1 < len(words) {
			u, ok = l.UnitOf(unit)
			return u, ok && wordIn(words[i+1], charges...)
		}
		if (w == "per" || w == "each") && i > 0 && i+1 < len(words) {
			u, ok = l.UnitOf(words[i+1])
			return u, ok && u.Dimension == schema.Duration
		}
	}
	return u, false
}

// mayCount reports whether a name may have a word in it that counts by time: per, each, hourly, annual.
func mayCount(name string) bool {
	for i := 0; i+1 < len(name); i++ {
		part := ""
		switch name[i] | 0x20 {
		case 'p':
			part = "per"
		case 'e':
			part = "each"
		case 'l':
			part = "ly"
		case 'n':
			part = "nnual"
		default:
			continue
		}
		if len(name)-i >= len(part) && strings.EqualFold(name[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// charges are what is paid again and again.
var charges = []string{"price", "fee", "rent", "cost", "costs", "rate", "charge", "premium", "wage"}

// rhythm returns the unit of time that an adjective counts by: yearly, annual.
func rhythm(w string) string {
	if w == "annual" {
		return "year"
	}
	return adverbs[w]
}

// counted makes a rate of an amount whose name says by which time it is counted.
func (l *Lexicon) counted(q *schema.Quantity, name string) {
	switch d := string(q.Dimension); {
	case strings.HasPrefix(d, "money:"), strings.HasPrefix(d, "count:"), q.Dimension == schema.Dimensionless, q.Dimension == schema.Information,
		q.Dimension == schema.Volume, q.Dimension == schema.Mass, q.Dimension == schema.Energy, q.Dimension == schema.Length:
	default:
		return
	}
	if u, ok := l.perUnit(name); ok {
		q.Lo, q.Hi, q.Step, q.Dimension = q.Lo/u.Hi, q.Hi/u.Lo, q.Step/u.Lo, "rate:"+q.Dimension
	}
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
