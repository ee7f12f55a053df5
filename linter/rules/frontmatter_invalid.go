package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "frontmatter-invalid",
	Group:    linter.Front,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page's front matter is not valid YAML.",
	Doc: `Tools can't read the page's title, type, tags or dates. The most common cause is a colon followed by a space
in an unquoted value (` + "`title: Git: the basics`" + `). The finding points to where parsing stopped; the fields
before it are still used.

Put the value in quotes. Lists of wikilinks need quotes too (` + "`related: [\"[[a]]\", \"[[b]]\"]`" + `); ` + "`--fix`" + ` adds
them.

Switch it off only for folders of templates whose placeholders are filled in later.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages list wikilinks without quotes: %s", n, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		if !bareWikilinks(p, page) {
			reportFaults(schema.FaultFrontmatterInvalid, "begins here")(p, page)
		}
	},
})

// bareLinks matches a field or an item that lists wikilinks as no YAML does.
var bareLinks = schema.Expression(`^[ \t]*(?:[\w -]+:|-)[ \t]+(\[\[[^\[\]"\n]+\]\](?:[ \t]*,[ \t]*\[\[[^\[\]"\n]+\]\])+)[ \t\r]*$`)

// bareWikilinks reports related: [[a]], [[b]] with the quotes that it lacks, and
// whether there was such a field where the reading stopped.
func bareWikilinks(p *linter.Pass, page *schema.Page) bool {
	i := slices.IndexFunc(page.Faults, func(f schema.Fault) bool { return f.Kind == schema.FaultFrontmatterInvalid })
	if i < 0 {
		return false
	}
	line := lineAround(page.Source, page.Faults[i].Span.Start)
	m := bareLinks().FindSubmatchIndex(line.In(page.Source))
	if m == nil {
		return false
	}
	at := schema.Span{Start: line.Start + m[2], End: line.Start + m[3]}
	var items []string
	for item := range strings.SplitSeq(string(at.In(page.Source)), ",") {
		items = append(items, strconv.Quote(strings.TrimSpace(item)))
	}
	list := "[" + strings.Join(items, ", ") + "]"
	d := p.ReportCause("wikilinks", page.Path, at, "wikilinks in YAML need quotes: write %s", short(list))
	d.Fixes = []schema.Fix{{Title: "quote the wikilinks", Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: at, Text: list}}}}
	return true
}

// lineAround is the line that an offset is in, without its end.
func lineAround(src []byte, at int) schema.Span {
	at = min(at, len(src))
	s := schema.Span{Start: bytes.LastIndexByte(src[:at], '\n') + 1, End: len(src)}
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		s.End = at + i
	}
	return s
}
