package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// eachWord calls f with every folded word of text and its span; the text is at offset
// base. The word is overwritten by the next one.
func eachWord(text []byte, base int, f func(word []byte, at schema.Span)) {
	var buf []byte
	for i := 0; i < len(text); {
		start, ascii := i, true
		buf = buf[:0]
		for i < len(text) {
			c := text[i]
			if c < utf8.RuneSelf {
				if !asciiWord[c] {
					break
				}
				if 'A' <= c && c <= 'Z' {
					c += 'a' - 'A'
				}
				buf = append(buf, c)
				i++
				continue
			}
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
				break
			}
			buf = append(buf, text[i:i+size]...)
			ascii = false
			i += size
		}
		if i == start {
			_, size := utf8.DecodeRune(text[i:])
			i += size
			continue
		}
		if !ascii {
			buf = append(buf[:0], fold(string(text[start:i]))...)
		}
		f(buf, schema.Span{Start: base + start, End: base + i})
	}
}

// asciiWord holds the bytes below 0x80 that words are made of.
var asciiWord = func() (m [utf8.RuneSelf]bool) {
	for c := range m {
		m[c] = '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return m
}()

// wordsOf returns the words of a short text, folded.
func wordsOf(text string) []string {
	var out []string
	eachWord([]byte(text), 0, func(word []byte, _ schema.Span) { out = append(out, string(word)) })
	return out
}

// prose returns the parts of a page's body that are running text; see
// [linter.Prose].
func prose(page *schema.Page) []schema.Span { return linter.Prose(page) }

// everyday lists words that, alone, are a page's title far more often than
// they mean that page.
var everyday = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`
		about access account action actions address agent agents analysis answer api apis appendix application approach
		architecture archive article articles asset assets author background backup base basic basics batch behavior behaviour best
		book branch build builds cache caching case cases category change changelog changes chapter check checks class classes
		client code collection command commands comment common company component components concept concepts conclusion config
		configuration connection constraints contact container content contents context contract contribute contributing contributors core
		cost credits daily data database dataset datasets date debugging decision decisions default definition demo dependencies
		deploy deployment design detail details develop development diagram discussion docs document documentation domain draft
		edge editor engine entities entity environment error errors event events example examples experiment extension external
		features feature feedback field fields file files filter filters final first flow folder format formats framework from
		frontend function functions future general getting glossary goal goals group groups guide guides handler help helper history
		home host hosting idea ideas image images implementation import index info information inbox input install installation
		integration integrations interface internal internals introduction issue issues item items journal json kernel keyword knowledge
		language layer layout legacy level library license licensing link links list lists local location logging login logs main
		maintenance management manager manual mapping market media meeting memory message messages meta metadata method methods
		metrics migration miscellaneous mode model models module modules monitoring name network news note notes object objectives
		observability operation operations option options order other output outline overview package packages page pages parameters
		parser part parts path pattern patterns people performance permissions person pipeline place plan planning plans platform plugin
		plugins policy pricing principle principles privacy problem process product profile program progress project projects prompt
		properties property protocol provider providers purpose python queries query question questions queue quick quickstart readme
		reading reason recipes record reference references release releases report reports repository request requirements research
		resource resources response result results review risk risks roadmap role roles root route router routing rule rules runtime
		sample samples schedule schema scope script scripts search section security server service services session sessions setting
		settings setup site skill skills software solution source sources specification stack standard standards start state statistics
		status step steps storage store story strategy string structure style subject summary support syntax system systems table
		tables tags target task tasks team teams technology template templates term terms test testing tests text theme theory this
		time title todo token tokens tool tooling tools topic topics tracing training transport troubleshooting tutorial type types update
		updates usage user users utilities utils value values variable variables version versions video view views vision weekly welcome
		what when where which wiki with work worker workers workflow workflows workspace world writing`) {
		m[w] = true
	}
	return m
}()
