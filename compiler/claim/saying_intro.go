package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// announcing reads the paragraph before a list but for its last sentence, which announces the items:
// what stands before that is said as in any other paragraph.
func (x *sayer) announcing(t *tokenizer, intro schema.Span) {
	b := &block{span: intro}
	var before []token
	sentences(t.read(intro), x.page.Source, func(tokens []token) {
		x.sentence(b, before, nil, nil)
		before = tokens
	})
}

// showingThis are the words of a text before a block by which what it denies is denied of the block:
// do not use this one, that never worked, not like the following.
var showingThis = wordSet(`do don't this that these those following below file files block config configuration settings setup version valid correct recommended`)

// refusing are the words of [showing] that deny something, of the block or of what it is about.
var refusing = wordSet(`not never no don't`)

// shows reports whether a text around a block of configuration says that it is none in force. A
// sentence that only denies something of what is set up does not: drafts are never sent.
func shows(text string) bool {
	words := split(strings.ToLower(text))
	denies, this := false, len(words) > 0 && refusing[words[0]]
	for _, w := range words {
		switch {
		case refusing[w]:
			denies = true
		case oneOf(w, showing):
			return true
		}
		this = this || showingThis[w]
	}
	return denies && this
}
