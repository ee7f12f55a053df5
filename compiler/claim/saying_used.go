package claim

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
)

// using are words behind which the name of a program stands that something uses, with the number of its version.
var using = wordSet(`runs run uses use needs need requires require against installs bundles embeds ships`)

// used adds the name of what something runs or uses, where the verb at a token is followed by nothing else: runs openHAB, uses
// WebSockets with a ping.
func (x *sayer) used(s *Saying, st *statement, verb int) {
	t := st.tokens
	if !wordIn(t[verb].text, "runs", "run", "uses", "use", "speaks", "speak") || verb == 0 || st.past || st.negative || st.unsure(verb) || t[verb].link >= 0 {
		return
	}
	from, to := st.name(verb + 1)
	if to == from && verb+1 < len(t) && inwardCapital(t[verb+1].span.In(x.page.Source)) && t[verb+1].kind == 'w' {
		from, to = verb+1, verb+2
	}
	if to == from || from > verb+2 || t[from].link >= 0 || listed(t, to) || st.goesOn(to) || to == from+1 && x.words.classes[t[from].text] != "" || t[to-1].kind == 'n' {
		return
	}
	text := st.source(from, to)
	x.part(s, st, &filler{value: SaidValue{Class: ClassSlot + "use", From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: nameWords(text, formOf(text))}}, from: verb, to: verb + 1})
}

// inwardCapital reports whether a word has a capital within, as names of programs have: openHAB.
func inwardCapital(word []byte) bool {
	return len(word) > 2 && bytes.ContainsFunc(word[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' }) && word[0] >= 'a' && word[0] <= 'z'
}

// usedAt reports whether a name at a token is that of a program that something uses: runs Stockfish 16, built against LLVM 17,
// runs on Solaris 11. Elsewhere a name and a number name one of several things: Orion 2.
func (s *statement) usedAt(i int) bool {
	if i == 0 || i+1 >= len(s.tokens) || s.tokens[i+1].kind != 'n' || s.tokens[i].link >= 0 {
		return false
	}
	before := s.word(i - 1)
	if before == ":" && i > 1 && (i+2 == len(s.tokens) || s.tokens[i+2].kind == 'p') {
		return true // board: Stockfish 17
	}
	return using[before] || wordIn(before, "on", "with", "in") && i > 1 && (using[s.word(i-2)] || wordIn(s.word(i-2), "based", "built", "compiled", "works", "written", "ships"))
}
