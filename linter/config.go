package linter

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/schema"
)

// Config says which rules run, and how. The zero Config runs every registered
// rule as the wiki's configuration says.
type Config struct {
	// Rules are the rules there are; nil means all that are registered.
	Rules []*Rule
	// Only names the only rules to run, whatever severity the configuration
	// gives them: one that is off by default or by configuration runs at its
	// default severity, or as a warning when that is off.
	Only []string
	// Except names rules not to run.
	Except []string
	// Workers is how many rules run at the same time; 0 means one per
	// processor.
	Workers int
	// Today decides what is in the future; the zero Time leaves that open.
	Today time.Time
	// HTTP is the client for rules that look at the web; nil means one with
	// sensible timeouts.
	HTTP *http.Client
	// CacheDir is a folder for derived data; empty keeps none.
	CacheDir string
	// Timing measures how long each rule takes.
	Timing bool
	// Facts, when set, shares results with other runs over the same wiki.
	Facts *Facts
}

// selection is the configuration resolved against the rules there are.
type selection struct {
	rules     []*Rule
	base      map[string]schema.Severity // severity without overrides
	set       map[string]bool            // base was given by the configuration
	overrides []schema.LintOverride
	forced    map[string]bool // named by Only
}

// choose resolves which rules run. It reports every problem of the
// configuration, not only the first.
func choose(cfg Config, lint schema.LintConfig) (*selection, error) {
	all := cfg.Rules
	if all == nil {
		all = Rules()
	}
	s := &selection{base: map[string]schema.Severity{}, set: map[string]bool{}, forced: map[string]bool{}, overrides: lint.Overrides}
	for _, r := range all {
		s.base[r.ID] = r.Severity
	}
	if err := checkNames(s.base, cfg, lint); err != nil {
		return nil, err
	}
	for id, sev := range lint.Rules {
		s.base[id], s.set[id] = sev, true
	}
	for _, id := range cfg.Only {
		s.forced[id] = true
	}
	for _, r := range all {
		switch {
		case slices.Contains(cfg.Except, r.ID):
		case len(cfg.Only) > 0:
			if s.forced[r.ID] {
				if s.base[r.ID] == schema.Off {
					s.base[r.ID] = max(r.Severity, offButAsked(r))
				}
				s.rules = append(s.rules, r)
			}
		case s.base[r.ID] != schema.Off || s.enabledSomewhere(r.ID):
			s.rules = append(s.rules, r)
		}
	}
	return s, nil
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
		if o.Rules[id] != schema.Off {
			return true
		}
	}
	return false
}

// severity returns the severity of a finding of rule in path. own is what the
// rule itself gave the finding, Off when it gave none.
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

// checkNames reports unknown rules and globs that can not be read.
func checkNames(known map[string]schema.Severity, cfg Config, lint schema.LintConfig) error {
	var errs []error
	ids := slices.Sorted(maps.Keys(known))
	check := func(where string, names []string) {
		for _, n := range names {
			if _, ok := known[n]; !ok {
				errs = append(errs, unknownRule(where, n, ids))
			}
		}
	}
	check("--rule", cfg.Only)
	check("--except", cfg.Except)
	check("lint.rules", slices.Sorted(maps.Keys(lint.Rules)))
	for i, o := range lint.Overrides {
		where := fmt.Sprintf("lint.overrides[%d]", i)
		check(where+".rules", slices.Sorted(maps.Keys(o.Rules)))
		if len(o.Paths) == 0 {
			errs = append(errs, fmt.Errorf("%s has no paths: give the globs it is for, such as %q", where, "drafts/**"))
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
	Where string // "--rule", or the key of wiki.yaml
	Name  string
	Near  string // the rule probably meant, or empty
}

func (e *UnknownRuleError) Error() string {
	msg := fmt.Sprintf("%s: there is no rule %q", e.Where, e.Name)
	if e.Near != "" {
		return msg + fmt.Sprintf(": did you mean %q?", e.Near)
	}
	return msg
}

func unknownRule(where, name string, ids []string) error {
	near, _ := schema.Nearest(name, ids)
	return &UnknownRuleError{Where: where, Name: name, Near: near}
}
