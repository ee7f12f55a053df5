package search

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	segmenter "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/registry"
	"golang.org/x/text/unicode/norm"
)

// analyzerName is what bleve knows the analyzer of pages by.
const analyzerName = "wiki"

// maxTerm is the longest term kept, in bytes. Longer ones are cut, in pages
// and in queries alike, so that a page of one endless word costs no more than
// another.
const maxTerm = 128

func init() {
	err := registry.RegisterAnalyzer(analyzerName, func(map[string]any, *registry.Cache) (analysis.Analyzer, error) {
		return pageAnalyzer, nil
	})
	if err != nil {
		panic(err) // two packages of one program claim the name
	}
}

// pageAnalyzer cuts text at Unicode's word boundaries and gives CJK text as
// pairs of characters, for want of a dictionary that would fit. Of other
// words it gives, at one position, the word as written, its English stem, and
// the parts of an identifier and their stems.
var pageAnalyzer analysis.Analyzer = &analysis.DefaultAnalyzer{
	Tokenizer:    segmenter.NewUnicodeTokenizer(),
	TokenFilters: []analysis.TokenFilter{cjk.NewCJKWidthFilter(), cjk.NewCJKBigramFilter(false), formsFilter{}},
}

// plainAnalyzer cuts text as pageAnalyzer does and gives words as written only.
var plainAnalyzer analysis.Analyzer = &analysis.DefaultAnalyzer{
	Tokenizer:    segmenter.NewUnicodeTokenizer(),
	TokenFilters: []analysis.TokenFilter{cjk.NewCJKWidthFilter(), cjk.NewCJKBigramFilter(false)},
}

// formsFilter replaces every word by its forms. It comes after the bigrams,
// which number positions anew.
type formsFilter struct{}

func (formsFilter) Filter(in analysis.TokenStream) analysis.TokenStream {
	f := forms{out: make(analysis.TokenStream, 0, len(in)*3/2)}
	for _, t := range in {
		if isCJK(t) {
			f.out = append(f.out, t)
			continue
		}
		f.add(t, fold(t.Term))
		for _, part := range identifierParts(t.Term) {
			f.add(t, fold(part))
		}
	}
	return f.out
}

// forms collects tokens, allocated by the slab: there is one for every word of the wiki.
type forms struct {
	out  analysis.TokenStream
	slab []analysis.Token
}

// add puts a word and its stem at t's position, each form once.
func (f *forms) add(t *analysis.Token, word string) {
	f.addForm(t, word)
	if s := stem(word); s != word {
		f.addForm(t, s)
	}
}

func (f *forms) addForm(t *analysis.Token, form string) {
	for i := len(f.out) - 1; i >= 0 && f.out[i].Position == t.Position; i-- {
		if string(f.out[i].Term) == form {
			return
		}
	}
	if len(f.slab) == 0 {
		f.slab = make([]analysis.Token, 64)
	}
	n := &f.slab[0]
	f.slab = f.slab[1:]
	*n = analysis.Token{Term: []byte(form), Start: t.Start, End: t.End, Position: t.Position, Type: t.Type}
	f.out = append(f.out, n)
}

// isCJK reports whether the token is one or two characters of running CJK text.
func isCJK(t *analysis.Token) bool { return t.Type == analysis.Single || t.Type == analysis.Double }

// fold returns a word in lower case without English possessives and without
// the marks on Latin and Greek letters. Marks of other scripts make other
// letters and stay.
func fold(word []byte) string {
	s := string(word)
	if len(s) > maxTerm {
		s = strings.ToValidUTF8(s[:maxTerm], "")
	}
	s = strings.ToLower(s)
	for _, suffix := range []string{"'s", "’s"} {
		s = strings.TrimSuffix(s, suffix)
	}
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	marked := false // the last base letter is one whose marks are dropped
	for _, r := range norm.NFKD.String(s) {
		if unicode.Is(unicode.Mn, r) {
			if marked {
				continue
			}
		} else {
			marked = unicode.In(r, unicode.Latin, unicode.Greek)
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// stem returns the English stem of a folded word. Words of other alphabets
// and words with digits have none but themselves.
func stem(word string) string {
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && c != '\'' {
			return word
		}
	}
	if len(word) < 3 {
		return word
	}
	if s, ok := stems.Load(word); ok {
		return s.(string)
	}
	t := &analysis.Token{Term: []byte(word)}
	en.NewEnglishStemmerFilter().Filter(analysis.TokenStream{t})
	s := string(t.Term)
	if stemsKept.Add(1) <= maxStems {
		stems.Store(word, s)
	}
	return s
}

// stems keeps the stems of the words met first, which are the frequent ones:
// stemming is a sixth of indexing without.
var (
	stems     sync.Map // of string to string
	stemsKept atomic.Int64
)

const maxStems = 50_000

// identifierParts returns the words that an identifier is made of: those of
// RenderOptions, render_options and render.Options. A word that is none, and a part of
// one letter, give nothing.
func identifierParts(word []byte) [][]byte {
	if !isIdentifier(word) {
		return nil
	}
	var parts [][]byte
	start, prev := 0, rune(0)
	cut := func(end int) {
		if end-start > 1 {
			parts = append(parts, word[start:end])
		}
	}
	for i, size := 0, 0; i < len(word) && len(parts) < maxParts; i += size {
		var r rune
		r, size = utf8.DecodeRune(word[i:])
		next, _ := utf8.DecodeRune(word[i+size:])
		switch {
		case r == '_' || r == '.' || r == ':':
			cut(i)
			start = i + size
		case unicode.IsUpper(r) && (unicode.IsLower(prev) || unicode.IsUpper(prev) && unicode.IsLower(next)):
			cut(i)
			start = i
		}
		prev = r
	}
	if start == 0 {
		return nil
	}
	cut(len(word))
	return parts
}

// maxParts is the most parts an identifier is split into.
const maxParts = 16

// isIdentifier rules out, quickly, words that have only one part.
func isIdentifier(word []byte) bool {
	if bytes.ContainsAny(word, "_.:") {
		return true
	}
	for i := 1; i < len(word); i++ {
		if c := word[i]; 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// plainWords returns the folded words of a text in order, CJK text as pairs.
func plainWords(text string) []string {
	var out []string
	for _, t := range plainAnalyzer.Analyze([]byte(text)) {
		if isCJK(t) {
			out = append(out, string(t.Term))
		} else if w := fold(t.Term); w != "" {
			out = append(out, w)
		}
	}
	return out
}
