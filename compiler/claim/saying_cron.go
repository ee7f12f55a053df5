package claim

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// cronLine is a line of a crontab: when, what, and the comment above it.
type cronLine struct {
	when, note schema.Span
	command    string
}

// cronLanguages are the languages that a fence with a crontab gives.
var cronLanguages = wordSet(`cron crontab text txt console`)

// crontab returns the lines of a block that is a crontab from its first line to the last, as
// crontab(5) has them; none of other blocks, and of commands alone.
func crontab(src []byte, f *schema.Fence) (out []cronLine) {
	if f.Language != "" && !cronLanguages[f.Language] {
		return nil
	}
	var above schema.Span
	for at := f.Content.Start; at < f.Content.End && len(out) < mostSettings; {
		end := f.Content.End
		if i := bytes.IndexByte(src[at:end], '\n'); i >= 0 {
			end = at + i
		}
		line := schema.Span{Start: at, End: end}
		at = end + 1
		text := strings.TrimSpace(string(line.In(src)))
		switch {
		case text == "":
			above = schema.Span{}
			continue
		case text[0] == '#':
			above = schema.Span{Start: line.Start + strings.IndexByte(string(line.In(src)), '#') + 1, End: line.End}
			continue
		}
		fields := strings.Fields(text)
		if len(fields) < 6 || len(text) > longestSetting {
			return nil
		}
		when := strings.Join(fields[:5], " ")
		start := strings.Index(string(line.In(src)), when)
		if cronFields(when) == nil || start < 0 {
			return nil
		}
		start += line.Start
		out = append(out, cronLine{schema.Span{Start: start, End: start + len(when)}, above, strings.Join(fields[5:], " ")})
		above = schema.Span{}
	}
	return out
}

// scheduled adds the sayings of the lines of a crontab: what the comment above says runs then, or
// else the command.
func (x *sayer) scheduled(lines []cronLine, intro string) {
	for i := range lines {
		l := &lines[i]
		s := x.begin(schema.OriginCode, l.when)
		if s == nil {
			return
		}
		command := x.words.Concepts(l.command)
		s.Near = append(x.words.Concepts(intro), x.words.concept("start"), x.words.concept("run"))
		if l.note.Len() > 0 {
			x.purpose(s, (&tokenizer{page: x.page, words: x.words, link: len(x.page.Links)}).read(l.note))
			s.Near = append(s.Near, command...)
		} else {
			for _, w := range command {
				s.Words = append(s.Words, SaidWord{Concept: w, Link: -1, At: -1, Label: true})
			}
		}
		text := string(l.when.In(x.page.Source))
		for _, o := range occasions(text) {
			s.Values = append(s.Values, SaidValue{Span: l.when, Text: text, Value: o, Class: classOfValue(&o)})
		}
		x.end(s)
	}
}
