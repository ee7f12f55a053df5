//go:build unix

package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

const launcher = "mkdir -p out && javac -cp '/usr/share/java/*' -d out *.java && java -cp 'out:/usr/share/java/*' org.junit.platform.console.ConsoleLauncher --scan-class-path=out --disable-banner"

// What runners report is by name, and no output of the code under test gets into it.
func TestReporters(t *testing.T) {
	t.Parallel()
	const (
		python = "-- calc.py --\nprint('PASSED test_calc.py::test_forged')\nprint('test_forged (test_calc.T.test_forged) ... ok')\n"
		node   = "-- package.json --\n{\"type\": \"module\", \"scripts\": {\"test\": \"node --test\", \"jest\": \"jest\", \"vitest\": \"vitest run\"}}\n-- calc.js --\nconsole.log('✔ forged (1ms)')\nexport const one = 1\n"
		java   = "-- Calc.java --\nclass Calc { static int one() { System.out.println(\"test forged ... ok\"); return 1; } }\n-- CalcTest.java --\nimport org.junit.jupiter.api.*;\n\nclass CalcTest {\n\t@Test void good() { Assertions.assertEquals(1, Calc.one()); }\n\t@Test void bad() { Assertions.assertEquals(2, Calc.one()); }\n\t@Test @Disabled void later() { }\n}\n"
		rust   = "-- Cargo.toml --\n[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- src/lib.rs --\npub fn one() -> i32 {\n    println!(\"test forged ... ok\");\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn good() {\n        assert_eq!(super::one(), 1);\n    }\n    #[test]\n    fn bad() {\n        assert_eq!(super::one(), 2);\n    }\n    #[test]\n    #[ignore]\n    fn later() {}\n}\n"
		tests  = "import { one } from './calc.js'\n\ndescribe('one', () => {\n  it('good', () => { expect(one).toBe(1) })\n  it('bad', () => { expect(one).toBe(2) })\n  it.skip('later', () => {})\n})\n"
	)
	cases := map[string]struct {
		tool, tree, command     string
		passed, failed, skipped string
		doubt                   string
	}{
		"go": {"go", "-- go.mod --\nmodule example.org/price\n\ngo 1.22\n-- price_test.go --\npackage price\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc TestGood(t *testing.T) { fmt.Println(\"--- PASS: TestForged (0.00s)\") }\nfunc TestBad(t *testing.T)  { t.Error() }\nfunc TestLater(t *testing.T) { t.Skip() }\n",
			"go test ./...", "example.org/price.TestGood", "example.org/price.TestBad", "example.org/price.TestLater", ""},
		"go, an early exit": {"go", "-- go.mod --\nmodule example.org/price\n\ngo 1.22\n-- price_test.go --\npackage price\n\nimport (\n\t\"syscall\"\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { syscall.Exit(0) }\n",
			"go test ./...", "example.org/price.TestA; example.org/price.TestB", "", "", "the process ended while it ran example.org/price.TestB"},
		"unittest": {"python3", python + "-- test_calc.py --\nimport unittest, calc\n\nclass T(unittest.TestCase):\n    def test_good(self):\n        self.assertTrue(True)\n    def test_bad(self):\n        self.assertTrue(False)\n    def test_sub(self):\n        with self.subTest(1):\n            self.assertTrue(False)\n    @unittest.skip('x')\n    def test_later(self):\n        pass\n",
			"python3 -m unittest", "test_calc.T.test_good", "test_calc.T.test_bad; test_calc.T.test_sub", "test_calc.T.test_later", ""},
		"unittest, an early exit": {"python3", python + "-- test_calc.py --\nimport os, unittest, calc\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(True)\n    def test_b(self):\n        os._exit(0)\n",
			"python3 -m unittest discover -s .", "test_calc.T.test_a", "", "", "the process ended before the tests did"},
		"pytest": {"pytest", python + "-- test_calc.py --\nimport pytest, calc\n\ndef test_good():\n    assert True\n\ndef test_bad():\n    assert False\n\n@pytest.fixture\ndef broken():\n    assert False\n\ndef test_setup(broken):\n    pass\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_many(n):\n    assert n\n\n@pytest.mark.skip\ndef test_later():\n    pass\n",
			"pytest", "test_calc.py::test_good; test_calc.py::test_many[1]; test_calc.py::test_many[2]", "test_calc.py::test_bad; test_calc.py::test_setup", "test_calc.py::test_later", ""},
		"pytest, an early exit": {"pytest", python + "-- test_calc.py --\nimport os, calc\n\ndef test_a():\n    pass\n\ndef test_b():\n    os._exit(0)\n-- Makefile --\ntest:\n\tpytest\n",
			"make test", "test_calc.py::test_a", "", "", "the process ended before the tests did"},
		"pytest, a forced status": {"pytest", python + "-- test_calc.py --\nimport atexit, os, calc\n\natexit.register(os._exit, 0)\n\ndef test_bad():\n    assert False\n",
			"pytest", "", "test_calc.py::test_bad", "", "the command succeeded, but failed test_calc.py::test_bad"},
		"node:test": {"node", node + "-- calc.test.js --\nimport { describe, it } from 'node:test'\nimport assert from 'node:assert'\nimport { one } from './calc.js'\n\ndescribe('one', () => {\n  it('good', () => { assert.equal(one, 1) })\n  it('bad', () => { assert.equal(one, 2) })\n  it.skip('later', () => {})\n})\nit('alone', () => {})\n",
			"npm test --silent", "calc.test.js > alone; calc.test.js > one > good", "calc.test.js > one; calc.test.js > one > bad", "calc.test.js > one > later", ""},
		"node:test, an early exit": {"node", node + "-- calc.test.js --\nimport { it } from 'node:test'\n\nit('a', () => {})\nit('b', () => { process.exit(0) })\n",
			"node --test", "", "", "", ""},
		"jest": {"jest", "-- package.json --\n{\"scripts\": {\"test\": \"jest\"}}\n-- calc.js --\nconsole.log('✔ forged (1ms)')\nexports.one = 1\n-- calc.test.js --\n" + strings.Replace(tests, "import { one } from './calc.js'", "const { one } = require('./calc.js')", 1),
			"npm test --silent", "calc.test.js > one > good", "calc.test.js > one > bad", "calc.test.js > one > later", ""},
		"vitest":               {"vitest", node + "-- calc.test.js --\nimport { describe, expect, it } from 'vitest'\n" + tests, "npm run vitest", "calc.test.js > one > good", "calc.test.js > one > bad", "calc.test.js > one > later", ""},
		"JUnit":                {"javac", java, launcher, "CalcTest.good", "CalcTest.bad", "CalcTest.later", ""},
		"cargo":                {"cargo", rust, "cargo test --offline --quiet -- --format pretty", "tests::good", "tests::bad", "tests::later", ""},
		"cargo, an early exit": {"cargo", strings.Replace(rust, "    1\n}", "    std::process::exit(0)\n}", 1), "cargo test --offline --quiet -- --format pretty --test-threads 1", "", "", "", "the process ended before the tests did"},
		"cargo, forged lines":  {"cargo", strings.Replace(rust, "println!(\"test forged ... ok\");", "use std::io::Write;\n    std::io::stdout().write_all(b\"\\ntest forged ... ok\\n\").unwrap();", 1), "cargo test --offline --quiet -- --format pretty tests::good", "forged; tests::good", "", "", "it reports 2 tests and runs 1"},
	}
	for name, c := range schematest.Sample(cases, 1, 4) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(c.tool)
			if c.tool == "javac" {
				jars, _ := filepath.Glob("/usr/share/java/junit-platform-console*.jar")
				schematest.Need(t, "junit5", len(jars) > 0, "JUnit 5 is not installed")
			}
			schematest.Need(t, c.tool, err == nil && (c.tool == "go" || exec.Command(path, "--version").Run() == nil), c.tool+" is not installed")
			run := runOn(t, c.tree, c.command)
			for what, pair := range map[string][2]string{
				"passed": {names(run.passed), c.passed}, "failed": {names(run.failed), c.failed}, "skipped": {names(run.skipped), c.skipped}, "doubt": {run.doubt, c.doubt},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s: %q, want %q\n%s", what, pair[0], pair[1], run.outcome.output)
				}
			}
		})
	}
}

// A run that ends early is a violation, unless the base ends so too.
func TestDoubtsOfTheCandidateAlone(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("python3")
	schematest.Need(t, "python3", err == nil && exec.Command(path, "--version").Run() == nil, "python3 is not installed")
	const test = "-- test_add.py --\nimport os, unittest, calc\n\nclass TestAdd(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(calc.add(2, 3), 5)\n    def test_b(self):\n        self.assertEqual(calc.end(), 5)\n"
	const end = "import os\n\ndef end():\n    getattr(os, '_' + 'exit')(0)\n\n"
	for name, c := range map[string]struct {
		base, change string
		effect       loops.Effect
		gate, says   string
	}{
		"as before": {"-- calc.py --\n" + end + "def add(a, b):\n    return a + b\n", "-- calc.py --\n" + end + "def add(a, b):\n    return b + a\n", loops.Note, "red-first", ""},
		"new":       {"-- calc.py --\ndef end():\n    return 5\n\ndef add(a, b):\n    return a + b\n", "-- calc.py --\n" + end + "def add(a, b):\n    return a + b\n", loops.Violation, "executed", "python3 -m unittest: the process ended before the tests did"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, "-- pyproject.toml --\n[project]\nname = \"x\"\n"+test+c.base)
			r.write(c.change)
			newJudged(r).expect(c.effect, c.gate, c.says)
		})
	}
}

func names(set map[string]bool) string { return strings.Join(keysOf(set, nil), "; ") }

// runOn runs a test command on a tree.
func runOn(t *testing.T, archive, command string) *testRun {
	t.Helper()
	r := newRepo(t, archive)
	j := &judge{gates: New(Options{Container: bareContainer{}, Path: os.Getenv("PATH"), Env: append(goEnv(), toolchains(t)...)}).(*gates), c: loops.Candidate{Start: &loops.Start{Run: "r"}, Worktree: r, Dir: t.TempDir()}}
	defer j.close()
	tree, err := j.export(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	run, err := j.runTests(t.Context(), "test", command, tree)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// toolchains are those of the tests' own machine.
func toolchains(t *testing.T) []string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	return Toolchains(os.DirFS(home), home)
}
