// Package llms writes lists and texts of pages for language models; see
// https://llmstxt.org. Those of the site and of exports differ in which pages they have
// and where these are.
package llms

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// The names of the files.
const (
	IndexName = "llms.txt"
	FullName  = "llms-full.txt"
)

// MaxFull bounds one file with the text of pages, in bytes of their sources.
const MaxFull = 10 << 20

// Optional is the title of the section that may be left out; a word of the format.
const Optional = "Optional"

// Section is a titled part of the list.
type Section struct {
	Title   string
	Entries []Entry
}

// Entry is a file of the list.
type Entry struct {
	Title string
	Href  string // relative to the list
	Note  string // one line, may be empty
}

// Text is the text of one page.
type Text struct {
	Href   string // relative to the file
	Source []byte
}

// label escapes what would end the text of a link, href what would end its address.
var (
	label = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
	href  = strings.NewReplacer("(", "%28", ")", "%29")
)

// Index writes llms.txt; sections without entries are left out.
func Index(title, about string, sections []Section) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", text.Collapse(title))
	if about = text.Collapse(about); about != "" {
		fmt.Fprintf(&b, "\n> %s\n", about)
	}
	for _, s := range sections {
		if len(s.Entries) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		for _, e := range s.Entries {
			fmt.Fprintf(&b, "- [%s](%s)", label.Replace(e.Title), href.Replace(e.Href))
			if e.Note != "" {
				b.WriteString(": " + e.Note)
			}
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// Full writes llms-full.txt.
func Full(title string, pages []Text) []byte {
	size := 100
	for _, p := range pages {
		size += len(p.Source) + len(p.Href) + 100
	}
	var b bytes.Buffer
	b.Grow(size)
	fmt.Fprintf(&b, "# %s\n", text.Collapse(title))
	for _, p := range pages {
		fmt.Fprintf(&b, "\n<page href=\"%s\">\n", p.Href)
		b.Write(bytes.TrimRight(bytes.TrimPrefix(p.Source, []byte("\ufeff")), "\n"))
		b.WriteString("\n</page>\n")
	}
	return b.Bytes()
}
