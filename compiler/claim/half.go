package claim

import "strconv"

// andHalf reports whether "and a half" or "and a quarter" stands at a token, and how much that adds.
func (s *statement) andHalf(i int) (more float64, ok bool) {
	if s.word(i) != "and" || s.word(i+1) != "a" {
		return 0, false
	}
	more, ok = map[string]float64{"half": 0.5, "quarter": 0.25}[s.word(i+2)]
	return more, ok
}

// withHalf returns the digits of a number that a half is added to, before its unit: two and a half hours.
func (s *statement) withHalf(text string, to int) (string, int) {
	more, ok := s.andHalf(to)
	n, _, rest, number := leadingNumber(text)
	if !ok || !number || rest != "" || to+3 >= len(s.tokens) || !s.isUnit(to+3) {
		return text, to
	}
	return strconv.FormatFloat(n+more, 'f', -1, 64), to + 3
}

// quarters returns the digits of so many quarters of a unit at a token, and where they end: a quarter of
// an hour, three quarters of a mile.
func (s *statement) quarters(i int) (text string, to int) {
	n := map[string]float64{"a": 1, "one": 1, "three": 3}[s.word(i)]
	if n == 0 || !wordIn(s.word(i+1), "quarter", "quarters") || s.word(i+2) != "of" || !wordIn(s.word(i+3), "a", "an") || i+4 >= len(s.tokens) || !s.isUnit(i+4) {
		return "", i
	}
	return strconv.FormatFloat(n/4, 'f', -1, 64), i + 4
}

// soMany reports whether one unit stands at a token that more is added to: an hour and a half.
func (s *statement) soMany(i int) bool {
	_, ok := s.andHalf(i + 2)
	return ok && wordIn(s.word(i), "a", "an", "one") && s.isUnit(i+1)
}
