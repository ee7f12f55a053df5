package plan

import (
	"fmt"
	"github.com/loopwiki/wiki/schema"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// Choice is what becomes of an item before anybody works on it.
type Choice string

// The choices.
const (
	Selected  Choice = "selected"
	Skipped   Choice = "skipped"   // it is not for this loop
	Escalated Choice = "escalated" // it is for a person
	Deferred  Choice = "deferred"  // the next run may take it: this one is full
)

// Chosen is an item and what becomes of it.
type Chosen struct {
	Item   WorkItem
	Choice Choice
	Reason string
}

// Knowledge says of items what they do not say themselves.
type Knowledge struct {
	// Gates are the commands of the repository, with those of the spec.
	Gates loops.GateCommands
	// Wiki says that there is one: its gate checks links.
	Wiki bool
	// Past is what became of items before, by id.
	Past map[string]ItemState
}

// Select decides for each item whether the loop takes it: all rules of the first
// list hold, and none of the second, nor what always waits for a person. Items
// are taken in their order until the run is full.
func (s *LoopSpec) Select(items []WorkItem, k Knowledge) []Chosen {
	most := mostItems
	if b, ok := s.Budget("max items per run"); ok {
		most = int(b.N)
	}
	var out []Chosen
	for _, it := range items {
		c := Chosen{Item: it, Choice: Selected}
		if c.Reason = s.past(&it, k); c.Reason != "" {
			c.Choice = Skipped
		} else if c.Reason = s.unfit(&it, k); c.Reason != "" {
			c.Choice = Skipped
		} else if c.Reason = s.risky(&it, k); c.Reason != "" {
			c.Choice = Escalated
		} else if most == 0 {
			c.Choice, c.Reason = Deferred, "the run's item limit is reached"
		} else {
			most--
			c.Reason = "all rules hold"
		}
		out = append(out, c)
	}
	return out
}

// SelectToRead decides for who only reads: all that is not for a person.
func (s *LoopSpec) SelectToRead(items []WorkItem) []Chosen {
	most := mostItems
	if b, ok := s.Budget("max items per run"); ok {
		most = int(b.N)
	}
	var out []Chosen
	for _, it := range items {
		c := Chosen{Item: it, Choice: Selected, Reason: "for the report"}
		if most == 0 {
			c.Choice, c.Reason = Deferred, "the run's item limit is reached"
		} else {
			most--
		}
		if name, shown := touches(it.Title+"\n"+it.Text, it.Files, s.forbidden()); name != "" && c.Choice == Selected {
			c.Choice, c.Reason = Escalated, fmt.Sprintf("it touches %s: %s", name, shown)
		}
		out = append(out, c)
	}
	return out
}

// past reports why an item is not taken again: what became of it waits for a person.
func (s *LoopSpec) past(it *WorkItem, k Knowledge) string {
	switch was := k.Past[it.ID]; was.Status {
	case ItemDrafted, ItemOpened:
		return "it is " + string(was.Status) + " already, and waits for review"
	case ItemWaiting:
		return "a run of it waits for a person"
	}
	return ""
}

// unfit returns which rule of selection does not hold, or "".
func (s *LoopSpec) unfit(it *WorkItem, k Knowledge) string {
	limited := len(it.Files) > 0 || len(s.Within()) > 0
	if it.Source == InputTracker {
		limited = len(it.Allowed) > 0 || len(s.Within()) > 0
	}
	if it.Refused != "" {
		return it.Refused
	}
	for i := range s.May {
		if s.May[i].Kind == RuleFiles && it.Count < 0 && limited {
			continue // nobody can say before; the gate for the scope counts what changed
		}
		if s.May[i].Kind == RuleClear {
			continue // such an item is for a person, and not left out
		}
		if why := s.May[i].against(it, k); why != "" {
			return why
		}
	}
	switch {
	case limited:
		return ""
	case len(it.Files) > 0:
		return "no scope: the text of an issue only narrows what a label such as scope:docs/** or the spec allows"
	}
	return "no scope: neither the item nor the spec names files"
}

// against reports why a rule does not let an item be taken, or "". What only a run
// tells is none of its business.
func (r *Rule) against(it *WorkItem, k Knowledge) string {
	switch r.Kind {
	case RuleLabel:
		if !anyFold(it.Labels, r.Words) {
			return fmt.Sprintf("it is not labeled %s", strings.Join(r.Words, " or "))
		}
	case RuleFiles:
		if it.Count > r.N {
			return fmt.Sprintf("%d files are expected to change, more than %d", it.Count, r.N)
		}
		if it.Count < 0 {
			return "unknown number of files: it names none, and no rule says within which it stays"
		}
	case RuleRisk:
		if it.Risk != "" && !slices.Contains(r.Words, it.Risk) {
			return fmt.Sprintf("its risk is %s", it.Risk)
		}
	case RuleFinding:
		if !anyFold([]string{it.Rule}, r.Words) {
			return fmt.Sprintf("it is not a finding of %s", strings.Join(r.Words, " or "))
		}
	case RuleWithin:
		for _, f := range it.Files {
			if !slices.ContainsFunc(r.Words, func(g string) bool { return covers(g, f) }) {
				return fmt.Sprintf("%s is not within %s", f, strings.Join(r.Words, ", "))
			}
		}
	case RuleCheckable:
		if !checkable(it, r.Words, k) {
			return fmt.Sprintf("no check: it names no command, and the repository has no %s", strings.Join(r.Words, ", "))
		}
	case RuleClear, RuleTouches:
		if name, shown := r.touched(it); name != "" {
			return fmt.Sprintf("it touches %s: %s", name, shown)
		}
	case RuleFailed:
		if n := k.Past[it.ID].Failures; n == 1 && r.N == 1 {
			return "it failed once before"
		} else if n >= r.N {
			return fmt.Sprintf("it failed %d times before", n)
		}
	case RuleUntested:
		if len(k.Gates.Test) == 0 {
			return "required tests are missing: the repository has no test command"
		}
	case RuleAmbiguous:
		if word := openQuestion().FindString(it.Title + "\n" + it.Text); word != "" {
			return fmt.Sprintf("requirements are ambiguous: %q", word)
		}
	}
	return ""
}

// touched returns the area of the rule that an item is about, and what shows it.
func (r *Rule) touched(it *WorkItem) (name, shown string) {
	for _, word := range areaWords().FindAllString(it.Title+"\n"+it.Text, -1) {
		if name, _ := findArea(word); slices.Contains(r.Words, name) {
			return name, word
		}
	}
	for _, w := range r.Words {
		a := loops.Area{Name: "what the spec forbids", Globs: []string{w}}
		for _, known := range areas {
			if known.name == w {
				a = loops.Area{Name: w, Words: known.paths}
			}
		}
		for _, f := range it.Files {
			if a.Holds(f) || len(a.Globs) > 0 && overlap(f, w) {
				return a.Name, f
			}
		}
	}
	return "", ""
}

// checkable reports whether one of the gates that are named has something to run.
func checkable(it *WorkItem, with []string, k Knowledge) bool {
	return len(it.Verify) > 0 || slices.ContainsFunc(with, func(w string) bool {
		switch GateKind(w) {
		case GateBuild:
			return len(k.Gates.Build) > 0
		case GateTest:
			return len(k.Gates.Test) > 0
		case GateLint, GateSchemas:
			return len(k.Gates.Lint) > 0
		case GateLinks:
			return k.Wiki
		}
		return false
	})
}

// openQuestion matches text of an item that is still undecided.
var openQuestion = schema.Expression(`(?i)\b(?:tbd|to be (?:decided|determined|clarified)|unclear|not sure|needs? (?:discussion|clarification|more info(?:rmation)?))\b|\?\?`)

// risky reports why an item is for a person, or "".
func (s *LoopSpec) risky(it *WorkItem, k Knowledge) string {
	text := strings.Join(slices.Concat([]string{it.Title, it.Text}, it.Labels, it.Acceptance), "\n")
	if name, shown := touches(text, it.Files, s.forbidden()); name != "" {
		return fmt.Sprintf("it touches %s: %s", name, shown)
	}
	if len(it.Acceptance) == 0 && len(it.Verify) == 0 {
		return "requirements are ambiguous: no acceptance criteria"
	}
	if word := openQuestion().FindString(text); word != "" {
		return fmt.Sprintf("requirements are ambiguous: %q", word)
	}
	for _, r := range slices.Concat(s.Skip, s.Escalate) {
		switch r.Kind {
		case RuleFailed:
			if n := k.Past[it.ID].Failures; n >= r.N {
				return fmt.Sprintf("it failed %d times before", n)
			}
		case RuleUntested:
			if len(k.Gates.Test) == 0 && !(it.Source == InputFindings && k.Wiki) {
				return "required tests are missing: the repository has no test command"
			}
		}
	}
	return ""
}

func anyFold(have, want []string) bool {
	return slices.ContainsFunc(have, func(h string) bool {
		return slices.ContainsFunc(want, func(w string) bool { return strings.EqualFold(h, w) })
	})
}
