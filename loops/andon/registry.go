package andon

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// The types of standards that a person sets when an incident is closed. Those
// of the classes are set by themselves.
const (
	RuleGate      = "gate"           // a command that every tree has to pass
	RuleSkillLine = "skill_line"     // a line that every maker is told
	RuleForbidden = "forbidden_term" // a text that no added line may hold
)

// Rule is a standard: it holds for every run while it is active.
type Rule struct {
	Type           string    `json:"type"`
	Value          string    `json:"value"`
	SourceIncident string    `json:"source_incident"`
	CreatedAt      time.Time `json:"created_at"`
	Active         bool      `json:"active"`
}

// Registry holds all standards: standardized-rules.json.
type Registry struct {
	Version int    `json:"version"`
	Rules   []Rule `json:"rules"`
}

func (d disk) registry() (Registry, error) {
	r := Registry{Version: Version, Rules: []Rule{}}
	err := d.readIf(registryFile, &r)
	return r, err
}

// Rules returns the standards that are active, in the order in which they were set.
func (s *Store) Rules() (out []Rule, err error) {
	err = s.read(func(d disk) error {
		r, err := d.registry()
		for _, rule := range r.Rules {
			if rule.Active {
				out = append(out, rule)
			}
		}
		return err
	})
	return out, err
}

// Values returns the values of the active standards of a type.
func (s *Store) Values(kind string) ([]string, error) {
	rules, err := s.Rules()
	var out []string
	for _, r := range rules {
		if r.Type == kind {
			out = append(out, r.Value)
		}
	}
	return out, err
}

// saveRegistry writes the standards, and the page that shows them.
func (d disk) saveRegistry(r Registry) error {
	if err := d.writeJSON(registryFile, r); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("# Standardized rules\n\nStandards that incidents added. They apply to every run. `wiki andon rollback INCIDENT` removes those of an incident.\n\n| type | value | incident | since | active |\n|---|---|---|---|---|\n")
	for _, rule := range r.Rules {
		active := "yes"
		if !rule.Active {
			active = "no"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", rule.Type, quiet(rule.Value), rule.SourceIncident, rule.CreatedAt.Format(time.DateOnly), active)
	}
	return d.replace(rulesPage, []byte(b.String()))
}

// add adds what does not exist, and returns how many standards are new or active
// again.
func (r *Registry) add(actions []StandardAction, incident string, at time.Time) int {
	n := 0
	for _, a := range actions {
		same := func(o Rule) bool { return o.Type == a.Type && o.Value == a.Value && o.Active }
		if slices.ContainsFunc(r.Rules, same) {
			continue
		}
		r.Rules = append(r.Rules, Rule{a.Type, a.Value, incident, at, true})
		n++
	}
	return n
}

// standardize sets the standards of a new incident, if it is known well enough
// what it is.
func (s *Store) standardize(d disk, i *Incident) error {
	if i.Analysis.Confidence < sure || len(i.Analysis.Standards) == 0 {
		return nil
	}
	n, err := s.setRules(d, i, i.Analysis.Standards, i.Evidence.OpenedAt)
	if err != nil {
		return err
	}
	i.Actions.Result.Applied = true
	return d.note(i.Dir, Entry{i.Evidence.OpenedAt, "standardized", fmt.Sprintf("%d of %d standards are new", n, len(i.Analysis.Standards))})
}

// setRules adds standards, with a copy beside the incident of what was before.
func (s *Store) setRules(d disk, i *Incident, actions []StandardAction, at time.Time) (int, error) {
	r, err := d.registry()
	if err != nil {
		return 0, err
	}
	if backup := path.Join(i.Dir, backupFile); !d.has(backup) {
		if err := d.writeJSON(backup, r); err != nil {
			return 0, err
		}
	}
	n := r.add(actions, i.ID, at)
	if n > 0 {
		if err := d.saveRegistry(r); err != nil {
			return 0, err
		}
	}
	res := &i.Actions.Result
	res.AppliedCount += n
	res.RollbackReady, res.BackupFile = true, backupFile
	return n, nil
}

// Rollback takes back the standards and the gotcha that an incident left.
// Standards that others set since stay. It returns how many were reverted.
func (s *Store) Rollback(given, by string) (i *Incident, n int, err error) {
	err = s.change(func(d disk) error {
		dir, err := d.find(given)
		if err != nil {
			return err
		}
		if i, err = d.load(dir); err != nil {
			return err
		}
		n, err = s.rollback(d, i, by)
		return err
	})
	return i, n, err
}

func (s *Store) rollback(d disk, i *Incident, by string) (int, error) {
	r, err := d.registry()
	if err != nil {
		return 0, err
	}
	before := len(r.Rules)
	r.Rules = slices.DeleteFunc(r.Rules, func(rule Rule) bool { return rule.SourceIncident == i.ID })
	n := before - len(r.Rules)
	if n > 0 {
		if err := d.saveRegistry(r); err != nil {
			return 0, err
		}
	}
	if lesson := gotchaFile(i.ID); d.has(lesson) {
		if err := d.remove(lesson); err != nil {
			return n, err
		}
		n++
	}
	if n == 0 {
		return 0, nil
	}
	i.Actions.Result = StandardResult{BackupFile: i.Actions.Result.BackupFile}
	if err := d.writeJSON(path.Join(i.Dir, actionsFile), i.Actions); err != nil {
		return n, err
	}
	if !i.Closed {
		if err := d.replace(i.Report(), []byte(report(i))); err != nil {
			return n, err
		}
	}
	return n, d.note(i.Dir, Entry{s.now(), "rolled-back", strings.TrimSpace(fmt.Sprintf("%d removed %s", n, signed(by)))})
}

func signed(by string) string {
	if by == "" {
		return ""
	}
	return "by " + by
}
