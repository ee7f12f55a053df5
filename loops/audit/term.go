package audit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var (
	// word is a run of capitalised words, or any other word.
	word = schema.Expression(`\p{Lu}[\pL\pN_]+(?:(?:-|[ \n] *)\p{Lu}[\pL\pN_]+)*|[\pL_][\pL\pN_]*`)
	// isIdentifier is an identifier in code that is long enough to mean something.
	isIdentifier = schema.Expression(`^[\pL_][\pL\pN_]{3,}$`)
	// label is a title or the name of a control: in quotes or emphasised.
	label = schema.Expression("\\*[^*\n]+\\*|\\b_[^_\n]+_\\b|\"[^\"\n]+\"|“[^”\n]+”")
	// listsSources is a heading below which works of others are listed.
	listsSources = schema.Expression(`(?i)\b(?:references?|bibliography|reading|sources|citations|literature)\b`)
	// numbered is the last word of a part of a text.
	numbered = schema.Expression(`(?i) (?:annex|appendix|article|chapter|ch|class|figure|level|part|phase|section|step|table|title|vol)$`)
)

// eachWord calls f for the words of a page's running text, in order.
func eachWord(page *schema.Page, f func(text string, at schema.Span)) {
	for _, s := range linter.Prose(page) {
		for _, m := range word().FindAllIndex(s.In(page.Source), -1) {
			at := schema.Span{Start: s.Start + m[0], End: s.Start + m[1]}
			f(strings.Join(strings.Fields(string(at.In(page.Source))), " "), at)
		}
	}
}

// namesIn returns the words of a text that is a name.
func namesIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

// foldName makes one name of spellings that differ in case, hyphens and a plural's s.
func foldName(text string) string {
	return strings.TrimSuffix(strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text), "s")
}

// between reports whether a rune is between the words of a name.
func between(r rune) bool { return r == ' ' || r == '-' }

// ofOthers returns the parts of a page that name works of others, or what a screen shows:
// lists of sources, titles and labels, in order.
func ofOthers(page *schema.Page) []schema.Span {
	var out []schema.Span
	for i := range page.Headings {
		if listsSources().MatchString(page.Headings[i].Text) {
			end := len(page.Source)
			if i+1 < len(page.Headings) {
				end = page.Headings[i+1].Span.Start
			}
			out = append(out, schema.Span{Start: page.Headings[i].Span.Start, End: end})
		}
	}
	for _, m := range label().FindAllIndex(page.Source, -1) {
		out = append(out, schema.Span{Start: m[0], End: m[1]})
	}
	slices.SortFunc(out, func(a, b schema.Span) int { return a.Start - b.Start })
	return out
}

// writtenOut reports whether a name is in bold, or next to brackets: GC (garbage
// collection), or the other way round.
func writtenOut(src []byte, at schema.Span) bool {
	before, after := string(src[max(0, at.Start-3):at.Start]), string(src[at.End:min(len(src), at.End+5)])
	return strings.HasSuffix(before, "(") || strings.HasPrefix(strings.TrimLeft(after, "*_`s \n"), "(") ||
		strings.HasSuffix(strings.TrimRight(before, "`"), "**") && strings.HasPrefix(strings.TrimLeft(after, "`"), "**")
}

// partOfLonger reports whether a word is part of a path, an address or a number.
func partOfLonger(src []byte, at schema.Span) bool {
	return at.Start > 0 && strings.IndexByte(`\/@#$.:-&+`, src[at.Start-1]) >= 0 || at.End < len(src) && strings.IndexByte(`\/@#-=&`, src[at.End]) >= 0
}

// beginsSentence reports whether a word is the first of a sentence, a list item or a cell.
func beginsSentence(src []byte, at int) bool {
	before := strings.TrimRight(string(src[max(0, at-8):at]), " \"'*_([`")
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || r != ',' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// wanted reports whether a name is of a kind that needs an explanation.
func (l *lexicon) wanted(text string) bool {
	words := strings.FieldsFunc(text, between)
	if len(words) == 1 {
		return (abbreviation(text) || codeLike(text) && !household[strings.ToLower(text)]) && !l.lower[strings.ToLower(text)]
	}
	return !numbered().MatchString(text) && !slices.ContainsFunc(words, func(w string) bool {
		return !abbreviation(w) && l.common[strings.ToLower(w)] <= 0
	})
}

// longestAbbreviation is in letters.
const longestAbbreviation = 6

// abbreviation reports whether a word is one that not everybody knows.
func abbreviation(w string) bool {
	known := linter.WellKnown(w) || linter.WellKnown(strings.TrimRight(w, "0123456789"))
	return len(w) > 2 && len(w) <= longestAbbreviation && w == strings.ToUpper(w) && w != strings.ToLower(w) && !known
}

// codeLike reports whether a word is written as identifiers are: with capitals inside, or
// with underscores.
func codeLike(w string) bool {
	w = strings.Trim(w, "_")
	return strings.Contains(w, "_") || w != strings.ToLower(w) && w != strings.ToUpper(w) && strings.LastIndexFunc(w, unicode.IsUpper) > 0
}

// household are names written like identifiers that need no explanation.
var household = map[string]bool{
	"apis": true, "chatgpt": true, "gib": true, "github": true, "gitlab": true, "ids": true, "javascript": true, "kib": true, "linkedin": true,
	"macos": true, "mib": true, "oauth": true, "openai": true, "postgresql": true, "powershell": true, "prs": true, "tib": true, "typescript": true,
	"urls": true, "youtube": true,
}
