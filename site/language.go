package site

import (
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// languageTag is a BCP 47 tag, as far as attributes need it.
var languageTag = schema.Expression(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$`)

// languageOf returns the language of a page and the direction of its text: as its front
// matter says, then the configuration, then its script.
func (s *Site) languageOf(p *schema.Page) (lang, dir string) {
	if v := p.Front.Get("lang"); v.IsScalar() && languageTag().MatchString(v.Text) {
		lang = v.Text
	} else if lang = s.cfg.Language; lang == "" {
		lang = scriptLanguage(p)
	}
	if v := p.Front.Get("dir"); v.IsScalar() && (v.Text == "rtl" || v.Text == "ltr") {
		return lang, v.Text
	}
	return lang, theme.Direction(lang)
}

// language is that of the lists: as configured, else that of most pages, where it is
// known from their script.
func (s *Site) language() string {
	if s.cfg.Language != "" {
		return s.cfg.Language
	}
	return s.mostUsed()
}

func (s *Site) findMostUsed() string {
	count, best := map[string]int{}, defaultLanguage
	step := 1 + len(s.pages)/languageSample
	for i := 0; i < len(s.pages); i += step {
		count[scriptLanguage(s.pages[i])]++
	}
	for _, tag := range []string{"ja", "zh", "ko", "ar", "he"} {
		if count[tag] > count[best] && count[tag]*2*step > len(s.pages) {
			best = tag
		}
	}
	return best
}

const (
	defaultLanguage = "en"
	noLanguage      = "und" // BCP 47: undetermined
	maxScriptBytes  = 8 << 10
	languageSample  = 256 // pages whose scripts tell the language of the lists
)

// scripts are those that tell a language, or that it is unknown. Letters of a script
// that writes a word with few of them weigh more.
var scripts = []struct {
	table  *unicode.RangeTable
	tag    string
	weight int
}{
	{unicode.Han, "zh", 3}, {unicode.Hiragana, "ja", 3}, {unicode.Katakana, "ja", 3}, {unicode.Hangul, "ko", 3},
	{unicode.Arabic, "ar", 1}, {unicode.Hebrew, "he", 1}, {unicode.Latin, defaultLanguage, 1},
	{unicode.Cyrillic, noLanguage, 1}, {unicode.Greek, noLanguage, 1}, {unicode.Devanagari, noLanguage, 1}, {unicode.Bengali, noLanguage, 1},
	{unicode.Thai, noLanguage, 1}, {unicode.Armenian, noLanguage, 1}, {unicode.Georgian, noLanguage, 1}, {unicode.Tamil, noLanguage, 1},
}

// kanaPerHan is how many ideographs may stand beside one kana in Japanese.
const kanaPerHan = 10

// scriptLanguage guesses the language of a page from the script that the beginning of
// its text is written in; code is not counted.
func scriptLanguage(p *schema.Page) string {
	count := map[string]int{}
	budget, from := maxScriptBytes, min(p.Body, len(p.Source))
	for _, f := range p.Fences {
		if f.Span.Start >= from && budget > 0 {
			budget -= countScripts(count, p.Source[from:f.Span.Start], budget)
			from = f.Span.End
		}
	}
	countScripts(count, p.Source[from:], budget)
	if count["ja"]*kanaPerHan >= count["zh"] && count["ja"] > 0 {
		count["ja"] += count["zh"]
		count["zh"] = 0
	}
	best := defaultLanguage
	for _, tag := range []string{"ja", "zh", "ko", "ar", "he", noLanguage} {
		if count[tag] > count[best] {
			best = tag
		}
	}
	return best
}

// countScripts adds the letters of a text and returns how many bytes it read.
func countScripts(count map[string]int, text []byte, most int) int {
	text = text[:min(len(text), max(most, 0))]
	letters := 0 // of ASCII, which most are
	defer func() { count[defaultLanguage] += letters }()
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c|0x20 >= 'a' && c|0x20 <= 'z' {
				letters++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		for _, s := range scripts {
			if unicode.Is(s.table, r) {
				count[s.tag] += s.weight
				break
			}
		}
	}
	return len(text)
}
