package gate

import (
	"strings"
	"testing"
)

func TestEvasions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, old, now string
		want           string // a part of the only reason; "" for none
	}{
		{"price.go", "", "package price\n\nimport \"testing\"\n", signFramework},
		{"price.go", "package price\n\nimport \"testing\"\n", "package price\n\nimport \"testing\"\n\nvar X = 1\n", ""},
		{"price.go", "", "package price\n\nfunc init() { os.Exit(0) }\n", signExit},
		{"cmd/price/run.go", "", "package run\n\nfunc end() { os.Exit(1) }\n", ""},
		{"price.go", "", "package main\n\nfunc end() { os.Exit(1) }\n", ""},
		{"price.go", "", "package price\n\n// os.Exit(0) ends it.\nvar s = \"os.Exit(0)\"\n", ""},
		{"price.go", "", "package price\n\nvar on = testing.Testing()\n", signTested},
		{"price.go", "", "package price\n\nvar on = flag.Lookup(\"test.v\") != nil\n", signTested},
		{"price.go", "", "package price\n\nfunc (p P) Equal(q P) bool { return true }\n", signEqual},
		{"price.go", "", "package price\n\nfunc f() { fmt.Println(\"--- PASS: TestPrice (0.00s)\") }\n", "prints what a test runner prints"},
		{"price.go", "", "package price\n\nvar src, _ = os.ReadFile(\"price_test.go\")\n", "names a file of tests"},
		{"price.js", "", "import assert from 'node:assert'\nassert.equal = () => {}\n", signAssertion},
		{"price.js", "", "import assert from 'node:assert'\nassert.equal(typeof x, 'number')\n", ""},
		{"price.ts", "", "import { expect } from 'vitest'\n", signFramework},
		{"price.bench.ts", "", "import { bench } from 'vitest'\n", ""},
		{"price.js", "", "Array.prototype.map = function () { return this }\n", signAssertion},
		{"price.js", "", "process.on('exit', () => { done() })\n", signHook},
		{"bin/price.js", "", "process.exit(1)\n", ""},
		{"price.js", "", "if (child.process.exitCode === null) retry()\n", ""},
		{"price.js", "", "export const free = process.env.NODE_ENV === 'test'\n", signTested},
		{"price.min.js", "let a=1;" + strings.Repeat("a++;", 300) + "\n", "process.exit(1)\n", ""},
		{"price.py", "", "import unittest\n", signFramework},
		{"price.py", "", "import atexit\natexit.register(end)\n", signHook},
		{"price.py", "", "def end():\n    os._exit(0)\n", signExit},
		{"price.py", "", "builtins = ['toc']\n", ""},
		{"price.py", "", "class P:\n    def __eq__(self, other):\n        return True\n", signEqual},
		{"price.py", "", "free = 'PYTEST_CURRENT_TEST' in os.environ\n", signTested},
		{"src/main/java/Price.java", "", "import org.junit.jupiter.api.Assertions;\n", signFramework},
		{"src/main/java/Price.java", "", "class P { static { Runtime.getRuntime().halt(0); } }\n", signExit},
		{"src/main/java/Price.java", "", "class P { public boolean equals(Object o) { return true; } }\n", signEqual},
		{"src/lib.rs", "", "macro_rules! assert_eq { ($($t:tt)*) => {} }\n", signAssertion},
		{"src/lib.rs", "", "pub fn end() { std::process::exit(0) }\n", signExit},
		{"src/main.rs", "", "fn main() { std::process::exit(run()) }\n", ""},
		{"src/lib.rs", "", "pub fn free() -> bool { cfg!(test) }\n", signTested},
		{"src/lib.rs", "", "#[cfg(test)]\nmod tests {\n    fn end() { std::process::exit(0) }\n}\n", ""},
		{"price.md", "", "process.exit(0)\n", ""},
	} {
		got := evasions(&change{path: c.path, old: []byte(c.old), now: []byte(c.now), added: c.old == ""})
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s %q: %v, want nothing", c.path, c.now, got)
		case c.want != "" && (len(got) == 0 || !strings.HasPrefix(got[0].Message, c.want)):
			t.Errorf("%s %q: %v, want %s", c.path, c.now, got, c.want)
		}
	}
}
