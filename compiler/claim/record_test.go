package claim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// pageAt compiles one page of a given path.
func pageAt(t *testing.T, name, src string) *schema.Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	w := compilertest.Compile(t, file[:len(file)-len(name)])
	return w.Pages()[0]
}

func TestRecordsOfPages(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		path, src string
		want      bool
	}{
		{"ports.md", "# Ports\n\nThe server listens on 80.\n", false},
		// history by what the head says
		{"ports.md", "> **Status note (2026-08-02):** Point-in-time audit of spring.\n\n# Ports\n", true},
		{"ports.md", "# Ports\n\n> Historical port backlog. See limits.md.\n", true},
		{"ports.md", "# Ports\n\n**DEPRECATED** - use limits.md\n", true},
		{"ports.md", "# Ports\n\nSuperseded by limits.md.\n", true},
		{"ports.md", "# Ports\n\nThis page has been superseded by limits.md.\n", true},
		{"ports.md", "# Ports\n\nThe text is kept for historical reference.\n", true},
		{"ports.md", "# 端口\n\n> 本文件是 2026-04-18 的历史静态快照。\n", true},
		{"ports.md", "# 端口\n\n> 本文是端口审计证据，不是状态。\n", true},
		{"ports.md", "# 端口\n\n> 本文说明如何保存审计证据。\n", false},
		{"backup.md", "# Backup\n\nPoint-in-time recovery needs the log.\n", false},
		{"backup.md", "# Historical reports\n\nThe server keeps a historical record of all trades.\n", false},
		{"ports.md", "# Ports\n\n## Deprecation notice\n\nWhat this document describes is gone.\n\nThis document no longer applies.\n", true},
		{"ports.md", "# Ports\n\n**Superseded** by limits.md.\n", true},
		{"ports.md", "# Ports\n\nArchived\n", true},
		{"ports.md", "# Ports\n\n| deprecated | a port |\n| --- | --- |\n", false},
		{"ports.md", "# Ports\n\n- `deprecated`: a port\n", false},
		{"ports.md", "# Ports\n\n## Deprecated\n\nPort 80.\n", false},
		{"ports.md", "# Ports\n\n## The first\n\nDeprecated. Use the second.\n", false},
		{"ports.md", "# Ports\n\n```\ndeprecated: true\n```\n", false},
		{"ports.md", "# Ports\n\nArchived, read-only ports are listed below.\n", false},
		{"ports.md", "# Ports\n\nThe old flag is now deprecated. This page describes the new one.\n", false},
		{"ports.md", "# Ports\n\nDeprecated ports are listed below. The old service was superseded by the new one.\n", false},
		// dated reports
		{"v2-review.md", "# Ports\n\n- **Reviewer:** Ann\n- **Date:** 2026-06-29\n", true},
		{"qa/ports.md", "# Ports\n\n| Date | 2026-06-29 |\n| --- | --- |\n", true},
		{"ports.md", "# Review\n\n**Type**: page | **Date**: 2026-05-11 | **Reviewer**: Ann\n", true},
		{"research/ports.md", "# Ports\n\nStatus: findings of June 2026\n", true},
		{"research/ports.md", "# Ports\n\nStatus: findings, to be decided\n", false},
		{"research/ports.md", "# Ports\n\nGenerated: 2026-06-29T08:30:33.740Z\n", true},
		{"research/ports.md", "---\ndate: 2026-06-29\n---\n# Ports\n", true},
		{"research/ports.md", "---\ndate: 2026-06-29\nupdated: 2026-07-29\n---\n# Ports\n", false},
		{"research/ports.md", "---\ndate: 2026-06-29\nverified: 2026-07-29\n---\n# Ports\n", false},
		{"research/ports.md", "---\ndate: 2026-06-29\nstatus: active\n---\n# Ports\n", false},
		{"research/ports.md", "---\ncreated: 2026-06-29\n---\n# Ports\n", false},
		{"code-review.md", "---\ncreated: 2026-06-29\n---\n# Code review\n", false},
		{"quality-gate.md", "# Quality gate\n\nStatus: enforced\n", false},
		{"report-format.md", "# Report format\n\n| Field | Status |\n| --- | --- |\n| a | b |\n", false},
		{"review-process.md", "# Review process\n\n| Reviewer | Task |\n| --- | --- |\n| Ann | a |\n", false},
		{"audit-log.md", "# Audit log\n\n```\nDate: 2026-06-29\nReviewer: Ann\n```\n", false},
		{"ports.md", "# Survey of ports\n\nDate: 2026-06-29\n", false},
		{"ports.md", "# Research spike 12: ports\n\nStatus: findings\n", true},
		{"research/ports.md", "# Ports\n\nStatus: active\n", false},
		{"ports.md", "# Ports\n\n**Date:** 2026-06-29\n", false},
		{"review.md", "# Review\n\nHow changes are reviewed.\n", false},
		{"v2-review.md", "# Ports\n\n**Date:** 2026-06-29 (updated 2026-07-03)\n", false},
		{"v2-review.md", "# 审查\n\n> Date: 2026-06-29\n> 更新日期: 2026-07-03\n", false},
		{"PORT_FIX_SUMMARY.md", "# Ports\n", true},
		{"ports.md", "# Prefix summary\n", false},
		{"2026-06-29-ports.md", "# Ports\n", true},
		{"ports-2026-07.md", "# Ports\n", true},
		{"ports-2026-13.md", "# Ports\n", false},
		// decisions and plans
		{"adr/0001-ports.md", "# Ports\n", true},
		{"docs/decisions/ports.md", "# Ports\n", true},
		{"gate/decision/ports.md", "# Ports\n", false},
		{"ports.md", "# ADR-12: ports\n", true},
		{"adrenaline/ports.md", "# Ports\n", false},
		{"design/ports-prd.md", "# Ports\n", true},
		{"ROADMAP.md", "# What comes\n", true},
		{"proposals/ports.md", "# Ports\n", true},
		{"port-plan-2.md", "# Ports\n", true},
		{"PLAN-ports.md", "# Ports\n", true},
		{"plans/ports.md", "# Ports\n", true},
		{"PROPOSAL-ports.md", "# Ports\n", true},
		{"ports-proposal.md", "# Ports\n", true},
		{"rfcs/ports.md", "# Ports\n", true},
		{"plan.md", "# A plan\n", false},
		{"plan-lint.md", "# Check plans\n", false},
		{"plan-mode.md", "# Plan mode\n", false},
		{"query-plan.md", "# Query plan\n", false},
		{"api/proposals.md", "# Proposals\n", false},
		{"time/rfc-3339.md", "# RFC 3339\n", false},
		{"plans.md", "# What you can buy\n", false},
		// evidence
		{"ports.md", "# Ports\n\nCaptured during the run of May.\n", true},
		{"ports.md", "# Ports\n\nPackets are captured during the run of the proxy.\n", false},
		{"ports.md", "# Ports\n\nThe port is set at review time.\n", false},
	} {
		if got := claim.NewRecords(pageAt(t, row.path, row.src)).Page(); got != row.want {
			t.Errorf("%s %q: a record: %v, want %v", row.path, row.src, got, row.want)
		}
	}
}

func TestRecordsOfSections(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		src    string
		want   bool
		commit string
	}{
		{"# P\n\nHERE", false, ""},
		{"# P\n\n## Gate\n\n> Gate run: 2026-07-17\n\n### Rows\n\nHERE", true, ""},
		{"# P\n\n## Gate\n\n> Gate run: 2026-07-17\n\n## Ports\n\nHERE", false, ""},
		{"# P\n\n## Log\n\nStatus: fine\n\nHERE", false, ""},
		{"# P\n\n## Of 2026-07-17\n\nHERE", true, ""},
		{"# P\n\n## Ports (updated 2026-07-17)\n\nHERE", false, ""},
		{"# P\n\n## Ports\n\nStatus: fine (updated 2026-07-17)\n\nHERE", false, ""},
		{"# P\n\n## Ports\n\nReviewer: Ann\n\nHERE", false, ""},
		{"# P\n\n## Of 2026-07-17\n\n# Q\n\nHERE", false, ""},
		{"# P\n\n## Gate\n\nWhat was found at audit time.\n\nHERE", true, ""},
		{"# P\n\n## Ports\n\nThe port (verified this gate) HERE", true, ""},
		{"# P\n\n## Ports\n\n1\n2\n3\n4\n5\n\nİ Ⱥ\n\nVerified this gate, captured during May: HERE", true, ""},
		{"# P\n\n## Ports\n\n1\n2\n3\n4\n5\n\nThe port (verified this gate)\n\nHERE", false, ""},
		{"# P\n\n## Ports\n\nAudited against `origin/main` @ `2d8d71ee35fa`\n\n### All\n\nHERE", false, "2d8d71ee35fa"},
		{"# P\n\n## Ports\n\nAudited against 2d8d71ee35fa\n\n## All\n\nHERE", false, ""},
		{"# P\n\nAudited against 2d8d71e.\n\n## All\n\nVerified at 3e8d71e.\n\nHERE", false, "3e8d71e"},
		{"# P\n\nGenerated from 2d8d71e.\n\nHERE", false, ""},
		{"# P\n\n## Ports\n\nVerified at 20260717.\n\nHERE", false, ""},
	} {
		page := pageAt(t, "p.md", row.src)
		r, at := claim.NewRecords(page), bytes.Index(page.Source, []byte("HERE"))
		if got, commit := r.At(at), r.Commit(at); got != row.want || commit != row.commit {
			t.Errorf("%q: a record: %v of %q, want %v of %q", row.src, got, commit, row.want, row.commit)
		}
	}
}
