package main

import (
	"strings"

	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// callVersion is the version of the JSON that wiki connector call prints.
const callVersion = 1

type callDocument struct {
	Version   int              `json:"version"`
	Connector string           `json:"connector"`
	Tool      string           `json:"tool"`
	Approval  tracker.Approval `json:"approval" jsonschema:"the approval that allowed the call"`
	Answer    string           `json:"answer" jsonschema:"the tracker's answer, truncated; untrusted"`
}

func newConnectorCall(p *program) *cobra.Command {
	var arguments []string
	var by string
	var asJSON bool
	c := &cobra.Command{
		Use:   "call NAME TOOL",
		Short: "Change an issue: comment, label or close it",
		Long: `Call TOOL of the tracker NAME, one that wiki.yaml lists under writes: of the
connector. GitHub has comment (issue, body), label (issue, label) and close
(issue), through gh; an MCP server has its own tools.

The call must be approved as it is, with 'wiki connector approve': the program
and its scripts, the tool's current description, and the arguments. Every call is
recorded in .loopwiki/calls.jsonl first, and counts even if it fails. Possible
secrets are not sent. It is refused within a run: agents can't call.`,
		Example: `  wiki connector call issues comment --arg issue=12 --arg body='Done in #34.'
  wiki connector call board close_issue --arg id=WIKI-7 --json`,
		Annotations:       exits("0  the call was made", "3  the tracker does not answer, or its program is missing"),
		Args:              takes(2, false, "NAME", "TOOL"),
		ValidArgsFunction: p.connectorNames,
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.outsideOfRuns(cmd.Context(), "connector call", "run it yourself, outside of the loop"); err != nil {
			return err
		}
		given, err := assignments(arguments)
		if err != nil {
			return err
		}
		return runConnectorCall(cmd, p, tracker.Call{Connector: args[0], Tool: args[1], Arguments: given}, by, asJSON)
	}
	f := c.Flags()
	f.StringArrayVar(&arguments, "arg", nil, "pass the argument `NAME=VALUE` to the tool; repeatable")
	f.StringVar(&by, "by", "", "`NAME` of the caller; git's user.name by default")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runConnectorCall(cmd *cobra.Command, p *program, call tracker.Call, by string, asJSON bool) error {
	ctx := cmd.Context()
	ctl, at, conf, err := p.connector(ctx, call.Connector)
	if err != nil {
		return err
	}
	if by, err = personOr(cmd, ctl, by); err != nil {
		return err
	}
	done, err := tracker.Do(ctx, at, call, conf, by)
	if err != nil {
		return err
	}
	if asJSON {
		return p.json(callDocument{callVersion, call.Connector, call.Tool, done.Approval, done.Said})
	}
	if said := strings.TrimSpace(done.Said); said != "" {
		p.out.Printf("%s\n", text.Block(said))
	}
	p.say("%s called %s of %s, approved by %s; commit %s", by, call.Tool, call.Connector, done.Approval.By, tracker.CallsFile)
	return nil
}

// personOr is the name of the person responsible: as given, or git's user.name.
func personOr(cmd *cobra.Command, ctl *control.Controller, given string) (string, error) {
	if given != "" {
		return given, nil
	}
	name, err := ctl.Git(cmd.Context(), "config", "user.name")
	if err != nil || name == "" {
		return "", misuse("add --by, or set git's user.name", "--by NAME is required")
	}
	return name, nil
}

// assignments reads NAME=VALUE.
func assignments(given []string) (map[string]string, error) {
	out := make(map[string]string)
	for _, text := range given {
		name, value, ok := strings.Cut(text, "=")
		if _, twice := out[name]; !ok || name == "" || twice {
			return nil, misuse("write --arg issue=12, each name once", "--arg: %q is not NAME=VALUE, or repeats a name", text)
		}
		out[name] = value
	}
	return out, nil
}
