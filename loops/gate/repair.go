package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"go/build"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// mayRepair reports whether the run may start although its base is red. A missing tool
// is nothing that an agent repairs.
func (j *judge) mayRepair(ctx context.Context, red []loops.GateResult) (bool, error) {
	if loops.Worst(red) >= loops.Environment {
		return false, nil
	}
	if j.c.Start.Repair != loops.RepairVerify {
		return j.c.Start.Repair == loops.RepairAsked, nil
	}
	for _, command := range append(slices.Clone(j.c.Start.Plan.Checks), j.c.Start.Plan.Goal) {
		if strings.TrimSpace(command) == "" {
			continue
		}
		if o, err := j.run(ctx, "baseline", command, j.now.dir); err != nil || !o.green() {
			return err == nil, err
		}
	}
	return false, nil
}

// base records what failed on the base of a repair.
type base struct {
	*judge
	failed []loops.BaseFailure
	sheets map[string]*sheet // of files with tests; see files
}

// recorded returns the record as the result of the gate.
func (b *base) recorded() []loops.GateResult {
	r := loops.GateResult{Effect: loops.Note, Failed: b.failed}
	for i := range b.failed {
		if len(r.Reason) == mostReasons {
			break
		}
		f := &b.failed[i]
		r.Reason = append(r.Reason, loops.Reason{Path: f.File, Message: "on the base: " + f.Name() + ": " + string(f.Outcome)})
	}
	return []loops.GateResult{r}
}

// commands runs those of build and lint, and records the red ones.
func (b *base) commands(ctx context.Context) (red []loops.GateResult, err error) {
	for _, kind := range b.checks() {
		for _, command := range kind.commands {
			o, err := b.run(ctx, "baseline", command, b.now.dir)
			if err != nil {
				return nil, err
			}
			if r := b.result(o); r.Effect != loops.Passed {
				red = append(red, r)
				b.failed = append(b.failed, loops.BaseFailure{Gate: kind.gate, Command: command, Outcome: loops.BaseFailed, Findings: findings(b.redact(o.output))})
			}
		}
	}
	return red, nil
}

// check is a gate that runs commands, with those.
type check struct {
	gate     string
	commands []string
}

// checks are the gates whose commands name no tests.
func (j *judge) checks() []check {
	return []check{{"build", j.commands.Build}, {"lint", j.commands.Lint}}
}

// tests records the tests of a command that was red: those that failed, were flaky, or
// are in files that did not compile or load. A command that names none is one test.
func (b *base) tests(run *sameRuns) {
	idle := b.notCollected(run)
	before := len(b.failed)
	for _, name := range keysOf(run.failed, nil) {
		file, u := b.locate(name)
		ofFile := slices.ContainsFunc(keysOf(idle, nil), func(p string) bool { return namesFile(name, p) })
		if ofFile && (u == nil || strings.Contains(name, failedLoad)) {
			continue // its tests are recorded
		}
		b.add(run.command, name, file, u, loops.BaseFailed)
	}
	for _, name := range keysOf(run.unsure, nil) {
		file, u := b.locate(name)
		b.add(run.command, name, file, u, loops.BaseFlaky)
	}
	for _, file := range keysOf(idle, nil) {
		for _, u := range idle[file] {
			b.add(run.command, u.name, file, &u, loops.BaseNotRun)
		}
	}
	if len(b.failed) > before {
		return
	}
	outcome := loops.BaseFailed
	if run.greens > 0 {
		outcome = loops.BaseFlaky
	}
	b.add(run.command, "", "", nil, outcome)
}

func (b *base) add(command, name, file string, u *unit, outcome loops.BaseOutcome) {
	f := loops.BaseFailure{Gate: "test", Command: command, Test: b.redact(name), Outcome: outcome}
	if u != nil {
		f.File, f.Body = file, bodyHash(u)
	}
	b.failed = append(b.failed, f)
}

func bodyHash(u *unit) string {
	sum := sha256.Sum256([]byte(u.body))
	return hex.EncodeToString(sum[:12])
}

// failedLoad is part of the name that unittest gives to a file that it can't load.
const failedLoad = "._FailedTest."

// namesFile reports whether a name is that of a file that did not load: of the file
// itself, or of what unittest puts in its place.
func namesFile(name, file string) bool {
	base := path.Base(file)
	return strings.Contains(name, base) || strings.Contains(name, failedLoad) && lastName(name) == strings.TrimSuffix(base, path.Ext(base))
}

// files returns the files of the base that hold tests.
func (b *base) files() map[string]*sheet {
	if b.sheets == nil {
		b.sheets = map[string]*sheet{}
		for _, p := range b.now.paths() {
			if src := b.now.read(p); mayHoldTests(p, src) {
				b.sheets[p] = takeApart(p, src)
			}
		}
	}
	return b.sheets
}

// locate finds the source of a test that a command named. One that several files could
// hold is not found.
func (b *base) locate(name string) (string, *unit) {
	var file string
	var found *unit
	for _, p := range keysOf(b.files(), nil) {
		for _, u := range b.sheets[p].tests() {
			if lastName(u.name) != lastName(name) {
				continue
			}
			if inName(name, p) {
				return p, &u
			}
			if found != nil {
				return "", nil
			}
			file, found = p, &u
		}
	}
	return file, found
}

// inName reports whether a full name says which file a test is in.
func inName(name, file string) bool {
	stem := strings.TrimSuffix(file, path.Ext(file))
	return strings.Contains(name, file) || strings.Contains(name, strings.ReplaceAll(stem, "/", ".")+".") || path.Dir(file) != "." && strings.Contains(name, path.Dir(file)+".")
}

// notCollected returns the tests of files that a red command did not compile or load: it
// names none of them, and its output tells of the file.
func (b *base) notCollected(run *sameRuns) map[string][]unit {
	reported := map[string]bool{}
	for _, set := range []map[string]bool{run.passed, run.failed, run.skipped, run.unsure} {
		for name := range set {
			if !strings.Contains(name, failedLoad) {
				reported[lastName(name)] = true
			}
		}
	}
	out := map[string][]unit{}
	for p, s := range b.files() {
		units := slices.DeleteFunc(s.tests(), func(u unit) bool { return u.skipped || dynamic().MatchString(u.name) })
		switch {
		case !runners[languageOf(p)]().MatchString(run.command), !b.within(run.command, p), !b.tells(run, p, len(reported)):
		case slices.ContainsFunc(units, func(u unit) bool { return reported[lastName(u.name)] }) && languageOf(p) != goLanguage:
		case slices.ContainsFunc(keysOf(run.passed, nil), func(name string) bool { return strings.Contains(name, p) }):
		case languageOf(p) == goLanguage:
			if units = b.built(p, units); len(units) > 0 {
				out[p] = units
			}
		case len(units) > 0:
			out[p] = units
		}
	}
	return out
}

// dynamic are names that a test gets when it runs.
var dynamic = schema.Expression(`\$\{|%[sdifjo]`)

// within reports whether a command runs the tests of a file: it names no path, or one
// that the file is below.
func (b *base) within(command, file string) bool {
	given := false
	for _, w := range strings.Fields(command) {
		w = path.Clean(strings.TrimSuffix(w, "/..."))
		_, isFile := b.now.files[w]
		isDir := w != "." && slices.ContainsFunc(b.now.paths(), func(p string) bool { return strings.HasPrefix(p, w+"/") })
		if isFile || isDir {
			given = true
			if file == w || strings.HasPrefix(file, w+"/") {
				return true
			}
		}
	}
	return !given
}

// tells reports whether the output of a red command says that a file did not compile or
// load. One that names no test at all, although its runner does, ran none.
func (b *base) tells(run *sameRuns, file string, reported int) bool {
	if languageOf(file) == goLanguage {
		return strings.Contains(run.output, "FAIL\t"+b.goPackage(path.Dir(file))+" [")
	}
	return strings.Contains(run.output, path.Base(file)) || reported == 0 && namesTests(run.command)
}

// built leaves out the tests of Go that this machine does not build, and what a run does
// not name.
func (b *base) built(file string, units []unit) []unit {
	full := filepath.Join(b.now.dir, filepath.FromSlash(file))
	if ok, err := build.Default.MatchFile(filepath.Dir(full), filepath.Base(full)); !ok || err != nil {
		return nil
	}
	return slices.DeleteFunc(units, func(u unit) bool {
		return strings.HasPrefix(u.name, "Benchmark") || strings.HasPrefix(u.name, "Example") && u.asserts == 0
	})
}

// namingRunners name every test that they run.
var namingRunners = schema.Expression(`\b(?:cargo\s+(?:\S+\s+)?test|node\s+(?:\S+\s+)*--test)\b`)

func namesTests(command string) bool {
	_, isGo := askGo(command)
	command = strings.TrimSpace(command)
	return isGo || pytestCommand().MatchString(command) || unittestCommand().MatchString(command) || namingRunners().MatchString(command)
}

var (
	findingLine = schema.Expression(`[:(]\d+(?:[:,]\d+)?\)?|^\s*\d+:\d+\s`)
	digits      = schema.Expression(`\d+`)
)

// findings returns the lines of an output that name a place, without the numbers, by
// which they would differ although nothing new was found.
func findings(output string) []string {
	var out []string
	for line := range strings.Lines(output) {
		if findingLine().MatchString(line) && len(out) < mostFindings {
			out = append(out, clip(digits().ReplaceAllString(strings.Join(strings.Fields(line), " "), "#"), 300))
		}
	}
	slices.Sort(out)
	return out
}

// mostFindings is how many findings of a command are recorded.
const mostFindings = 2000

// gained returns the findings that now has more often than before.
func gained(before, now []string) []string {
	left := map[string]int{}
	for _, f := range before {
		left[f]++
	}
	return slices.DeleteFunc(slices.Clone(now), func(f string) bool {
		left[f]--
		return left[f] >= 0
	})
}
