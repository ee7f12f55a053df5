package identity

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// versionWords are the names of versions that have no digit.
var versionWords = map[string]bool{
	"latest": true, "next": true, "current": true, "stable": true, "main": true, "master": true,
	"dev": true, "nightly": true, "edge": true, "beta": true, "alpha": true,
}

var preRelease = strings.NewReplacer("alpha", "", "beta", "", "rc", "", "pre", "", "dev", "")

// fewestHex is the length from which hexadecimal digits name a commit.
const fewestHex = 7

// versionLike reports whether a folder is named after a version: digits with
// signs between them after at most a word, or the id of a commit.
func versionLike(name string) bool {
	if i := strings.LastIndexByte(name, '@'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(name), "version-"), "v")
	if versionWords[name] {
		return true
	}
	digit := strings.ContainsAny(name, "0123456789")
	if len(name) >= fewestHex && digit && strings.Trim(name, "0123456789abcdef") == "" {
		return true
	}
	return digit && '0' <= name[0] && name[0] <= '9' && strings.Trim(preRelease.Replace(name), "0123456789.-_x") == ""
}

// longestNumber is the most digits of a number or a day; more are an id.
const longestNumber = 8

// numberless returns a path with # instead of its numbers, dates, months and
// versions, and without a version at its end: audit.md and audit-v2.md are a
// series, page.md and page-2.md are not.
func numberless(p string) string {
	if stem := strings.TrimRight(p, "0123456789."); stem != p {
		if base := strings.TrimRight(strings.TrimSuffix(stem, "v"), "-_ ."); strings.HasSuffix(stem, "v") && base != strings.TrimSuffix(stem, "v") {
			p = base
		}
	}
	var b strings.Builder
	last := ' ' // # behind a number
	words(p, func(word string, sign bool) {
		switch {
		case sign:
			if last != '#' || strings.Contains(word, "/") {
				b.WriteString(word)
				last = ' '
			}
		case number(word):
			if last != '#' {
				b.WriteByte('#')
			}
			last = '#'
		default:
			if last == '#' {
				b.WriteByte('-')
			}
			b.WriteString(word)
			last = ' '
		}
	})
	return b.String()
}

// words yields the runs of letters and digits of a path and the signs between
// them, in order. A v before a number belongs to it.
func words(p string, yield func(word string, sign bool)) {
	kind := func(r rune) int {
		switch {
		case '0' <= r && r <= '9':
			return 1
		case unicode.IsLetter(r) || unicode.IsMark(r) || r > unicode.MaxASCII:
			return 2
		}
		return 3
	}
	from, was := 0, 0
	for i, r := range p {
		k := kind(r)
		if was != 0 && k != was && !(was == 2 && k == 1 && p[from:i] == "v") {
			yield(p[from:i], was == 3)
			from = i
		}
		was = k
	}
	if from < len(p) {
		yield(p[from:], was == 3)
	}
}

var months = map[string]bool{
	"january": true, "february": true, "march": true, "april": true, "may": true, "june": true,
	"july": true, "august": true, "september": true, "october": true, "november": true, "december": true,
	"jan": true, "feb": true, "mar": true, "apr": true, "jun": true, "jul": true,
	"aug": true, "sep": true, "sept": true, "oct": true, "nov": true, "dec": true,
}

func number(word string) bool {
	digits := strings.TrimPrefix(word, "v")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return months[word]
	}
	return len(digits) <= longestNumber
}

// compareVersions orders names of versions by their numbers, those without any, such as
// latest and next, last.
func compareVersions(a, b string) int {
	numbers := func(name string) []int {
		var out []int
		for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r < '0' || r > '9' }) {
			n, _ := strconv.Atoi(part)
			out = append(out, n)
		}
		return out
	}
	x, y := numbers(a), numbers(b)
	if a == "" || b == "" {
		return cmp.Compare(len(a), len(b))
	}
	if len(x) == 0 || len(y) == 0 {
		return cmp.Compare(len(y), len(x))
	}
	return slices.Compare(x, y)
}
