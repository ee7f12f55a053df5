package linter

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// Config says which rules run, and how. The zero Config runs every registered
// rule as the wiki's configuration says.
type Config struct {
	// Rules are the rules there are; nil means all that are registered, and
	// those that the wiki's own configuration defines.
	Rules []*Rule
	// Only lists the only rules and groups to run. A named rule runs whatever its
	// configured severity: one that is off runs at its default severity, or as a warning
	// if that is off. In a group, rules that are off don't run.
	Only []string
	// Except names rules and groups not to run. A rule that Only names runs
	// although its group is not to.
	Except []string
	// Workers is how many rules run at the same time; 0 means one per
	// processor.
	Workers int
	// Today decides what is in the future; the zero Time skips these checks.
	Today time.Time
	// HTTP is the client for rules that look at the web; nil means one with
	// sensible timeouts.
	HTTP *http.Client
	// CacheDir is a folder for derived data; empty keeps none.
	CacheDir string
	// Judge decides doubts; without one, the rules that need it don't run.
	Judge Judge
	// Timing measures how long each rule takes.
	Timing bool
	// Facts, when set, shares results with other runs over the same wiki.
	Facts *Facts
	// Focus lists pages by their paths: only they are checked, and only by rules that
	// need no other page for it; see [Rule].Local. It is for editors, which show
	// findings while somebody types and the others later. Nil checks everything.
	Focus []string
	// Each reports every finding at its place: none stands for others with its cause.
	Each bool

	// Everything is analysed; the following fields select what is reported. They come
	// from the caller, so that a gate can take them from another commit than the pages.

	// Lock says what the sources of pages looked like when each page was last
	// known true; nil is the wiki.lock that is next to the wiki, if any.
	Lock *source.Lock
	// Within are the pages and folders below the root whose findings are reported; empty
	// means all.
	Within []string
	// Baseline lists accepted findings, which are not reported again; may be nil.
	Baseline *Baseline
	// AcceptNew takes every finding into the baseline.
	AcceptNew bool
	// Acknowledged lists acknowledged contradictions; may be nil.
	Acknowledged *Acknowledgements
	// Changes, when set, leaves the findings that have to do with them.
	Changes *schema.Changes

	contradictions bool // only these are asked for; see [Contradictions]
}

// selection is the configuration resolved against the rules there are.
type selection struct {
	rules     []*Rule
	on        []*Rule                    // instead of rules, where some of those on don't run
	base      map[string]schema.Severity // severity without overrides
	set       map[string]bool            // base was given by the configuration
	overrides []schema.LintOverride
	forced    map[string]bool // named by Only
	silent    map[string]bool // runs only for a forced rule that judges what others find
	unjudged  map[string]bool // does not run, since it needs a judge and there is none
}

// ids are those of all rules there are, sorted.
func (s *selection) ids() []string { return slices.Sorted(maps.Keys(s.base)) }

// choose resolves which rules run. It reports every problem of the
// configuration, not only the first.
func choose(cfg Config, lint schema.LintConfig) (*selection, error) {
	all := cfg.Rules
	if all == nil {
		all = Rules()
	}
	s := &selection{base: map[string]schema.Severity{}, set: map[string]bool{}, forced: map[string]bool{}, silent: map[string]bool{}, unjudged: map[string]bool{}}
	for _, r := range all {
		s.base[r.ID] = r.Severity
	}
	if err := checkNames(all, cfg, lint); err != nil {
		return nil, err
	}
	for id, sev := range byRule(all, lint.Rules) {
		s.base[id], s.set[id] = sev, true
	}
	for _, o := range lint.Overrides {
		s.overrides = append(s.overrides, schema.LintOverride{Paths: o.Paths, Rules: byRule(all, o.Rules)})
	}
	for _, r := range all {
		s.forced[r.ID] = slices.Contains(cfg.Only, r.ID)
	}
	grouped := func(r *Rule) bool { return slices.Contains(cfg.Only, r.Group.Name()) }
	judging := slices.ContainsFunc(all, func(r *Rule) bool {
		return (s.forced[r.ID] || grouped(r)) && (r.Last != nil || r.NeedsJudge)
	})
	for _, r := range all {
		on := s.base[r.ID] != schema.Off || s.enabledSomewhere(r.ID)
		switch {
		case slices.Contains(cfg.Except, r.ID), slices.Contains(cfg.Except, r.Group.Name()) && !s.forced[r.ID]:
		case r.NeedsJudge && cfg.Judge == nil && !s.forced[r.ID]:
			s.unjudged[r.ID] = true
		case len(cfg.Only) > 0:
			if s.forced[r.ID] {
				if s.base[r.ID] == schema.Off {
					s.base[r.ID] = max(r.Severity, offButAsked(r))
				}
				s.rules = append(s.rules, r)
			} else if on && (judging || grouped(r)) {
				s.silent[r.ID] = !grouped(r)
				s.rules = append(s.rules, r)
			}
		case on:
			s.rules = append(s.rules, r)
		}
	}
	s.guard(all)
	return s, nil
}

// byRule turns severities of rules and groups into those of rules. A rule's own
// counts before its group's, and a rule that is off until asked for is not
// switched on with its group.
func byRule(all []*Rule, given map[string]schema.Severity) map[string]schema.Severity {
	out := map[string]schema.Severity{}
	for _, r := range all {
		if sev, ok := given[r.ID]; ok {
			out[r.ID] = sev
		} else if sev, ok := given[r.Group.Name()]; ok && r.Severity != schema.Off {
			out[r.ID] = sev
		}
	}
	return out
}

// Severities returns the configured severity of each rule, without overrides for paths.
func Severities(all []*Rule, lint schema.LintConfig) map[string]schema.Severity {
	out := map[string]schema.Severity{}
	for _, r := range all {
		out[r.ID] = r.Severity
	}
	maps.Copy(out, byRule(all, lint.Rules))
	return out
}

// guard makes the rules that find secrets run whenever something is sent to a judge,
// even if they are switched off.
func (s *selection) guard(all []*Rule) {
	if !slices.ContainsFunc(s.rules, func(r *Rule) bool { return r.NeedsJudge }) {
		return
	}
	for _, r := range all {
		if r.FindsSecrets && !slices.Contains(s.rules, r) {
			s.silent[r.ID] = true
			s.rules = append(s.rules, r)
		}
	}
}

// offButAsked is the severity of a rule that is off by default and named on
// the command line.
func offButAsked(r *Rule) schema.Severity {
	if r.Severity == schema.Off {
		return schema.Warning
	}
	return r.Severity
}

func (s *selection) enabledSomewhere(id string) bool {
	for _, o := range s.overrides {
		if o.Rules[id] != schema.Off { // nothing is said of it, or it is off
			return true
		}
	}
	return false
}

// runs reports whether findings of a rule in path are reported: the rule runs, not only
// for another rule, and is not off there.
func (s *selection) runs(rule, path string) bool {
	on := s.rules
	if s.on != nil {
		on = s.on
	}
	return !s.silent[rule] && slices.ContainsFunc(on, func(r *Rule) bool { return r.ID == rule }) && s.severity(rule, path, schema.Off) != schema.Off
}

// severity returns the severity of a finding of rule in path. own is the severity set by
// the rule, Off if it set none.
func (s *selection) severity(rule, path string, own schema.Severity) schema.Severity {
	sev, set := s.base[rule], s.set[rule]
	for _, o := range s.overrides {
		v, ok := o.Rules[rule]
		if ok && matchAny(o.Paths, path) {
			sev, set = v, true
		}
	}
	if sev == schema.Off && s.forced[rule] {
		sev = s.base[rule]
	}
	if own != schema.Off && sev != schema.Off && !set {
		return own
	}
	return sev
}

func matchAny(globs []string, path string) bool {
	for _, g := range globs {
		if doublestar.MatchUnvalidated(g, path) {
			return true
		}
	}
	return false
}

// Selectable are the names that rules are switched by: of rules, and of groups.
func Selectable(all []*Rule) []string {
	var out []string
	for _, r := range all {
		out = append(out, r.ID, r.Group.Name())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// checkNames reports unknown rules and groups, and globs that can't be read.
func checkNames(all []*Rule, cfg Config, lint schema.LintConfig) error {
	var errs []error
	names := Selectable(all)
	check := func(where string, given []string) {
		for _, n := range given {
			if _, ok := slices.BinarySearch(names, n); !ok {
				errs = append(errs, unknownRule(where, n, names))
			}
		}
	}
	check("--select", cfg.Only)
	check("--ignore", cfg.Except)
	check("lint.rules", slices.Sorted(maps.Keys(lint.Rules)))
	for i, o := range lint.Overrides {
		where := fmt.Sprintf("lint.overrides[%d]", i)
		check(where+".rules", slices.Sorted(maps.Keys(o.Rules)))
		if len(o.Paths) == 0 {
			errs = append(errs, fmt.Errorf("%s has no paths; use globs, such as %q", where, "drafts/**"))
		}
		for _, g := range o.Paths {
			if !doublestar.ValidatePattern(g) {
				errs = append(errs, fmt.Errorf("%s.paths: %q is not a valid glob", where, g))
			}
		}
	}
	return errors.Join(errs...)
}

// UnknownRuleError is a name in the configuration or on the command line that
// no rule has.
type UnknownRuleError struct {
	Where string // "--select", or the key of wiki.yaml
	Name  string
	Near  string // the rule probably meant, or empty
}

func (e *UnknownRuleError) Error() string {
	msg := fmt.Sprintf("%s: unknown rule or group %q", e.Where, e.Name)
	if e.Near != "" {
		return msg + fmt.Sprintf(": did you mean %q?", e.Near)
	}
	return msg
}

func unknownRule(where, name string, ids []string) error {
	near, _ := schema.Nearest(name, ids)
	return &UnknownRuleError{Where: where, Name: name, Near: near}
}
