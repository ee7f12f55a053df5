//go:build unix

package gate

import (
	"os/exec"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// Test runners of other languages, where they are installed.
func TestOtherRunners(t *testing.T) {
	t.Parallel()
	const nodeBase = "-- package.json --\n{\"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n-- add.js --\nexport const add = (a, b) => a + b\n-- add.test.js --\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.js'\n\ntest('adds', () => {\n  assert.equal(add(2, 3), 5)\n})\n"
	const nodeSub = "-- sub.js --\nexport const sub = (a, b) => a - b\n"
	const nodeTest = "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sub } from './sub.js'\n\ntest('subtracts', () => {\n  assert.equal(sub(3, 2), 1)\n})\n"
	const pyBase = "-- pyproject.toml --\n[project]\nname = \"x\"\n-- calc.py --\ndef add(a, b):\n    return a + b\n-- test_add.py --\nimport unittest\nimport calc\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(2, 3), 5)\n"
	const pySub = "-- calc.py --\ndef add(a, b):\n    return a + b\n\ndef sub(a, b):\n    return a - b\n"
	for name, c := range map[string]struct {
		tool         string
		base, change string
		effect       loops.Effect
		gate         string
		says         string
	}{
		"node":                   {"node", nodeBase, nodeSub + "-- sub.test.js --\n" + nodeTest, loops.Passed, "", ""},
		"node, passes":           {"node", nodeBase, nodeSub + "-- sub.test.js --\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.js'\n\ntest('adds more', () => {\n  assert.equal(add(1, 1), 2)\n})\n", loops.Red, "red-first", "sub.test.js: passes on the base"},
		"node, skipped":          {"node", nodeBase, "-- add.test.js --\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.js'\n\ntest.skip('adds', () => {\n  assert.equal(add(2, 3), 5)\n})\n", loops.Violation, "inventory", "the test adds is skipped now"},
		"node, another import":   {"node", nodeBase, nodeSub + "-- sub.test.js --\nimport './nowhere.js'\n" + nodeTest, loops.Red, "test", ""},
		"python":                 {"python3", pyBase, pySub + "-- test_sub.py --\nimport unittest\nimport calc\n\nclass TestSub(unittest.TestCase):\n    def test_sub(self):\n        self.assertEqual(calc.sub(3, 2), 1)\n", loops.Passed, "", ""},
		"python, passes":         {"python3", pyBase, pySub + "-- test_sub.py --\nimport unittest\nimport calc\n\nclass TestSub(unittest.TestCase):\n    def test_sub(self):\n        self.assertTrue(True)\n", loops.Red, "red-first", "TestSub.test_sub"},
		"python, an early exit":  {"python3", pyBase, "-- test_aaa.py --\nimport os\nos._exit(0)\n", loops.Violation, "protected", "exits the program"},
		"python, a hidden exit":  {"python3", pyBase, "-- test_aaa.py --\nimport os\nleave = getattr(os, '_' + 'exit')\nleave(0)\n", loops.Violation, "executed", "did not run"},
		"python, an expectation": {"python3", pyBase, "-- test_add.py --\nimport unittest\nimport calc\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(2, 3), 6)\n", loops.Violation, "protected", "TestAdd.test_add was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(c.tool)
			schematest.Need(t, c.tool, err == nil && exec.Command(path, "--version").Run() == nil, c.tool+" is not installed")
			r := newRepo(t, c.base)
			r.write(c.change)
			newJudged(r).expect(c.effect, c.gate, c.says)
		})
	}
}
