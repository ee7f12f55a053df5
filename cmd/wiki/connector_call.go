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
	Approval  tracker.Approval `json:"approval" jsonschema:"by which it was let be"`
	Answer    string           `json:"answer" jsonschema:"what the tracker said, cut; it was written by others"`
}

func newConnectorCall(p *program) *cobra.Command {
	var arguments []string
	var by string
	var asJSON bool
	c := &cobra.Command{
		Use:   "call NAME TOOL",
		Short: "Change something at a tracker: comment, label, close",
		Long: `Call has the tracker NAME carry TOOL out: one that wiki.yaml lists under writes:
of the connector. Of github these are comment (issue, body), label (issue,
label) and close (issue), by the program gh; of a server its own.

Nothing is called that no person approved as it is, see
'wiki connector approve': the program and its scripts, the tool as it is
described now, and the arguments, or the names of those that may be anything.
Each call is written into .loopwiki/calls.jsonl before it is made, and counts
even if it fails. What looks like a secret is not sent. Agents can not call: it
is refused within a run.`,
		Example: `  wiki connector call issues comment --arg issue=12 --arg body='Done in #34.'
  wiki connector call board close_issue --arg id=WIKI-7 --json`,
		Annotations:       exits("0  it was done", "3  the tracker does not answer, or its program is missing"),
		Args:              takes(2, false, "NAME", "TOOL"),
		ValidArgsFunction: p.connectorNames,
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.outsideOfRuns(cmd.Context(), "connector call", "a person decides this, outside of the loop"); err != nil {
			return err
		}
		given, err := assignments(arguments)
		if err != nil {
			return err
		}
		return runConnectorCall(cmd, p, tracker.Call{Connector: args[0], Tool: args[1], Arguments: given}, by, asJSON)
	}
	f := c.Flags()
	f.StringArrayVar(&arguments, "arg", nil, "give the tool `NAME=VALUE`; may be repeated")
	f.StringVar(&by, "by", "", "`NAME` of who calls; git's user.name by default")
	f.BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}

func runConnectorCall(cmd *cobra.Command, p *program, call tracker.Call, by string, asJSON bool) error {
	ctx := cmd.Context()
	place, at, conf, err := p.connector(ctx, call.Connector)
	if err != nil {
		return err
	}
	if by, err = whoever(cmd, place, by, "who calls?"); err != nil {
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
	p.say("%s called %s of %s, as %s approved; commit %s", by, call.Tool, call.Connector, done.Approval.By, tracker.CallsFile)
	return nil
}

// whoever is a name that is given, or that git knows.
func whoever(cmd *cobra.Command, place *control.Controller, given, question string) (string, error) {
	if given != "" {
		return given, nil
	}
	name, err := place.Git(cmd.Context(), "config", "user.name")
	if err != nil || name == "" {
		return "", misuse("give --by NAME", "%s", question)
	}
	return name, nil
}

// assignments reads NAME=VALUE.
func assignments(given []string) (map[string]string, error) {
	out := make(map[string]string)
	for _, text := range given {
		name, value, ok := strings.Cut(text, "=")
		if _, twice := out[name]; !ok || name == "" || twice {
			return nil, misuse("write --arg issue=12, each name once", "--arg: %q gives no argument a value", text)
		}
		out[name] = value
	}
	return out, nil
}
