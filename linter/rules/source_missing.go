package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "source-missing",
	Group:    linter.Sources,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page names a source that does not exist.",
	Doc: `The page can no longer be checked against its source, and nobody is told when that changes.

Checked are paths in front matter under ` + "`sources`, `covers`, `source_file`" + ` and similar fields, and citations
such as ` + "`^[raw/article.md]` and `(src/server.go:120)`" + `. A path may be relative to the page's folder or one above it, the
wiki root or the repository. Links are left to the link rules.

If git knows when the file was removed, the commit is named. A file that was renamed in git is reported by ` + "`source-moved`" + `, with a fix.

If the top folder of the paths doesn't exist, or none of the sources do, they are kept elsewhere: that is one
warning. Citations of files that were never in this repository, with nothing similar next to them, are
counted, and the check is reported as skipped: they cite another repository. So are sources pinned to a commit
that this repository doesn't have, and sources in a submodule that is not checked out. Citations on pages and in
sections that describe a moment on purpose, as ` + "`cited-lines-changed`" + ` lists them, are not checked.

Correct the path, restore the file, or remove the source and the claims based on it. Switch it off if sources
are kept outside the repository on purpose.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d sources share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		elsewhere, pages, away := 0, map[*schema.Page]bool{}, newAbsent(p)
		for i := range sourceFact.Of(p).all {
			if found := sourceFact.Of(p).all[i].found; found != "" {
				away.count(found)
			}
		}
		away.skip("source")
		moved := slices.DeleteFunc(slices.Clone(p.Verdicts().All), func(v src.Verdict) bool { return v.State != src.StateMoved })
		for _, m := range missingSources(p) {
			switch {
			case m.moved != "" || standsElsewhere(moved, &m.sourceRef):
			case m.elsewhere && (!m.front || m.commit != ""):
				elsewhere++
				pages[m.page] = true
			default:
				reportMissingSource(p, &m)
			}
		}
		reportMissingCode(p)
		if elsewhere > 0 {
			p.Skip("%s on %s of files outside this repository could not be checked; lint the wiki next to the code that it cites",
				text.Count(elsewhere, "citation"), text.Count(len(pages), "page"))
		}
	},
})

// knowsCommit reports whether a commit belongs to this repository, as far as its
// history is known. Sources cited at an unknown commit are another repository's.
func knowsCommit(repository *compiler.Repository, commit string) bool {
	if repository == nil {
		return true
	}
	_, ok := repository.Time(commit)
	return ok
}

// standsElsewhere reports whether the symbol of a source is known to be in another file
// now, which source-moved reports.
func standsElsewhere(moved []src.Verdict, ref *sourceRef) bool {
	return slices.ContainsFunc(moved, func(v src.Verdict) bool {
		return v.Page == ref.page && v.At.Overlaps(ref.at)
	})
}

// reportMissingCode reports the files that fields and comments name as what
// they are about.
func reportMissingCode(p *linter.Pass) {
	refs := sourceFact.Of(p)
	repository, _ := p.Wiki.Repository(p) // without it nobody knows when a file went
	named := map[*schema.Page][]schema.Span{}
	for i := range refs.all {
		named[refs.all[i].page] = append(named[refs.all[i].page], refs.all[i].at)
	}
	for _, v := range inState(p, src.StateFileMissing) {
		cited := slices.ContainsFunc(v.Page.Citations, func(c schema.Citation) bool { return c.Span.Overlaps(v.At) })
		if v.Record {
			continue
		}
		here := v.Locked != nil || !cited && refs.topHere(v.Page, v.Anchor.Path) || refs.siblings(v.Page, v.Anchor.Path)
		if here && !slices.ContainsFunc(named[v.Page], v.At.Overlaps) && filePath(v.Anchor.Path) {
			m := refs.missing(sourceRef{page: v.Page, name: v.Anchor.Path}, repository)
			p.ReportCause("file:"+v.Anchor.Path, v.Page.Path, v.At, "source %q %s; correct the path, restore the file, or remove the text based on it", v.Anchor.Path, m.became())
		}
	}
}

func reportMissingSource(p *linter.Pass, m *missingSource) {
	if m.alone {
		d := p.ReportCause("alone", m.page.Path, m.at, "source %q not found, like all other sources of the wiki; lint the wiki next to its sources, or correct the paths", m.name)
		d.Severity = schema.Warning
		lowerSeverity(d, m.page)
		return
	}
	if m.elsewhere {
		top := topFolder(m.name)
		d := p.ReportCause("elsewhere:"+top, m.page.Path, m.at, "source %q not found (no such directory: %s); restore it, or correct the path", m.name, top)
		d.Severity = schema.Warning
		lowerSeverity(d, m.page)
		return
	}
	d := p.ReportCause("file:"+cmp.Or(m.was, m.name), m.page.Path, m.at, "source %q %s; correct the path, restore the file, or remove the text based on it", m.name, m.became())
	lowerSeverity(d, m.page)
}

// became describes what happened to a missing source.
func (m *missingSource) became() string {
	switch {
	case m.gone.IsZero():
		return "not found"
	case len(m.renamed) > 0:
		return fmt.Sprintf("was renamed %s to %s", inCommit(m.gone), strings.Join(m.renamed, " and "))
	}
	if m.split {
		return fmt.Sprintf("was replaced %s by the folder %q", inCommit(m.gone), stemOf(m.name))
	}
	return "was removed " + inCommit(m.gone)
}

// stemOf returns a path without its extension: what a file is split into often lies in a
// folder of that name.
func stemOf(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// missingSource is a source that was not found, with its history.
type missingSource struct {
	sourceRef
	was       string        // the path at which a file was, relative to the wiki's root
	moved     string        // where git says that file is now
	renamed   []string      // where files are now that had that path, below the repository
	gone      schema.Moment // when it was removed
	split     bool          // it became the folder of its name without the extension
	elsewhere bool          // nothing says that it was ever here
	alone     bool          // nor is any other that front matter names
}

// missingSources sorts out the sources that are not there.
func missingSources(p *linter.Pass) []missingSource {
	refs := sourceFact.Of(p)
	var out []missingSource
	var repository *compiler.Repository
	here := slices.ContainsFunc(refs.all, func(r sourceRef) bool { return r.front && r.found != "" })
	for i := range refs.all {
		ref := &refs.all[i]
		past := historical(ref.page) && ref.page.Layer != schema.LayerSource || !ref.front && recordFact.Of(p, ref.page).At(ref.at.Start)
		if ref.found != "" || past {
			continue
		}
		if out == nil {
			repository, _ = p.Wiki.Repository(p) // without it nothing has moved
		}
		m := refs.missing(*ref, repository)
		if m.gone.IsZero() && ref.commit != "" && !knowsCommit(repository, ref.commit) {
			m.elsewhere = true
			out = append(out, m)
			continue
		}
		if m.gone.IsZero() && m.front && !here {
			m.elsewhere, m.alone = true, true
		}
		out = append(out, m)
	}
	return out
}

func (s *sourceRefs) missing(ref sourceRef, repository *compiler.Repository) missingSource {
	m := missingSource{sourceRef: ref}
	if repository != nil {
		for _, was := range s.bases(ref.page, ref.name) {
			if gone := repository.Gone(was); !gone.IsZero() {
				m.was, m.gone = was, gone
				to := repository.Moved(was)
				for _, file := range to {
					m.renamed = append(m.renamed, s.tree.Below(file))
				}
				if len(to) == 1 {
					m.moved = to[0]
				}
				m.split, _ = s.tree.Exists(stemOf(was))
				return m
			}
		}
	}
	// What front matter names belongs here if its first folder does; citations
	// are many, and bring their folders from where they were written.
	if ref.front {
		m.elsewhere = strings.Contains(path.Clean(ref.name), "/") && !s.topHere(ref.page, ref.name)
	} else {
		m.elsewhere = !s.siblings(ref.page, ref.name)
	}
	return m
}
