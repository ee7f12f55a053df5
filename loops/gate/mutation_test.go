//go:build unix

package gate

import (
	"os/exec"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestMutate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l          language
		line, next string
		want       string
		strength   strength
	}{
		{goLanguage, "\tif got := f(2); got != 5 {", "\t\tt.Errorf(\"%d\", got)", "\tif got := f(2); got != 6 {", expected},
		{goLanguage, "\tif got := f(2); got != want {", "\t\tt.Errorf(\"%d\", got)", "\tif got := f(2); !(got != want) {", negated},
		{goLanguage, "\tif !got.Equal(-4) {", "\t\tt.Fatal(got)", "\tif !got.Equal(-5) {", expected},
		{goLanguage, "\tif a != 1 || b != 2 {", "\t\tt.Fatal(got)", "\tif !(a != 1 || b != 2) {", negated},
		{goLanguage, "\tif got != 5 {", "\t\treturn", "", noMutant},
		{goLanguage, "\tassert.Equal(t, 5, got)", "", "\tassert.Equal(t, 6, got)", expected},
		{goLanguage, "\tassert.Equal(t, want, got)", "", "\tassert.NotEqual(t, want, got)", negated},
		{goLanguage, "\trequire.NoError(t, err)", "", "\trequire.Error(t, err)", negated},
		{jsLanguage, "  expect(add(2, 3)).toBe(5)", "", "  expect(add(2, 3)).toBe(6)", expected},
		{jsLanguage, "  expect(name()).toEqual('ada');", "", "  expect(name()).toEqual('ada~');", expected},
		{jsLanguage, "  expect(list).toContainEqual(x)", "", "  expect(list).not.toContainEqual(x)", negated},
		{jsLanguage, "  expect(list).not.toContainEqual(x)", "", "  expect(list).toContainEqual(x)", negated},
		{jsLanguage, "  assert.strictEqual(add(2, 3), 5)", "", "  assert.strictEqual(add(2, 3), 6)", expected},
		{jsLanguage, "  assert(add(2, 3) === 5);", "", "", noMutant},
		{jsLanguage, "  assert.ok(valid(3));", "", "  assert.ok(!(valid(3)));", negated},
		{jsLanguage, "  assert.throws(() => f(-1))", "", "  assert.doesNotThrow(() => f(-1))", negated},
		{pyLanguage, "    assert add(2, 3) == 5", "", "    assert add(2, 3) == 6", expected},
		{pyLanguage, "    assert name() == 'ada', 'a name'", "", "    assert name() == 'ada~', 'a name'", expected},
		{pyLanguage, "        self.assertEqual(add(2, 3), -5)", "", "        self.assertEqual(add(2, 3), -6)", expected},
		{pyLanguage, "    assert a or b", "", "    assert not (a or b)", negated},
		{pyLanguage, "    assert valid(", "", "", noMutant},
		{pyLanguage, "        self.assertTrue(valid(3))", "", "        self.assertFalse(valid(3))", negated},
		{rustLanguage, "        assert_eq!(add(2, 3), 5);", "", "        assert_eq!(add(2, 3), 6);", expected},
		{rustLanguage, "        assert_eq!(a, b);", "", "        assert_ne!(a, b);", negated},
		{rustLanguage, "        assert!(valid(3));", "", "        assert!(!(valid(3)));", negated},
		{javaLanguage, "        assertEquals(5, add(2, 3));", "", "        assertEquals(6, add(2, 3));", expected},
		{javaLanguage, "        assertEquals(a, b);", "", "", noMutant},
		{javaLanguage, "        assertTrue(valid(3));", "", "        assertTrue(!(valid(3)));", negated},
		{javaLanguage, "        assertThat(x).isEqualTo(0.5);", "", "        assertThat(x).isEqualTo(1.5);", expected},
		{goLanguage, "\tcheck.Same(t, price(2), 4)", "", "\tcheck.Same(t, price(2), 5)", argument},
		{rustLanguage, "    check!(price(0), 0);", "", "    check!(price(0), 1);", argument},
		{jsLanguage, "  same(price(0), 0)", "", "  same(price(0), 1)", argument},
		{jsLanguage, "  same(price(0), 0) // free", "", "", noMutant},
	} {
		if got, strength := mutate(c.l, c.line, c.next); got != c.want || strength != c.strength {
			t.Errorf("%q: %q, %v; want %q, %v", c.line, got, strength, c.want, c.strength)
		}
	}
}

// What makes every test pass is found by tests that must fail.
func TestMutationGate(t *testing.T) {
	t.Parallel()
	const node = "-- package.json --\n{\"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n-- add.js --\nexport const add = (a, b) => a + b\n-- add.test.js --\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.js'\n\ntest('adds', () => {\n  assert.equal(add(2, 3), 5)\n})\n"
	const python = "-- pyproject.toml --\n[project]\nname = \"x\"\n-- calc.py --\ndef add(a, b):\n    return a + b\n-- test_add.py --\nimport unittest\nimport calc\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(2, 3), 5)\n"
	cases := map[string]struct {
		tool, base, change string
		effect             loops.Effect
		says               string
	}{
		"honest Go":                      {"go", price, clampCode, loops.Passed, ""},
		"no code":                        {"go", price, "-- README.md --\n# Price\n", loops.Passed, ""},
		"Go that ends early":             {"go", price, "-- price.go --\npackage price\n\nimport \"syscall\"\n\nfunc init() {\n\tprintln(\"ok\")\n\tsyscall.Exit(0)\n}\n\nfunc Total(a, b int) int { return 7 }\n", loops.Violation, "passes although it asserts what is wrong"},
		"honest JavaScript":              {"node", node, "-- add.js --\nexport const add = (a, b) => b + a\n", loops.Passed, ""},
		"patched assertions":             {"node", node, "-- add.js --\nimport assert from 'node:assert'\nassert['eq' + 'ual'] = () => {}\nexport const add = () => 7\n", loops.Violation, "add.test.js: adds passes although it asserts what is wrong (assert.equal(add(2, 3), 6))"},
		"honest Python":                  {"python3", python, "-- calc.py --\ndef add(a, b):\n    return b + a\n", loops.Passed, ""},
		"equal to all":                   {"python3", python, "-- calc.py --\nclass Any:\n    __eq__ = lambda s, o: True\n\ndef add(a, b):\n    return Any()\n", loops.Violation, "test_add.py: TestAdd.test_add passes although it asserts what is wrong"},
		"a line that is now there twice": {"python3", python, "-- test_add.py --\nimport unittest\nimport calc\n\nclass TestFirst(unittest.TestCase):\n    def test_first(self):\n        self.assertEqual(calc.add(2, 3), 5)\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(2, 3), 5)\n-- calc.py --\ndef add(a, b):\n    return b + a\n", loops.Note, "no test has an assertion"},
		"another failure":                {"python3", python + "        self.assertEqual(calc.add(2, 2), 5)\n", "-- calc.py --\ndef add(a, b):\n    return 5\n", loops.Passed, ""},
	}
	for name, c := range schematest.Sample(cases, 1, 2) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(c.tool)
			schematest.Need(t, c.tool, err == nil && (c.tool == "go" || exec.Command(path, "--version").Run() == nil), c.tool+" is not installed")
			r := newRepo(t, c.base)
			r.write(c.change)
			j := newJudged(r)
			j.stage, j.last = loops.StageGoal, r.tree()
			gate := "mutation"
			if c.effect == loops.Passed {
				gate = ""
			}
			j.expect(c.effect, gate, c.says)
		})
	}
}
