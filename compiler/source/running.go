package source

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// running is a text without its line breaks: the words of a paragraph follow each other
// with one space between them, however its lines are wrapped, its cells are padded or its
// items are marked. Around each block stands [blockEnd] as a word.
type running struct {
	text  string
	lines []schema.Span // of the words of each line, empty for a line without any
}

// blockEnd is the word between two blocks. A line of code is a block.
const blockEnd = "\n"

// newRunning reads a text.
func newRunning(src []byte) *running {
	var b strings.Builder
	r := &running{}
	b.Grow(len(src) + len(src)/8)
	b.WriteString(" " + blockEnd + " ")
	ended := true
	end := func() {
		if !ended {
			b.WriteString(blockEnd + " ")
		}
		ended = true
	}
	code := false
	for line := range bytes.Lines(src) {
		line = bytes.TrimLeft(line, " \t>")
		fence := bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
		if fence {
			code = !code
		}
		marked, rest := itemMark(line)
		if code || fence || marked {
			end()
		}
		start := b.Len()
		for word := range bytes.FieldsFuncSeq(rest, func(c rune) bool { return c == ' ' || c == '\t' || c == '|' || c == '\r' || c == '\n' }) {
			b.Write(word)
			b.WriteByte(' ')
			ended = false
		}
		r.lines = append(r.lines, schema.Span{Start: start, End: b.Len()})
		if code || fence || b.Len() == start || line[0] == '#' || line[0] == '|' {
			end()
		}
	}
	end()
	r.text = b.String()
	return r
}

// itemMark reports whether a line begins a block of its own, as headings, rows and items
// of lists do, and returns what follows the mark of an item.
func itemMark(line []byte) (marked bool, rest []byte) {
	digits := len(line) - len(bytes.TrimLeft(line, "0123456789"))
	switch {
	case len(line) < 2:
		return false, line
	case line[0] == '#' || line[0] == '|':
		return true, line
	case bytes.IndexByte([]byte("-*+"), line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t'):
		return true, line[1:]
	case digits > 0 && digits+1 < len(line) && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ':
		return true, line
	}
	return false, line
}

// phrase is a line as it is looked for in other versions: its words, and these with the
// word before and the one behind them.
type phrase struct {
	line, text string
	key        string // the rarest word of the line, and where that stands in text
	at         int
}

// phrase returns that of a line, from 1, and where the line begins; ok is false for a
// line without words. count says how often each word stands in the text.
func (r *running) phrase(line int, count map[string]int) (p phrase, begins int, ok bool) {
	if line > len(r.lines) || r.lines[line-1].Len() == 0 {
		return phrase{}, 0, false
	}
	of := r.lines[line-1]
	start := strings.LastIndexByte(r.text[:of.Start-1], ' ')
	end := of.End + strings.IndexByte(r.text[of.End:], ' ') + 1
	p.line, p.text = r.text[of.Start:of.End], r.text[start:end]
	for at, word := range eachWord(r.text[of.Start-1 : of.End]) {
		if p.key == "" || count[word] < count[p.key] {
			p.key, p.at = word, of.Start-1-start+at
		}
	}
	return p, of.Start, true
}

// eachWord yields the words of a running text and where they stand.
func eachWord(text string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at := 1; at < len(text); {
			n := strings.IndexByte(text[at:], ' ')
			if !yield(at, text[at:at+n]) {
				return
			}
			at += n + 1
		}
	}
}

// phrases are the lines that are looked for.
type phrases struct {
	all           []phrase
	byKey, byLine map[string][]int
}

func (p *phrases) add(one phrase) {
	i := len(p.all)
	p.all = append(p.all, one)
	p.byKey[one.key], p.byLine[one.line] = append(p.byKey[one.key], i), append(p.byLine[one.line], i)
}

// standing is how often a phrase stands in a text: as a line, and anyhow wrapped.
type standing struct{ lines, wrapped int }

// count says how often each phrase stands in a text, up to a place for each; nil is the
// end for all.
func (p *phrases) count(in *running, upTo []int) []standing {
	out := make([]standing, len(p.all))
	for _, l := range in.lines {
		for _, i := range p.byLine[in.text[l.Start:l.End]] {
			if upTo == nil || l.Start <= upTo[i] {
				out[i].lines++
			}
		}
	}
	for at, word := range eachWord(in.text) {
		for _, i := range p.byKey[word] {
			start := at - p.all[i].at
			if start >= 0 && strings.HasPrefix(in.text[start:], p.all[i].text) && (upTo == nil || start+1 < upTo[i]) {
				out[i].wrapped++
			}
		}
	}
	return out
}
