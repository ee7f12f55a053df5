package claim

import (
	"bytes"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// leastRemark is how many words a comment has at least that says something of its own.
const leastRemark = 5

// remarked reads the comments of a block of commands or of a program that are sentences about what is so: raw samples of
// a pass are kept for two weeks. One that says what a command does has no auxiliary.
func (x *sayer) remarked(f *schema.Fence) {
	src := x.page.Source
	t := &tokenizer{page: x.page, words: x.words, link: len(x.page.Links)}
	for at := f.Content.Start; at < f.Content.End; {
		end := f.Content.End
		if i := bytes.IndexByte(src[at:end], '\n'); i >= 0 {
			end = at + i
		}
		line := trimmed(src, schema.Span{Start: at, End: end}, " \t\r")
		at = end + 1
		n := remarkMark(line.In(src))
		if n == 0 || line.Len() > longestSetting {
			continue
		}
		said := trimmed(src, schema.Span{Start: line.Start + n, End: line.End}, " \t*/")
		tokens := t.read(said)
		if len(tokens) < leastRemark || !x.english(said) || !slices.ContainsFunc(tokens[1:], func(t token) bool { return t.is(isAuxiliary) }) {
			continue
		}
		b := &block{span: said}
		sentences(tokens, src, func(tokens []token) { x.sentence(b, tokens, nil, nil) })
	}
}

// remarkMark returns how long the mark is that makes a line of a program a comment, 0 for none.
func remarkMark(text []byte) int {
	for _, mark := range [...]string{"--", "//", "/*", "#"} {
		if rest, ok := bytes.CutPrefix(text, []byte(mark)); ok && len(rest) > 0 && rest[0] == ' ' {
			return len(mark)
		}
	}
	return 0
}
