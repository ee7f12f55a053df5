package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "mutation",
	Stages: []loops.Stage{loops.StageGoal},
	Doc:    "With one assertion of each file of tests made wrong, those tests fail as they do on the base: code can't make every test pass.",
	phase:  phaseProof,
	judge:  judgeMutation,
})

// mostMutants is how many files of tests get a wrong assertion, all of them in one run.
const mostMutants = 200

func judgeMutation(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	if len(j.commands.Test) == 0 || j.c.Base == "" {
		return nil, nil
	}
	if changed, err := j.codeChanged(ctx); err != nil || !changed {
		return nil, err
	}
	var list []mutant
	base, err := j.another(ctx, j.c.Base, func(t *tree) error {
		list = j.pickMutants(t)
		return t.mutate(list)
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return []loops.GateResult{{Effect: loops.Note, Reason: []loops.Reason{{Message: "no test has an assertion that can be made wrong: nothing shows that the tests can fail"}}}}, nil
	}
	t, err := j.another(ctx, j.c.Tree, func(t *tree) error { return t.mutate(list) })
	if err != nil {
		return nil, err
	}
	now, err := j.tryMutants(ctx, t)
	if err != nil {
		return nil, err
	}
	if alive := now.survivors(list); now.green || len(alive) > 0 {
		out, err := j.accuse(ctx, base, now, list, alive)
		return because(loops.Violation, loops.ClassTampering, out), err
	}
	return passed(), nil
}

// accuse returns which wrong assertions hold on the candidate alone: one that is not
// run, or that holds on the base too, says nothing, nor does a test that failed there
// anyhow.
func (j *judge) accuse(ctx context.Context, base *tree, now *trial, list, alive []mutant) ([]loops.Reason, error) {
	was, err := j.tryMutants(ctx, base)
	if err != nil || was.green {
		return nil, err
	}
	plain, err := j.another(ctx, j.c.Base, func(*tree) error { return nil })
	if err != nil {
		return nil, err
	}
	clean, err := j.tryMutants(ctx, plain)
	if err != nil {
		return nil, err
	}
	var out []loops.Reason
	flaky := j.flaky()
	for _, m := range alive {
		name := lastName(m.test)
		if was.failed[name] && !clean.failed[name] && !flaky[name] && (now.green || now.passed[name]) {
			out = append(out, loops.Reason{Path: m.path, Line: m.line, Message: fmt.Sprintf("%s passes although it asserts what is wrong (%s), and failed before the change: the code decides its own tests", m.test, clip(strings.TrimSpace(m.now), 80))})
		}
	}
	if now.green && clean.green && len(out) == 0 {
		out = append(out, loops.Reason{Message: fmt.Sprintf("the tests pass although %d files assert what is wrong, and failed before the change: the code decides its own tests", len(list))})
	}
	return out, nil
}

// flaky returns the last parts of the names of tests that have both outcomes: what one run of
// them comes to says nothing.
func (j *judge) flaky() map[string]bool {
	out := map[string]bool{}
	if known := j.stored(); known != nil {
		for _, name := range known.FlakyTests {
			out[lastName(name)] = true
		}
	}
	for _, f := range j.c.Failures {
		if f.Outcome == loops.BaseFlaky {
			out[lastName(f.Test)] = true
		}
	}
	return out
}

// codeChanged reports whether a run changed code that its tests could test.
func (j *judge) codeChanged(ctx context.Context) (bool, error) {
	list, err := j.c.Worktree.Diff(ctx, j.c.Base, j.c.Tree)
	if err != nil {
		return false, fmt.Errorf("compare tree %s with %s: %w", j.c.Tree, j.c.Base, err)
	}
	return slices.ContainsFunc(list, func(c loops.Change) bool {
		return kindOf(c.Path) == ordinary && codeExt[strings.ToLower(path.Ext(c.Path))]
	}), nil
}

// pickMutants picks one mutant for each file of tests of the base. Which one depends on
// the whole tree that is judged, so that no code in it can know.
func (j *judge) pickMutants(base *tree) []mutant {
	var out []mutant
	for _, p := range base.paths() {
		src := base.read(p)
		if len(src) > largestSheet || !mayHoldTests(p, src) {
			continue
		}
		now := j.now.read(p)
		all := slices.DeleteFunc(mutants(p, src), func(m mutant) bool {
			// In a file that has new tests, a line that stands there twice may be another's.
			return !bytes.Equal(src, now) && strings.Count("\n"+string(now)+"\n", "\n"+m.old+"\n") != 1
		})
		if len(all) > 0 {
			most := slices.MaxFunc(all, func(a, b mutant) int { return int(a.strength - b.strength) }).strength
			all = slices.DeleteFunc(all, func(m mutant) bool { return m.strength < most })
			out = append(out, all[j.draw(p)%len(all)])
		}
	}
	if len(out) > mostMutants {
		slices.SortStableFunc(out, func(a, b mutant) int {
			return j.draw(a.path) - j.draw(b.path)
		})
		out = out[:mostMutants]
	}
	return out
}

func (j *judge) draw(what string) int {
	sum := sha256.Sum256([]byte(j.now.id + "\x00" + what))
	return int(sum[0])<<16 | int(sum[1])<<8 | int(sum[2])
}

// mutate makes one assertion of each file wrong, wherever its line stands by now.
func (t *tree) mutate(list []mutant) error {
	for _, m := range list {
		lines := strings.Split(string(t.read(m.path)), "\n")
		at := m.line - 1
		if at >= len(lines) || lines[at] != m.old {
			if at = slices.Index(lines, m.old); at < 0 {
				continue
			}
		}
		lines[at] = m.now
		if t.files[m.path]&fs.ModeSymlink != 0 {
			continue
		}
		c := change{path: m.path, now: []byte(strings.Join(lines, "\n"))}
		if t.files[m.path]&0o100 != 0 {
			c.newMode = "100755"
		}
		if err := c.put(t); err != nil {
			return err
		}
	}
	return nil
}

// trial is what the test commands came to on a tree with mutants: names are the last
// part of those that the runners print.
type trial struct {
	green          bool
	named          bool
	passed, failed map[string]bool
}

func (j *judge) tryMutants(ctx context.Context, t *tree) (*trial, error) {
	out := &trial{green: true, passed: map[string]bool{}, failed: map[string]bool{}}
	for _, command := range j.commands.Test {
		run, err := j.runTests(ctx, "mutation", command, t)
		if err != nil {
			return nil, err
		}
		out.green = out.green && run.outcome.green()
		out.named = out.named || len(run.passed)+len(run.failed) > 0
		for name := range run.passed {
			out.passed[lastName(name)] = true
		}
		for name := range run.failed {
			out.failed[lastName(name)] = true
		}
	}
	return out, nil
}

// survivors returns the mutants whose tests did not fail; none if the runners name no
// tests and the commands are red.
func (t *trial) survivors(list []mutant) []mutant {
	if !t.green && !t.named {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(m mutant) bool { return t.failed[lastName(m.test)] })
}
