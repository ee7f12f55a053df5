package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// bold begins and ends bold type.
const bold = "**"

// label returns how many tokens the label has that a sentence begins with, in bold type and with a
// colon; 0 for none. It names what its value is of, and says of nothing that it is done.
func (s *statement) label() int {
	src, t := s.x.page.Source, s.tokens
	if start := t[0].span.Start; start < len(bold) || string(src[start-len(bold):start]) != bold {
		return 0
	}
	for i := 1; i < len(t) && i < mostSaidWords; i++ {
		before := schema.Span{Start: t[i-1].span.End, End: t[i].span.Start}
		ends := before.Len() >= len(bold) && strings.Contains(string(before.In(src)), bold) // words of a link have one span
		switch {
		case t[i].text == ":" && (ends || strings.HasPrefix(string(src[t[i].span.End:min(len(src), t[i].span.End+len(bold))]), bold)):
			return i
		case ends:
			return 0
		}
	}
	return 0
}
