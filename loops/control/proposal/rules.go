package proposal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/audit"
	"github.com/loopwiki/wiki/loops/plan"
)

// rulesFile are the rules of selection of the spec that a run began with, in its
// folder: what is written into the spec meanwhile decides the next run.
const rulesFile = "rules.json"

const rulesVersion = 1

type keptRules struct {
	Version int         `json:"version"`
	Spec    string      `json:"spec"` // its path
	Rules   []plan.Rule `json:"rules"`
}

// KeepRules leaves the rules of a spec in the folder of a run.
func KeepRules(folder string, s *plan.LoopSpec) error {
	text, err := json.MarshalIndent(keptRules{rulesVersion, s.Path, s.Rules()}, "", "  ")
	if err != nil {
		return err
	}
	return files.ReplacePath(filepath.Join(folder, rulesFile), append(text, '\n'), 0o644)
}

// readRules reads them; a run that began before there were any has none.
func readRules(folder string) (keptRules, error) {
	var r keptRules
	text, err := files.ReadPath(filepath.Join(folder, rulesFile), files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("read %s: %w", filepath.Join(folder, rulesFile), err)
	}
	if r.Version > rulesVersion {
		return r, fmt.Errorf("read %s: version %d is newer than this program supports (%d); upgrade wiki", filepath.Join(folder, rulesFile), r.Version, rulesVersion)
	}
	return r, nil
}

// hold has a chooser drop what the rules of the run's spec do not let be kept.
func (p *Proposals) hold(ctx context.Context, c *audit.Chooser, s *loops.State, j *planJudge) error {
	kept, err := readRules(p.Store.Folder(s.Start.Run))
	if err != nil || len(kept.Rules) == 0 {
		return err
	}
	var ofFindings, ofPlans []plan.Rule
	for _, r := range kept.Rules {
		if r.Kind == plan.RuleFinding {
			ofFindings = append(ofFindings, r)
		} else {
			ofPlans = append(ofPlans, r)
		}
	}
	c.LeaveFinding = func(f *audit.Finding) string {
		it := plan.WorkItem{Rule: f.Category}
		if why := plan.Refuse(kept.Spec, ofFindings, &it, plan.Knowledge{}); why != nil {
			return why.String()
		}
		return ""
	}
	out, err := p.Git(ctx, "ls-files", "-z")
	if err != nil {
		return err
	}
	tracked := strings.Split(strings.Trim(out, "\x00"), "\x00")
	k := plan.Knowledge{Gates: p.Commands()}
	c.Leave = func(path string) string {
		pl, _ := plan.Parse(path, j.src[path])
		items := []plan.WorkItem{plan.PlanItem(pl)}
		plan.CountFiles(items, tracked)
		if len(pl.Scope) == 0 {
			return "" // what is wrong with it, it is told
		}
		if why := plan.Refuse(kept.Spec, ofPlans, &items[0], k); why != nil {
			return why.String()
		}
		return ""
	}
	return nil
}

// holdPages has a wiki leave out the pages that the rules of the run's spec do not let
// a writer begin: those about an area, and those that would lie elsewhere.
func (p *Proposals) holdPages(s *loops.State, w *audit.Wiki) error {
	kept, err := readRules(p.Store.Folder(s.Start.Run))
	if w == nil || err != nil {
		return err
	}
	rules := slices.DeleteFunc(kept.Rules, func(r plan.Rule) bool {
		return r.Kind != plan.RuleClear && r.Kind != plan.RuleTouches && r.Kind != plan.RuleWithin
	})
	w.Leave = func(page loops.NewPage) string {
		it := plan.WorkItem{ID: page.Path, Title: page.Title, Text: page.Why, Files: []string{page.Path}}
		if why := plan.Refuse(kept.Spec, rules, &it, plan.Knowledge{}); why != nil {
			return why.String()
		}
		return ""
	}
	return nil
}
