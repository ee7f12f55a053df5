package claim

import "github.com/loopwiki/wiki/schema"

// gradeWords are how much of an attribute a thing has, where tables have them in the column of that attribute: Priority, Medium.
var gradeWords = wordSet(`high low medium normal critical urgent minor major moderate severe top highest lowest`)

// grade adds the grade that a sentence gives of the attribute at a token: is an alarm of high priority, has a low severity.
func (x *sayer) grade(s *Saying, st *statement, noun int) {
	if noun < 3 || st.past || st.negative || st.unsure(noun) || !gradeWords[st.word(noun-1)] || st.tokens[noun-1].link >= 0 {
		return
	}
	concept := x.attributeOf(&st.tokens[noun])
	at := noun - 2
	if wordIn(st.word(at), "a", "the") {
		at--
	}
	if concept == "" || !wordIn(st.word(at), "of", "has", "have", "with") {
		return
	}
	x.part(s, st, &filler{value: SaidValue{Class: ClassAttribute + concept, From: noun - 1, To: noun, Value: schema.Value{Kind: schema.ValueName, Words: []string{st.word(noun - 1)}}}, from: noun, to: noun + 1})
}
