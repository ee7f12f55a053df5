package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// inlineSetting is a setting with its value in the midst of a text: `photo.max_size: 8MB`.
var inlineSetting = schema.Expression("^`([A-Za-z][A-Za-z0-9_.-]*)( *[:=] *)([^ `'\"<>{}$]+)`$")

// advising are words of a sentence that says what to set, and not what is set.
var advising = wordSet(`set change use put add try pass raise lower increase decrease export append write turn enable disable override default defaults`)

// longestSettingText is how many bytes a text has at most in which settings are read: all of it says
// whether they are in force.
const longestSettingText = 1200

// inline reads the settings that a sentence gives as code. What it says besides stands near them.
func (x *sayer) inline(b *block, tokens []token) {
	if b.span.Len() > longestSettingText {
		return
	}
	for i := range tokens {
		if tokens[i].kind != 'c' || tokens[i].link >= 0 {
			continue
		}
		span := tokens[i].span
		src := x.page.Source
		for span.Start > b.span.Start && src[span.Start] != '`' {
			span.Start--
		}
		for span.End < b.span.End && (span.End == span.Start || src[span.End-1] != '`') {
			span.End++
		}
		m := inlineSetting().FindSubmatch(span.In(src))
		if m == nil || strings.HasPrefix(string(m[3]), "//") {
			continue
		}
		text := oneLine(b.span.In(src))
		if shows(text) || anyWord(text, advising) || anyWord(text, showingFirst) {
			continue
		}
		s := x.begin(schema.OriginCode, span)
		if s == nil {
			return
		}
		for k := range tokens {
			if k != i && tokens[k].word != "" && tokens[k].kind == 'w' {
				s.Near = append(s.Near, tokens[k].word)
			}
			if tokens[k].is(isScope) && !tokens[k].capital {
				s.Scope = append(s.Scope, tokens[k].text)
			}
		}
		start := span.Start + 1 + len(m[1]) + len(m[2])
		l := &setLine{key: string(m[1]), value: schema.Span{Start: start, End: start + len(m[3])}}
		if parts := strings.Split(l.key, "."); len(parts) > 1 {
			l.path, l.key = parts[:len(parts)-1], parts[len(parts)-1]
		}
		x.setting(s, l, string(m[3]), nil)
	}
}
