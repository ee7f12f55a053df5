package claim

import "strings"

// label returns how many tokens the label has that a sentence begins with, in bold type and with a
// colon; 0 for none. It names what its value is of, and says of nothing that it is done.
func (s *statement) label() int {
	src, t := s.x.page.Source, s.tokens
	at := t[0].span.Start
	if at < 2 || src[at-1] != '*' && src[at-1] != '_' || src[at-2] != src[at-1] {
		return 0
	}
	for i := 1; i < len(t) && i < mostSaidWords; i++ {
		end := t[i].span.End
		bold := strings.Contains(string(src[t[i-1].span.End:t[i].span.Start]), string(src[at-2:at])) || end+2 <= len(src) && string(src[end:end+2]) == string(src[at-2:at])
		switch {
		case t[i].text == ":" && bold:
			return i
		case bold:
			return 0
		}
	}
	return 0
}
