package gate

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "red-first",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "A new test fails by assertion without the chunk's code: on the base or, if it doesn't compile there, with empty bodies for the functions that the chunk adds.",
	phase:  phaseProof,
	judge:  judgeRedFirst,
})

// proof collects what came of new tests without the code that they are for.
type proof struct {
	*judge
	red, notes []loops.Reason
	output     string
}

func (p *proof) blame(file string, line int, format string, args ...any) {
	p.red = append(p.red, loops.Reason{Path: file, Line: line, Message: fmt.Sprintf(format, args...)})
}

func (p *proof) note(file, format string, args ...any) {
	p.notes = append(p.notes, loops.Reason{Path: file, Message: fmt.Sprintf(format, args...)})
}

func judgeRedFirst(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	if kind := j.chunk.Tests.Kind; kind != loops.TestsNew && kind != "" || !j.green && len(j.commands.Test) > 0 {
		return nil, nil
	}
	p := &proof{judge: j}
	var goFiles, others []newFile
	for _, n := range j.newTests() {
		if languageOf(n.path) == goLanguage && strings.HasSuffix(n.path, "_test.go") {
			goFiles = append(goFiles, n)
		} else {
			others = append(others, n)
		}
	}
	switch {
	case len(goFiles)+len(others) > 0:
	case j.changesCode() && len(j.c.Failures) == 0:
		p.note("", "code changed without a new test: nothing shows that the change works")
		return because(loops.Note, "", p.notes), nil
	default:
		return nil, nil
	}
	if err := p.goTests(ctx, goFiles); err != nil {
		return nil, err
	}
	if err := p.otherTests(ctx, others); err != nil {
		return nil, err
	}
	if len(p.red) > 0 {
		r := because(loops.Red, loops.ClassAssertion, p.red)
		r[0].Output = tail(j.redact(p.output), shownOutput)
		return r, nil
	}
	return because(loops.Note, "", p.notes), nil
}

// changesCode reports whether code that tests could test was changed.
func (j *judge) changesCode() bool {
	for i := range j.changes {
		if c := &j.changes[i]; !c.ignored && j.protection.kind[c.path] == ordinary && codeExt[path.Ext(c.path)] {
			return true
		}
	}
	return false
}

// probe exports the tree before the chunk with the chunk's tests, their data, and
// what it may change of dependencies. Of test files only those are taken that
// pick returns true for.
func (j *judge) probe(ctx context.Context, pick func(p string) bool) (*tree, error) {
	return j.another(ctx, j.ref, func(t *tree) error {
		for i := range j.changes {
			c := &j.changes[i]
			k := j.protection.kind[c.path]
			if c.ignored || c.gone || !j.protection.allowed[c.path] || k == testFile && !pick(c.path) || k != testFile && k != testData && k != config {
				continue
			}
			if err := c.put(t); err != nil {
				return err
			}
		}
		return nil
	})
}

// runners are what the commands must hold to be able to run tests of a language.
var runners = map[language]func() *regexp.Regexp{
	jsLanguage:   schema.Expression(`\b(?:npm|npx|yarn|pnpm|bun|node|deno|jest|vitest|mocha|make|just)\b|\.sh\b`),
	pyLanguage:   schema.Expression(`\b(?:python3?|pytest|tox|nox|uv|poetry|make|just)\b|\.sh\b`),
	rustLanguage: schema.Expression(`\b(?:cargo|make|just)\b|\.sh\b`),
	javaLanguage: schema.Expression(`\b(?:mvn|mvnw|gradle|gradlew|sbt|make|just)\b|\.sh\b`),
	goLanguage:   schema.Expression(`\b(?:go|make|just)\b|\.sh\b`),
	noLanguage:   schema.Expression(`\b(?:make|just|bats|prove|ctest|sh|bash)\b|\.sh\b|\./`),
}

// mostProbes is how many files of tests are looked at one by one.
const mostProbes = 5

// otherTests asks the repository's own test commands, by their exit status: with
// the new tests and without the code they have to be red.
func (p *proof) otherTests(ctx context.Context, files []newFile) error {
	groups := [][]newFile{}
	for _, f := range files {
		if len(p.commandsFor(languageOf(f.path))) == 0 {
			p.note(f.path, "no test command runs tests of this kind; can't tell whether they fail without the code")
			continue
		}
		if len(files) > mostProbes && len(groups) > 0 {
			groups[0] = append(groups[0], f)
			continue
		}
		groups = append(groups, []newFile{f})
	}
	for _, group := range groups {
		if err := p.otherProbe(ctx, group); err != nil {
			return err
		}
	}
	return nil
}

func (j *judge) commandsFor(l language) []string {
	var out []string
	for _, c := range j.commands.Test {
		if runners[l]().MatchString(c) {
			out = append(out, c)
		}
	}
	return out
}

func (p *proof) otherProbe(ctx context.Context, files []newFile) error {
	t, err := p.probe(ctx, func(name string) bool {
		for _, f := range files {
			if f.path == name {
				return true
			}
		}
		return false
	})
	if err != nil {
		return err
	}
	passed := map[string]bool{}
	red := false
	for _, command := range p.commandsFor(languageOf(files[0].path)) {
		run, err := p.runTests(ctx, "red-first", command, t)
		if err != nil {
			return err
		}
		mergeInto(passed, run.passed)
		if run.outcome.green() {
			continue
		}
		red = true
		p.output += run.outcome.output
		class, _, details := loops.Classify(command, run.outcome.output, run.outcome.exit.Code)
		switch class {
		case loops.ClassNodeModule, loops.ClassPythonModule, loops.ClassCompile, loops.ClassTypes, loops.ClassPath, loops.ClassDependency:
			if why := p.foreign(class, details); why != "" {
				p.blame(files[0].path, 0, "does not run on the base, for another reason than missing code of the chunk: %s", why)
			}
			return nil
		}
	}
	names := map[string]bool{}
	for name := range passed {
		names[lastName(name)] = true
	}
	for _, f := range files {
		if !red {
			p.blame(f.path, 0, "passes on the base, or does not run: %s; a new test must fail without the chunk's code", unitNames(f.units))
			continue
		}
		for _, u := range f.units {
			if names[lastName(u.name)] {
				p.blame(f.path, u.line, "the test %s passes on the base; it must fail without the chunk's code", u.name)
			}
		}
	}
	return nil
}

// foreign returns what is missing that the chunk does not add, or nothing.
func (p *proof) foreign(class string, details map[string]string) string {
	missing := details["missing_node_module"] + details["missing_python_module"] + details["missing_path"]
	if missing == "" {
		return ""
	}
	stem := path.Base(strings.ReplaceAll(missing, ".", "/"))
	if strings.ContainsAny(missing, `/\`) || codeExt[path.Ext(missing)] {
		stem = strings.TrimSuffix(path.Base(missing), path.Ext(missing))
	}
	for i := range p.changes {
		c := &p.changes[i]
		base := path.Base(c.path)
		if c.added && (strings.TrimSuffix(base, path.Ext(base)) == stem || strings.Contains(c.path, stem+"/")) {
			return ""
		}
	}
	return class + " of " + missing
}

func unitNames(units []unit) string {
	var names []string
	for _, u := range units {
		names = append(names, u.name)
	}
	if len(names) == 0 {
		return "the whole file"
	}
	return list(names)
}
