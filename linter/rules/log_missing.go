package rules

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "log-missing",
	Group:    linter.IndexAndLog,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "The wiki has no log.",
	Doc: `The log records what was done when: which source went into which pages, what was checked, what was decided.
Without it agents repeat work, and nobody notices.

A log is expected only in wikis of a kind that has one: nvk by its layout, and wikis of sources, entities and
concepts if wiki.yaml says ` + "`dialect: karpathy`" + `, or if there is an index and a schema page (` + "`00_SCHEMA`" + `,
` + "`SCHEMA`" + `) at the top and one of them mentions ` + "`log.md`" + `. A page named ` + "`log`, `changelog`, `history`" + ` or
` + "`journal`" + ` anywhere counts, and so do pages in a folder with such a name.

The safe fix creates ` + "`log.md`" + ` with its heading.`,
	Check: func(p *linter.Pass) {
		file := logOf(p)
		if file == "" || slices.ContainsFunc(p.Wiki.Pages(), func(page *schema.Page) bool { return logLike(page.Path) }) {
			return
		}
		d := p.Report(file, schema.Span{}, "%s does not exist; create it, with an entry such as \"## [2026-01-31] ingest | Title\" for each change", file)
		d.Fixes = []schema.Fix{{Title: "create " + file, Safe: true, Edits: []schema.Edit{{Path: file, Text: "# Log\n"}}}}
	},
})

// logOf returns the path of the log that the wiki should have, or "".
func logOf(p *linter.Pass) string {
	d := p.Wiki.Workspace().Dialect
	if d.Log == "" || d.Name == p.Wiki.Config().Dialect || d.Name != karpathy {
		return d.Log
	}
	l := layoutFact.Of(p)
	index, conventions := l.named(".", "index", "_index"), l.named(".", "00_schema", "schema")
	if index == nil || conventions == nil || !namesLog(index) && !namesLog(conventions) {
		return ""
	}
	return d.Log
}

// namesLog reports whether a page speaks of log.md.
func namesLog(page *schema.Page) bool {
	return bytes.Contains(page.Source, []byte("log.md")) || bytes.Contains(page.Source, []byte("[[log]]")) || bytes.Contains(page.Source, []byte("[[log|"))
}

// karpathy is the dialect that a wiki without the marks of any has.
const karpathy = "karpathy"

// logLike reports whether a page is a log, by its name or that of a folder.
func logLike(file string) bool {
	for dir := range strings.SplitSeq(path.Dir(file)+"/"+stem(file), "/") {
		switch strings.TrimLeft(strings.ToLower(dir), "0123456789_-. ") {
		case "log", "logs", "changelog", "history", "journal", "journals", "activity", "worklog":
			return true
		}
	}
	return false
}
