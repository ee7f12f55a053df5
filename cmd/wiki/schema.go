package main

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/loopwiki/wiki/cmd/wiki/internal/card"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/exchange"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

// document is a JSON or YAML document that has a schema.
type document struct {
	name, about string
	value       reflect.Type
}

// documents are all documents that the commands read or print.
var documents = []document{
	{"config", "wiki.yaml", reflect.TypeFor[schema.Config]()},
	{"doctor", "wiki doctor --json", reflect.TypeFor[diagnosis]()},
	{"graph", "wiki graph --format json", reflect.TypeFor[exchange.Document]()},
	{"lint", "wiki lint --format json", reflect.TypeFor[report.Document]()},
	{"path", "wiki graph path --json", reflect.TypeFor[pathDocument]()},
	{"search", "wiki search --json", reflect.TypeFor[searchDocument]()},
	{"show", "wiki show --json", reflect.TypeFor[card.Card]()},
	{"stats", "wiki stats --json", reflect.TypeFor[compiler.Stats]()},
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
		Long: `Schema prints the JSON Schema (draft 2020-12) of wiki.yaml, or of a document that
another command prints. Without NAME it lists them.`,
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
					fmt.Fprintf(p.out, "%-10s%s\n", d.name, d.about)
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
	return misuse(oneOf(name, documentNames()), "there is no schema %q", name)
}

// schemaOf infers the schema of a document from its Go type.
func schemaOf(d document) (*jsonschema.Schema, error) {
	severities := []any{}
	for s := schema.Off; s <= schema.Error; s++ {
		severities = append(severities, s.String())
	}
	s, err := jsonschema.ForType(d.value, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[schema.Severity](): {Type: "string", Enum: severities},
	}})
	if err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", d.about, err)
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = d.about
	if d.name != "config" { // programs must accept what later versions add
		open(s)
	}
	if p := s.Properties["dialect"]; p != nil && d.name == "config" {
		for _, known := range schema.DialectNames() {
			p.Enum = append(p.Enum, known)
		}
	}
	return s, nil
}

// open makes a schema, and those within it, one of what we print: it may have
// properties that are not known yet, and its lists are there when empty.
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
