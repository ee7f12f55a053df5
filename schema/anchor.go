package schema

import (
	"strconv"
	"strings"
)

// ParseAnchor parses a reference to a source in front matter or a citation; see [Anchor]
// for the forms. It accepts anything: text that is not a URL and has no lines, symbol or
// revision is a path.
func ParseAnchor(raw string) Anchor {
	a := Anchor{Raw: raw}
	s := strings.TrimSpace(raw)
	if rest, ok := cutPrefixFold(s, "repo://"); ok {
		s = rest
	} else if IsExternal(s) {
		a.URL = s
		return a
	}
	if path, fragment, ok := strings.Cut(s, "#"); ok {
		s = path
		if !a.lines(fragment, true) {
			a.Symbol = strings.TrimSpace(fragment)
		}
	}
	// path:12, path:12-30, and path:12:5, whose column says nothing here.
	for a.FromLine == 0 || a.ToLine == 0 {
		i := strings.LastIndexByte(s, ':')
		if i <= 0 {
			break
		}
		if j := strings.LastIndexByte(s[:i], ':'); j > 0 && isNumber(s[i+1:]) && isNumber(s[j+1:i]) {
			s = s[:i]
			continue
		}
		if !a.lines(s[i+1:], false) {
			break
		}
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '@'); i > 0 && s[i-1] != '/' && isRevision(s[i+1:]) {
		s, a.Rev = s[:i], s[i+1:]
	}
	a.Path = strings.TrimSpace(s)
	return a
}

// NoLine represents line 0 in an [Anchor], which no file has.
const NoLine = -1

// lines reads L12, L12-L30, L12-30 and L12C3-L14C1, or with mark unset 12 and
// 12-30.
func (a *Anchor) lines(s string, mark bool) bool {
	from, to, several := strings.Cut(s, "-")
	f, ok := lineNumber(from, mark, mark)
	if !ok {
		return false
	}
	t := f
	if several {
		if t, ok = lineNumber(to, false, mark); !ok {
			return false
		}
	}
	a.FromLine, a.ToLine = f, t
	return true
}

// lineNumber reads 12 and, where a mark is allowed, L12 and L12C3.
func lineNumber(s string, required, allowed bool) (int, bool) {
	if allowed {
		if rest, ok := cutPrefixFold(s, "L"); ok {
			s, _, _ = strings.Cut(rest, "C")
		} else if required {
			return 0, false
		}
	}
	if !isNumber(s) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if n == 0 {
		n = NoLine
	}
	return n, err == nil
}

// isNumber reports whether s is 1 to 9 digits.
func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0 && len(s) < 10
}

// isRevision reports whether s looks like what a version control system calls
// a state: a commit id, a version, or a usual branch. Others, as the 2x of
// logo@2x.png, belong to the path.
func isRevision(s string) bool {
	switch s {
	case "HEAD", "main", "master", "trunk", "develop":
		return true
	}
	if IsCommit(s) {
		return true
	}
	v := strings.TrimPrefix(s, "v")
	major, rest, ok := strings.Cut(v, ".")
	return ok && isNumber(major) && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// IsCommit reports whether s looks like a commit id: 7 to 40 or 64 hexadecimal
// digits, of which one is a letter unless all 40 are there.
func IsCommit(s string) bool {
	if len(s) < 7 || len(s) > 40 && len(s) != 64 {
		return false
	}
	letter := len(s) >= 40
	for i := range len(s) {
		switch c := s[i] | 0x20; {
		case s[i] >= '0' && s[i] <= '9':
		case c >= 'a' && c <= 'f':
			letter = true
		default:
			return false
		}
	}
	return letter
}

// HostURL returns an address unchanged, unless it has a host without a scheme, in any
// form that browsers accept: //host/a, \\host\a, ///host/a. Those get https: on a page
// opened from disk, they would be files on another machine of the reader's network,
// which would learn who reads.
func HostURL(address string) string {
	if address == "" || address[0] > ' ' && address[0] != '/' && address[0] != '\\' {
		return address // most
	}
	clean := strings.TrimLeftFunc(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address), func(r rune) bool { return r <= ' ' })
	if len(clean) < 2 || strings.Trim(clean[:2], `/\`) != "" {
		return address
	}
	return "https://" + strings.TrimLeft(clean, `/\`)
}

// IsExternal reports whether a link's destination leads out of the wiki: it has a scheme
// (RFC 3986, section 3.1, of at least two characters, so not C:) or begins with //.
func IsExternal(dest string) bool {
	if strings.HasPrefix(dest, "//") {
		return true
	}
	i := strings.IndexByte(dest, ':')
	if i < 2 {
		return false
	}
	for j := range i {
		switch c := dest[j]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		case j > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	if strings.HasPrefix(dest[i+1:], "//") {
		return true
	}
	switch strings.ToLower(dest[:i]) {
	case "mailto", "tel", "data", "javascript", "urn", "doi", "arxiv", "isbn", "magnet", "news", "sms", "xmpp", "geo", "vbscript", "about", "blob":
		return true
	}
	return false
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}
