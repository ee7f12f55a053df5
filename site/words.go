package site

import "github.com/loopwiki/wiki/site/theme"

// Words are the strings of the interface in one language.
type Words = theme.Words

// WordsFor returns the strings of a language, given as a BCP 47 tag; English
// when it is not known or empty.
func WordsFor(language string) *Words { return theme.WordsFor(language) }
