package main

import (
	"context"
	"text/tabwriter"

	"github.com/loopwiki/wiki/loops/skill"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// skillListVersion is the version of the JSON that wiki skill list prints.
const skillListVersion = 1

type skillListDocument struct {
	Version int          `json:"version"`
	Skills  []skillEntry `json:"skills" jsonschema:"in order of path"`
}

type skillEntry struct {
	Name        string `json:"name" jsonschema:"the name for chunks of a plan"`
	Path        string `json:"path" jsonschema:"relative to the repository's root"`
	Description string `json:"description"`
	Bytes       int    `json:"bytes" jsonschema:"size of its text without front matter"`
	Errors      int    `json:"errors" jsonschema:"errors reported by wiki skill lint"`
	Warnings    int    `json:"warnings"`
}

func newSkillList(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List skills with their descriptions",
		Long: `List the skills of the repository: their names, as used by chunks of a plan, and
their descriptions.`,
		Example: `  wiki skill list
  wiki skill list --json | jq -r '.skills[] | select(.errors > 0).path'`,
		Annotations: exits("0  the skills were listed, if any"),
		SuggestFor:  []string{"ls", "show"},
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runSkillList(cmd.Context(), p, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runSkillList(ctx context.Context, p *program, asJSON bool) error {
	b, err := p.readSkills(ctx, nil)
	if err != nil {
		return err
	}
	doc := skillListDocument{skillListVersion, []skillEntry{}}
	for _, s := range b.skills {
		e := skillEntry{Name: s.Name, Path: s.Path, Description: s.Description, Bytes: s.Size}
		for _, d := range b.found {
			switch {
			case d.Path != s.Path:
			case d.Severity == schema.Error:
				e.Errors++
			default:
				e.Warnings++
			}
		}
		doc.Skills = append(doc.Skills, e)
	}
	if asJSON {
		return p.json(doc)
	}
	if len(doc.Skills) == 0 {
		p.say("no skills; 'wiki init --agents' creates some in %s", skill.Folders[1])
		return nil
	}
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, e := range doc.Skills {
		state := ""
		if e.Errors > 0 {
			state = "  (" + text.Count(e.Errors, "error") + "; see 'wiki skill lint')"
		}
		text.Fprintf(t, "%s\t%s%s\n", e.Name, e.Description, state)
	}
	return t.Flush()
}
