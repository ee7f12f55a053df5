package gate

import (
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "evasion",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "New code that could decide its own tests asks a person: it reaches into a test framework, ends the process, asks whether it is tested, reads tests, or prints what a test runner prints.",
	phase:  phaseChange,
	judge:  judgeEvasion,
})

// sign is a way in which code can decide the tests that judge it.
type sign struct {
	what string
	// code is looked for in lines without strings and comments, text in the lines as
	// they are. Either may be nil.
	code, text func() *regexp.Regexp
	// programs are exempt: ending the process is what they do.
	programs bool
}

const (
	signFramework = "reaches into a test framework"
	signAssertion = "changes what assertions or built-in functions do"
	signExit      = "ends the process"
	signHook      = "runs code when the process ends"
	signTested    = "asks whether it is being tested"
	signEqual     = "makes an object equal to everything"
	signProcess   = "reaches into the process that runs it"
)

var signs = map[language][]sign{
	goLanguage: {
		{what: signFramework, text: schema.Expression(`^\s*(?:import\s+)?(?:[\w.]+\s+)?"(?:testing(?:/internal/\w+)?|github\.com/stretchr/testify/.*|gotest\.tools/.*|github\.com/onsi/(?:gomega|ginkgo).*)"`)},
		{what: signExit, code: schema.Expression(`\b(?:os|syscall|unix)\.Exit\(|\bsyscall\.(?:(?:Raw)?Syscall6?|Kill)\(|\bruntime\.Goexit\(`), programs: true},
		{what: signTested, code: schema.Expression(`\btesting\.Testing\(`), text: schema.Expression(`"(?:-{0,2}test\.(?:v|run|short|count|timeout|bench\w*|cover\w*|testlogfile|paniconexit0)|GO_WANT_HELPER_PROCESS)"|HasSuffix\(os\.Args\[0\],|"\.test(?:\.exe)?"`)},
		{what: signEqual, code: schema.Expression(`\)\s*Equal\([^)]*\)\s*bool\s*\{\s*return true\b`)},
		{what: signProcess, text: schema.Expression(`^\s*//go:linkname\b|"/proc/(?:self|\d+|%d)/(?:fd|mem|maps|cmdline|environ)|\bos\.Getppid\(`)},
	},
	jsLanguage: {
		{what: signFramework, text: schema.Expression(`\b(?:from|import|require)\b\s*\(?\s*['"](?:node:test|vitest|@jest|jest|expect|mocha|chai|sinon|ava|tap|uvu|@vitest|@playwright/test)(?:/[\w/.-]+)?['"]`)},
		{what: signAssertion, code: schema.Expression(`\b(?:assert|expect)(?:\.\w+)+\s*=[^=>]|\b(?:globalThis|global|window)\.(?:test|it|describe|expect|assert|beforeEach|afterEach)\s*=[^=]|\b(?:Object|Array|String|Number|Boolean|Function|Promise|Error|RegExp|Date|Map|Set)\.prototype(?:\.\w+|\[[^\]]*\])\s*=[^=]|\b(?:defineProperty|assign)\(\s*(?:assert|expect|\w+\.prototype)\b|\bsetPrototypeOf\(\s*(?:assert|expect)`), text: schema.Expression(`\brequire\.cache\b|\bModule\._|\bprocess\.binding\b|\bsyncBuiltinESMExports\b`)},
		{what: signExit, code: schema.Expression(`\bprocess\.(?:exit|reallyExit|abort)\b|\bprocess\.kill\(\s*process\.|\bprocess\.exitCode\s*=[^=]`), programs: true},
		{what: signHook, text: schema.Expression(`\bprocess\.(?:on|once|addListener|prependListener)\(\s*['"](?:exit|beforeExit)['"]`), programs: true},
		{what: signTested, text: schema.Expression(`\b(?:NODE_ENV|MODE|APP_ENV)\b.{0,6}(?:===?|!==?)\s*['"]test(?:ing)?['"]|\b(?:JEST_WORKER_ID|VITEST(?:_WORKER_ID|_POOL_ID)?|NODE_TEST_CONTEXT|NODE_V8_COVERAGE)\b|\bimport\.meta\.vitest\b`)},
		{what: signProcess, text: schema.Expression(`['"` + "`" + `]/proc/[^'"]*/(?:fd|mem|maps|cmdline|environ)\b|\bprocess\.(?:ppid|execArgv)\b`)},
	},
	pyLanguage: {
		{what: signFramework, code: schema.Expression(`^\s*(?:import|from)\s+(?:pytest|_pytest|unittest|doctest|hypothesis|nose2?|pluggy|mock|assertpy)\b`)},
		{what: signAssertion, code: schema.Expression(`\b(?:import builtins|__builtins__)\b|\bsetattr\(\s*builtins\b|\bsys\.(?:modules\s*\[|settrace|setprofile|meta_path|path_hooks|unraisablehook|excepthook)`), text: schema.Expression(`\bimport_module\(\s*['"](?:unittest|pytest|_pytest|builtins)|\b__import__\(|sys\.modules(?:\.get\(|\[)\s*['"](?:unittest|pytest|_pytest|builtins|__main__)`)},
		{what: signExit, code: schema.Expression(`\bos\.(?:_exit|abort|kill|killpg)\s*\(|^(?:sys\.exit|exit|quit)\s*\(|^raise SystemExit`), programs: true},
		{what: signHook, code: schema.Expression(`\batexit\.`)},
		{what: signTested, text: schema.Expression(`\bPYTEST_(?:CURRENT_TEST|VERSION|XDIST\w*)\b|['"](?:pytest|unittest|_pytest)['"]\s+(?:not )?in\s+sys\.modules`)},
		{what: signEqual, code: schema.Expression(`\bdef __eq__\([^)]*\)[^:]*:\s*return True\b`)},
		{what: signProcess, code: schema.Expression(`\bgc\.get_(?:objects|referrers)\(|\bos\.getppid\(|\bsys\._getframe\(|\binspect\.(?:stack|currentframe)\(|\.f_(?:globals|locals|back)\b`), text: schema.Expression(`['"]/proc/[^'"]*/(?:fd|mem|maps|cmdline|environ)\b`)},
	},
	javaLanguage: {
		{what: signFramework, code: schema.Expression(`^\s*import\s+(?:static\s+)?(?:org\.(?:junit|testng|assertj|hamcrest|mockito|opentest4j|apiguardian)|junit\.framework|io\.kotest|kotlin\.test|com\.google\.common\.truth)\b`)},
		{what: signAssertion, text: schema.Expression(`"org\.(?:junit|testng|opentest4j|assertj|apache\.maven)[\w.]*"|\bjava\.lang\.instrument\b|\bsun\.misc\.Unsafe\b`)},
		{what: signExit, code: schema.Expression(`\b(?:System\.exit|Runtime\.getRuntime\(\)\.(?:halt|exit)|exitProcess)\s*\(|\.halt\(`), programs: true},
		{what: signHook, code: schema.Expression(`\baddShutdownHook\(`), programs: true},
		{what: signTested, text: schema.Expression(`\b(?:getStackTrace\(\)|StackWalker)|"(?:surefire|junit|sun\.java\.command|java\.class\.path|org\.gradle\.test)[\w.]*"`)},
		{what: signEqual, code: schema.Expression(`\bboolean\s+equals\([^)]*\)\s*\{\s*return true\b`)},
		{what: signProcess, text: schema.Expression(`"/proc/|\bProcessHandle\.current\b`)},
	},
	rustLanguage: {
		{what: signAssertion, code: schema.Expression(`\bmacro_rules!\s*(?:debug_)?(?:assert|assert_eq|assert_ne|panic|unreachable)\b|\bpanic::(?:set_hook|take_hook)\b|\bset_hook\(`)},
		{what: signExit, code: schema.Expression(`\bprocess::(?:exit|abort)\b|\blibc::(?:_?exit|abort)\b|\blibc::kill\(\s*libc::getp`), text: schema.Expression(`\bfn _?exit\(`), programs: true},
		{what: signHook, text: schema.Expression(`\batexit\b|link_section\s*=\s*"\.(?:init|fini)_array`)},
		{what: signTested, code: schema.Expression(`\bcfg!\(\s*test\b|#!?\[cfg\(not\(test\)\)\]|\bcfg_attr\([^)]*\btest\b[^=]*\bpath\b`), text: schema.Expression(`"RUST_TEST_\w+"|"NEXTEST\w*"|"--test-threads|thread::current\(\)\.name\(\)`)},
		{what: signEqual, code: schema.Expression(`\bfn eq\(&self[^)]*\)\s*->\s*bool\s*\{\s*true\b`)},
		{what: signProcess, text: schema.Expression(`"/proc/[^"]*/(?:fd|mem|maps|cmdline|environ)\b`)},
	},
}

// runnerFormat is what runners print of tests, and mentionsTests a file of tests, in
// strings of code.
var (
	runnerFormat  = schema.Expression(`["'` + "`" + `][^"'` + "`" + `]*(?:--- PASS|=== RUN|\btest result: ok|\.\.\. ok\b|TAP version 1\d|\bnot ok \d|# pass \d|Tests run: |Ran \d+ tests? in|::\w+ PASSED|"Action":\s*"pass")`)
	mentionsTests = schema.Expression(`["'` + "`" + `/](?:[\w.*/-]*/)?(?:[\w*-]*_test\.(?:go|py)|test_[\w*-]*\.py|[\w*-]+\.(?:test|spec)\.[cm]?[jt]sx?|[\w*-]+Tests?\.(?:java|class))["'` + "`" + `]`)
)

var benchmark = schema.Expression(`(?i)[._-]bench(?:mark)?\.\w+$`)

func judgeEvasion(_ context.Context, j *judge) ([]loops.GateResult, error) {
	var out []loops.Reason
	for i := range j.changes {
		c := &j.changes[i]
		if j.protection.kind[c.path] == ordinary && !c.gone && !c.ignored && !matchAny(j.unlocked, c.path) {
			out = append(out, evasions(c)...)
			if why := j.supports(c); why != nil {
				out = append(out, *why)
			}
		}
	}
	return because(loops.Ask, "", out), nil
}

// evasions returns the signs in the lines that a change adds to code, one of a kind
// per file.
func evasions(c *change) []loops.Reason {
	l := languageOf(c.path)
	if l == noLanguage || len(c.now) > largestSheet || isBundle(c) {
		return nil
	}
	code := strings.Split(codeWithoutTests(l, string(c.now)), "\n")
	program := isProgram(l, c)
	var out []loops.Reason
	seen := map[string]bool{}
	say := func(line int, what, text string) {
		if !seen[what] {
			seen[what] = true
			out = append(out, loops.Reason{Path: c.path, Line: line, Message: what + "; is that what the chunk is for? " + clip(strings.TrimSpace(text), 80)})
		}
	}
	addedLines(c.old, c.now, func(n int, text string) {
		masked := code[n-1]
		if strings.TrimSpace(masked) == "" && !strings.Contains(text, "//go:") { // a comment, a string, a test
			return
		}
		next := masked + " " + strings.TrimSpace(code[min(n, len(code)-1)])
		for _, s := range signs[l] {
			if s.programs && program || s.what == signFramework && benchmark().MatchString(c.path) {
				continue
			}
			if s.what == signEqual { // its body is on the line below
				masked = next
			}
			if s.code != nil && s.code().MatchString(masked) || s.text != nil && s.text().MatchString(text) {
				say(n, s.what, text)
			}
		}
		if runnerFormat().MatchString(text) {
			say(n, "prints what a test runner prints", text)
		}
		if mentionsTests().MatchString(text) {
			say(n, "names a file of tests", text)
		}
	})
	return out
}

var rustTests = schema.Expression(`#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:mod|fn|impl|use)\b[^{;]*[{;]`)

// codeWithoutTests returns a text in which strings and comments are blank, and the
// tests that Rust keeps beside the code.
func codeWithoutTests(l language, src string) string {
	masked := mask(l, src)
	if l != rustLanguage {
		return masked
	}
	pairs := pair(masked)
	out := []byte(masked)
	for _, m := range rustTests().FindAllStringIndex(masked, -1) {
		end := m[1]
		if masked[end-1] == '{' {
			end = pairs[end-1]
		}
		for i := m[0]; i < end; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

var programMark = map[language]func() *regexp.Regexp{
	goLanguage:   schema.Expression(`(?m)^package main\b`),
	jsLanguage:   schema.Expression(`^#!`),
	pyLanguage:   schema.Expression(`^#!|(?m)^if __name__ == `),
	javaLanguage: schema.Expression(`\bstatic void main\(|\bfun main\(`),
	rustLanguage: schema.Expression(`(?m)^(?:pub )?(?:async )?fn main\(`),
}

var programPath = schema.Expression(`(?i)(?:^|/)(?:bin|cli|cmd|scripts?|tools?|commands?|examples?|xtask|build|esbuild|gulpfile)(?:/|\.\w+$)|(?:^|/)(?:__main__|manage|main|index|[\w-]*(?:server|worker|daemon|hook))\.\w+$`)

// isProgram reports a file that people start: it may end the process.
func isProgram(l language, c *change) bool {
	return programMark[l]().Match(c.now) || programPath().MatchString(path.Clean(c.path))
}

// longestLine is the length in bytes of lines that people don't write.
const longestLine = 1000

// isBundle reports a file that a program wrote before the change, too: what its long
// lines hold says nothing of the change.
func isBundle(c *change) bool {
	for line := range strings.Lines(string(c.old)) {
		if len(line) > longestLine {
			return true
		}
	}
	return false
}
