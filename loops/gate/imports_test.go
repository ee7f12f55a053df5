//go:build unix

package gate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
)

func TestImportsOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		l    language
		src  string
		want []binding
		rest string
	}{
		"js": {jsLanguage, "import test, { it as check, type T } from 'node:test'\nimport * as m from \"./m\";\nimport './effects.js'\nimport {\n  a,\n  b,\n} from './ab.ts'\nconst { c: d } = require('./c')\nconst e = await import('./e')\nrun()\nimport('./later')\n",
			[]binding{{"node:test", "it", "check"}, {"node:test", "T", "T"}, {"node:test", "default", "test"}, {"./m", "*", "m"}, {"./effects.js", "", ""}, {"./ab.ts", "a", "a"}, {"./ab.ts", "b", "b"}, {"./c", "c", "d"}, {"./e", "*", "e"}}, "run() import('./later')"},
		"python": {pyLanguage, "import os, a.b as c\nfrom . import x\nfrom shop.price import (\n    total,  # of all\n    half as h,\n)\nfrom m import *\nX = 1\n",
			[]binding{{".", "x", "x"}, {"shop.price", "total", "total"}, {"shop.price", "half", "h"}, {"m", "*", "*"}, {"os", "*", "os"}, {"a.b", "*", "c"}}, "X = 1"},
		"rust": {rustLanguage, "use super::*;\nuse shop::{price::{total, half as h}, name};\nmod a {\n",
			[]binding{{"super", "*", "*"}, {"shop::price", "total", "total"}, {"shop::price", "half", "h"}, {"shop", "name", "name"}}, "mod a {"},
		"java": {javaLanguage, "package shop;\nimport static org.junit.Assert.*;\nimport shop.price.Total;\n",
			[]binding{{"static org.junit.Assert", "*", "*"}, {"shop.price", "Total", "Total"}}, "package shop;"},
	} {
		got, rest := importsOf(c.l, c.src)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(binding{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(c.rest, join(plainLines(rest, ""))); diff != "" {
			t.Errorf("%s: the rest (-want +got):\n%s", name, diff)
		}
	}
}

func join(lines []string) string {
	out := ""
	for i, l := range lines {
		if i > 0 {
			out += " "
		}
		out += l
	}
	return out
}

// Tests move to another file; their imports change where a symbol moved, and only there.
func TestMovedImports(t *testing.T) {
	t.Parallel()
	const ts = "-- src/price.ts --\nexport function total(a: number) { return a }\nexport function format(a: number) { return '$' + a }\n-- src/money.ts --\nexport function format(a: number) { return '$' + a }\n-- src/fake.test.ts --\nexport const format = () => ({ is: () => true })\n-- src/price.test.ts --\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { total, format } from './price.ts'\n\ntest('total', () => {\n  assert.equal(total(1), 1)\n})\n\ntest('format', () => {\n  assert.equal(format(1), '$1')\n})\n"
	const tsLeft = "-- src/price.test.ts --\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { total } from './price.ts'\n\n// What is left of format.\ntest('total', () => {\n  assert.equal(total(1), 1)\n})\n"
	const tsMoved = "\ntest('format', () => {\n  assert.equal(format(1), '$1')\n})\n"
	const tsHead = "-- src/money.test.ts --\nimport test from 'node:test'\nimport assert from 'node:assert'\n"
	const py = "-- shop/price.py --\ndef total(a):\n    return a\n\ndef money(a):\n    return a\n-- shop/money.py --\ndef money(a):\n    return a\n-- tests/test_price.py --\nimport unittest\nfrom shop.price import total, money\n\nclass TestPrice(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(1), 1)\n\n    def test_money(self):\n        self.assertEqual(money(1), 1)\n"
	const pyLeft = "-- tests/test_price.py --\nimport unittest\nfrom shop.price import total\n\nclass TestPrice(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(1), 1)\n"
	const pyMoved = "\nclass TestPrice(unittest.TestCase):\n    def test_money(self):\n        self.assertEqual(money(1), 1)\n"
	const rs = "-- src/lib.rs --\npub mod price;\npub mod money;\n-- src/price.rs --\npub fn total() -> i32 { 1 }\npub fn money() -> i32 { 1 }\n-- src/money.rs --\npub fn money() -> i32 { 1 }\n-- tests/price.rs --\nuse shop::price::{money, total};\n\n#[test]\nfn totals() { assert_eq!(total(), 1); }\n\n#[test]\nfn moneys() { assert_eq!(money(), 1); }\n"
	const rsLeft = "-- tests/price.rs --\nuse shop::price::total;\n\n#[test]\nfn totals() { assert_eq!(total(), 1); }\n"
	const rsMoved = "\n#[test]\nfn moneys() { assert_eq!(money(), 1); }\n"
	const java = "-- src/main/java/shop/Price.java --\npackage shop;\nclass Price { static int money() { return 1; } }\n-- src/main/java/shop/Money.java --\npackage shop;\nclass Money { static int money() { return 1; } }\n-- src/test/java/shop/PriceTest.java --\npackage shop;\nimport static shop.Price.money;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nclass PriceTest {\n  @Test void moneys() { assertEquals(1, money()); }\n}\n"
	const javaLeft = "-- src/test/java/shop/PriceTest.java --\npackage shop;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nclass PriceTest {\n}\n"
	const javaHead = "-- src/test/java/shop/MoneyTest.java --\npackage shop;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n"
	const javaMoved = "class PriceTest {\n  @Test void moneys() { assertEquals(1, money()); }\n}\n"
	for name, c := range map[string]struct {
		base, from, to, change string
		refused                string // "" if it is allowed
	}{
		"typescript":                      {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + tsHead + "import { format } from './money.ts'\n" + tsMoved, ""},
		"typescript, without an ending":   {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + tsHead + "import { format } from './money'\n" + tsMoved, ""},
		"typescript, from where it was":   {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + tsHead + "import { format } from './price.ts'\n" + tsMoved, ""},
		"typescript, another assert":      {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + "-- src/money.test.ts --\nimport test from 'node:test'\nimport assert from './money.ts'\nimport { format } from './money.ts'\n" + tsMoved, `imports default from "./money.ts"`},
		"typescript, another framework":   {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + "-- src/money.test.ts --\nimport test from 'vitest'\nimport assert from 'node:assert'\nimport { format } from './money.ts'\n" + tsMoved, `imports default from "vitest"`},
		"typescript, effects":             {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + tsHead + "import './money.ts'\nimport { format } from './money.ts'\n" + tsMoved, `imports nothing from "./money.ts"`},
		"typescript, another name":        {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + tsHead + "import { total as format } from './price.ts'\n" + tsMoved, `imports total from "./price.ts"`},
		"typescript, from a test":         {ts, "src/price.test.ts", "src/money.test.ts", tsLeft + tsHead + "import { format } from './fake.test.ts'\n" + tsMoved, `imports format from "./fake.test.ts"`},
		"typescript, the other's changed": {ts, "src/price.test.ts", "src/money.test.ts", "-- src/money.ts --\nexport function format(a: number) { return '$' + a }\nexport function total(a: number) { return a }\n-- src/price.test.ts --\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { total } from './money.ts'\n\ntest('total', () => {\n  assert.equal(total(1), 1)\n})\n" + tsHead + "import { format } from './money.ts'\n" + tsMoved, ""},
		"typescript, one that is used":    {ts, "src/price.test.ts", "src/money.test.ts", "-- src/price.test.ts --\nimport test from 'node:test'\nimport { total } from './price.ts'\n\ntest('total', () => {\n  assert.equal(total(1), 1)\n})\n" + tsHead + "import { format } from './money.ts'\n" + tsMoved, `no longer imports default from "node:assert"`},
		"python":                          {py, "tests/test_price.py", "tests/test_money.py", pyLeft + "-- tests/test_money.py --\nimport unittest\nfrom shop.money import money\n" + pyMoved, ""},
		"python, another framework":       {py, "tests/test_price.py", "tests/test_money.py", pyLeft + "-- tests/test_money.py --\nimport shop.money as unittest\nfrom shop.money import money\n" + pyMoved, `imports everything from "shop.money"`},
		"python, all of it":               {py, "tests/test_price.py", "tests/test_money.py", pyLeft + "-- tests/test_money.py --\nimport unittest\nfrom shop.money import money\nfrom shop.price import *\n" + pyMoved, `imports everything from "shop.price"`},
		"rust":                            {rs, "tests/price.rs", "tests/money.rs", rsLeft + "-- tests/money.rs --\nuse shop::money::money;\n" + rsMoved, ""},
		"rust, another":                   {rs, "tests/price.rs", "tests/money.rs", rsLeft + "-- tests/money.rs --\nuse shop::price::total as money;\n" + rsMoved, `imports total from "shop::price"`},
		"java":                            {java, "src/test/java/shop/PriceTest.java", "src/test/java/shop/MoneyTest.java", javaLeft + javaHead + "import static shop.Money.money;\n" + javaMoved, ""},
		"java, another framework":         {java, "src/test/java/shop/PriceTest.java", "src/test/java/shop/MoneyTest.java", javaLeft + "-- src/test/java/shop/MoneyTest.java --\npackage shop;\nimport org.junit.jupiter.api.Test;\nimport static shop.Money.assertEquals;\nimport static shop.Money.money;\n" + javaMoved, `imports assertEquals from "static shop.Money"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, c.base)
			r.write(c.change)
			j := newJudged(r)
			j.commands = loops.GateCommands{Given: true}
			j.plan.Chunks[0].Tests = loops.TestsRule{Kind: loops.TestsMove, From: c.from, To: c.to}
			if c.refused == "" {
				j.expect(loops.Note, "test", "")
				return
			}
			j.expect(loops.Violation, "protected", c.refused)
		})
	}
}

// New tests in an old file bring imports that the old tests do not notice.
func TestImportsOfNewTests(t *testing.T) {
	t.Parallel()
	const base = "-- price.ts --\nexport const total = 1\nexport const half = 2\n-- price.test.ts --\nimport test from 'node:test'\nimport { total } from './price.ts'\ntest('total', () => { assert.equal(total, 1) })\n"
	const again = "test('total', () => { assert.equal(total, 1) })\ntest('half', () => { assert.equal(half, 2) })\n"
	for name, c := range map[string]struct{ change, refused string }{
		"one more name":   {"-- price.test.ts --\nimport test from 'node:test'\nimport { half, total } from './price.ts'\n" + again, ""},
		"a name in use":   {"-- price.test.ts --\nimport test from 'node:test'\nimport assert from './price.ts'\nimport { half, total } from './price.ts'\n" + again, `imports default from "./price.ts", and its tests already use such a name`},
		"another source":  {"-- price.test.ts --\nimport test from './price.ts'\nimport { half, total } from './price.ts'\n" + again, `its import of default from "node:test" was changed`},
		"one name less":   {"-- price.test.ts --\nimport { half, total } from './price.ts'\n" + again, `its import of default from "node:test" was changed`},
		"another renamed": {"-- price.test.ts --\nimport test from 'node:test'\nimport { half as total, half } from './price.ts'\n" + again, `its import of total from "./price.ts" was changed`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, base)
			r.write(c.change)
			j := newJudged(r)
			j.commands = loops.GateCommands{Given: true}
			if c.refused == "" {
				j.expect(loops.Note, "", "")
				return
			}
			j.expect(loops.Violation, "protected", c.refused)
		})
	}
}

// A source that a gate's script only checks may change; what it runs or imports may not.
func TestScriptsOfGates(t *testing.T) {
	t.Parallel()
	const base = "-- package.json --\n{\"scripts\": {\"lint\": \"node --check app.js && sh tools/lint.sh\", \"build\": \"node tools/build.mjs\"}}\n-- app.js --\nrun()\n-- other.js --\nrun()\n-- more.js --\nrun()\n-- tools/lint.sh --\nnode --check other.js\nsh -n tools/own.sh\nnode tools/run.js\n-- tools/own.sh --\ntrue\n-- tools/run.js --\nrequire('fs')\n-- tools/build.mjs --\nimport { rules } from './rules.mjs'\n-- tools/rules.mjs --\nexport const rules = 1\n"
	for change, refused := range map[string]bool{"app.js": false, "other.js": false, "more.js": false, "tools/own.sh": false, "tools/lint.sh": true, "tools/run.js": true, "tools/build.mjs": true, "tools/rules.mjs": true} {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, base)
			r.write("-- " + change + " --\nchanged()\n")
			j := newJudged(r)
			j.commands = loops.GateCommands{Given: true}
			if !refused {
				j.expect(loops.Note, "", "")
				return
			}
			j.expect(loops.Violation, "protected", "is a gate's configuration")
		})
	}
}
