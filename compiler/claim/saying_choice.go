package claim

import (
	"slices"
	"strconv"

	"github.com/loopwiki/wiki/schema"
)

// oneOf adds the names of which something is one, or of which there are so many: its codec is one
// of raw, delta and lz4; there are three of them: raw, delta and lz4. It reports whether there are
// any. The names may be in lower case, so that all of them are, whatever else they mean.
func (x *sayer) oneOf(s *Saying, st *statement) bool {
	t := st.tokens
	for i := max(st.verb, 0); i+4 < len(t); i++ {
		from, n := 0, 0
		switch {
		case wordIn(t[i].text, "one", "any") && t[i+1].text == "of" && i > 0 && wordIn(t[i-1].text, "is", "be", ":", "either"):
			from = i + 2
		case t[i].text == "of" && wordIn(t[i+1].text, "them", "these", "those") && t[i+2].text == ":" && i > 0 && st.howMany(i-1) > 0:
			from, n = i+3, st.howMany(i-1)
		default:
			continue
		}
		items, to := st.namesFrom(from)
		if len(items) < 3 || n > 0 && n != len(items) {
			continue
		}
		slices.Sort(items)
		before := len(s.Lists)
		x.listing(s, st, from, to, schema.Value{Kind: schema.ValueSet, Closed: true, Items: slices.Compact(items)})
		return len(s.Lists) > before
	}
	return false
}

// namesFrom returns the names that are listed from a token on, each of one or two words, up to the
// one behind and, or; none where something else stands among them.
func (s *statement) namesFrom(from int) (items []string, to int) {
	t := s.tokens
	for i, last := from, false; i < len(t); {
		k := i
		for k < len(t) && k < i+2 && (t[k].kind == 'w' || t[k].kind == 'c') && !t[k].is(isJoiner|isAuxiliary|isDeterminer|isPronoun|isCondition|isNegation) && !wordIn(t[k].text, "or", "and") {
			k++
		}
		if k == i {
			return nil, from
		}
		items, to = append(items, itemName(t[i:k])), k
		if last {
			return items, to
		}
		for i = k; i < len(t) && wordIn(t[i].text, ",", "and", "or"); i++ {
			last = last || t[i].text != ","
		}
		if i == k {
			return nil, from
		}
	}
	return nil, from
}

// howMany returns the number that a token is, 0 for none.
func (s *statement) howMany(i int) int {
	n, err := strconv.Atoi(s.tokens[i].text)
	if err != nil {
		if v, words := NumberInWords([]string{s.tokens[i].text}); words == 1 {
			n = int(v)
		}
	}
	return n
}
