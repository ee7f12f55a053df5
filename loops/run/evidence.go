package run

import (
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
)

// Evidence lists where the calls of a run left what they said and did.
func Evidence(folder string, events []loops.Event) string {
	var b strings.Builder
	role := make(map[string]loops.Role)
	for _, e := range events {
		if e.Kind == loops.Began && e.Command != nil {
			role[e.Key] = e.Command.Role
		}
		switch {
		case e.Role != nil && e.Role.Evidence != "":
			r := e.Role
			text.Fprintf(&b, "- %s: %s, `%s`\n", role[e.Key], r.Report.Outcome, filepath.Join(folder, filepath.FromSlash(r.Evidence)))
		case e.Kind == loops.Discarded:
			text.Fprintf(&b, "- changes in shadow mode: `%s`\n", filepath.Join(folder, filepath.FromSlash(e.Patch)))
		case e.Patch != "":
			text.Fprintf(&b, "- rolled-back changes: `%s`\n", filepath.Join(folder, filepath.FromSlash(e.Patch)))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## Evidence\n\n" + b.String()
}
