package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// named are the nouns of things that programs know by a name, which texts write as code.
var named = wordSet(`bucket queue topic branch repository repo channel table schema database namespace cluster bot account group role label tag folder
	directory file script command header cookie index image container host hostname domain level profile stream collection secret job flag event metric alias endpoint parameter attribute prefix suffix exchange image metric dataset view bucket`)

// ClassNamed is what the classes of such names begin with; the noun follows.
const ClassNamed = "class:named:"

// codeName returns as what a name written as code is compared: the branch `stable`, the branch of the
// release is called `stable`; empty for others.
func (s *statement) codeName(i int) string {
	t := &s.tokens[i]
	if t.kind != 'c' || i == 0 || !plainName(t.text) || i+1 < len(s.tokens) && (s.tokens[i+1].kind == 'c' || wordIn(s.tokens[i+1].text, "and", "or") && i+2 < len(s.tokens) && s.tokens[i+2].kind == 'c') {
		return ""
	}
	before := s.word(i - 1)
	if named[before] && s.tokens[i-1].kind == 'w' {
		return ClassNamed + s.tokens[i-1].word
	}
	if !wordIn(before, "called", "named", "is", ":") || s.negative {
		return ""
	}
	for k := range s.tokens[:i-1] {
		switch w := s.word(k); {
		case !named[w] || s.tokens[k].kind != 'w':
		case wordIn(s.word(k+1), "of", "for", "in", "is", ":") || s.tokens[k+1].is(isAuxiliary|isVerb):
			return ClassNamed + s.tokens[k].word
		}
	}
	return ""
}

// plainName reports whether a text written as code is a name and neither a setting nor a call.
func plainName(text string) bool {
	return len(text) > 1 && !strings.ContainsAny(text, " =:(){}<>$*|") && !strings.HasPrefix(text, "-") && strings.Trim(text, "0123456789.") != ""
}

// codeCell returns as what the only name of a cell is compared that is written as code, by the head of its
// column; empty for others.
func (x *sayer) codeCell(head string, cell schema.Cell) (class, name string) {
	text := strings.TrimSpace(string(cell.Span.In(x.page.Source)))
	if len(text) < 4 || text[0] != '`' || strings.IndexByte(text[1:], '`') != len(text)-2 || !plainName(text[1:len(text)-1]) {
		return "", ""
	}
	words := split(head)
	if len(words) == 0 || !named[words[len(words)-1]] || words[len(words)-1] == "job" {
		return "", ""
	}
	return ClassNamed + x.words.concept(words[len(words)-1]), strings.ToLower(text[1 : len(text)-1])
}

// codeValue adds the name that a cell gives, written as code.
func (x *sayer) codeValue(s *Saying, head string, cell schema.Cell) bool {
	class, name := x.codeCell(head, cell)
	if class == "" {
		return false
	}
	s.Values = append(s.Values, SaidValue{Span: cell.Span, Text: strings.TrimSpace(cell.Text), Class: class, Value: schema.Value{Kind: schema.ValueName, Words: []string{name}}})
	return true
}
