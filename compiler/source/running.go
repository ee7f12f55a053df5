package source

import (
	"bytes"
	"slices"
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

// phrase is a line as it is looked for in other versions: by its number among the lines, and
// with the word before it and the one behind it by its number among the texts.
type phrase struct {
	line, text int
	begins     int // where the line stands in the text that it was added from
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

// phrases are the lines that are looked for. Equal ones are kept once: a page may consist
// of them.
type phrases struct {
	lines, texts map[string]int
	keys         []key              // of the texts
	shapes       map[string][]shape // by the word of the key
}

// key is the rarest word of a line, and which part of a text around it is looked up.
type key struct {
	word string
	shape
}

// shape is how long a text is, and where the word of its key stands in it.
type shape struct{ at, length int }

func newPhrases() *phrases {
	return &phrases{lines: map[string]int{}, texts: map[string]int{}, shapes: map[string][]shape{}}
}

// add adds a line of a text, from 1; ok is false for a line without words. count says how
// often each word stands in the text.
func (p *phrases) add(r *running, line int, count map[string]int) (one phrase, ok bool) {
	if line > len(r.lines) || r.lines[line-1].Len() == 0 {
		return phrase{}, false
	}
	of := r.lines[line-1]
	start := strings.LastIndexByte(r.text[:of.Start-1], ' ')
	end := of.End + strings.IndexByte(r.text[of.End:], ' ') + 1
	one = phrase{line: number(p.lines, r.text[of.Start:of.End]), text: number(p.texts, r.text[start:end]), begins: of.Start}
	if one.text < len(p.keys) {
		return one, true
	}
	k := key{shape: shape{length: end - start}}
	for at, word := range eachWord(r.text[of.Start-1 : of.End]) {
		if k.word == "" || count[word] < count[k.word] {
			k.word, k.at = word, of.Start-1-start+at
		}
	}
	p.keys = append(p.keys, k)
	if !slices.Contains(p.shapes[k.word], k.shape) {
		p.shapes[k.word] = append(p.shapes[k.word], k.shape)
	}
	return one, true
}

// number returns the number of a text; a new one gets the next.
func number(of map[string]int, text string) int {
	n, ok := of[text]
	if !ok {
		n = len(of)
		of[text] = n
	}
	return n
}

// places are where each line and each text begins in another text, in order: the one as a
// line, the other however it is wrapped.
type places struct{ lines, texts [][]int }

// find looks for all phrases in a text.
func (p *phrases) find(in *running) places {
	out := places{make([][]int, len(p.lines)), make([][]int, len(p.texts))}
	for _, l := range in.lines {
		if n, ok := p.lines[in.text[l.Start:l.End]]; ok {
			out.lines[n] = append(out.lines[n], l.Start)
		}
	}
	for at, word := range eachWord(in.text) {
		for _, form := range p.shapes[word] {
			start := at - form.at
			if start < 0 || start+form.length > len(in.text) {
				continue
			}
			if n, ok := p.texts[in.text[start:start+form.length]]; ok && p.keys[n] == (key{word, form}) {
				out.texts[n] = append(out.texts[n], start)
			}
		}
	}
	return out
}

// standing is how often a phrase stands in a text: as a line, and anyhow wrapped.
type standing struct{ lines, wrapped int }

// count says how often a phrase stands there.
func (w *places) count(p phrase) standing {
	return standing{len(w.lines[p.line]), len(w.texts[p.text])}
}

// rank says which of the equal ones of its text a phrase is, from 1.
func (w *places) rank(p phrase) standing {
	lines, _ := slices.BinarySearch(w.lines[p.line], p.begins+1)
	wrapped, _ := slices.BinarySearch(w.texts[p.text], p.begins-1)
	return standing{lines, wrapped}
}
