package main

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/compiler/exchange"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/claims"
	"github.com/loopwiki/wiki/linter/difference"
	"github.com/loopwiki/wiki/linter/judge"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/loops/control/diagnose"
	"github.com/loopwiki/wiki/loops/control/task"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site"
	"github.com/loopwiki/wiki/site/pack"
	"github.com/spf13/cobra"
)

// document is a JSON or YAML document that has a schema.
type document struct {
	name, about string
	value       reflect.Type
}

// documents are all documents that the commands read or print.
var documents = []document{
	{"acknowledged", schema.AcknowledgedFile, reflect.TypeFor[linter.AcknowledgedDocument]()},
	{"andon", "wiki andon status --json", reflect.TypeFor[andonDocument]()},
	{"approvals", "a line of " + tracker.ApprovalsFile, reflect.TypeFor[tracker.Approval]()},
	{"baseline", schema.BaselineFile, reflect.TypeFor[linter.BaselineDocument]()},
	{"bench-stats", "wiki loop bench stats --json", reflect.TypeFor[benchStatsDocument]()},
	{"bench-suites", "wiki loop bench suites --json", reflect.TypeFor[suitesDocument]()},
	{"bench-verify", "wiki loop bench verify --json", reflect.TypeFor[benchVerifyDocument]()},
	{"blame", "wiki blame --json", reflect.TypeFor[difference.Blamed]()},
	{"build", "wiki build --json", reflect.TypeFor[buildDocument]()},
	{"call", "wiki connector call --json", reflect.TypeFor[callDocument]()},
	{"calls", "a line of " + tracker.CallsFile, reflect.TypeFor[tracker.CallEntry]()},
	{"claims", "wiki claims --json", reflect.TypeFor[claims.Document]()},
	{"config", "wiki.yaml", reflect.TypeFor[schema.Config]()},
	{"diff", "wiki diff --json", reflect.TypeFor[difference.Document]()},
	{"context", "wiki context --json", reflect.TypeFor[pack.Pack]()},
	{"doctor", "wiki doctor --json", reflect.TypeFor[diagnosis]()},
	{"doctor-agents", "wiki doctor --agents --json", reflect.TypeFor[diagnose.Diagnosis]()},
	{"export", "wiki export FORMAT --json", reflect.TypeFor[exportDocument]()},
	{"export-json", "wiki export json", reflect.TypeFor[exchange.WikiDocument]()},
	{"export-jsonl", "a line of wiki export jsonl", reflect.TypeFor[exchange.PageLine]()},
	{"fleet", "the file of wiki loop fleet", reflect.TypeFor[schema.Fleet]()},
	{"fleet-report", "wiki loop fleet --json", reflect.TypeFor[schema.FleetReport]()},
	{"graph", "wiki graph --format json", reflect.TypeFor[exchange.Document]()},
	{"harness-map", "wiki loop agents map --json", reflect.TypeFor[harnessMapDocument]()},
	{"harnesses", "wiki loop agents --json", reflect.TypeFor[harnessesDocument]()},
	{"import", "wiki import --json", reflect.TypeFor[importDocument]()},
	{"incident", "wiki andon show --json", reflect.TypeFor[incidentDocument]()},
	{"ingest", "wiki ingest --json", reflect.TypeFor[ingestDocument]()},
	{"items", "wiki connector items --json", reflect.TypeFor[itemsDocument]()},
	{"leaderboard", "wiki loop bench leaderboard --json", reflect.TypeFor[leaderboardDocument]()},
	{"lint", "wiki lint --format json, wiki skill lint --format json", reflect.TypeFor[report.Document]()},
	{"loop-pass", "the last line of wiki loop run NAME --json", reflect.TypeFor[loopPassDocument]()},
	{"loop-ready", "wiki loop ready --json", reflect.TypeFor[loopReadyDocument]()},
	{"loop-report", "wiki loop report --json", reflect.TypeFor[runs.Trend]()},
	{"loops", "wiki loop list --loops --json", reflect.TypeFor[loopsDocument]()},
	{"measurements", "what wiki loop spec observed reads of a loop's experiments", reflect.TypeFor[les.Measurements]()},
	{"merge", "wiki merge --json", reflect.TypeFor[mergeDocument]()},
	{"modes", "wiki loop mode --json", reflect.TypeFor[modesDocument]()},
	{"mv", "wiki mv --json", reflect.TypeFor[moveDocument]()},
	{"page", "the .json beside each page of wiki build", reflect.TypeFor[site.PageData]()},
	{"path", "wiki graph path --json", reflect.TypeFor[pathDocument]()},
	{"plan-lint", "wiki plan lint --json", reflect.TypeFor[planLintDocument]()},
	{"plans", "wiki plan list --json", reflect.TypeFor[planListDocument]()},
	{"query", "wiki query --json", reflect.TypeFor[queryDocument]()},
	{"replay", "wiki loop replay FILE --json", reflect.TypeFor[replayDocument]()},
	{"rules", "wiki lint --list-rules --json", reflect.TypeFor[rulesDocument]()},
	{"run", "wiki loop show --json, and the last line of wiki loop run --json", reflect.TypeFor[schema.RunSummary]()},
	{"runs", "wiki loop list --json, wiki loop status --json", reflect.TypeFor[runsDocument]()},
	{"search", "wiki search --json", reflect.TypeFor[searchDocument]()},
	{"show", "wiki show --json", reflect.TypeFor[card.Card]()},
	{"skills", "wiki skill list --json", reflect.TypeFor[skillListDocument]()},
	{"spec-explain", "wiki loop spec explain --json", reflect.TypeFor[specExplainDocument]()},
	{"spec-intent", "wiki loop intent --json", reflect.TypeFor[intentDocument]()},
	{"spec-level", "wiki loop spec level --json", reflect.TypeFor[specLevelDocument]()},
	{"spec-library", "wiki loop spec library --json", reflect.TypeFor[specLibraryDocument]()},
	{"spec-minify", "wiki loop spec minify --json", reflect.TypeFor[specMinifyDocument]()},
	{"spec-pattern", "wiki loop spec pattern --json", reflect.TypeFor[specPatternDocument]()},
	{"spec-observed", "wiki loop spec observed --json", reflect.TypeFor[observedDocument]()},
	{"spec-score", "wiki loop spec score --json", reflect.TypeFor[scoreDocument]()},
	{"spec-validate", "wiki loop spec validate --json", reflect.TypeFor[specDocument]()},
	{"stale", "wiki stale --json", reflect.TypeFor[staleDocument]()},
	{"stats", "wiki stats --json", reflect.TypeFor[compiler.Stats]()},
	{"task", "wiki loop run TASK.json --status --json", reflect.TypeFor[task.Standing]()},
	{"verdicts", "a verdict in " + schema.VerdictsFile, reflect.TypeFor[judge.Entry]()},
	{"verify", "wiki verify --json", reflect.TypeFor[verifyDocument]()},
	{"version", "wiki version --json", reflect.TypeFor[build]()},
}

func documentNames() []string {
	var names []string
	for _, d := range documents {
		names = append(names, d.name)
	}
	return names
}

func newSchema(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of a document",
		Long: `Print the JSON Schema (draft 2020-12) of wiki.yaml or of another command's JSON
output. Without NAME, list all schemas.`,
		Example: `  wiki schema
  wiki schema config > wiki.schema.json
  wiki schema lint`,
		Annotations: exits("0  the schema was printed"),
		GroupID:     groupMore,
		ValidArgs:   documentNames(),
		Args:        takes(0, false, "NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, d := range documents {
					p.out.Printf("%-14s%s\n", d.name, d.about)
				}
				return nil
			}
			return runSchema(p, args[0])
		},
	}
}

func runSchema(p *program, name string) error {
	for _, d := range documents {
		if d.name == name {
			s, err := schemaOf(d)
			if err != nil {
				return err
			}
			return p.json(s)
		}
	}
	return misuse(oneOf(name, documentNames()), "unknown schema %q", name)
}

// schemaOf infers the schema of a document from its Go type.
func schemaOf(d document) (*jsonschema.Schema, error) {
	severities := []any{}
	for s := schema.Off; s <= schema.Error; s++ {
		severities = append(severities, s.String())
	}
	s, err := jsonschema.ForType(d.value, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[schema.Severity](): {Type: "string", Enum: severities},
		reflect.TypeFor[schema.Timespan](): {Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`},
	}})
	if err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", d.about, err)
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = d.about
	if d.name != "config" && d.name != "fleet" { // programs must accept what later versions add
		open(s)
	}
	if d.name == "config" {
		s.Properties["dialect"].Enum = words(schema.DialectNames())
		for _, side := range []string{"forbid", "require"} {
			condition := s.Properties["rules"].Items.Properties[side].Properties
			condition["in"].Enum = words(schema.ConditionPlaces)
			condition["link"].Properties["kind"].Enum = words(schema.ConditionLinks)
		}
	}
	return s, nil
}

// words returns the values that a text may have as an enumeration.
func words(of []string) []any {
	out := make([]any, len(of))
	for i, w := range of {
		out[i] = w
	}
	return out
}

// open allows unknown properties in a schema and those within it, and empty lists.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.AdditionalProperties != nil && len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	if slices.Contains(s.Types, "array") { // lists are never null
		s.Type, s.Types = "array", nil
	}
	for _, sub := range s.Properties {
		open(sub)
	}
	open(s.Items)
	open(s.AdditionalProperties)
}
