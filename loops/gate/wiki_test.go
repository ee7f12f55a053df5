//go:build unix

package gate

import (
	"bytes"
	"testing"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

const pages = shop + `-- wiki.yaml --
title: Shop
-- src/OLD.md --
# Old

See [it](gone.md).

And [this](linked.md).
-- src/linked.md --
# Linked
-- wiki/index.md --
---
title: Index
status: active
---
# Index

Bad word. The shop opens at nine.
-- wiki/port.md --
# Port

The gateway listens on port 80.

## History

It listened on port 79 once.
-- wiki/log.md --
# Log

## 2026-01-02

Opened.

## 2026-01-01

Founded.
-- wiki/raw/mail.md --
# Mail

As it was sent.
`

// badWord reports every "Bad word" of a page.
var badWord = &linter.Rule{
	ID: "bad-word", Group: linter.Hygiene, Severity: schema.Error, Since: "0", Summary: "s", Doc: "d",
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		if at := bytes.Index(page.Source, []byte("Bad word")); at >= 0 {
			p.Report(page.Path, schema.Span{Start: at, End: at + 8}, "a bad word; write a good one")
		}
	},
}

func TestWiki(t *testing.T) {
	t.Parallel()
	first := newRepo(t, pages)
	for name, c := range map[string]struct {
		change string
		also   adjust
		effect loops.Effect
		gate   string
		says   string
	}{
		"a page":                {"-- wiki/new.md --\n# New\n\nGood.\n", nil, loops.Passed, "", ""},
		"an old finding":        {"-- wiki/index.md --\n---\ntitle: Index\nstatus: active\n---\n# Index\n\nBad word. The shop opens at ten.\n", nil, loops.Passed, "", ""},
		"a new finding":         {"-- wiki/new.md --\n# New\n\nBad word.\n", nil, loops.Red, "wiki", "wiki/new.md: error bad-word: a bad word"},
		"a suppression":         {"-- wiki/new.md --\n# New\n\n<!-- wiki-lint-disable-next-line bad-word -- so -->\nBad word.\n", nil, loops.Violation, "wiki", "suppresses findings"},
		"one in frontmatter":    {"-- wiki/new.md --\n---\nlint:\n  disable: [bad-word]\n---\n# New\n\nBad word.\n", nil, loops.Violation, "wiki", "suppresses findings"},
		"a status":              {"-- wiki/index.md --\n---\ntitle: Index\nstatus: superseded\n---\n# Index\n\nBad word. The shop opens at nine.\n", nil, loops.Violation, "wiki", `its status is "superseded", was "active"`},
		"a verification":        {"-- wiki/index.md --\n---\ntitle: Index\nstatus: active\nverified: 2026-01-02\n---\n# Index\n\nBad word. The shop opens at nine.\n", nil, loops.Violation, "wiki", "its verified is"},
		"a verified page":       {"-- wiki/new.md --\n---\nlast-verified: 2026-01-02\n---\n# New\n\nGood.\n", nil, loops.Violation, "wiki", `its last-verified is "2026-01-02", was ""`},
		"a reviewer":            {"-- wiki/new.md --\n---\nreviewed_by: ada\n---\n# New\n\nGood.\n", nil, loops.Violation, "wiki", "its reviewed_by is"},
		"a successor":           {"-- wiki/new.md --\n---\nsupersedes: \"[[port]]\"\n---\n# New\n\nGood.\n", nil, loops.Violation, "wiki", "its supersedes is"},
		"a replacement":         {"-- wiki/index.md --\n---\ntitle: Index\nstatus: active\nreplaces: port\n---\n# Index\n\nBad word. The shop opens at nine.\n", nil, loops.Violation, "wiki", "its replaces is"},
		"a reviewed page":       {"-- wiki/new.md --\n---\nlifecycle: Reviewed\n---\n# New\n\nGood.\n", nil, loops.Violation, "wiki", `is new, and its status is "Reviewed"`},
		"a page of the past":    {"-- wiki/new.md --\n---\nstatus: archived\n---\n# New\n\nGood.\n", nil, loops.Violation, "wiki", `is new, and its status is "archived"`},
		"a page with a state":   {"-- wiki/new.md --\n---\nstatus: active\nverified: ~\nreviewed_by: \nstale_after: 2027-01-01\n---\n# New\n\nGood.\n", nil, loops.Passed, "", ""},
		"history":               {"-- wiki/port.md --\n# Port\n\nThe gateway listens on port 81.\n\n## History\n\nThe gateway listens on port 80.\n\nIt listened on port 79 once.\n", nil, loops.Violation, "wiki", "was moved under History"},
		"a newer statement":     {"-- wiki/port.md --\n# Port\n\nThe gateway listens on port 81.\n\n## History\n\nIt listened on port 79 once.\n", nil, loops.Passed, "", ""},
		"an entry of the log":   {"-- wiki/log.md --\n# Log\n\n## 2026-01-03\n\nPainted.\n\n## 2026-01-02\n\nOpened.\n\n## 2026-01-01\n\nFounded.\n", nil, loops.Passed, "", ""},
		"a rewritten log":       {"-- wiki/log.md --\n# Log\n\n## 2026-01-02\n\nOpened, late.\n\n## 2026-01-01\n\nFounded.\n", nil, loops.Violation, "wiki", "an entry was changed or deleted: Opened."},
		"a log in a comment":    {"-- wiki/log.md --\n# Log\n\n<!--\n## 2026-01-02\n\nOpened.\n\n## 2026-01-01\n\nFounded.\n-->\n", nil, loops.Violation, "wiki", "an entry was changed or deleted: ## 2026-01-02"},
		"a log in frontmatter":  {"-- wiki/log.md --\n---\r\nnote: |\r\n  # Log\r\n\r\n  ## 2026-01-02\r\n\r\n  Opened.\r\n\r\n  ## 2026-01-01\r\n\r\n  Founded.\r\n---\r\n# Log\r\n", nil, loops.Violation, "wiki", "an entry was changed or deleted"},
		"a deleted log":         {"-- wiki/log.md --", nil, loops.Violation, "wiki", "was deleted"},
		"a raw source":          {"-- wiki/raw/mail.md --\n# Mail\n\nAs we want it.\n", nil, loops.Violation, "wiki", "raw source, and was changed"},
		"the configuration":     {"-- wiki.yaml --\nlint:\n  rules:\n    bad-word: off\n-- wiki/new.md --\n# New\n\nBad word.\n", nil, loops.Violation, "protected", "wiki.yaml"},
		"the schema":            {"-- wiki/00_SCHEMA.md --\n# All is allowed\n", nil, loops.Violation, "protected", "00_SCHEMA.md"},
		"the lock":              {"-- wiki/wiki.lock --\nx\n", nil, loops.Violation, "protected", "wiki.lock"},
		"code":                  {"-- lib.sh --\nadd() { echo 5; }\n", nil, loops.Unscoped, "scope", "lib.sh"},
		"code of the scope":     {"-- src/a.js --\n1\n", nil, loops.Unscoped, "scope", "a writer may only change pages"},
		"prose of the scope":    {"-- src/README.md --\n# Read me\n", nil, loops.Passed, "", ""},
		"a broken link beside":  {"-- src/README.md --\n# Read me\n\nSee [the port](../wiki/prot.md).\n", nil, loops.Red, "wiki", `links to "../wiki/prot.md", which does not exist`},
		"a link beside":         {"-- src/README.md --\n# Read me\n\nSee [the port](../wiki/port.md#history), [us](https://example.org/x) and [code](../lib.sh).\n", nil, loops.Passed, "", ""},
		"an old broken link":    {"-- src/OLD.md --\n# Old\n\nSee [it](gone.md), still.\n", nil, loops.Passed, "", ""},
		"a linked file removed": {"-- src/linked.md --", nil, loops.Red, "wiki", `links to "linked.md", which does not exist`},
		"a test":                {"-- tests/more.sh --\ntrue\n", nil, loops.Violation, "protected", "a writer may only change pages"},
		"unlocked for a page":   {"-- wiki/raw/mail.md --\n# Mail\n\nAs it came.\n", unlock("wiki/raw/mail.md"), loops.Passed, "", ""},
		"a finding by a maker":  {"-- wiki/new.md --\n# New\n\nBad word.\n", func(_ *testing.T, _ *repo, j *judged) { j.stage = loops.StageChunk; j.plan.Scope = []string{"**"} }, loops.Red, "wiki", "bad-word"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := first.copied(t)
			r.write(c.change)
			j := shell(r)
			j.stage, j.plan.Scope, j.plan.Chunks = loops.StageWiki, []string{"src/**"}, nil
			j.rules = []*linter.Rule{badWord}
			if c.also != nil {
				c.also(t, r, j)
			}
			j.expect(c.effect, c.gate, c.says)
		})
	}
}
