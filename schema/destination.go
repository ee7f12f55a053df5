package schema

import (
	"path"
	"strings"
)

// RelativePath returns the path of a file from the folder of a page, slash-separated;
// both are paths below one folder, and that of the file may begin with ../.
func RelativePath(page, file string) string {
	from, to := strings.Split(path.Dir(page), "/"), strings.Split(file, "/")
	if from[0] == "." {
		from = nil
	}
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

// EscapeDestination percent-encodes what can't stand in the destination of a markdown link
// without angle brackets, and the other characters in also.
func EscapeDestination(p, also string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(p) {
		switch c := p[i]; {
		case c <= ' ' || c == 0x7f || strings.IndexByte("()<>%#?\"\\[]", c) >= 0 || strings.IndexByte(also, c) >= 0:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
