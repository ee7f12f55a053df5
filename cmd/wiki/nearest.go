package main

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
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
	return "expected " + text.List(allowed, "or")
}
