package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// describing returns where what a description tells of begins: behind the words that only say
// that a value is one, as in "interval at which a runner reports", "how long a log is kept",
// "time between two readings", "number of workers".
func (s *statement) describing() int {
	t := s.tokens
	i := 0
	for i < len(t) && t[i].is(isDeterminer) {
		i++
	}
	switch w := s.word(i); {
	case w == "how" && wordIn(s.word(i+1), "many", "much"):
		return i + 2
	case w == "how" && i+1 < len(t), w == "whether" && s.word(i+1) == "to":
		return i + 2
	case wordIn(w, "when", "whether", "where"):
		return i + 1
	case w == "" || !s.x.words.measures(t[i].word) && !(plural(w) && s.isUnit(i)):
		return 0
	}
	at := i + 1
	for at < len(t) && at < i+3 && s.x.words.measures(t[at].word) {
		at++ // the time limit
	}
	switch {
	case s.word(at) == "between":
		at++
		if wordIn(s.word(at), "two", "one", "the", "each", "successive", "consecutive") {
			at++
		}
		return at
	case wordIn(s.word(at), "which", "that", "until", "before", "of", "for"):
		return at + 1
	case wordIn(s.word(at), "at", "after", "for", "in", "within", "during", "by", "to", "with", "over") && s.word(at+1) == "which":
		return at + 2
	case wordIn(s.word(at), "after", "in"):
		return at + 1
	}
	return 0
}

// measures reports whether a concept names what is measured, of any dimension.
func (l *Lexicon) measures(concept string) bool { return l.measured[concept] }

// description returns the terms of what a description tells of; what it adds in brackets or
// behind a comma says more of the value. They are valid until the next call.
func (s *statement) description() []schema.Term {
	from := s.describing()
	to := from
	for to < len(s.tokens) && s.tokens[to].text != "(" && s.tokens[to].text != "," && s.tokens[to].text != ";" {
		to++
	}
	out := s.append(s.x.scratch.terms[:0], from, to, schema.PartSubject)
	for i := range out {
		if out[i].Part == schema.PartSubject {
			out[i].Part = schema.PartObject
		}
	}
	return out
}

// settingUnit returns, in brackets, the unit of the number of a setting that has none: of the column
// that gives it, of the last word of its key, or of the description, "seconds between two
// runs", "timeout in seconds"; empty when none does.
func (x *extraction) settingUnit(t *schema.Table, row []schema.Cell, value int) string {
	if text := plainText(row[value].Text); text == "" || strings.Trim(text, "0123456789.,_ ") != "" {
		return ""
	}
	unit := ""
	for j := 1; j < len(row) && j < len(t.Head); j++ {
		words := split(row[j].Text)
		if j == value || len(words) == 0 {
			continue
		}
		if head := split(t.Head[j].Text); len(head) == 1 && (head[0] == "unit" || head[0] == "units") {
			if unit = plainText(row[j].Text); unit != "" {
				break
			}
		}
		switch last := len(words) - 1; {
		case last > 0 && plural(words[0]) && wordIn(words[1], "between", "after", "until", "before", "for", "that", "without", "to", "a", "an", "the"):
			unit = words[0]
		case last > 0 && words[last-1] == "in":
			unit = words[last]
		}
	}
	if words := split(row[0].Text); unit == "" && NameUnit(row[0].Text) != nil {
		unit = words[len(words)-1]
	}
	if u, ok := x.words.UnitOf(unit); !ok || strings.ContainsAny(unit, "()") || u.Dimension == "" {
		return ""
	}
	return " (" + unit + ")"
}
