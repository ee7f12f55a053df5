package andon

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/schema/yaml"
)

// Gotcha is something that went wrong once, and how it is kept from happening
// again. Each is a YAML file of its own; people may write their own.
type Gotcha struct {
	ID         string   `yaml:"id"`
	Name       string   `yaml:"name"`
	Pattern    string   `yaml:"pattern"`    // what work is about for it to matter
	Severity   string   `yaml:"severity"`   // critical, high, medium, low
	Prevention string   `yaml:"prevention"` // what to do instead
	Discovered string   `yaml:"discovered"` // a day
	Source     string   `yaml:"source"`     // an incident, a page
	Tags       []string `yaml:"tags"`
	Examples   []string `yaml:"examples"`
	References []string `yaml:"references"`
}

// severities are the words for severity, the worst first.
var severities = []string{"critical", "high", "medium", "low"}

// ReadGotcha reads a gotcha's YAML. Unknown and missing keys are errors.
func ReadGotcha(src []byte) (g Gotcha, err error) {
	node, faults := yaml.Parse(src, 0)
	if len(faults) == 0 {
		faults = yaml.Decode(node, &g)
	}
	if len(faults) > 0 {
		line := 1 + strings.Count(string(src[:min(faults[0].Span.Start, len(src))]), "\n")
		return g, fmt.Errorf("line %d: %s", line, faults[0].Message)
	}
	for _, f := range []struct{ name, value string }{
		{"id", g.ID}, {"name", g.Name}, {"pattern", g.Pattern}, {"severity", g.Severity}, {"prevention", g.Prevention}, {"discovered", g.Discovered}, {"source", g.Source},
	} {
		if strings.TrimSpace(f.value) == "" {
			return g, fmt.Errorf("%s is missing", f.name)
		}
	}
	if !slices.Contains(severities, g.Severity) {
		return g, fmt.Errorf("severity %q: want one of %s", g.Severity, strings.Join(severities, ", "))
	}
	return g, nil
}

// yaml writes a gotcha. A JSON string is a YAML string.
func (g *Gotcha) yaml() []byte {
	var b strings.Builder
	quote := func(s string) string {
		var out strings.Builder
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		e.Encode(s) // a strings.Builder takes everything
		return strings.TrimSpace(out.String())
	}
	for _, f := range []struct{ name, value string }{
		{"id", g.ID}, {"name", g.Name}, {"pattern", g.Pattern}, {"severity", g.Severity}, {"prevention", g.Prevention}, {"discovered", g.Discovered}, {"source", g.Source},
	} {
		fmt.Fprintf(&b, "%s: %s\n", f.name, quote(f.value))
	}
	for _, f := range []struct {
		name   string
		values []string
	}{{"tags", g.Tags}, {"examples", g.Examples}, {"references", g.References}} {
		if len(f.values) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s:\n", f.name)
		for _, v := range f.values {
			fmt.Fprintf(&b, "  - %s\n", quote(v))
		}
	}
	return []byte(b.String())
}

func gotchaID(incident string) string { return "gotcha-" + strings.ToLower(incident) }

func gotchaFile(incident string) string { return path.Join(gotchasFolder, gotchaID(incident)+".yaml") }

// learn makes a gotcha of an incident that is understood.
func learn(i *Incident, w *Whys, at time.Time) *Gotcha {
	last := i.Evidence.Failures[len(i.Evidence.Failures)-1]
	g := &Gotcha{
		ID: gotchaID(i.ID), Name: i.Analysis.CauseLabel, Pattern: text.Collapse(w.Problem), Severity: severityOf(i.Analysis.ActionLevel),
		Discovered: at.Format(time.DateOnly), Source: i.ID, Tags: []string{i.Analysis.CauseID}, Examples: []string{i.Evidence.Command},
		References: []string{path.Join(archiveFolder, i.ID, finalFile)},
	}
	if isPlaceholder(g.Pattern) {
		g.Pattern = text.Collapse(last.Why)
	}
	if last.Plan != "" {
		g.Tags = append(g.Tags, last.Plan)
	}
	var measures []string
	for _, m := range w.Measures {
		measures = append(measures, m.Text)
	}
	g.Prevention = text.Collapse(w.RootCause) + " → " + strings.Join(measures, "; ")
	return g
}

func severityOf(level int) string {
	return severities[len(severities)-min(max(level, 1), len(severities))]
}

// Gotchas returns all gotchas, the worst first. Those that can't be read are
// among the errors.
func (s *Store) Gotchas() (out []Gotcha, err error) {
	err = s.read(func(d disk) error {
		list, err := d.names(gotchasFolder)
		if err != nil {
			return err
		}
		var broken error
		for _, e := range list {
			ext := path.Ext(e.Name())
			if e.IsDir() || ext != ".yaml" && ext != ".yml" {
				continue
			}
			name := path.Join(gotchasFolder, e.Name())
			src, err := d.file(name)
			if err == nil {
				var g Gotcha
				if g, err = ReadGotcha(src); err == nil {
					out = append(out, g)
					continue
				}
			}
			broken = errors.Join(broken, &FileError{name, err})
		}
		slices.SortStableFunc(out, func(a, b Gotcha) int {
			return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
		})
		return broken
	})
	return out, err
}
