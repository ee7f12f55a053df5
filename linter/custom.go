package linter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Custom is the group of the rules that wiki.yaml defines.
const Custom Group = "custom"

// CustomRuleError is a rule of wiki.yaml that can't be made.
type CustomRuleError struct {
	Path   string // of wiki.yaml, as it was opened
	At     schema.Position
	Reason string // ends with what to do
}

func (e *CustomRuleError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.At.Line, e.At.Column, e.Reason)
}

// RulesOf returns the rules of a wiki in order of id: all that are registered,
// and those that its wiki.yaml defines. [RulePage] documents both. The error is
// a [*CustomRuleError].
func RulesOf(ws *compiler.Workspace) ([]*Rule, error) {
	rules := Rules()
	for i := range ws.Config.Rules {
		def := &ws.Config.Rules[i]
		if registry[def.ID] != nil {
			return nil, &CustomRuleError{ws.ConfigPath, def.At, fmt.Sprintf("rules[%d].id: %q is a built-in rule: choose another id", i, def.ID)}
		}
		r, err := newCustom(def)
		if err != nil {
			return nil, &CustomRuleError{ws.ConfigPath, def.At, fmt.Sprintf("rules[%d]: %v", i, err)}
		}
		rules = append(rules, r)
	}
	slices.SortFunc(rules, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return rules, nil
}

// of completes a configuration for a wiki: with a store of facts, and with all
// rules there are when it names none.
func (cfg Config) of(w *compiler.Wiki) (Config, error) {
	if cfg.Facts == nil || cfg.Facts.wiki != w {
		cfg.Facts = NewFacts(w)
	}
	if cfg.Rules != nil {
		return cfg, nil
	}
	var err error
	cfg.Rules, err = cfg.Facts.book.rules()
	return cfg, err
}

// custom is a rule of wiki.yaml, made ready to run.
type custom struct {
	*schema.CustomRule
	cond    *schema.Condition
	pattern *regexp.Regexp // of the text, heading, value or destination that is looked for
	size    int            // instructions of the pattern
}

// newCustom makes a rule of its definition, which was checked when it was read.
func newCustom(def *schema.CustomRule) (*Rule, error) {
	c := &custom{CustomRule: def, cond: def.Forbid}
	if c.cond == nil {
		c.cond = def.Require
	}
	if c.cond == nil || def.Forbid != nil && def.Require != nil {
		return nil, fmt.Errorf("%s: expected exactly one of forbid and require", def.ID)
	}
	text := c.cond.Pattern
	switch {
	case c.cond.Heading != nil:
		text = c.cond.Heading.Pattern
	case c.cond.Field != nil:
		text = c.cond.Field.Value
	case c.cond.Link != nil:
		text = c.cond.Link.Target
	}
	if text != "" {
		re, size, err := schema.CompilePattern(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a valid pattern, %w: expected a regular expression in RE2 syntax", text, err)
		}
		c.pattern, c.size = re, size
	}
	r := &Rule{ID: def.ID, Group: Custom, Severity: schema.Warning, Summary: strings.TrimSpace(def.Message), Doc: c.document(), CheckPage: c.check,
		Cause: func(n int, first schema.Diagnostic) string {
			return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
		}}
	if def.Severity != nil {
		r.Severity = *def.Severity
	}
	if def.Fix != nil {
		r.Fix = UnsafeFix
	}
	return r, nil
}

func (c *custom) ofType(conventions *Conventions, page *schema.Page) bool {
	name := page.Meta.Type
	if t, _, ok := conventions.TypeOf(page); ok {
		name = t
	}
	return slices.ContainsFunc(c.Types, func(t string) bool { return strings.EqualFold(t, name) })
}

// concerns reports whether the rule is for a page at all. Raw sources are as
// they were found, and pages that have their place by their name lack what
// others have: both count only where the rule names their paths.
func (c *custom) concerns(page *schema.Page) bool {
	switch {
	case matchAny(c.Except, page.Path):
		return false
	case len(c.Paths) > 0:
		return matchAny(c.Paths, page.Path)
	case page.Layer == schema.LayerSource:
		return false
	}
	return c.Require == nil || !page.Reserved()
}

// hit is one place that a condition is met at.
type hit struct {
	at                  schema.Span
	match, field, value string
	fix                 []schema.Edit
}

// mostHits bounds what one rule reports on one page.
const mostHits = schema.MaxRuleFindings

func (c *custom) check(p *Pass, page *schema.Page) {
	if !c.concerns(page) || len(c.Types) > 0 && !c.ofType(ConventionsOf(p), page) {
		return
	}
	if n := c.readOf(page); int64(n)*int64(c.size) > schema.MaxPatternSteps {
		p.ReportCause("steps", page.Path, headOf(page), "not checked: the pattern (%d instructions) is too slow for a page of %d bytes (limit %d for the product); simplify the pattern, split the page, or exclude it with except", c.size, n, schema.MaxPatternSteps)
		return
	}
	var hits []hit
	if c.Forbid != nil {
		hits = c.find(p, page, mostHits)
	} else {
		hits = c.lacks(p, page)
	}
	for _, h := range hits {
		cause := "match:" + h.field + "\x00" + h.match + h.value
		if c.Require != nil {
			cause = "lacks:" + h.value
		}
		d := p.ReportCause(cause, page.Path, h.at, "%s", c.message(page, h))
		if h.fix != nil {
			d.Fixes = []schema.Fix{{Title: "write " + clip(h.fix[0].Text), Edits: h.fix}}
		}
	}
}

// readOf is how many bytes of a page the pattern is matched against, at most.
func (c *custom) readOf(page *schema.Page) (n int) {
	switch {
	case c.cond.Heading != nil:
		for i := range page.Headings {
			n += len(page.Headings[i].Text)
		}
	case c.cond.Link != nil:
		for i := range page.Links {
			n += len(page.Links[i].Raw)
		}
	case c.cond.Field != nil || c.cond.In == "frontmatter":
		if page.Front != nil {
			n = page.Front.Span.Len()
		}
	default:
		n = len(page.Source)
	}
	return n
}

// find returns where the condition is met, at most n places.
func (c *custom) find(p *Pass, page *schema.Page, n int) []hit {
	switch {
	case c.cond.Heading != nil:
		return c.headings(page, n)
	case c.cond.Field != nil:
		return c.fields(page)
	case c.cond.Link != nil:
		return c.links(page, n)
	}
	return c.patterns(p, page, n)
}

// lacks returns what a page lacks that the rule requires.
func (c *custom) lacks(p *Pass, page *schema.Page) []hit {
	if c.cond.Field != nil {
		return c.fieldLacks(page)
	}
	if len(c.find(p, page, 1)) > 0 {
		return nil
	}
	return []hit{{at: headOf(page)}}
}

// headOf is the place of findings about a whole page: its title, else its beginning.
func headOf(page *schema.Page) schema.Span {
	if page.H1.Len() > 0 {
		return page.H1
	}
	return schema.Span{Start: page.Body, End: page.Body}
}

// message fills in the placeholders.
func (c *custom) message(page *schema.Page, h hit) string {
	return strings.NewReplacer("{match}", clip(h.match), "{field}", clip(h.field), "{value}", clip(h.value), "{page}", page.Path).Replace(strings.TrimSpace(c.Message))
}

// clip makes one short line of a text that a page holds.
func clip(s string) string {
	s = text.Collapse(strings.ToValidUTF8(s, "\uFFFD"))
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
