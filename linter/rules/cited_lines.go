package rules

import (
	"bytes"
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// mostCited is the size of the largest file whose lines are counted, in bytes.
const mostCited = 10 << 20

// linesMissing reports anchors of lines that their file can not have, which needs
// neither git nor a lock. One line past the end is the empty one that editors show.
func linesMissing(p *linter.Pass) {
	refs := sourceFact.Of(p)
	counted := map[string]int{}
	count := func(file string) int {
		n, known := counted[file]
		if !known {
			if text, ok := refs.tree.Read(file, mostCited); ok {
				n = bytes.Count(text, []byte("\n")) + 1
			}
			counted[file] = n
		}
		return n
	}
	locked := map[schema.Edit]bool{}
	for _, v := range p.Verdicts().All {
		if v.Locked != nil {
			locked[schema.Edit{Path: v.Page.Path, Span: v.At}] = true
		}
	}
	for _, page := range p.Wiki.Pages() {
		if account(page) {
			continue
		}
		abroad := refs.abroad(page)
		report := func(a *schema.Anchor, at schema.Span) {
			if a.FromLine == 0 || a.Rev != "" || locked[schema.Edit{Path: page.Path, Span: at}] {
				return
			}
			file, folder := refs.find(page, a.Path)
			if file == "" || folder {
				return
			}
			n := 0
			if !abroad {
				n = count(file)
			}
			if why := wrongLines(a, n); why != "" {
				mild(p.Report(page.Path, at, "%s %s; correct the lines", a.Path, why), page)
			}
		}
		for i := range page.Meta.Sources {
			report(&page.Meta.Sources[i].Anchor, page.Meta.Sources[i].Span)
		}
		for i := range page.Citations {
			report(&page.Citations[i].Ref, page.Citations[i].Span)
		}
	}
}

// abroad reports whether no more than half of what a page cites is here: then the
// rest is likely to be of another repository too, with files of the same names.
func (s *sourceRefs) abroad(page *schema.Page) bool {
	here := 0
	for i := range page.Citations {
		if file, _ := s.find(page, page.Citations[i].Ref.Path); file != "" {
			here++
		}
	}
	return len(page.Citations) > 0 && here*2 <= len(page.Citations)
}

// wrongLines says what is wrong with the lines of an anchor in a file of n lines,
// 0 when they are not known; "" when nothing is.
func wrongLines(a *schema.Anchor, n int) string {
	switch {
	case a.FromLine == schema.NoLine || a.ToLine == schema.NoLine:
		return "is cited at line 0, and lines count from 1"
	case a.ToLine < a.FromLine:
		return fmt.Sprintf("is cited at lines %d to %d, which run backwards", a.FromLine, a.ToLine)
	case n > 0 && a.ToLine > n:
		return fmt.Sprintf("has fewer lines than the %d that are cited", a.ToLine)
	}
	return ""
}
