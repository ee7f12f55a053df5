package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/compiler"
	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "raw-changed",
	Group:    linter.Sources,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A raw source was changed after it was added.",
	Doc: `Pages are based on raw sources, so they must not change. A changed source may have been edited to support a
page.

Checked by git are files in ` + "`raw/`" + `, and those named by ` + "`sources:`" + ` in wiki.yaml, that a later commit changed.
Moves, changes within a day of adding, and indexes don't count. ` + "`sources/` and `references/`" + ` often hold
summaries that are meant to be edited, so they are checked only if wiki.yaml names them.

Sources added with ` + "`wiki ingest`" + ` have a checksum in ` + "`raw/sources.lock`" + `, which is compared with or without git.
A deleted source is reported too, unless the same content is elsewhere in the wiki.

Restore the file, and add the new version as a separate source. Switch it off if sources are updated in place.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d raw sources were changed by one commit after they were added; restore them, or add the new versions as separate sources", n)
	},
	Check: func(p *linter.Pass) {
		registered := checkRegister(p)
		var raw []string
		for _, page := range p.Wiki.Pages() {
			if !page.Reserved() && rawSource(p, page.Path) {
				raw = append(raw, page.Path)
			}
		}
		for _, f := range p.Wiki.Files() {
			if rawSource(p, f) && f != src.RegisterPath() {
				raw = append(raw, f)
			}
		}
		raw = slices.DeleteFunc(raw, func(f string) bool { return registered.Find(f) != nil })
		if len(raw) == 0 {
			return
		}
		h := p.Wiki.History()
		if h == nil || h.Shallow {
			_, err := p.Wiki.Repository(p)
			p.Skip("could not check raw sources for changes: %v", err)
			return
		}
		for _, file := range raw {
			f := h.Files[file]
			if f == nil || f.Edited.ID == "" || f.Edited.Time.Sub(f.Created.Time) < recorded {
				continue
			}
			p.ReportCause("commit:"+f.Edited.ID, file, schema.Span{}, "the raw source was added on %s and changed on %s by commit %s; restore it, or add the new version as a separate source",
				f.Created.Time.Format(day), f.Edited.Time.Format(day), f.Edited.ID[:10])
		}
	},
})

// rawSource reports whether a file is a raw source.
func rawSource(p *linter.Pass, file string) bool {
	if top, _, ok := strings.Cut(file, "/"); ok && strings.EqualFold(strings.TrimLeft(top, "_"), "raw") {
		return true
	}
	for _, glob := range p.Wiki.Config().Sources {
		if ok, _ := doublestar.Match(strings.TrimPrefix(glob, "/"), file); ok {
			return true
		}
	}
	return false
}

// checkRegister reports registered sources that changed or are missing, and returns the
// register; an empty one if there is none.
func checkRegister(p *linter.Pass) *src.Register {
	tree := compiler.NewTree(p.Wiki)
	register, err := src.ReadRegister(tree)
	if err != nil {
		var bad *src.LockError
		message := err.Error()
		if errors.As(err, &bad) {
			message = fmt.Sprintf("line %d is invalid: %s", bad.Line, bad.Reason)
		}
		p.Report(src.RegisterPath(), schema.Span{}, "%s; restore the file from git", message)
		return &src.Register{}
	}
	if len(register.Sources) == 0 {
		return register
	}
	pages := make(map[string][]byte)
	for _, page := range p.Wiki.Pages() {
		pages[page.Path] = page.Source
	}
	bytesOf := func(file string) ([]byte, bool) {
		if text, ok := pages[file]; ok {
			return text, true
		}
		return tree.Read(file, src.MaxRaw)
	}
	var elsewhere map[string]bool // sums of what is in folders of raw sources
	for i := range register.Sources {
		s := &register.Sources[i]
		text, ok := bytesOf(s.Path)
		switch {
		case ok && src.SumOf(text) != s.Sum:
			p.Report(s.Path, schema.Span{}, "the raw source changed since it was registered on %s (checksum mismatch); restore it, or add the new version as a separate source", s.Date.Format(day))
		case !ok:
			if elsewhere == nil {
				elsewhere = rawSums(p, bytesOf)
			}
			if !elsewhere[s.Sum] {
				p.Report(s.Path, schema.Span{}, "the raw source registered on %s is missing; restore it, or remove its line from %s together with the claims based on it", s.Date.Format(day), src.RegisterPath())
			}
		}
	}
	return register
}

// rawSums are the sums of all raw sources.
func rawSums(p *linter.Pass, bytesOf func(string) ([]byte, bool)) map[string]bool {
	sums := make(map[string]bool)
	add := func(file string) {
		if !rawSource(p, file) {
			return
		}
		if text, ok := bytesOf(file); ok {
			sums[src.SumOf(text)] = true
		}
	}
	for _, page := range p.Wiki.Pages() {
		add(page.Path)
	}
	for _, f := range p.Wiki.Files() {
		add(f)
	}
	return sums
}
