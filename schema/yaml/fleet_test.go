package yaml

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestLoadFleet(t *testing.T) {
	t.Parallel()
	got, faults := LoadFleet([]byte("version: 1\nlimits: {at_once: 3, per_repository: 2, day_usd: 12.5}\nrepositories:\n  - path: ../shop\n    plans: [prices, plans/2026-03-sums.md]\n  - {path: /srv/site}\n"))
	want := &schema.Fleet{
		Version: 1, Limits: schema.FleetLimits{AtOnce: 3, PerRepository: 2, DayUSD: 12.5},
		Repositories: []schema.FleetRepository{{Path: "../shop", Plans: []string{"prices", "plans/2026-03-sums.md"}}, {Path: "/srv/site"}},
	}
	if len(faults) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, faults)
	}
}

func TestLoadFleetFaults(t *testing.T) {
	t.Parallel()
	const shop = "repositories: [{path: a}]\n"
	for src, want := range map[string]string{
		"":                                         "1:1: repositories is missing",
		"limits: {at_once: 2}\n":                   "1:1: repositories is missing",
		"repositories: []\n":                       "1:1: repositories is missing",
		"[a]\n":                                    "1:1: found list: expected a map",
		"repositories: [a]\n":                      `1:16: repositories[0]: found text "a": expected a map`,
		"repositories: [{plans: [a]}]\n":           "1:16: repositories[0] has no path",
		"repositories: [{path: ''}]\n":             "1:16: repositories[0] has no path",
		"repositories: [{path: a}, {path: ./a}]":   `1:34: repositories[1].path: "./a" is listed twice`,
		"repositories: [{path: a, plan: [b]}]":     `1:26: unknown key "plan" under repositories[0]: did you mean "plans"?`,
		"repositories: [{path: a, plans: []}]":     "1:33: repositories[0].plans is empty",
		"repositories: [{path: a, plans: [b, b]}]": `1:37: repositories[0].plans: "b" is listed twice`,
		"repositories: [{path: a, plans: ['']}]":   "1:34: repositories[0].plans: found text \"\": expected a plan's path or name",
		"repositories: [{path: a, engine: x}]":     `1:26: unknown key "engine" under repositories[0]: expected one of path, plans`,
		shop + "limits: {at_once: 0}":              `2:19: limits.at_once: found integer "0": expected a number above 0`,
		shop + "limits: {per_repository: -1}":      "2:26: limits.per_repository: found",
		shop + "limits: {day_usd: 0.0}":            "2:19: limits.day_usd: found",
		shop + "limits: {day_usd: .nan}":           "2:19: limits.day_usd: found", shop + "limits: {day_usd: .inf}": "2:19: limits.day_usd: found",
		shop + "limits: {at_once: many}":                         `2:19: limits.at_once: found text "many": expected a whole number`,
		shop + "limits: {at_one: 2}":                             `2:10: unknown key "at_one" under limits: did you mean "at_once"?`,
		shop + "version: 2":                                      "2:10: the fleet file has version 2, this program reads up to 1",
		shop + "version: 0":                                      `2:10: version: unsupported "0"`,
		shop + "limits: {at_once: 2\nx: [":                       "2:",
		"repositories: [{path: a}]\nrepositories: [{path: b}]\n": "2:1: ",
	} {
		_, faults := LoadFleet([]byte(src))
		if len(faults) == 0 {
			t.Errorf("%q is taken", src)
			continue
		}
		at := schema.NewLineIndex([]byte(src)).Position(faults[0].Span.Start)
		got := strings.Join([]string{strconv.Itoa(at.Line), strconv.Itoa(at.Column), " " + faults[0].Message}, ":")
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, not %s", src, got, want)
		}
		for _, f := range faults {
			if f.Kind != schema.FaultConfig {
				t.Errorf("%q: kind %v", src, f.Kind)
			}
		}
	}
}

func FuzzLoadFleet(f *testing.F) {
	for _, seed := range schematest.Vary(100, "limits: {day_usd: 1}\nrepositories: [{path: a, plans: [b]}]\n", "repositories: {path: [}") {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		fleet, faults := LoadFleet(src)
		for _, r := range fleet.Repositories {
			if len(faults) == 0 && r.Path == "" {
				t.Errorf("%q: a repository without a path", src)
			}
		}
		if len(faults) == 0 && len(fleet.Repositories) == 0 {
			t.Errorf("%q: no repositories", src)
		}
	})
}
