package main

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/loopwiki/wiki/cmd/wiki/internal/plain"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/rules"
)

// explainRule prints the page of a rule, one of wiki.yaml included.
func explainRule(p *program, id string) error {
	ws, err := p.detect()
	if err != nil {
		return err
	}
	all, err := linter.RulesOf(ws)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(r *linter.Rule) bool { return r.ID == id })
	if i < 0 {
		var ids []string
		for _, r := range all {
			ids = append(ids, r.ID)
		}
		hint := "'wiki lint --list-rules' lists all rules"
		if near := nearest(id, ids); near != "" {
			hint = "did you mean " + near + "?"
		}
		return misuse(hint, "--explain: unknown rule %q", id)
	}
	examples, err := rules.Examples.ReadFile("testdata/" + id + ".txtar")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err = p.out.WriteString(plain.Text(linter.RulePage(all[i], examples)))
	return err
}
