package loops

import (
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command, output string
		exit            int
		class           string
		sure            float64
		detail          string // name=value
	}{
		"green":               {"go test", "FAIL", 0, "", 0, ""},
		"bash":                {"x", "bash: line 1: pnpm: command not found", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"dash":                {"x", "sh: 1: pnpm: not found", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"zsh":                 {"x", "zsh: command not found: pnpm", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"no shell's name":     {"x", "building\npnpm: command not found", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"zsh, a line":         {"x", "zsh:1: command not found: pnpm", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"zsh, a script":       {"x", "./build.zsh:3: command not found: pnpm", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"csh":                 {"x", "pnpm: Command not found.", 1, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"busybox":             {"x", "sh: pnpm: not found", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"bash, a script":      {"x", "./build.sh: line 3: pnpm: command not found", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"dash, a script":      {"x", "./build.sh: 3: pnpm: not found", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"bash, exec":          {"x", "bash: line 1: exec: pnpm: not found", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"env":                 {"x", "env: ‘pnpm’: No such file or directory", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"env of a script":     {"x", "/usr/bin/env: 'node': No such file or directory", 127, ClassCommandMissing, 0.94, "missing_command=node"},
		"env on a Mac":        {"x", "env: node: No such file or directory", 127, ClassCommandMissing, 0.94, "missing_command=node"},
		"env, by a path":      {"x", "env: ‘/opt/pnpm’: No such file or directory", 127, ClassPath, 0.79, ""},
		"timeout's":           {"x", "timeout: failed to run command ‘pnpm’: No such file or directory", 127, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"go's exec":           {"x", `exec: "pnpm": executable file not found in $PATH`, 1, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"a file of env":       {"x", "cat: env: No such file or directory", 1, ClassPath, 0.79, "missing_path=env"},
		"a page not found":    {"curl x", "error 404: page not found", 22, ClassUnknown, 0.35, ""},
		"windows":             {"x", "'pnpm' is not recognized as an internal or external command,", 1, ClassCommandMissing, 0.94, "missing_command=pnpm"},
		"python module":       {"python x.py", "ModuleNotFoundError: No module named 'requests'", 1, ClassPythonModule, 0.88, "missing_python_module=requests"},
		"node module":         {"node x", "Error: Cannot find module './price'\n code: 'MODULE_NOT_FOUND'", 1, ClassNodeModule, 0.84, "missing_node_module=./price"},
		"permission":          {"./x", "sh: ./x: Permission denied", 126, ClassPermission, 0.82, ""},
		"path":                {"cat x", "cat: conf/x: No such file or directory", 1, ClassPath, 0.79, "missing_path=conf/x"},
		"timeout":             {"curl", "Operation timed out", 28, ClassTimeout, 0.68, ""},
		"the first wins":      {"x", "no such file or directory: timed out: 3 failed", 1, ClassPath, 0.79, ""},
		"general assertion":   {"x", "2 failures", 1, ClassAssertion, 0.62, ""},
		"go's word alone":     {"x", "FAIL", 1, ClassUnknown, 0.35, ""},
		"nothing":             {"x", "", 1, ClassUnknown, 0.35, ""},
		"the command counts":  {"failed-job", "", 1, ClassAssertion, 0.62, ""},
		"go test":             {"go test ./...", "--- FAIL: TestPrice (0.00s)\n    a_test.go:3: got 1\nFAIL\nFAIL\tx\t0.01s", 1, ClassAssertion, 0.95, "test=TestPrice"},
		"go build":            {"go test ./...", "# x\n./a.go:3:5: undefined: Price\nFAIL\tx [build failed]", 1, ClassCompile, 0.95, "symbol=Price"},
		"go panic":            {"go test", "panic: boom\n\ngoroutine 1", 2, ClassPanic, 0.9, "panic=boom"},
		"a panic in a test":   {"go test", "--- FAIL: TestA (0.00s)\npanic: boom", 1, ClassAssertion, 0.95, "test=TestA"},
		"go test timeout":     {"go test", "panic: test timed out after 1s\nrunning tests", 1, ClassTimeout, 0.9, "after=1s"},
		"go module":           {"go build", "a.go:3:8: no required module provides package rsc.io/quote; to add it:", 1, ClassDependency, 0.9, "missing_package=rsc.io/quote"},
		"cargo test":          {"cargo test", "test price::negative ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed", 101, ClassAssertion, 0.95, "test=price::negative"},
		"cargo build":         {"cargo build", "error[E0425]: cannot find value `x`\n --> src/lib.rs:2:5", 101, ClassCompile, 0.95, "code=E0425"},
		"pytest":              {"pytest", "E       assert 1 == 2\nFAILED tests/test_a.py::test_price - assert 1 == 2\n==== 1 failed in 0.1s ====", 1, ClassAssertion, 0.95, ""},
		"pytest, missing":     {"pytest", "E   ModuleNotFoundError: No module named 'price'", 2, ClassPythonModule, 0.88, "missing_python_module=price"},
		"python syntax":       {"python a.py", "    def\n  SyntaxError: invalid syntax", 1, ClassCompile, 0.9, "error=SyntaxError"},
		"jest":                {"npx jest", "  ● price › is positive\n\nTests:       1 failed, 2 passed", 1, ClassAssertion, 0.93, "test=price › is positive"},
		"tap":                 {"node --test", "not ok 1 - price", 1, ClassAssertion, 0.93, ""},
		"maven":               {"mvn test", "[ERROR] Tests run: 3, Failures: 1, Errors: 0", 1, ClassAssertion, 0.93, ""},
		"javac":               {"javac", "A.java:3: error: ';' expected", 1, ClassCompile, 0.95, ""},
		"tsc":                 {"tsc", "a.ts(1,2): error TS2304: Cannot find name 'x'.", 2, ClassTypes, 0.95, "code=TS2304"},
		"eslint":              {"eslint .", "✖ 2 problems (2 errors, 0 warnings)", 1, ClassLint, 0.85, ""},
		"heap":                {"node x", "FATAL ERROR: JavaScript heap out of memory", 134, ClassMemory, 0.85, ""},
		"not a path, by 127":  {"x", "sh: 1: x: not found\n--- FAIL: TestA", 127, ClassCommandMissing, 0.94, "missing_command=x"},
		"long output's end":   {"x", strings.Repeat("permission denied\n", 40_000) + strings.Repeat("x", classifiedOutput), 1, ClassUnknown, 0.35, ""},
		"golangci-lint's way": {"golangci-lint run", "a.go:3:4: error return value is not checked (errcheck)", 1, ClassLint, 0.85, "rule=errcheck"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			class, sure, details := Classify(c.command, c.output, c.exit)
			if class != c.class || sure != c.sure {
				t.Errorf("got %s %.2f, want %s %.2f", class, sure, c.class, c.sure)
			}
			if key, value, ok := strings.Cut(c.detail, "="); ok && details[key] != value {
				t.Errorf("the details are %v, want %s", details, c.detail)
			}
		})
	}
}

func TestSameFailure(t *testing.T) {
	t.Parallel()
	base := "--- FAIL: TestPrice (0.01s)\n    /tmp/a1/x/price_test.go:12: got 3\nFAIL\tx\t0.012s\n"
	for name, c := range map[string]struct {
		other string
		same  bool
	}{
		"numbers and times":  {"--- FAIL: TestPrice (1.21s)\n    /home/u/b/price_test.go:18: got 4\nFAIL\tx\t1.3s\n", true},
		"colour":             {"\x1b[31m--- FAIL: TestPrice (0.01s)\x1b[0m\n    /tmp/a1/x/price_test.go:12: got 3\nFAIL\tx\t0.012s\n", true},
		"an earlier line":    {strings.Repeat("once\n", 60) + strings.Repeat("again\n", 50), false},
		"another test":       {strings.ReplaceAll(base, "TestPrice", "TestOther"), false},
		"another message":    {strings.ReplaceAll(base, "got", "panicked with"), false},
		"blank lines at all": {"\n\n" + strings.ReplaceAll(base, "\n", "\n\n"), true},
	} {
		if got := SameFailure(c.other) == SameFailure(base); got != c.same {
			t.Errorf("%s: same is %v", name, got)
		}
	}
	tail := strings.Repeat("again\n", sameLines)
	if SameFailure("one\n"+tail) != SameFailure("another\n"+tail) {
		t.Error("more than the last lines is compared")
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("go test", "--- FAIL: TestA\nFAIL", 1)
	f.Add("x", "sh: 1: y: not found", 127)
	f.Add("x", "\xff\x00error: \n --> ", -1)
	f.Fuzz(func(t *testing.T, command, output string, exit int) {
		class, sure, _ := Classify(command, output, exit)
		if (class == "") != (exit == 0) || sure < 0 || sure > 1 {
			t.Errorf("%q with %.2f for exit status %d", class, sure, exit)
		}
		if SameFailure(output) != SameFailure(output+"\n\n") {
			t.Error("blank lines at the end count")
		}
	})
}
