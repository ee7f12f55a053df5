package control

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/worklist"
	"github.com/loopwiki/wiki/loops/plan"
)

// Offer lists what could be run now: runs that can go on, loops, plans that are
// pending, and specifications that plans could be made of.
func (c *Controller) Offer(ctx context.Context) ([]string, error) {
	var out []string
	all, err := c.Summaries()
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		switch loops.Status(r.Status) {
		case loops.Waiting:
			if r.WaitingFor == string(loops.ForPerson) {
				out = append(out, fmt.Sprintf("wiki loop approve %s   # or reject it: wiki loop show %s", r.ID, r.ID))
				continue
			}
			out = append(out, fmt.Sprintf("wiki loop resume %s   # %s", r.ID, r.Status))
		case loops.Interrupted:
			out = append(out, fmt.Sprintf("wiki loop resume %s   # %s", r.ID, r.Status))
		}
	}
	b, err := c.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	known := b.Around(c.Getenv("PATH")).Plans
	plan.Order(known)
	proposed, err := c.Proposed()
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		if k.Status == plan.Pending && proposed[k.Plan.Path] == "" {
			out = append(out, fmt.Sprintf("wiki loop run %s   # P%d %s", k.Plan.Path, k.Plan.Priority, k.Plan.Title))
		}
	}
	line, err := worklist.New(c.Repo).Offer(ctx, all)
	if err != nil {
		return nil, err
	}
	out = append(out, line...)
	specs, err := c.Loops()
	if err != nil {
		return nil, err
	}
	for _, l := range specs {
		if !l.Builtin && l.Err() == nil {
			out = append(out, "wiki loop run "+l.Spec.Name+"   # a loop: "+l.Spec.Title)
		}
	}
	for _, name := range []string{"SPEC.md", "docs/SPEC.md"} {
		if last, ok := c.Latest(name); ok && !loops.Status(last.Status).Over() {
			continue // it is planned from already
		}
		if info, err := os.Stat(filepath.Join(c.Root, name)); err == nil && info.Mode().IsRegular() {
			out = append(out, "wiki plan from "+name+"   # a specification")
		}
	}
	return out, nil
}
