package claim

import (
	"slices"
	"strings"
	"testing"
)

// A heading tells of another time as a phrase, and not by a word in it.
func TestHeadingsThatMute(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mutes    bool
		headings []string
	}{
		{true, []string{"History", "Change log", "Decision log", "Changes", "1.3 Project history", "Changes in 2.0", "Changes in `tool` 2.0", "Changes since March", "Background and context", "Rejected",
			"Rejected on the way", "Alternatives considered", "Options considered", "Past cases", "Legacy API", "Planned features", "A worked example", "Examples", "Timeline (UTC)",
			"Incident of July 2026", "Incident: full disks", "Migration", "Migration to v3", "Roadmap", "Uploads (deprecated)", "Before", "Before the migration", "Before 2024",
			"How it was before", "Before version 3", "Previously", "4. Open proposals", "Context"}},
		{false, []string{"Changes and refunds", "Changes to a booking", "Changes in `tool`", "Changes in tool_x and", "Changing a plan", "A week before", "Before the show", "Before you start", "Before the trench is closed", "Model Context Protocol",
			"llama_context", "MsgContext", "Context window", "Purchase history", "Log-in", "Log in", "Audit log", "Rejected payments", "Bid rejected", "Planned maintenance", "Trial", "Trials for new customers",
			"Sample storage", "Samples", "Console vs Legacy", "Incidents and who is called", "Why this design avoids the alternative", "Due before 6th of December"}},
	} {
		for _, h := range c.headings {
			if mutes(h) != c.mutes {
				t.Errorf("%q: mutes %v, want %v", h, !c.mutes, c.mutes)
			}
		}
	}
}

// A heading says under which condition something holds where that is what it is about, and not where the word is part of a name.
func TestHeadingsThatCondition(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string][]string{
		"Night": {"night"}, "Night rates": {"night"}, "Snowmaking night": nil, "A night of snow making": nil, "Night of the museums": nil, "After a bad night": nil, "Ports in staging": {"staging"},
		"Gateway, production": {"production"}, "HMR (development)": {"development"}, "Linux/macOS": {"linux", "macos"}, "Local development": {"local", "development"},
		"4.3 Free": {"free"}, "For the free plan": {"free"}, "A region for US tenants": {"us"}, "9.9.4 Toast": nil, "3. Limits": nil, "Stage 5 — Dispatch": nil, "Flood stage": nil, "Smoke test": nil,
		"Test isolation": nil, "Test tenant": {"test"}, "`vllm/v1/engine`": nil, "vllm/v1/engine/core.py:91": nil, "Moving to API v2": {"v2"}, "Winter stoppage": nil, "Winter mode": {"winter"},
		"Timetable 2026": {"2026"}, "2026-03-04": {"2026-03-04"}, "Heat production": nil, "Production line": nil, "Canary releases": nil, "Canary": {"canary"}, "Production": {"production"}, "Production database": {"production"}, "The web platform": nil, "17-step preview": nil, "Gateway staging": {"staging"},
	} {
		if got := titled(heading); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}

// Dates stay true below headings of what happened, and what mutes otherwise hides them, too.
func TestHeadingsOfWhatHappened(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]bool{"History": true, "Timeline (UTC)": true, "Migration to v3": true, "Changes and refunds": true, "Changes": false, "A worked example": false, "Rejected": false} {
		if got := datedSection([]string{"Store", heading}); got != want {
			t.Errorf("%q: %v, want %v", heading, got, want)
		}
	}
}

// A heading of one word again and again is read in time linear in its length.
func TestLongHeadings(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"night ", "1 ", "changes and ", "the ", "v1. ", "/"} {
		heading := strings.Repeat(word, 1<<20/len(word))
		mutes(heading)
		titled(heading)
	}
}

// FuzzHeading holds that any heading is read, and the same each time.
func FuzzHeading(f *testing.F) {
	for _, seed := range []string{"", "Changes in `a`", "(", "9.9.4 – a/b", "before", "Before the ``", "Step 3", "Q1: the", "History of ()", "a night of", "[v2", "Linux/macOS/", "planned", "—", "example `x` of"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, heading string) {
		first, again := mutes(heading), mutes(heading)
		if one, other := titled(heading), titled(heading); first != again || !slices.Equal(one, other) {
			t.Errorf("%q is read in two ways", heading)
		}
	})
}
