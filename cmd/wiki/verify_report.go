package main

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema/text"
)

// verifyVersion is the version of the JSON that wiki verify prints.
const verifyVersion = 1

type verifyDocument struct {
	Version  int           `json:"version"`
	Lock     string        `json:"lock"`     // the path of wiki.lock
	Bindings []verifiedRef `json:"bindings"` // in order of page
}

// verifiedRef is one reference of a page, and its result.
type verifiedRef struct {
	Page    string `json:"page"`
	Heading string `json:"heading,omitempty" jsonschema:"the id of the section; empty for the whole page"`
	Target  string `json:"target" jsonschema:"path below the repository, followed by #symbol or :lines"`
	Outcome string `json:"outcome" jsonschema:"stamped, changed, moved, missing, unverifiable or removed"`
	Reason  string `json:"reason,omitempty"`
	// Old and New are given where the declaration or the values changed.
	Old *source.Sides `json:"old,omitempty"`
	New *source.Sides `json:"new,omitempty"`
}

func newVerifyDocument(lock string, done []source.Verified) verifyDocument {
	doc := verifyDocument{Version: verifyVersion, Lock: lock, Bindings: []verifiedRef{}}
	for _, d := range done {
		r := verifiedRef{Page: d.Page, Heading: d.Heading, Target: d.Target, Outcome: string(d.Outcome), Reason: outcomeInWords(&d)}
		if d.Signed || d.Literals {
			r.Old, r.New = d.Verdict.Sides()
		}
		doc.Bindings = append(doc.Bindings, r)
	}
	return doc
}

// outcomeInWords says why a reference is not verified, and what to do.
func outcomeInWords(d *source.Verified) string {
	switch d.Outcome {
	case source.Moved:
		return "moved to " + d.Verdict.Moved + "; 'wiki lint --fix' updates the reference"
	case source.Missing:
		if d.Verdict.Several {
			return "ambiguous symbol; use its full name"
		}
		return "not found"
	case source.Unread:
		return d.Verdict.Unverifiable.Error()
	}
	return ""
}

// printVerified lists the results by page, with both sides of changed code.
func (p *program) printVerified(done []source.Verified) {
	page := ""
	for i := range done {
		d := &done[i]
		if d.Page != page {
			page = d.Page
			p.out.Println(page)
		}
		target := d.Target
		if d.Heading != "" {
			target += " in " + d.Heading
		}
		p.out.Printf("  %-12s  %s\n", d.Outcome, target)
		if why := outcomeInWords(d); why != "" {
			p.out.Printf("%14s  %s\n", "", why)
		}
		if d.Signed || d.Literals {
			p.printSides(d)
		}
	}
}

func (p *program) printSides(d *source.Verified) {
	old, now := d.Verdict.Sides()
	row := func(sign, what, text string) {
		if text != "" {
			p.out.Printf("%14s  %s %s %s\n", "", sign, what, text)
		}
	}
	if d.Signed {
		what := "declaration"
		if d.Verdict.Anchor.FromLine > 0 {
			what = "lines"
		}
		if old != nil {
			row("-", what, old.Signature)
		}
		row("+", what, now.Signature)
		if what == "lines" {
			return // which show their values
		}
	}
	if d.Literals {
		if old != nil {
			row("-", "values", strings.Join(old.Literals, ", "))
		}
		row("+", "values", strings.Join(now.Literals, ", "))
	}
}

// settleVerified prints what was written, and returns a fault if something was not
// verified.
func (p *program) settleVerified(lock string, done []source.Verified) error {
	n := map[source.Outcome]int{}
	pages := map[string]bool{}
	for _, d := range done {
		n[d.Outcome]++
		if d.Outcome == source.Stamped {
			pages[d.Page] = true
		}
	}
	switch removed := n[source.Forgotten]; {
	case len(done) == 0:
		p.say("nothing to verify: no page refers to code; see 'wiki verify --help'")
	case n[source.Stamped] > 0 && removed > 0:
		p.say("wrote %s: verified %s of %s, removed %d; commit it", lock, text.Count(n[source.Stamped], "binding"), text.Count(len(pages), "page"), removed)
	case n[source.Stamped] > 0:
		p.say("wrote %s: verified %s of %s; commit it", lock, text.Count(n[source.Stamped], "binding"), text.Count(len(pages), "page"))
	case removed > 0:
		p.say("wrote %s: removed %s; commit it", lock, text.Count(removed, "binding"))
	}
	left := n[source.Refused] + n[source.Moved] + n[source.Missing]
	switch {
	case left == 0:
		return nil
	case n[source.Refused] > 0:
		return &fault{code: exitFindings, err: fmt.Errorf("%s not verified", wasWere(left)),
			hint: "compare both sides, then correct the page, or confirm with --still-accurate"}
	}
	return &fault{code: exitFindings, err: fmt.Errorf("%s not verified", wasWere(left)), hint: "correct the references, then verify again"}
}

func wasWere(n int) string {
	if n == 1 {
		return "1 binding was"
	}
	return fmt.Sprintf("%d bindings were", n)
}
