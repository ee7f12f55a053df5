package plan

import (
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// specChange is an entry of spec_changes as it is written.
type specChange struct {
	Paths  []string `yaml:"paths"`
	Tests  []string `yaml:"tests"`
	By     string   `yaml:"by"`
	Reason string   `yaml:"reason"`
	Date   string   `yaml:"date"`
}

// specChanges reads what a person allowed. An entry that is not whole unlocks
// nothing.
func (d *collector) specChanges(n *schema.Node) (out []loops.SpecChange) {
	var given []specChange
	for _, f := range yaml.Decode(n, &given) {
		message := strings.TrimPrefix(strings.ReplaceAll(f.Message, "under [", "under spec_changes["), ": ")
		if strings.HasPrefix(message, "[") {
			message = "spec_changes" + message
		}
		d.err("invalid-value", f.Span, "use 'wiki plan allow' to write them", "%s", message)
	}
	if len(given) != len(n.Items) {
		return nil
	}
	for i, c := range given {
		at := n.Items[i].Span
		lacking := ""
		switch {
		case len(c.Paths)+len(c.Tests) == 0:
			lacking = "paths or tests"
		case strings.TrimSpace(c.By) == "":
			lacking = "by"
		case strings.TrimSpace(c.Reason) == "":
			lacking = "reason"
		case !isDay(c.Date):
			lacking = "date, as in 2026-07-04,"
		}
		if lacking != "" {
			d.err("invalid-value", at, "use 'wiki plan allow' to write them", "spec_changes: an entry without %s has no effect", lacking)
			continue
		}
		for _, p := range c.Paths {
			if why := unsafePath(p); why != "" {
				d.err("invalid-value", at, "list files or directories below the repository's root", "spec_changes: %q %s", p, why)
			}
		}
		out = append(out, loops.SpecChange(c))
	}
	return out
}

func isDay(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }
