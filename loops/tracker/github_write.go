package tracker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// githubTools are what gh may be asked to change, by name. What each does is part of
// what is approved.
var githubTools = map[string]struct {
	about     string
	arguments []string // all of them are needed
	argv      func(a map[string]string) []string
	stdin     string // the argument that goes there
}{
	"comment": {"Comments on an issue: gh issue comment ISSUE --body-file -", []string{"issue", "body"}, func(a map[string]string) []string {
		return []string{"issue", "comment", a["issue"], "--body-file", "-"}
	}, "body"},
	"label": {"Adds a label to an issue: gh issue edit ISSUE --add-label=LABEL", []string{"issue", "label"}, func(a map[string]string) []string {
		return []string{"issue", "edit", a["issue"], "--add-label=" + a["label"]}
	}, ""},
	"close": {"Closes an issue: gh issue close ISSUE", []string{"issue"}, func(a map[string]string) []string {
		return []string{"issue", "close", a["issue"]}
	}, ""},
}

func (g *github) close() {}

func (g *github) describe(_ context.Context, tool string) (string, []byte, map[string]string, error) {
	t := githubTools[tool]
	types := make(map[string]string)
	for _, name := range t.arguments {
		types[name] = "string"
	}
	definition, err := json.Marshal(t.about)
	return t.about, definition, types, err
}

var issueNumber = schema.Expression(`^[1-9][0-9]{0,9}$`)

func (g *github) fit(tool string, arguments map[string]string) error {
	for _, name := range githubTools[tool].arguments {
		switch value, given := arguments[name]; {
		case !given || strings.TrimSpace(value) == "":
			return &NoAnswerError{fmt.Sprintf("%s requires the argument %s", tool, name), "pass --arg " + name + "=VALUE"}
		case name == "issue" && !issueNumber().MatchString(value):
			return &NoAnswerError{fmt.Sprintf("issue %q is not a number", line(value)), "pass --arg issue=12"}
		case name == "label" && strings.ContainsAny(value, ",\n"):
			return &NoAnswerError{fmt.Sprintf("%q is not a single label", line(value)), "add one label at a time"}
		}
	}
	return nil
}

func (g *github) call(ctx context.Context, tool string, arguments map[string]string) ([]byte, error) {
	t := githubTools[tool]
	args := slices.Clone(t.argv(arguments))
	if g.conf.Repository != "" {
		args = append(args, "--repo="+g.conf.Repository)
	}
	return g.gh(ctx, arguments[t.stdin], "gh does not "+tool, args...)
}
