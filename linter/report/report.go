// Package report writes what the linter found: one format, one file, each
// registered there under the name that --format takes.
//
// Every format is written from the same [Report]. Text shows what is at or
// above a severity and counts the rest; every other format holds everything,
// so that anyone who reads it decides.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Report is the data for a format.
type Report struct {
	Findings   []schema.Diagnostic // in order of path, offset, rule
	Suppressed []linter.Suppressed // in the same order
	Skipped    []schema.Skipped
	Stats      linter.Stats
	Rules      []*linter.Rule // that ran, in order of id

	// Root is the wiki's root below the repository, slash-separated; "." when
	// they are the same, empty when there is no repository.
	Root string
	// Page returns the page at a path below the root, for its source, or nil. It may be
	// nil.
	Page func(path string) *schema.Page
	// Summaries say what each rule is about, by id.
	Summaries map[string]string
	// Manual returns the address of a rule's documentation, or "". It may be nil.
	Manual func(rule string) string
	// Version is that of the program.
	Version string
	// FailOn is the mildest severity that is a failure where a format knows
	// failures; Off means errors.
	FailOn schema.Severity

	// Base precedes paths in text: the path from the current folder to the wiki's root,
	// so that editors and terminals can open them.
	Base string
	// From is the mildest severity that text shows; Off means warnings and
	// errors.
	From schema.Severity
	// Limit is how many findings of each rule text shows; 0 shows all.
	Limit int
	// Counts shows how often each rule reported instead of the findings in text.
	Counts bool
	// Fixable says in text how many findings --fix fixes.
	Fixable bool
	// Frames shows the source of every finding in text.
	Frames bool
	// First means that lint is not configured yet: with many findings, text ends with
	// how to begin, unless Brief is set.
	First, Brief bool
	// Looked describes in text what was checked, such as "3 skills"; pages and links by
	// default.
	Looked string
	// Color uses the terminal's colours in text.
	Color bool
}

// Home is where the program comes from.
const Home = "https://github.com/loopwiki/wiki"

// New returns the report on the findings in w.
func New(w *compiler.Wiki, res *linter.Result) *Report {
	r := &Report{Findings: res.Findings, Suppressed: res.Suppressed, Skipped: res.Skipped, Stats: res.Stats, Rules: res.Ran,
		Root: w.Workspace().RootPath, Summaries: map[string]string{}, Manual: manual()}
	pages := make(map[string]*schema.Page, len(w.Pages()))
	for _, p := range w.Pages() {
		pages[p.Path] = p
	}
	r.Page = func(path string) *schema.Page { return pages[path] }
	for _, rule := range slices.Concat(linter.Rules(), res.Ran) {
		r.Summaries[rule.ID] = rule.Summary
	}
	return r
}

// manual returns the addresses of the built-in rules' documentation; custom rules have
// none.
func manual() func(string) string {
	own := map[string]bool{}
	for _, rule := range linter.Rules() {
		own[rule.ID] = true
	}
	return func(rule string) string {
		if !own[rule] {
			return ""
		}
		return Home + "/blob/main/wiki/rules/" + rule + ".md"
	}
}

// manual returns the address of the page on a rule, or nothing.
func (r *Report) manual(rule string) string {
	if r.Manual == nil {
		return ""
	}
	return r.Manual(rule)
}

// failure reports whether a finding is a failure: by its severity, unless it is only
// about the run.
func (r *Report) failure(d *schema.Diagnostic) bool {
	if slices.ContainsFunc(r.Rules, func(rule *linter.Rule) bool { return rule.ID == d.Rule && rule.Notice }) {
		return false
	}
	if r.FailOn == schema.Off {
		return d.Severity >= schema.Error
	}
	return d.Severity >= r.FailOn
}

// page returns the page at path, or nil.
func (r *Report) page(path string) *schema.Page {
	if r.Page == nil {
		return nil
	}
	return r.Page(path)
}

// inRepository returns a path below the root as a path below the repository.
func (r *Report) inRepository(p string) string {
	if r.Root == "" || r.Root == "." {
		return p
	}
	return path.Join(r.Root, p)
}

// displayPath returns a path below the root relative to the current folder.
func (r *Report) displayPath(p string) string {
	if r.Base == "" || r.Base == "." {
		return p
	}
	return path.Join(r.Base, p)
}

// Format is one way to write a report.
type Format struct {
	Name    string // as --format takes it
	Summary string // what it is for, in a few words
	Write   func(io.Writer, *Report) error
}

var registry = map[string]Format{}

func register(f Format) Format {
	if _, ok := registry[f.Name]; ok {
		panic("report: format " + f.Name + " is registered twice")
	}
	registry[f.Name] = f
	return f
}

// Formats returns every format in order of name.
func Formats() []Format {
	var out []Format
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		out = append(out, registry[name])
	}
	return out
}

// Lookup returns the format of that name, or an error that lists what there is.
func Lookup(name string) (Format, error) {
	f, ok := registry[name]
	if !ok {
		names := slices.Sorted(maps.Keys(registry))
		return Format{}, fmt.Errorf("unknown report format %q: expected %s", name, strings.Join(names, ", "))
	}
	return f, nil
}

// Write writes the report in the format of that name.
func Write(name string, w io.Writer, r *Report) error {
	f, err := Lookup(name)
	if err != nil {
		return err
	}
	return f.Write(w, r)
}

// count returns "1 error" or "3,000 errors".
func count(n int, noun string) string {
	return text.Thousands(n) + " " + text.Plural(n, noun)
}

// clip returns at most n code points of s.
func clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// writeDocument writes a value as JSON, indented for people.
func writeDocument(w io.Writer, v any) error {
	enc := json.NewEncoder(text.JSON(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
