package schema

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Naming is how the files of pages are named.
type Naming struct {
	Text    string // as given
	pattern *regexp.Regexp
}

// NamingStyles are the names of the ways to name pages that need no pattern.
var NamingStyles = []string{"kebab", "snake", "title", "date-prefixed"}

// stylePatterns match names of each style. A single lower-case word is both kebab and
// snake.
var stylePatterns = map[string]func() *regexp.Regexp{
	"kebab":         Expression(`^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}.]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}.]+)*$`),
	"snake":         Expression(`^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}.]+(?:_[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}.]+)*$`),
	"title":         Expression(`^[^\p{Ll}\s_](?:[^_]*|.* .*)$`),
	"date-prefixed": Expression(`^\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?:$|[-_ ].+$)`),
}

// ParseNaming reads one of [NamingStyles], or a regular expression for whole
// names. A single word that is not a style is refused: it would match one name.
func ParseNaming(text string) (Naming, error) {
	if re := stylePatterns[text]; re != nil {
		return Naming{text, re()}, nil
	}
	if regexp.QuoteMeta(text) == text {
		if near, ok := Nearest(text, NamingStyles); ok {
			return Naming{}, fmt.Errorf("%q is unknown: did you mean %q?", text, near)
		}
		return Naming{}, fmt.Errorf("%q is unknown: expected %s, or a regular expression", text, strings.Join(NamingStyles, ", "))
	}
	if _, _, err := CompilePattern(text); err != nil {
		return Naming{}, fmt.Errorf("%q is not a valid regular expression (%w): expected %s, or one such as ^adr-[0-9]+", text, err, strings.Join(NamingStyles, ", "))
	}
	return Naming{text, regexp.MustCompile("^(?:" + text + ")$")}, nil
}

// Fits reports whether a file name without its extension is named so. The
// zero Naming fits every name.
func (n Naming) Fits(stem string) bool { return n.pattern == nil || n.pattern.MatchString(stem) }

// Suggest returns stem converted to the style, or "" for a custom pattern, or a name
// without letters.
func (n Naming) Suggest(stem string) string {
	var name string
	switch n.Text {
	case "kebab":
		name = strings.ToLower(strings.Join(nameWords(stem), "-"))
	case "snake":
		name = strings.ToLower(strings.Join(nameWords(stem), "_"))
	case "title":
		words := nameWords(stem)
		for i, w := range words {
			r := []rune(w)
			words[i] = string(unicode.ToTitle(r[0])) + string(r[1:])
		}
		name = strings.Join(words, " ")
	}
	if name == stem || !n.Fits(name) {
		return ""
	}
	return name
}

// nameWords splits a name into words, at punctuation and at capitals inside a word.
func nameWords(stem string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	prev := ' '
	for _, r := range stem {
		switch {
		case r == '.' && len(word) > 0:
			word = append(word, r)
		case !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r):
			if r != '\'' && r != '’' {
				end()
			}
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			end()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		prev = r
	}
	end()
	return words
}
