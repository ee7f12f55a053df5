package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
)

var repository = fstest.MapFS{
	"skills/tdd/SKILL.md": {}, "skills/refactor.md": {}, "skills/README.md": {}, "skills/empty/notes.md": {},
	"src/pricing.go": {}, "src/pricing_test.go": {}, "tools/goal.sh": {}, "go.mod": {},
}

func surroundings() Surroundings {
	return Surroundings{
		Repo:    repository,
		Program: func(name string) bool { return name == "go" || name == "npm" || name == "make" },
		Plans: []Known{
			{&loops.Plan{Name: "2026-06-forms", Scope: []string{"src/forms/**"}}, Done},
			{&loops.Plan{Name: "2026-06-prices", Scope: []string{"src/prod*.go"}}, Pending},
			{&loops.Plan{Name: "2026-06-after", Scope: []string{"src/after.go"}, DependsOn: []string{"2026-07-a"}}, Pending},
		},
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	front := func(scope, goal, more string) string {
		return "---\ntitle: A\nscope: " + scope + "\ngoal: " + goal + "\n" + more + "---\n## Chunks\n"
	}
	ok := front("[src/pricing.go, src/pricing_test.go, tools/**]", "go test ./...", "")
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"right", ok + "### 1. A\n- skill: tdd\n- files: src/pricing.go, tools/*.sh\n- verify: ./tools/goal.sh && npm test\n### 2. B\n- depends on: 1\n- tests: move src/pricing_test.go -> tools/b_test.go\n", nil},
		{"wide", front(`["**", "*", ".", /etc/x, ../x, src, src/, ./go.mod, "a[", 'a\b', "**/*", go.mod, go.mod]`, "make", "") + "### 1. A\n", []string{
			`3:9: error: the scope "**" matches everything; list the plan's files or their directory [scope-wide]`,
			`3:15: error: the scope "*" matches everything; list the plan's files or their directory [scope-wide]`,
			`3:20: error: the scope "." matches everything; list the plan's files or their directory [scope-wide]`,
			`3:25: error: the scope "/etc/x" is absolute; write a path below the repository's root, with slashes [path-unsafe]`,
			`3:33: error: the scope "../x" is outside the repository; write a path below the repository's root, with slashes [path-unsafe]`,
			`3:39: error: the scope "src" is a directory; files need a glob; write src/** for what is in it [path-folder]`,
			`3:44: error: the scope "src/" is a directory; files need a glob; write src/** for what is in it [path-folder]`,
			`3:50: error: the scope "./go.mod" begins with ./; remove it; write go.mod [path-unsafe]`,
			`3:60: error: the scope "a[" is not a valid pattern; write a path below the repository's root, with slashes [path-unsafe]`,
			`3:66: error: the scope "a\\b" contains a backslash; write a path below the repository's root, with slashes [path-unsafe]`,
			`3:73: error: the scope "**/*" matches everything; list the plan's files or their directory [scope-wide]`,
			`3:89: warning: scope lists "go.mod" twice; remove one [duplicate-entry]`}},
		{"no scope", front("[]", "make", "") + "### 1. A\n- files: go.mod\n", []string{`3:8: error: the scope is empty; list what may change, such as [src/pricing.ts] [scope-empty]`}},
		{"sentence", front("[go.mod]", "make sure that prices are valid.", "") + "### 1. A\n", []string{
			`4:7: error: the goal is a sentence, not a command; write a command whose exit status decides, such as npm test [goal-sentence]`}},
		{"program", front("[go.mod]", "Prices valid", "checks: [./tools/none.sh, ./tools/goal.sh, /opt/x]\n") + "### 1. A\n- verify: A=1 pytest -q\n", []string{
			`4:7: error: the goal can't run: program "Prices" not found; use a program on PATH, or the path of a file in the repository [goal-program]`,
			`5:10: error: the check can't run: program "./tools/none.sh" not found; use a program on PATH, or the path of a file in the repository [check-program]`,
			`9:11: error: the verify can't run: program "pytest" not found; use a program on PATH, or the path of a file in the repository [verify-program]`}},
		{"never fails", front("[go.mod]", `"true"`, "checks: [go test | tee log]\n") + "### 1. A\n- verify: go test || true\n", []string{
			`4:7: error: the goal can never fail; write a command that can fail [goal-never-fails]`,
			`5:10: warning: the check fails only if tee does; failures before the pipe are ignored; remove the pipe [check-piped]`,
			`9:11: error: the verify can never fail; write a command that can fail [verify-never-fails]`}},
		{"files", ok + "### 1. A\n- files: go.mod, src/**, src/pricing.go, src/pricing.go\n### 2. B\n- files: src/pricing.go\n- tests: move go.sum -> src/pricing_test.go\n### 3. C\n- tests: move src/pricing.go -> src/pricing.go\n", []string{
			`8:10: error: "go.mod" is outside the plan's scope; add it to scope:, or remove it from the chunk [outside-scope]`,
			`8:18: error: "src/**" is outside the plan's scope; add it to scope:, or remove it from the chunk [outside-scope]`,
			`8:42: warning: files lists "src/pricing.go" twice; remove one [duplicate-entry]`,
			`11:10: error: "go.sum" is outside the plan's scope; add it to scope: [outside-scope]`,
			`11:10: error: "src/pricing_test.go" is not among the chunk's files; add it to files: [outside-scope]`,
			`13:10: error: tests: move has the same source and target: "src/pricing.go"; name two different files [tests-move]`}},
		{"skills", ok + "### 1. A\n- skill: ttd\n### 2. B\n- skill: empty\n### 3. C\n- skill: refactor\n", []string{
			`8:10: error: no such skill: "ttd"; did you mean "tdd"? [unknown-skill]`,
			`10:10: error: no such skill: "empty"; write .agents/skills/empty/SKILL.md, or skill: none [unknown-skill]`}},
		{"order", ok + "### 1. A\n- depends on: 2, 7\n### 2. B\n- depends on: 3\n### 3. b\n- depends on: 1, 3\n### 2. C\n", []string{
			`8:15: error: chunk 1 depends on itself: 1 → 2 → 3 → 1; remove one of them [chunk-cycle]`,
			`8:18: error: no such chunk: 7; the plan has 1, 2, 3, 2 [unknown-chunk]`,
			`10:15: error: chunk 2 depends on itself: 2 → 3 → 1 → 2; remove one of them [chunk-cycle]`,
			`11:8: warning: two chunks are titled "b"; give this one a distinct title [duplicate-title]`,
			`12:15: error: chunk 3 depends on itself: 3 → 1 → 2 → 3; remove one of them [chunk-cycle]`,
			`12:18: error: chunk 3 depends on itself; remove it [chunk-cycle]`,
			`13:1: error: two chunks are numbered 2; renumber the chunks [duplicate-chunk]`}},
		{"many", ok + func() (s string) {
			for i := range 12 {
				s += fmt.Sprintf("### %d. T%d\n", i+1, i)
			}
			return s
		}(), []string{`17:1: error: the plan has 12 chunks; split it into plans of at most 10, linked by depends_on [too-many-chunks]`}},
		{"others", front("[src/product.go, src/after.go, src/forms/a.go]", "make", "depends_on: [2026-06-froms, plans/2026-06-forms.md, 2026-07-a, 2026-06-after]\n") + "### 1. A\n", []string{
			`3:9: warning: "src/product.go" is also in the scope of the plan 2026-06-prices, which is pending; let one depend on the other with depends_on:, or narrow their scopes [scope-overlap]`,
			`5:14: error: no such plan: "2026-06-froms"; did you mean "2026-06-forms"? [unknown-plan]`,
			`5:53: error: the plan depends on itself; remove it [plan-cycle]`,
			`5:64: error: the plan depends on itself: 2026-07-a → 2026-06-after → 2026-07-a; remove one of them [plan-cycle]`}},
		{"quoted", front("[go.mod]", "go vet ./...", "") + "### 1. A\n\nUntil go vet ./... is green.\n", []string{
			`9:7: warning: the text quotes the goal or a check; the maker reads [withheld] there; use a chunk's verify: for commands that the maker should see [goal-quoted]`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, faults := Check("plans/2026-07-a.md", []byte(tt.src), surroundings())
			var got []string
			for _, f := range faults {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLintName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"2026-07-a": "", "2026-7-a": "warning", "plan": "warning", "2026-07-A": "warning", "-a": "error", "a b": "error", "a.lock": "error", "a..b": "error",
	} {
		src := []byte("---\ntitle: A\nscope: [a]\ngoal: make\n---\n## Chunks\n### 1. A\n")
		_, faults := Check("plans/"+name+".md", src, Surroundings{})
		got := ""
		if len(faults) == 1 && faults[0].Code == "plan-name" {
			got = faults[0].Severity.String()
		}
		if got != want || len(faults) > 1 {
			t.Errorf("%s: %v, want %q", name, faults, want)
		}
	}
}

func TestNeverFails(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"true": true, ":": true, "exit 0": true, "exit": false, "# nothing": true, "npm test || true": true, "npm test; true": true, "npm test\ntrue": true,
		"npm test && true": false, "true && npm test": false, "true; npm test": false, "exit 0; npm test": true, "npm test || exit 0": true,
		"npm test || exit 1": false, "echo 'a || b'": true, "npm test | cat": false, "npm test 2>&1": false, "npm test || npm test": false,
		"A=1": true, "A=1 true": true, "npm test || true && npm run lint": false, "false || true # always": true, "npm test &>log": false, "(true; npm test)": false,
		`grep "|| true" a`: false, "npm test;": false,
	} {
		if got := readLine(line).neverFails(); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"All tests pass.": true, "make sure the tests pass": true, "test that it works": true, "npm test": false, "make build test all": false,
		"npm run test -- --the": false, "go test ./...": false, "cargo test": false, "make test": false,
	} {
		if got := sentence(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestGlobs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b            string
		covers, overlap bool
	}{
		{"src/**", "src/a.go", true, true}, {"src/**", "src/x/*.go", true, true}, {"src/*", "src/**", false, true}, {"src/*.go", "src/a.go", true, true},
		{"src/*.go", "src/*.ts", false, false}, {"src/a*", "src/*b", false, true}, {"src/{a,b}.go", "src/a.go", true, true}, {"src/a.go", "src/{a,b}.go", false, true},
		{"**/*_test.go", "a/b_test.go", true, true}, {"**/*_test.go", "a/**", false, true}, {"a/**", "b/**", false, false}, {"a/**/c", "a/b", false, false},
		{"src", "src/a", false, false}, {"src/?.go", "src/*.go", false, true}, {"src/*.go", "src/?.go", true, true}, {"a/**", "a", true, true},
	} {
		if got := covers(tt.a, tt.b); got != tt.covers {
			t.Errorf("%s covers %s: %v", tt.a, tt.b, got)
		}
		if got := overlap(tt.a, tt.b); got != tt.overlap || overlap(tt.b, tt.a) != got {
			t.Errorf("%s overlaps %s: %v", tt.a, tt.b, got)
		}
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tool.exe"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "text.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	has := Programs(strings.Join([]string{"", ".", dir}, string(filepath.ListSeparator)))
	if !has("tool.exe") || has("none") || has("lint_test.go") {
		t.Error("programs are not found, or found where there are none")
	}
}

func FuzzLint(f *testing.F) {
	f.Add([]byte(pricing))
	f.Add([]byte("---\ntitle: A\nscope: ['{a,b}**', '[!x]']\ngoal: \"a 'b' | c && (d; e) # f\"\ndepends_on: [x]\n---\n## Chunks\n### 1. A\n- files: {a,{b,c}}\n- depends on: 1, 2\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		_, faults := Check("plans/2026-07-a.md", src, surroundings())
		for i, fault := range faults {
			if i > 0 && fault.Span.Start < faults[i-1].Span.Start {
				t.Errorf("out of order: %v", faults)
			}
		}
	})
}

func TestDecisionsNeedAWriter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		decision string
		nobody   bool
		want     int
	}{{"true", true, 1}, {"true", false, 0}, {"false", true, 0}} {
		src := []byte("---\ntitle: A\nscope: [a]\ngoal: make\ndecision: " + tt.decision + "\n---\n## Chunks\n### 1. A\n")
		_, faults := Check("plans/2026-07-a.md", src, Surroundings{NoWriter: tt.nobody})
		if len(faults) != tt.want || tt.want > 0 && (faults[0].Code != "decision-without-writer" || faults[0].At.Line != 5 || Refused(faults)) {
			t.Errorf("%+v: %v", tt, faults)
		}
	}
}
