package plan

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// unsafePath reports why a pattern can't name paths below the repository's root,
// or nothing.
func unsafePath(p string) string {
	switch {
	case strings.TrimSpace(p) == "":
		return "is empty"
	case strings.HasPrefix(p, "/"), strings.HasPrefix(p, "~"), strings.HasPrefix(p, `\`), len(p) > 1 && p[1] == ':':
		return "is absolute"
	case strings.Contains(p, `\`):
		return "contains a backslash"
	case strings.ContainsAny(p, "\x00\n\r"):
		return "contains a control character"
	}
	for _, seg := range strings.Split(p, "/") {
		if seg == ".." {
			return "is outside the repository"
		}
	}
	if !doublestar.ValidatePattern(p) {
		return "is not a valid pattern"
	}
	return ""
}

// everything reports whether a pattern names any file, or any at the top.
func everything(p string) bool {
	const name = "\x01\x02\x01" // no file is called so: what matches it is a wildcard alone
	p = path.Clean(p)
	if p == "." {
		return true
	}
	for _, probe := range []string{name, name + "/" + name} {
		if ok, err := doublestar.Match(p, probe); ok && err == nil {
			return true
		}
	}
	return false
}

// wild reports whether a pattern is not a plain path.
func wild(p string) bool { return strings.ContainsAny(p, "*?[{") }

// alternatives writes out the braces of a pattern, up to a number of patterns;
// one with more is returned as it is.
func alternatives(p string) []string {
	const most = 64
	out := []string{p}
	for i := 0; i < len(out); {
		open, end, parts := braces(out[i])
		if parts == nil {
			i++
			continue
		}
		if len(out)+len(parts) > most {
			return []string{p}
		}
		before, after := out[i][:open], out[i][end:]
		out = append(out[:i], out[i+1:]...)
		for _, part := range parts {
			out = append(out, before+part+after)
		}
	}
	return out
}

// braces finds the first {a,b} of a pattern.
func braces(p string) (open, end int, parts []string) {
	open = strings.IndexByte(p, '{')
	if open < 0 {
		return 0, 0, nil
	}
	depth, from := 0, open+1
	for i := open; i < len(p); i++ {
		switch p[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return open, i + 1, append(parts, p[from:i])
			}
		case ',':
			if depth == 1 {
				parts = append(parts, p[from:i])
				from = i + 1
			}
		}
	}
	return 0, 0, nil
}

// covers reports whether every path that inner names is named by outer.
func covers(outer, inner string) bool {
	for _, in := range alternatives(inner) {
		found := false
		for _, out := range alternatives(outer) {
			found = found || segments(strings.Split(path.Clean(out), "/"), strings.Split(path.Clean(in), "/"), within)
		}
		if !found {
			return false
		}
	}
	return true
}

// overlap reports whether a path can be named by both patterns. Where patterns
// within a name are too rich to tell, it is true.
func overlap(a, b string) bool {
	for _, x := range alternatives(a) {
		for _, y := range alternatives(b) {
			if segments(strings.Split(path.Clean(x), "/"), strings.Split(path.Clean(y), "/"), meet) {
				return true
			}
		}
	}
	return false
}

// relation is how two patterns of one name are compared, and whether ** of the
// second stands for any number of names on its own.
type relation struct {
	names func(a, b string) bool
	both  bool
}

var (
	within = relation{func(outer, inner string) bool {
		if outer == inner || outer == "*" {
			return true
		}
		if wild(inner) && strings.ContainsAny(outer, "?[") {
			return false
		}
		ok, err := doublestar.Match(outer, inner)
		return ok && err == nil
	}, false}
	meet = relation{func(a, b string) bool {
		switch {
		case !wild(a):
			ok, err := doublestar.Match(b, a)
			return ok && err == nil
		case !wild(b):
			ok, err := doublestar.Match(a, b)
			return ok && err == nil
		}
		ah, at := ends(a)
		bh, bt := ends(b)
		return (strings.HasPrefix(ah, bh) || strings.HasPrefix(bh, ah)) && (strings.HasSuffix(at, bt) || strings.HasSuffix(bt, at))
	}, true}
)

// ends returns what is fixed at both ends of a pattern of one name.
func ends(p string) (head, tail string) {
	return p[:strings.IndexAny(p, "*?[{")], p[strings.LastIndexAny(p, "*?]}")+1:]
}

// segments compares two patterns name by name, in time proportional to the
// product of their lengths.
func segments(a, b []string, rel relation) bool {
	if len(a)*len(b) > 1<<16 {
		return true
	}
	// next[j] says whether a[i+1:] and b[j:] agree, row[j] whether a[i:] and b[j:] do.
	next, row := make([]bool, len(b)+1), make([]bool, len(b)+1)
	for i := len(a); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			switch {
			case i == len(a) && j == len(b):
				row[j] = true
			case i < len(a) && a[i] == "**":
				row[j] = next[j] || j < len(b) && row[j+1]
			case j < len(b) && b[j] == "**":
				row[j] = rel.both && (row[j+1] || i < len(a) && next[j])
			default:
				row[j] = i < len(a) && j < len(b) && rel.names(a[i], b[j]) && next[j+1]
			}
		}
		next, row = row, next
	}
	return next[0]
}

// Overlap returns the patterns of a that can name a path that one of b names.
func Overlap(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			if overlap(x, y) {
				out = append(out, x)
				break
			}
		}
	}
	return out
}
