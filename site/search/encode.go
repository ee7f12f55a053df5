package search

import "strings"

// digits are the characters of which lists are made. A number is written in base 32, lowest
// digit first, with digits from the upper half when more follow.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func appendNumber(b []byte, v uint32) []byte {
	for ; v >= 32; v >>= 5 {
		b = append(b, digits[32+v&31])
	}
	return append(b, digits[v])
}

// appendDistances writes numbers in order, each as its distance from the one before, less
// one.
func appendDistances(b []byte, list []uint32) []byte {
	next := uint32(0)
	for _, n := range list {
		b = appendNumber(b, n-next)
		next = n + 1
	}
	return b
}

// What the second digit of an entry says besides its level.
const (
	onePart   = iota // a section
	someParts        // a number of sections
	namedPart        // the sizes of names with the word, and a number of sections
	entryKinds
)

// unitsAtOnce is how many sections are told apart by the digit with the level.
const unitsAtOnce = 3

// appendList writes the best documents of a list: the distance, a digit for level and kind,
// and the sections, each a digit for its level and the distance, of which more may follow.
func appendList(b []byte, list []entry, named []namedDoc) []byte {
	next := uint32(0)
	for _, e := range list {
		for len(named) > 0 && named[0].doc < e.doc {
			named = named[1:]
		}
		if e.past {
			continue
		}
		b = appendNumber(b, e.doc-next)
		next = e.doc + 1
		level := int(e.level) * entryKinds
		switch {
		case len(named) > 0 && named[0].doc == e.doc:
			b = appendNumber(append(b, digits[level+namedPart]), named[0].sizes)
			b = appendNumber(b, uint32(len(e.parts)))
		case len(e.parts) == 1:
			b = append(b, digits[level+onePart])
		default:
			b = appendNumber(append(b, digits[level+someParts]), uint32(len(e.parts)))
		}
		unit := uint32(0)
		for _, p := range e.parts {
			d := p.unit - unit
			b = append(b, digits[int(min(d, unitsAtOnce))*len(unitLevels)+int(p.level)])
			if d >= unitsAtOnce {
				b = appendNumber(b, d-unitsAtOnce)
			}
			unit = p.unit + 1
		}
	}
	return b
}

// restDistances are told apart by the digit with the level.
const restDistances = 3

// appendRest writes the other documents of a list: a digit for level and distance, of which
// more may follow.
func appendRest(b []byte, list []entry) []byte {
	next := uint32(0)
	for _, e := range list {
		if !e.past {
			continue
		}
		d := e.doc - next
		b = append(b, digits[int(e.level)*restDistances+int(min(d, restDistances-1))])
		if d >= restDistances-1 {
			b = appendNumber(b, d-(restDistances-1))
		}
		next = e.doc + 1
	}
	return b
}

// frontCode writes every entry without what it shares with the one before, which is the
// number of code points that the digit before it is worth.
func frontCode(list []string, sep string) string {
	var sb strings.Builder
	var last []rune
	for i, s := range list {
		if i > 0 {
			sb.WriteString(sep)
		}
		runes := []rune(s)
		n := 0
		for n < len(runes) && n < len(last) && n < len(digits)-1 && runes[n] == last[n] {
			n++
		}
		sb.WriteByte(digits[n])
		sb.WriteString(string(runes[n:]))
		last = runes
	}
	return sb.String()
}
