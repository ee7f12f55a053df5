package site

import (
	"bytes"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/loopwiki/wiki/schema"
)

// Code beyond these limits is shown plain: the lexers use backtracking expressions, and
// the code is untrusted.
const (
	maxHighlightBytes = schema.MaxHighlight // of one block
	maxHighlightLine  = 1000
	maxPageHighlight  = 96 << 10 // of a page and what it embeds
)

// lexerNames are the names and aliases of all languages, in lower case. A
// fence may say anything, and asking chroma for a language it does not know
// makes it try hundreds of file name patterns.
var lexerNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, n := range lexers.Names(true) {
		names[strings.ToLower(n)] = true
	}
	return names
})

// lexerCache maps a language as written in a fence to its lexer.
var lexerCache sync.Map

func lexerFor(language string) *lexer {
	if l, ok := lexerCache.Load(language); ok {
		return l.(*lexer)
	}
	if !lexerNames()[strings.ToLower(language)] {
		return nil
	}
	l := lexers.Get(language)
	if l == nil {
		return nil
	}
	known, _ := lexerCache.LoadOrStore(language, newLexer(l))
	return known.(*lexer)
}

// highlight colours code with classes; see theme.CodeColors.
func highlight(language string, code []byte) (string, bool) {
	if language == "" || len(code) > maxHighlightBytes || longestLine(code) > maxHighlightLine {
		return "", false
	}
	code = bytes.ReplaceAll(code, []byte("\r\n"), []byte("\n"))
	lexer := lexerFor(language)
	if lexer == nil {
		return "", false
	}
	for range maxAttempts {
		if out, ok, slow := colour(lexer, string(code)); !slow {
			return out, ok
		}
	}
	return "", false
}

// chroma drops a match that takes longer than this by the clock, as if the
// expression did not fit. A loaded machine can take that long over anything,
// and the same code must not look different then.
const (
	matchTimeout = 250 * time.Millisecond
	maxAttempts  = 3
)

// colour runs a lexer over code. slow is set when a match may have been dropped.
func colour(l *lexer, code string) (out string, ok, slow bool) {
	p := painters.Get().(*painter)
	defer painters.Put(p)
	p.out, p.kind, p.value, p.size = p.out[:0], chroma.None, p.value[:0], 0
	if ok, slow = l.colour(p, code); !ok || slow {
		return "", false, slow
	}
	p.flush()
	return string(p.out), p.size >= len(code), false // else the lexer gave up; nothing of the code may be lost
}

var painters = sync.Pool{New: func() any { return new(painter) }}

// painter writes tokens as HTML, those of one kind that follow each other as one.
type painter struct {
	out   []byte
	kind  chroma.TokenType // of the tokens that are not written yet
	value []byte           // of them
	size  int              // of all tokens in bytes
}

// maxToken is the longest merged token, as in chroma.
const maxToken = 8192

func (p *painter) next(kind chroma.TokenType) {
	if kind != p.kind || len(p.value) >= maxToken {
		p.flush()
		p.kind = kind
	}
}

func (p *painter) token(kind chroma.TokenType, value string) {
	if value != "" {
		p.next(kind)
		p.value = append(p.value, value...)
		p.size += len(value)
	}
}

func (p *painter) runes(kind chroma.TokenType, value []rune) {
	if len(value) == 0 {
		return
	}
	p.next(kind)
	before := len(p.value)
	for _, r := range value {
		p.value = utf8.AppendRune(p.value, r)
	}
	p.size += len(p.value) - before
}

// all writes the tokens of an iterator. slow is set when a match may have been
// dropped on the way, ended when the iterator came to its end: some go from
// empty token to empty token forever.
func (p *painter) all(next chroma.Iterator) (ended, slow bool) {
	before, idle := time.Now(), 0
	for t := next(); ; t = next() {
		now := time.Now()
		if now.Sub(before) >= matchTimeout {
			return false, true
		}
		if t == chroma.EOF {
			return true, false
		}
		if before = now; t.Type != chroma.Ignore {
			p.token(t.Type, t.Value)
		}
		if idle++; t.Value != "" {
			idle = 0
		}
		if idle > maxIdle {
			return false, false
		}
	}
}

func (p *painter) flush() {
	class := tokenClass(p.kind)
	if class == "" || len(bytes.TrimSpace(p.value)) == 0 {
		p.out = appendHTML(p.out, p.value)
	} else {
		p.out = append(append(append(p.out, `<span class="t-`...), class...), `">`...)
		p.out = append(appendHTML(p.out, p.value), "</span>"...)
	}
	p.value = p.value[:0]
}

// appendHTML escapes text as [html.EscapeString] does.
func appendHTML(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '\'':
			dst = append(dst, "&#39;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&#34;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// tokenClass sorts chroma's two hundred token types into the few groups that
// have a colour.
func tokenClass(t chroma.TokenType) string {
	switch t {
	case chroma.KeywordType, chroma.NameClass, chroma.NameException, chroma.NameNamespace:
		return "t"
	case chroma.KeywordConstant, chroma.NameConstant, chroma.LiteralDate:
		return "n"
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameBuiltin:
		return "f"
	case chroma.NameAttribute, chroma.NameTag, chroma.NameDecorator, chroma.NameEntity, chroma.NameProperty:
		return "a"
	case chroma.GenericDeleted, chroma.GenericError:
		return "d"
	case chroma.GenericInserted:
		return "i"
	case chroma.GenericHeading, chroma.GenericSubheading, chroma.GenericPrompt:
		return "h"
	case chroma.OperatorWord:
		return "k"
	}
	switch t.Category() {
	case chroma.Keyword:
		return "k"
	case chroma.Comment:
		return "c"
	}
	switch t.SubCategory() {
	case chroma.LiteralString:
		return "s"
	case chroma.LiteralNumber:
		return "n"
	}
	return ""
}

func longestLine(code []byte) int {
	longest := 0
	for line := range bytes.Lines(code) {
		longest = max(longest, len(line))
	}
	return longest
}
