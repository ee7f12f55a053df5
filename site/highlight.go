package site

import (
	"bytes"
	"html"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Code beyond these bounds is shown plain: the lexers are made of backtracking
// expressions, and the code is whatever somebody pasted.
const (
	maxHighlightBytes = 24 << 10 // of one block
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

func lexerFor(language string) chroma.Lexer {
	if l, ok := lexerCache.Load(language); ok {
		return l.(chroma.Lexer)
	}
	if !lexerNames()[strings.ToLower(language)] {
		return nil
	}
	l := lexers.Get(language)
	if l == nil {
		return nil
	}
	l = chroma.Coalesce(l)
	lexerCache.Store(language, l)
	return l
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
func colour(lexer chroma.Lexer, code string) (out string, ok, slow bool) {
	tokens, err := lexer.Tokenise(nil, code)
	if err != nil {
		return "", false, false
	}
	var b strings.Builder
	b.Grow(len(code) * 2)
	size := 0
	before := time.Now()
	for t := tokens(); t != chroma.EOF; t = tokens() {
		now := time.Now()
		if now.Sub(before) >= matchTimeout {
			return "", false, true
		}
		before = now
		size += len(t.Value)
		writeToken(&b, t)
	}
	if time.Since(before) >= matchTimeout {
		return "", false, true
	}
	return b.String(), size >= len(code), false // else the lexer gave up; nothing of the code may be lost
}

func writeToken(b *strings.Builder, t chroma.Token) {
	class := tokenClass(t.Type)
	if class == "" || strings.TrimSpace(t.Value) == "" {
		b.WriteString(html.EscapeString(t.Value))
		return
	}
	b.WriteString(`<span class="t-`)
	b.WriteString(class)
	b.WriteString(`">`)
	b.WriteString(html.EscapeString(t.Value))
	b.WriteString("</span>")
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
