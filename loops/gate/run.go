package gate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// testRun is what a test command came to. The maps are nil if its output names
// no tests.
type testRun struct {
	outcome                 *outcome
	passed, failed, skipped map[string]bool
	// doubt says why a green run is not what it seems.
	doubt string
}

var (
	goTestCommand = schema.Expression(`^((?:[A-Z_]+=[\w./,=-]*\s+)*go\s+test)(\s[^|;&<>$()` + "`" + `\n]*)?$`)
	pytestCommand = schema.Expression(`^(?:[A-Z_]+=[\w./,=-]*\s+)*(?:(?:uv|poetry|pdm|hatch)\s+run\s+)?(?:python3?\s+-m\s+)?(?:\.venv/bin/)?(?:pytest|py\.test)(?:\s[^|;&<>$()` + "`" + `\n]*)?$`)
	// Without arguments or with discover, -v may stand at the end.
	unittestCommand = schema.Expression(`^(?:(?:uv|poetry|pdm|hatch)\s+run\s+(?:--frozen\s+)?)?(?:\.venv/bin/)?python3?\s+-m\s+unittest(?:\s[\w./ =*-]*)?$`)
)

// askGo adds -json to a plain go test, and lets no result come from a cache.
func askGo(command string) (string, bool) {
	m := goTestCommand().FindStringSubmatch(strings.TrimSpace(command))
	if m == nil || strings.Contains(m[2], "-json") || strings.Contains(m[2], " -c ") {
		return command, false
	}
	flags := " -json"
	if !strings.Contains(m[2], "-count") && !strings.Contains(m[2], "-bench") {
		flags += " -count=1"
	}
	return m[1] + flags + m[2], true
}

func (r *testRun) note(name, what string) {
	if r.passed == nil {
		r.passed, r.failed, r.skipped = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	switch what {
	case "pass":
		r.passed[name] = true
	case "fail":
		r.failed[name] = true
	case "skip":
		r.skipped[name] = true
	}
}

// readGo reads the events of test2json and makes plain text of the output again.
func (r *testRun) readGo() {
	var text strings.Builder
	running := map[string]bool{} // that did not say themselves how they ended
	said := map[string]bool{}    // packages that ran a test, or said that they have none
	silent := map[string]bool{}  // packages that passed without that
	for line := range strings.Lines(r.outcome.output) {
		var e struct{ Action, Package, Test, Output string }
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil {
			text.WriteString(line)
			continue
		}
		if e.Output != "" && !chatter(e.Output) {
			text.WriteString(e.Output)
		}
		name := e.Package + "." + e.Test
		said[e.Package] = said[e.Package] || e.Test != "" || strings.Contains(e.Output, "no tests to run") || strings.Contains(e.Output, "no test files")
		if e.Test == "" && e.Action == "pass" && !said[e.Package] {
			silent[e.Package] = true
		}
		switch {
		case e.Test == "" || strings.Contains(e.Test, "/"):
		case strings.HasPrefix(e.Output, "--- "):
			delete(running, name)
		case e.Output == "":
			r.note(name, e.Action)
			if e.Action == "run" && !strings.HasPrefix(e.Test, "Benchmark") {
				running[name] = true
			}
		}
	}
	if r.passed == nil {
		r.note("", "")
	}
	if len(running) > 0 {
		r.doubt = "the process ended while it ran " + list(keysOf(running, nil))
	}
	if len(silent) > 0 && r.doubt == "" {
		r.doubt = "the process ended before it ran tests of " + list(keysOf(silent, nil))
	}
	r.outcome.output = text.String()
}

// chatter are lines that -json adds.
func chatter(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- PASS") || strings.HasPrefix(line, "--- SKIP")
}

// linePatterns are how runners name a test in a line.
var linePatterns = []struct {
	pattern func() *regexp.Regexp
	what    string
}{
	{schema.Expression(`^(?:PASSED|XPASS) (\S+::.+?)(?: - .*)?$`), "pass"}, // pytest -rA
	{schema.Expression(`^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$`), "fail"},
	{schema.Expression(`^(?:SKIPPED|XFAIL) (\S+::.+?)(?: - .*)?$`), "skip"},
	{schema.Expression(`^test (\S+)(?: - .*)? \.\.\. ok$`), "pass"}, // cargo test
	{schema.Expression(`^test (\S+)(?: - .*)? \.\.\. FAILED$`), "fail"},
	{schema.Expression(`^test (\S+)(?: - .*)? \.\.\. ignored.*$`), "skip"},
	{schema.Expression(`^\s*ok \d+ (?:- )?(.*?)\s*# (?i:skip|todo).*$`), "skip"}, // TAP 13
	{schema.Expression(`^\s*ok \d+ (?:- )?(.+?)$`), "pass"},
	{schema.Expression(`^\s*not ok \d+ (?:- )?(.+?)(?:\s*# (?i:todo).*)?$`), "fail"},
	{schema.Expression(`^(test\w* \([\w.]+\)) \.\.\. ok$`), "pass"}, // unittest -v
	{schema.Expression(`^(test\w* \([\w.]+\)) \.\.\. (?:FAIL|ERROR)$`), "fail"},
	{schema.Expression(`^(test\w* \([\w.]+\)) \.\.\. skipped.*$`), "skip"},
	{schema.Expression(`^\s*[✔✓] (.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$`), "pass"}, // node --test, jest --verbose, vitest
	{schema.Expression(`^\s*[✖✕×✗] (.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$`), "fail"},
	{schema.Expression(`^\s*[﹣○↓] (.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?(?: # SKIP.*)?$`), "skip"},
	{schema.Expression(`^--- FAIL: (\S+) `), "fail"},             // go test without -json
	{schema.Expression(`^PASS (\S+\.\w+)(?: \(.*\))?$`), "pass"}, // jest, by file
	{schema.Expression(`^FAIL (\S+\.\w+)(?: \(.*\))?$`), "fail"},
}

// countOfTests is behind a file's name in vitest's output.
var countOfTests = schema.Expression(` \(\d+ tests?\b.*$`)

var libtestBegins = schema.Expression(`^running (\d+) tests?$`)

// libtest follows what a binary of cargo test prints of itself.
type libtest struct {
	begun, ended int
	tests, named int  // as it says in its first line, and by name
	captured     bool // what follows is what its tests printed
}

// take reports whether a line names no test.
func (l *libtest) take(line string) bool {
	if m := libtestBegins().FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1]) // only digits; one that is too large is more than are named
		l.begun, l.tests = l.begun+1, l.tests+n
		return true
	}
	switch {
	case l.begun == l.ended:
		return false
	case strings.HasPrefix(line, "test result: "):
		l.ended, l.captured = l.ended+1, false
	case line == "failures:" || line == "successes:":
		l.captured = true
	case !l.captured && strings.HasPrefix(line, "test ") && strings.Contains(line, " ... "):
		l.named++
	}
	return l.captured
}

func (l *libtest) doubt() string {
	switch {
	case l.begun > l.ended:
		return "the process ended before the tests did"
	case l.named > l.tests:
		return fmt.Sprintf("it reports %d tests and runs %d", l.named, l.tests)
	}
	return ""
}

// readLines reads what other runners print of each test.
func (r *testRun) readLines() {
	var cargo libtest
	for line := range strings.Lines(r.outcome.output) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) > 1000 || cargo.take(line) {
			continue
		}
		for _, p := range linePatterns {
			if m := p.pattern().FindStringSubmatch(line); m != nil {
				r.note(countOfTests().ReplaceAllString(m[1], ""), p.what)
				break
			}
		}
	}
	r.doubt = cargo.doubt()
}

// failedTests returns the names of tests that an output says have failed.
func failedTests(output string) []string {
	r := testRun{outcome: &outcome{output: output}}
	r.readLines()
	names := keysOf(r.failed, nil)
	slices.Sort(names)
	return names
}
