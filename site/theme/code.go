package theme

import (
	"fmt"
	"strings"
)

// CodeColor is one group of tokens of program code and its colour on light
// and on dark ground. The class of a token is "t-" and Class.
type CodeColor struct {
	Class       string
	What        string
	Light, Dark string
	Italic      bool
}

// CodeColors are the colours of code. Operators, punctuation and plain names
// keep the colour of text. Each has a contrast of at least 4.5:1 on the ground
// code is on, which a test computes.
var CodeColors = []CodeColor{
	{Class: "k", What: "keyword", Light: "#8a2da8", Dark: "#d7a6f0"},
	{Class: "s", What: "string", Light: "#2a6b2f", Dark: "#a3d39c"},
	{Class: "n", What: "number and constant", Light: "#9a4a00", Dark: "#f0b27a"},
	{Class: "c", What: "comment", Light: "#646a76", Dark: "#959dab", Italic: true},
	{Class: "f", What: "function", Light: "#1f5fbf", Dark: "#8fbcff"},
	{Class: "t", What: "type and class", Light: "#0b6b74", Dark: "#7fd3d8"},
	{Class: "a", What: "attribute, tag, decorator", Light: "#a02c4c", Dark: "#f2a0b5"},
	{Class: "h", What: "heading", Light: "#1f5fbf", Dark: "#8fbcff"},
	{Class: "d", What: "removed line", Light: "#b3261e", Dark: "#ff9f97"},
	{Class: "i", What: "added line", Light: "#1a6b33", Dark: "#8fdca0"},
}

// CodeCSS writes the rules for [CodeColors].
func CodeCSS() string {
	var b strings.Builder
	b.WriteString("\n:root{")
	for _, c := range CodeColors {
		fmt.Fprintf(&b, "--code-%s:light-dark(%s,%s);", c.Class, c.Light, c.Dark)
	}
	b.WriteString("}\n")
	for _, c := range CodeColors {
		style := ""
		if c.Italic {
			style = ";font-style:italic"
		}
		fmt.Fprintf(&b, ".t-%s{color:var(--code-%s)%s}\n", c.Class, c.Class, style)
	}
	return b.String()
}
