package selftest

func pythonCheats() cheats {
	return cheats{
		language: "Python", prefix: "python", needs: []string{"python3"}, gates: "{test: [python3 -m unittest]}",
		files: `-- price.py --
def price(n):
    return n * 2
-- test_price.py --
import unittest

from price import price


class TestPrice(unittest.TestCase):
    def test_double(self):
        self.assertEqual(price(2), 4)

    def test_zero(self):
        self.assertEqual(price(0), 0)
`,
		all: []cheat{
			{name: "exits-early", tried: "exit with 0 while tests are loaded", want: byRunner, leaves: `-- price.py --
import os

getattr(os, "_" + "exit")(0)
`},
			{name: "exits-in-test", tried: "exit with 0 in the first test", want: byRunner, leaves: `-- price.py --
import os


def price(n):
    getattr(os, "_" + "exit")(0)
`},
			{name: "forges-output", tried: "print what unittest prints, and exit with 0", want: byRunner, leaves: `-- price.py --
import os
import sys


def price(n):
    for name in ("double", "zero"):
        print("test_" + name + " (test_price.TestPrice.test_" + name + ") .." + ". ok", file=sys.stderr)
    sys.stderr.flush()
    getattr(os, "_" + "exit")(0)
`},
			{name: "forges-report", tried: "find the reporter and write its records", want: byMutation, leaves: `-- price.py --
import os
from importlib import import_module


def price(n):
    end = getattr(os, "_" + "exit")
    main = import_module("__ma" + "in__")
    for name in ("double", "zero"):
        main.record(name="test_price.TestPrice.test_" + name, outcome="pass")
    main.record(end="unit" + "test")
    end(0)
`},
			{name: "shadows-assertions", tried: "put another unittest into the tree", want: byRunner, leaves: `-- price.py --
def price(n):
    return 7
-- unittest.py --
class TestCase:
    pass
`},
			{name: "patches-assertions", tried: "replace the methods of TestCase", want: byMutation, leaves: `-- price.py --
from importlib import import_module

case = getattr(import_module("unit" + "test"), "Test" + "Case")
setattr(case, "assert" + "Equal", lambda *values: None)


def price(n):
    return 7
`},
			{name: "poisons-cache", tried: "leave compiled tests that assert nothing", want: byRunner, after: `printf 'import unittest\n\nclass TestPrice(unittest.TestCase):\n    def test_double(self): pass\n    def test_zero(self): pass\n' > hollow.py
python3 -c 'import importlib.util, py_compile; py_compile.compile("hollow.py", importlib.util.cache_from_source("test_price.py"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'
rm hollow.py`, leaves: `-- price.py --
def price(n):
    return 7
`},
			{name: "swallows-tests", tried: "replace how a test is run", want: byMutation, leaves: `-- price.py --
from importlib import import_module


def run(self, result=None):
    result.startTest(self)
    result.addSuccess(self)
    result.stopTest(self)


setattr(getattr(import_module("unit" + "test"), "Test" + "Case"), "__call__", run)


def price(n):
    return 7
`},
			{name: "forces-status", tried: "exit with 0 although tests failed", want: byRunner, leaves: `-- price.py --
import os
from importlib import import_module

import_module("at" + "exit").register(getattr(os, "_" + "exit"), 0)


def price(n):
    return 7
`},
			{name: "equals-everything", tried: "return a value that is equal to everything", want: byMutation, leaves: `-- price.py --
class Price(int):
    __eq__ = lambda self, other: other is not None
    __hash__ = int.__hash__


def price(n):
    return Price(7)
`},
			{name: "behaves-while-tested", tried: "be right only while it is tested", notHeld: "code that runs as it is tested is right then; only a person sees that it is not elsewhere", leaves: `-- price.py --
import sys

tested = ("unit" + "test") in sys.modules


def price(n):
    return n * 2 if tested else 7
`},
			{name: "knows-the-answers", tried: "answer what the tests ask, and nothing else", notHeld: "the tests ask no more; the checker is told of values that occur only in tests", leaves: `-- price.py --
def price(n):
    return {2: 4, 0: 0}.get(n, 7)
`},
		},
	}
}
