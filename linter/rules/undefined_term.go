package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "undefined-term",
	Group:    linter.Gaps,
	Severity: schema.Info,
	Since:    since,
	Summary:  "Several pages use an abbreviation that the glossary does not define.",
	Doc: `If a wiki has a glossary, readers expect its terms there. An abbreviation used on three or more pages and
explained on none is one that newcomers and agents have to guess.

It applies only if a page named glossary, or of type glossary, has at least five entries. An abbreviation of
two to five capitals is defined if it is anywhere in the glossary, if a page is named after it or has it in a
heading, if it is written out next to brackets somewhere, ` + "`garbage collection (GC)`" + ` or
` + "`GC (garbage collection)`" + `, or if it is common knowledge, like HTTP. Words in capitals for emphasis are not
abbreviations. Each is reported once, where it is first used. Add it to the glossary, or write it out.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d abbreviations are missing from the glossary; add them. First: %s", n, first.Message)
	},
	Check: undefinedTerm,
})

const (
	fewestDefined = 5 // entries of a glossary
	fewestUsers   = 3 // pages that use an abbreviation
	longestTerm   = 5 // letters of an abbreviation
)

// abbreviations are those that the running text of a page uses, in order.
type abbreviation struct {
	name     string
	at       schema.Span // where it is used first
	explains bool        // it is written out here
}

var abbreviationFact = linter.NewPageFact(func(page *schema.Page) []abbreviation {
	var out []abbreviation
	seen := map[string]int{}
	for _, s := range prose(page) {
		eachAbbreviation(page.Source, s, func(name string, at schema.Span) {
			i, known := seen[name]
			if !known {
				i = len(out)
				seen[name] = i
				out = append(out, abbreviation{name: name, at: at})
			}
			out[i].explains = out[i].explains || writtenOut(page.Source, at)
		})
	}
	return out
})

// eachAbbreviation calls f with every word in capitals in a part of a page, except those
// next to another one, which are shouting.
func eachAbbreviation(src []byte, part schema.Span, f func(name string, at schema.Span)) {
	for i := part.Start; i < part.End; {
		if foldedByte[src[i]] == 0 {
			i++
			continue
		}
		end, upper, other := i, 0, 0
		for end < part.End && (foldedByte[src[end]] != 0 || src[end] == '_') {
			switch c := src[end]; {
			case 'A' <= c && c <= 'Z':
				upper++
			case '0' <= c && c <= '9':
			default:
				other++
			}
			end++
		}
		at := schema.Span{Start: i, End: end}
		if other == 1 && src[end-1] == 's' && upper > 1 { // a plural
			at.End--
			other = 0
		}
		if other == 0 && 2 <= upper && at.Len() <= longestTerm && 'A' <= src[i] && src[i] <= 'Z' && isWholeTerm(src, at) {
			f(string(at.In(src)), at)
		}
		i = end
	}
}

// isWholeTerm reports whether a word is not part of a longer name, and not next to
// another word in capitals.
func isWholeTerm(src []byte, at schema.Span) bool {
	before, after := src[max(0, at.Start-24):at.Start], src[at.End:min(len(src), at.End+24)]
	if len(before) > 0 && bytes.IndexByte([]byte("-./@#:$_&+"), before[len(before)-1]) >= 0 || len(after) > 0 && bytes.IndexByte([]byte("-/@#_=(&+"), after[0]) >= 0 {
		return false
	}
	if len(after) > 1 && (after[0] == '.' || after[0] == ':') && after[1] > ' ' {
		return false
	}
	shouted := func(word []byte) bool {
		word = bytes.Trim(word, "*_.,;:!?")
		return len(word) > 1 && bytes.Equal(word, bytes.ToUpper(word)) && !bytes.Equal(word, bytes.ToLower(word))
	}
	words, next := bytes.Fields(before), bytes.Fields(after)
	return (len(words) == 0 || len(before) > 0 && !shouted(words[len(words)-1])) && (len(next) == 0 || !shouted(next[0]))
}

// writtenOut reports whether an abbreviation is in brackets after words, or
// before words in brackets.
func writtenOut(src []byte, at schema.Span) bool {
	before := bytes.TrimRight(src[max(0, at.Start-4):at.Start], "*_\"'`")
	after := bytes.TrimLeft(src[at.End:min(len(src), at.End+6)], "*_\"'`s ")
	return bytes.HasSuffix(before, []byte("(")) || bytes.HasPrefix(after, []byte("(")) || bytes.HasPrefix(after, []byte("=")) ||
		bytes.HasPrefix(after, []byte("—")) || bytes.HasPrefix(after, []byte(": "))
}

func undefinedTerm(p *linter.Pass) {
	pages := kept(p)
	known := map[string]bool{}
	defined := 0
	for _, page := range pages {
		if glossary(page) {
			defined += entriesIn(page)
			for _, word := range inCapitals(page.Source) {
				known[word] = true
			}
		}
	}
	if defined < fewestDefined {
		return
	}
	uses := map[string]*use{}
	for _, page := range pages {
		for i := range page.Headings {
			known = add(known, inCapitals([]byte(page.Headings[i].Text)))
		}
		known = add(known, inCapitals([]byte(page.Title)))
		for _, name := range append([]string{stem(page.Path)}, aliasNames(page)...) {
			known[strings.ToUpper(name)] = true
		}
		if template(page) || page.Reserved() || inactive(page) != "" {
			continue
		}
		for _, a := range abbreviationFact.Of(p, page) {
			known[a.name] = known[a.name] || a.explains
			if uses[a.name] == nil {
				uses[a.name] = &use{at: a.at}
			}
			uses[a.name].pages = append(uses[a.name].pages, page)
		}
	}
	for _, name := range sortedKeys(uses) {
		u := uses[name]
		if one := strings.TrimRight(name, "0123456789"); len(u.pages) < fewestUsers || known[name] || linter.WellKnown(name) || linter.WellKnown(one) || known[one] || u.shouted(name) {
			continue
		}
		p.ReportCause("terms", u.pages[0].Path, u.at, "%d pages use %q, which neither the glossary nor any page explains; add it to the glossary", len(u.pages), name)
	}
}

// use is where an abbreviation is used.
type use struct {
	pages []*schema.Page
	at    schema.Span // in the first of them
}

// shouted reports whether the name is a word that one of its pages also writes
// in small letters.
func (u *use) shouted(name string) bool {
	word := []byte(" " + strings.ToLower(name) + " ")
	return slices.ContainsFunc(u.pages[:min(len(u.pages), manyNamesakes)], func(page *schema.Page) bool { return bytes.Contains(page.Source, word) })
}

func add(set map[string]bool, words []string) map[string]bool {
	for _, w := range words {
		set[w] = true
	}
	return set
}

func aliasNames(page *schema.Page) []string {
	var out []string
	for _, a := range page.Meta.Aliases {
		out = append(out, a.Name)
	}
	return out
}

// glossary reports whether a page is one, by its name or type.
func glossary(page *schema.Page) bool {
	return slices.Contains(strings.Split(slug(stem(page.Path)), "-"), "glossary") || fold(page.Meta.Type) == "glossary"
}

// entriesIn counts what may be entries of a glossary: headings below the first,
// rows of tables, and lines that begin with a term in bold.
func entriesIn(page *schema.Page) int {
	n := 0
	for i := range page.Headings {
		if page.Headings[i].Level > 1 {
			n++
		}
	}
	for _, t := range page.Tables {
		n += len(t.Rows)
	}
	for line := range bytes.Lines(page.Source[page.Body:]) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " -*+"), []byte("**")) || bytes.HasPrefix(line, []byte("**")) || bytes.HasPrefix(line, []byte("- **")) {
			n++
		}
	}
	return n
}

// inCapitals returns the words of a text in capitals, except for a plural's s.
func inCapitals(text []byte) []string {
	var out []string
	for _, word := range bytes.FieldsFunc(text, func(r rune) bool { return r >= 0x80 || !asciiWord[r] }) {
		word = bytes.TrimSuffix(word, []byte("s"))
		if len(word) > 1 && bytes.Equal(word, bytes.ToUpper(word)) {
			out = append(out, string(word))
		}
	}
	return out
}
