package scaffold

import (
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// habit is how the files of a folder are named.
type habit struct {
	join  string // between words: "-", "_", " ", or "" for words run together
	upper bool   // words keep their capitals
	dated bool   // a day is before the name
}

// fileName returns the name, without extension, of a page in a folder.
func fileName(w *compiler.Wiki, dir string, spec PageSpec) string {
	h := habitOf(w, dir)
	var words []string
	title := spec.Title
	if h.join != " " {
		title = strings.NewReplacer("'", "", "’", "").Replace(title)
	}
	for _, word := range strings.FieldsFunc(title, func(r rune) bool { return separates(r, h.join) }) {
		if !h.upper {
			word = strings.ToLower(word)
		} else if h.join == "" {
			first := []rune(word)
			first[0] = unicode.ToUpper(first[0])
			word = string(first)
		}
		words = append(words, word)
	}
	name := strings.Trim(strings.Join(words, h.join), ".-_ ")
	if name != "" && h.dated {
		name = spec.Day.Format(time.DateOnly) + "-" + name
	}
	return name
}

// separates reports whether a rune is between words. In names with spaces
// only what no file system or link takes does.
func separates(r rune, join string) bool {
	if join == " " {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|#^[]`, r)
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '+'
}

// habitOf detects the naming convention of the pages in a folder, or of the whole wiki
// if the folder is empty; kebab-case by default.
func habitOf(w *compiler.Wiki, dir string) habit {
	in := func(own bool) (h habit, found bool) {
		counts := map[string]int{}
		capitals, days, n := 0, 0, 0
		for _, p := range w.Pages() {
			if p.Reserved() || p.Layer == schema.LayerSource || own && strings.Trim(path.Dir(p.Path), ".") != dir {
				continue
			}
			stem := strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path))
			if rest, dated := cutDay(stem); dated {
				days++
				stem = rest
			}
			n++
			if strings.ToLower(stem) != stem {
				capitals++
			}
			for _, join := range []string{"-", "_", " "} {
				counts[join] += min(1, strings.Count(stem, join))
			}
			if !strings.ContainsAny(stem, "-_ ") && strings.IndexFunc(stem[min(1, len(stem)):], unicode.IsUpper) >= 0 {
				counts[""]++
			}
		}
		h = habit{join: "-", dated: own && 2*days > n}
		for _, join := range []string{" ", "_", ""} {
			if counts[join] > counts[h.join] {
				h.join = join
			}
		}
		h.upper = 2*capitals > n || h.join == ""
		return h, n > 0
	}
	h, found := in(true)
	if !found {
		h, _ = in(false)
	}
	return h
}

// cutDay takes the day off a name such as 2026-03-01-first-steps.
func cutDay(stem string) (string, bool) {
	if len(stem) < len(time.DateOnly) {
		return stem, false
	}
	if _, err := time.Parse(time.DateOnly, stem[:len(time.DateOnly)]); err != nil {
		return stem, false
	}
	return strings.TrimLeft(stem[len(time.DateOnly):], "-_ "), true
}
