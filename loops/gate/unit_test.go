package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
)

// brief writes units one per line: name, what it is, assertions, rest.
func brief(s *sheet) string {
	var b strings.Builder
	for _, u := range s.units {
		fmt.Fprintf(&b, "%d %s", u.line, u.name)
		if u.test {
			fmt.Fprintf(&b, " test %d", u.asserts)
		}
		if u.skipped {
			b.WriteString(" skipped")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, src, want string }{
		"go":     {"a_test.go", "package a\n\nimport \"testing\"\n\nvar want = 3\n\nfunc TestA(t *testing.T) {\n\tif f() != want {\n\t\tt.Error(1)\n\t}\n\tassert.Equal(t, 1, 2)\n}\n\nfunc TestB(t *testing.T) { t.Skip() }\n\nfunc Testing() {}\n", "5 want\n7 TestA test 2\n14 TestB test 0 skipped\n16 Testing\n"},
		"js":     {"a.test.ts", "import { it } from 'vitest'\n\ndescribe('price', () => {\n  // it('in a comment', () => {})\n  it('adds', () => { expect(1).toBe(1); expect(')').toBe('(') })\n  it.skip(\"subtracts\", () => {})\n  test.each([[1, 2]])('%i', (a) => { expect(a).toBe(1) })\n})\nxit('later', () => {})\nfunction help(a) { return /[)\"]/.test(a) }\ntest(`top`, async () => { assert(true) })\n", "5 price > adds test 2\n6 price > subtracts test 0 skipped\n7 price > %i test 1\n9 later test 0 skipped\n10 help\n11 top test 1\n"},
		"python": {"test_a.py", "import pytest\n\n@pytest.fixture\ndef shop():\n    return 1\n\nclass TestPrice:\n    def test_adds(self):\n        assert 1\n        text = '''\n        def test_no(): pass\n'''\n        assert text\n\n    @pytest.mark.skip(reason='x')\n    def test_later(self):\n        pass\n\ndef test_top(\n    shop,\n):\n    # comment\n    with pytest.raises(ValueError):\n        pass\n", "4 shop\n8 TestPrice.test_adds test 2\n16 TestPrice.test_later test 0 skipped\n19 test_top test 1\n"},
		"rust":   {"lib.rs", "fn add<'a>(x: &'a str) -> u8 { b'}' }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(1, '{'.len_utf8());\n    }\n\n    #[test]\n    #[ignore]\n    fn later() {}\n}\n", "1 add\n5 adds test 1\n10 later test 0 skipped\n"},
		"java":   {"ATest.java", "class ATest {\n    @BeforeEach\n    void setUp() { x = 1; }\n\n    @Test\n    void adds() { assertEquals(1, 1); }\n\n    @Test\n    @Disabled\n    public void later() throws Exception {\n        fail(\"}\");\n    }\n\n    private int help(int a) { return a; }\n}\n", "5 adds test 1\n8 later test 1 skipped\n14 help\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := takeApart(c.path, []byte(c.src))
			if diff := cmp.Diff(c.want, brief(s)); diff != "" || !s.known {
				t.Error(diff)
			}
		})
	}
}

// Edits of files of tests in languages that nothing here runs.
func TestEdits(t *testing.T) {
	t.Parallel()
	const js = "import { a } from './a'\n\ndescribe('a', () => {\n  beforeEach(() => { a.reset() })\n\n  it('is one', () => {\n    expect(a.one()).toBe(1)\n  })\n})\n"
	const py = "import a\n\ndef test_one():\n    assert a.one() == 1\n    assert a.two() == 2\n"
	const rs = "pub fn one() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn is_one() {\n        assert_eq!(one(), 1);\n    }\n}\n"
	const java = "class ATest {\n    @BeforeEach\n    void setUp() { x = 1; }\n\n    @Test\n    void one() { assertEquals(1, x); }\n}\n"
	for name, c := range map[string]struct {
		path, old, from, to string
		refused             string
	}{
		"js, a test":              {"a.test.ts", js, "  })\n})\n", "  })\n\n  it('is two', () => {\n    expect(a.two()).toBe(2)\n  })\n})\n", ""},
		"js, a group":             {"a.test.ts", js, "  })\n})\n", "  })\n})\n\ndescribe('b', () => {\n  test('is two', () => {\n    expect(a.two()).toBe(2)\n  })\n})\n", ""},
		"js, an import":           {"a.test.ts", js, "import", "import { b } from './b'\nimport", ""},
		"js, skipped":             {"a.test.ts", js, "it('is one'", "it.skip('is one'", "was changed"},
		"js, a skipped group":     {"a.test.ts", js, "describe('a'", "describe.skip('a'", "shared|skipped|share"},
		"js, only":                {"a.test.ts", js, "  })\n})\n", "  })\n  it.only('is two', () => {})\n})\n", "runs some tests only"},
		"js, a mock":              {"a.test.ts", js, "describe", "jest.mock('./a')\ndescribe", "more than whole tests"},
		"js, another before":      {"a.test.ts", js, "a.reset()", "a.fake()", "share"},
		"js, loosened":            {"a.test.ts", js, "toBe(1)", "toBeDefined()", "was changed"},
		"js, exit":                {"a.test.ts", js, "import", "process.exit(0)\nimport", "more than whole tests|runs some"},
		"python, a test":          {"test_a.py", py, "== 2\n", "== 2\n\ndef test_three():\n    assert a.three() == 3\n", ""},
		"python, a fixture":       {"test_a.py", py, "def test_one", "@pytest.fixture\ndef shop():\n    return a\n\ndef test_one", ""},
		"python, twice":           {"test_a.py", py, "== 2\n", "== 2\n\ndef test_one():\n    pass\n", "twice"},
		"python, cut in two":      {"test_a.py", py, "    assert a.two", "def test_three():\n    assert a.two", "was changed"},
		"python, a return":        {"test_a.py", py, "    assert a.one", "    return\n    assert a.one", "was changed"},
		"python, marked":          {"test_a.py", py, "def test_one", "@pytest.mark.skip\ndef test_one", "was changed"},
		"python, all marked":      {"test_a.py", py, "import a\n", "import a\npytestmark = pytest.mark.skip\n", "more than whole tests"},
		"python, a name":          {"test_a.py", py, "import a\n", "import a\n\ndef a():\n    return 1\n", "a name that its tests already use"},
		"rust, ignored":           {"tests/a.rs", rs, "#[test]", "#[test]\n    #[ignore]", "changed"},
		"rust, a test":            {"tests/a.rs", rs, "1);\n    }\n", "1);\n    }\n\n    #[test]\n    fn is_two() {\n        assert_eq!(two(), 2);\n    }\n", ""},
		"java, a test":            {"ATest.java", java, "1, x); }\n", "1, x); }\n\n    @Test\n    void two() { assertEquals(2, y); }\n", ""},
		"java, another set-up":    {"ATest.java", java, "x = 1", "x = 2", "share"},
		"java, disabled":          {"ATest.java", java, "    @Test\n", "    @Test\n    @Disabled\n", "changed"},
		"shell can not be told":   {"a_test.sh", "true\n", "true", "true\ntrue", "in a new file"},
		"layout is no difference": {"test_a.py", py, "import a\n\n", "import a\n\n\n\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := strings.Replace(c.old, c.from, c.to, 1)
			if now == c.old {
				t.Fatal("nothing is edited")
			}
			j := &judge{}
			out := j.refusedEdit(&change{path: c.path, old: []byte(c.old), now: []byte(now), oldMode: "100644", newMode: "100644"})
			text := ""
			for _, r := range out {
				text += r.Message + "\n"
			}
			fits := false
			for part := range strings.SplitSeq(c.refused, "|") {
				fits = fits || strings.Contains(text, part)
			}
			if c.refused == "" && text != "" || !fits {
				t.Errorf("it says %q, want %q", text, c.refused)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]kind{
		"a.go": ordinary, "a_test.go": testFile, "x/testdata/a.go": testData, "x/testutil/a.go": testData, "src/a.test.tsx": testFile, "src/__tests__/a.ts": testFile,
		"src/a.ts": ordinary, "src/latest.ts": ordinary, "src/contest.py": ordinary, "tests/test_a.py": testFile, "tests/data.json": testData, "test_a.py": testFile, "conftest.py": config,
		"src/test/java/ATest.java": testFile, "src/main/java/A.java": ordinary, "spec/a_spec.rb": testFile, "spec/design.md": ordinary, "docs/specs/a.md": ordinary,
		"a/b/package.json": config, "tsconfig.build.json": config, "vite.config.ts": config, ".eslintrc.json": config, ".golangci.yaml": config, "types/a.d.ts": config,
		".github/workflows/ci.yml": config, "ci/run.sh": config, "Makefile": config, "tools.mk": config, "go.sum": config, "package-lock.json": config,
		"wiki.yaml": contract, "docs/wiki.lock": contract, "wiki/00_SCHEMA.md": contract, "agents/GOALS.md": contract, "agents/CONTEXT.md": ordinary, ".loopwiki/x": contract, "sub/.loopwiki/x": contract,
		"ui/__snapshots__/a.snap": testData, "a.snap": testData, "x/golden/a.txt": testData, "test.sh": testFile, "run-tests.sh": testFile, "attest.sh": ordinary, "e2e/login.ts": testFile,
		"node_modules/jest/index.js": config, "vendor/modules.txt": config, "vendor/x/a.go": ordinary, "pytest/__init__.py": config, "unittest.py": config, "tools.py": ordinary,
		"src/unittest/__init__.py": config, "src/pytest.py": config, "src/unittests/a.py": ordinary, "src/main/java/org/junit/Assert.java": config, "src/main/java/org/acme/Unite.java": ordinary,
		"META-INF/services/org.junit.jupiter.api.extension.Extension": config, "junit-platform.properties": config, "META-INF/services/org.acme.A": ordinary, "__mocks__/chai.js": config, "__mocks__/fs.js": testData,
		"vendor/github.com/stretchr/testify/assert/assertions.go": config, "third_party/chai/index.js": config, "vendor/expected/a.go": ordinary,
		"tests/__pycache__/test_a.cpython-311.pyc": config, "target/test-classes/ATest.class": config, "internal/target/a.go": ordinary, "build/classes/A.txt": config, "src/build/a.go": ordinary,
	} {
		if got := kindOf(p); got != want {
			t.Errorf("%s is %s, want %s", p, got, want)
		}
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"sh ./ci/check.sh --all":                "ci/check.sh",
		"A=1 bash -e scripts/x.sh && ./y | tee": "scripts/x.sh tee y",
		"node --test src/a.js":                  "src/a.js",
		"node --check a.js && bash -n b.sh":     "",
		"node -r ./s.js --import=./t.mjs c.js":  "c.js s.js t.mjs",
		"python3 -m py_compile a.py":            "py_compile",
		"go test ./...":                         "go",
		"test -f a.txt && grep -q x doc.md":     "grep test",
		"":                                      "",
	} {
		if got := strings.Join(programs(command), " "); got != want {
			t.Errorf("%q runs %q, want %q", command, got, want)
		}
	}
}

func TestMatchAny(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		glob, path string
		want       bool
	}{
		{"src/**", "src/a/b.go", true}, {"src", "src/a/b.go", true}, {"src/", "src/a.go", true}, {"./src/a.go", "src/a.go", true}, {"src", "srcs/a.go", false},
		{"*.go", "a.go", true}, {"*.go", "b/a.go", false}, {"**/*.go", "a.go", true}, {".", "x", true}, {"", "x", false}, {"[", "x", false},
	} {
		if got := matchAny([]string{c.glob}, c.path); got != c.want {
			t.Errorf("%q fits %q: %v", c.path, c.glob, got)
		}
	}
}

func TestForeignErrors(t *testing.T) {
	t.Parallel()
	added := map[string]bool{"Clamp": true, "Max": true, "tax": true}
	for output, want := range map[string]int{
		"# x\n./a_test.go:3:5: undefined: Clamp\n":                                  0,
		"./a_test.go:3:5: undefined: price.Clamp":                                   0,
		"./a_test.go:3:5: undefined: Other":                                         1,
		"./a_test.go:3:5: p.Max undefined (type Price has no field or method Max)":  0,
		"./a_test.go:3:5: unknown field Max in struct literal of type Price":        0,
		"./a_test.go:3:5: too many arguments in call to Clamp\n\thave (number)":     0,
		"./a_test.go:3:5: assignment mismatch: 2 variables but Clamp returns 1 val": 0,
		"./a_test.go:3:5: declared and not used: x":                                 1,
		"./a_test.go:3:5: undefined: Clamp\n./a_test.go:4:5: syntax error: x":       1,
		"a_test.go:6:2: package example.org/price/tax is not in std (/usr/go)":      0,
		"something else": 1,
	} {
		if got := foreignErrors(output, added); len(got) != want {
			t.Errorf("%q: %q", output, got)
		}
	}
}

func TestReadRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ output, passed, failed, skipped string }{
		"pytest": {"PASSED tests/a.py::test_a[1]\nFAILED tests/a.py::test_b - assert 1\nSKIPPED [1] tests/a.py:3: later\n", "tests/a.py::test_a[1]", "tests/a.py::test_b", ""},
		"cargo":  {"test a::b ... ok\ntest a::c ... FAILED\ntest a::d ... ignored, later\n", "a::b", "a::c", "a::d"},
		"tap":    {"ok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n", "a", "b", "c"},
		"node":   {"✔ adds (1.2ms)\n✖ subtracts (0.1ms)\n﹣ later (0.1ms) # SKIP\n", "adds", "subtracts", "later"},
		"jest":   {"  ✓ adds (3 ms)\n  ✕ subtracts (1 ms)\n  ○ later\n", "adds", "subtracts", "later"},
		"none":   {"All is well.\n", "", "", ""},
	} {
		r := testRun{outcome: &outcome{output: c.output}}
		r.readLines()
		join := func(m map[string]bool) string { return strings.Join(keysOf(m, nil), " ") }
		if got := join(r.passed) + "|" + join(r.failed) + "|" + join(r.skipped); got != c.passed+"|"+c.failed+"|"+c.skipped {
			t.Errorf("%s: %s", name, got)
		}
	}
	for command, want := range map[string]string{
		"go test ./...":                "go test -json -count=1 ./...",
		"CGO_ENABLED=0 go test -v ./a": "CGO_ENABLED=0 go test -json -count=1 -v ./a",
		"go test -count=2 ./...":       "go test -json -count=2 ./...",
		"go test ./... | tee x":        "go test ./... | tee x",
		"go vet && go test ./...":      "go vet && go test ./...",
	} {
		if got, _ := askGo(command); got != want {
			t.Errorf("%s is asked as %s", command, got)
		}
	}
}

func TestEmptyBodies(t *testing.T) {
	t.Parallel()
	src := "package a\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\nfunc Old() string { return strings.ToUpper(\"a\") }\n\nfunc New(a int) (int, error) { return a, fmt.Errorf(\"x\") }\n\nfunc Named() (n int) { return 3 }\n\nfunc None() { fmt.Println() }\n"
	before := map[string]string{}
	bodies(".", []byte("package a\n\nfunc Old() string { return \"b\" }\n"), before)
	got := string(emptyBodies(".", []byte(src), before, keepOld))
	want := "package a\n\nimport (\n\t_ \"fmt\"\n\t_ \"strings\"\n)\n\nfunc Old() string { return \"b\" }\n\nfunc New(a int) (zero0 int, zero1 error) { return }\n\nfunc Named() (n int) { return }\n\nfunc None() {}\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzTakeApart(f *testing.F) {
	for _, p := range []string{"a_test.go", "a.test.js", "test_a.py", "a.rs", "ATest.java", "a.sh"} {
		f.Add(p, "describe('a', () => { it('b', () => {}) })\n#[test]\nfn a() { }\n@Test\nvoid a() {}\ndef test_a():\n  pass\n")
		f.Add(p, "package a\nfunc TestA(t *testing.T) { t.Error(`\"`) }\n'''\n\"\"\"\n/*")
	}
	f.Fuzz(func(t *testing.T, p, src string) {
		if m := mask(languageOf(p), src); len(m) != len(src) || strings.Count(m, "\n") > strings.Count(src, "\n") {
			t.Fatalf("the mask has %d bytes, the text %d", len(m), len(src))
		}
		c := &change{path: p, old: []byte(src), now: []byte(src)}
		was, names := takeApart(p, c.old), map[string]bool{}
		for _, u := range was.units {
			names[u.name] = true
		}
		j := &judge{chunk: loops.Chunk{Tests: loops.TestsRule{Kind: loops.TestsNew}}}
		if out := j.shrunk(c, was, takeApart(p, c.now)); len(out) > 0 && len(names) == len(was.units) {
			t.Errorf("nothing was edited, and it says %v", out)
		}
		newTestDangers(c, nil)
		emptyBodies(".", c.now, map[string]string{}, emptyAll)
		tomlTables(c.now)
		directives(c.now)
		packageKeys(c.old, c.now)
	})
}
