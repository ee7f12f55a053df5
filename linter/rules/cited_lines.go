package rules

import (
	"bytes"
	"fmt"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// mostCited is the size of the largest file whose lines are counted, in bytes.
const mostCited = 10 << 20

// linesMissing reports citations of lines that their file can't have, without git or a
// lock. One line past the end is the empty one that editors show. Citations in what
// records a moment may have been right then.
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
	all := p.Verdicts().All
	abroad := abroad(all)
	for i := range all {
		v := &all[i]
		if v.Anchor.FromLine == 0 || v.File == "" || v.Locked != nil || v.State != src.StateFresh || v.Absent || v.Record {
			continue
		}
		n := 0
		if !abroad[v.Page] {
			n = count(v.File)
		}
		if why := wrongLines(&v.Anchor, n); why != "" {
			lowerSeverity(p.Report(v.Page.Path, v.At, "%s %s; correct the lines", v.Anchor.Path, why), v.Page)
		}
	}
}

// abroad returns the pages with at least as many unresolved citations as resolved ones:
// those probably cite another repository with files of the same names.
func abroad(all []src.Verdict) map[*schema.Page]bool {
	here, away := map[*schema.Page]int{}, map[*schema.Page]int{}
	for i := range all {
		switch v := &all[i]; {
		case v.At.Start < v.Page.Body || v.Anchor.FromLine == 0:
		case v.File == "":
			away[v.Page]++
		default:
			here[v.Page]++
		}
	}
	out := map[*schema.Page]bool{}
	for page, n := range away {
		out[page] = n >= here[page]
	}
	return out
}

// wrongLines returns the fault of an anchor's lines in a file of n lines (0 if
// unknown), or "".
func wrongLines(a *schema.Anchor, n int) string {
	switch {
	case a.FromLine == schema.NoLine || a.ToLine == schema.NoLine:
		return "is cited at line 0, but lines start at 1"
	case a.ToLine < a.FromLine:
		return fmt.Sprintf("is cited at lines %d to %d, a reversed range", a.FromLine, a.ToLine)
	case n > 0 && a.ToLine > n:
		return fmt.Sprintf("has fewer than %d lines", a.ToLine)
	}
	return ""
}
