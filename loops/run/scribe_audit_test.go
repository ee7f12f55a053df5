package run

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// TestTheLogOfAnAudit checks that an entry is bounded and no markup, whatever an auditor
// said: it adds no finding to the wiki.
func TestTheLogOfAnAudit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"wiki/index.md":                   "# W\n\n- [[a]]\n\n## Log\n\n- [[2026-01-01-begun]] — begun.\n- [[log]]\n",
		"wiki/log.md":                     "# Log\n\n## [2026-01-01] create | Begun\n\nSee [[a]].\n",
		"wiki/a.md":                       "# A\n\nText about the first thing there is.\n",
		"wiki/90_LOG/2026-01-01-begun.md": "---\ntitle: Begun\ntype: log\ncreated: 2026-01-01\nupdated: 2026-01-01\n---\n# Begun\n\nIt was begun.\n",
	})
	s := stopped()
	s.Start.Loop, s.Start.Plan, s.Chunks, s.Incidents = loops.AuditLoop, loops.Plan{Name: "audit-2026-07-04", Path: "audit", Title: "Audit"}, nil, nil
	s.End = loops.End{Status: loops.Rejected, Why: "rejected by ada: [no](no.md)"}
	s.Proposed, s.Pages = []string{"plans/2026-07-`x`.md"}, []string{"wiki/[[b]].md"}
	s.Findings = []loops.Reason{{Path: "a.go", Line: 3, Message: "<!-- wiki-lint-disable --> [[nowhere]] [x](y.md)"}}
	for i := range 50 {
		s.Dropped = append(s.Dropped, loops.Reason{Message: fmt.Sprintf("%d\n# no heading %s", i, strings.Repeat("x", 1000))})
	}
	before := lintAt(t, dir)
	out, err := Entry(dir, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := make(map[string]string)
	for name, src := range out {
		text[name] = string(src)
	}
	put(t, dir, text)
	if after := lintAt(t, dir); strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("before %q\nafter %q", before, after)
	}
	entry := text["wiki/90_LOG/2026-07-04-audit.md"]
	for _, want := range []string{"plans: 1, pages: 1. 50 of what it answered was dropped. Rejected by ada:", "\n- the plan `plans/", "\n- the page `wiki/", "\n- and 10 more, in the report of the run\n"} {
		if !strings.Contains(entry, want) {
			t.Errorf("the entry lacks %q:\n%s", want, entry)
		}
	}
	if strings.Contains(entry, "\n# no heading") || len(entry) > 40*(mostSaid+10)+2000 {
		t.Errorf("an entry of %d bytes:\n%s", len(entry), entry)
	}
}
