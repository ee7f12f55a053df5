package main

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// nearest returns the most likely candidate for a mistyped name: the only one that
// begins with it, or the one a few letters away; "" if there is none.
func nearest(name string, candidates []string) string {
	begun, n := "", 0
	for _, c := range candidates {
		if name != "" && strings.HasPrefix(c, name) {
			begun = c
			n++
		}
	}
	if n == 1 {
		return begun
	}
	near, _ := schema.Nearest(name, candidates)
	return near
}

// oneOf is the hint for a value that is not allowed.
func oneOf(value string, allowed []string) string {
	if near := nearest(value, allowed); near != "" {
		return "did you mean " + near + "?"
	}
	return "expected " + list(allowed)
}

// list joins words as a sentence does: a, b or c.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
