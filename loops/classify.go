package loops

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Classes of what commands print. The first seven are those that Andon
// classifies by, with its confidences; the others tell the outputs of common
// tools apart before those are asked.
const (
	ClassCommandMissing = "command_not_found"
	ClassPythonModule   = "python_module_missing"
	ClassNodeModule     = "node_module_missing"
	ClassPermission     = "permission_denied"
	ClassPath           = "path_missing"
	ClassAssertion      = "assertion_failure"
	ClassCompile        = "compile_error"
	ClassPanic          = "panic"
	ClassTypes          = "type_error"
	ClassLint           = "lint_error"
	ClassDependency     = "dependency_missing"
	ClassMemory         = "out_of_memory"
	ClassNetwork        = "network_error"
)

// classRule recognises one class. A group named d is the detail.
type classRule struct {
	class      string
	confidence float64
	pattern    func() *regexp.Regexp
	detail     string
}

// toolRules know what one tool prints, so they may be surer than the general
// ones. They are case-sensitive: `FAIL` of go test is not `fail` of a sentence.
var toolRules = []classRule{
	{ClassDependency, 0.9, schema.Expression(`(?m)no required module provides package (?P<d>[^\s;]+)|missing go\.sum entry|: package \S+ is not in std`), "missing_package"},
	{ClassCompile, 0.95, schema.Expression(`(?m)^FAIL\s+\S+ \[(?:build|setup) failed\]|^(?:vet: )?\S+\.go:\d+:\d+: (?:undefined: (?P<d>\S+)|.*(?:imported and not used|declared and not used|syntax error|cannot use|missing return))`), "symbol"},
	{ClassCompile, 0.95, schema.Expression(`(?m)^error(?:\[(?P<d>E\d{4})\])?: .*(?:\n\s*-->\s|\n.*could not compile)|^error: could not compile`), "code"},
	{ClassTypes, 0.95, schema.Expression(`(?m)\berror (?P<d>TS\d{3,5}): `), "code"},
	{ClassCompile, 0.95, schema.Expression(`(?m)COMPILATION ERROR|^\S+\.(?:java|kt|scala):\d+: error: |^e: \S+\.kts?:|Compilation failed; see the compiler (?:error )?output`), ""},
	{ClassCompile, 0.9, schema.Expression(`(?m)^\s*(?P<d>SyntaxError|IndentationError): |^E\s+(?:SyntaxError|IndentationError): `), "error"},
	{ClassAssertion, 0.95, schema.Expression(`(?m)^\s*--- FAIL: (?P<d>\S+)`), "test"},
	{ClassAssertion, 0.95, schema.Expression(`(?m)^test (?P<d>\S+) \.\.\. FAILED$|^test result: FAILED`), "test"},
	{ClassAssertion, 0.95, schema.Expression(`(?m)^FAILED (?P<d>\S+::\S+)|^E\s+(?:AssertionError|assert )|^=+ .*\d+ failed.* =+$`), "test"},
	{ClassAssertion, 0.93, schema.Expression(`(?m)^\s*● (?P<d>.+)$|^Tests:\s+\d+ failed|^\s*Tests\s+\d+ failed|^\s*\d+ failing$|^not ok \d+ (?:- )?.+|AssertionError \[ERR_ASSERTION\]`), "test"},
	{ClassAssertion, 0.93, schema.Expression(`(?m)Tests run: \d+, Failures: [1-9]|There were failing tests|org\.opentest4j\.AssertionFailedError|java\.lang\.AssertionError|junit\.framework\.AssertionFailedError`), ""},
	{ClassMemory, 0.85, schema.Expression(`JavaScript heap out of memory|java\.lang\.OutOfMemoryError|fatal error: runtime: out of memory|signal: killed|^MemoryError\b`), ""},
	{ClassTimeout, 0.9, schema.Expression(`panic: test timed out after (?P<d>\S+)|Exceeded timeout of \d+ ms|Test timed out in \d+ms`), "after"},
	{ClassPanic, 0.9, schema.Expression(`(?m)^panic: (?P<d>.+)|^fatal error: |^thread '.*' panicked at`), "panic"},
	{ClassLint, 0.85, schema.Expression(`(?m)✖ \d+ problems? \(|^Found \d+ errors?\.$|^\S+:\d+:\d+: .+ \((?P<d>[a-z]\w+)\)$`), "rule"},
	{ClassNetwork, 0.8, schema.Expression(`(?i)\b(?:ENOTFOUND|ECONNREFUSED|EAI_AGAIN)\b|dial tcp.*: |could not resolve host|temporary failure in name resolution`), ""},
}

// launcherLine is how programs that start others say that there is none of a
// name. Of a path they say the same, and that is a path that is missing.
const launcherLine = `^(?:\S*/)?(?:env|nice|nohup|setsid|stdbuf|timeout|xargs): (?:failed to (?:run command|execute) )?['‘"]?([^\s'‘’":/]+)['’"]?: (?i:no such file or directory)`

// andonRules are the table of Andon, in its order: the first that matches the
// lower-cased text counts.
var andonRules = []classRule{
	{ClassCommandMissing, 0.94, schema.Expression(`(?m)command not found|not recognized as an internal or external command|^(?:\S*/)?(?:sh|bash|dash|ash|ksh): (?:exec: )?[^\s:]+: not found` +
		`|^\S+: (?:line )?\d+: (?:exec: )?[^\s:]+: not found|executable file not found in [$%]path|` + launcherLine), "missing_command"},
	{ClassPythonModule, 0.88, schema.Expression(`modulenotfounderror|no module named`), "missing_python_module"},
	{ClassNodeModule, 0.84, schema.Expression(`cannot find module`), "missing_node_module"},
	{ClassPermission, 0.82, schema.Expression(`permission denied|eacces`), ""},
	{ClassPath, 0.79, schema.Expression(`no such file or directory|enoent`), "missing_path"},
	{ClassTimeout, 0.68, schema.Expression(`timed out|timeout|etimedout`), ""},
	{ClassAssertion, 0.62, schema.Expression(`assertionerror|failed|failures`), ""},
}

// andonDetails find what is missing, in the text as it was printed.
var andonDetails = map[string]func() *regexp.Regexp{
	"missing_command": schema.Expression(`(?im)^\S+: command not found: (\S+)|(?:\d+: |: |^)(?:exec: )?([^\s:]+): (?:command )?not found|'([^']+)' is not recognized` +
		`|exec: "([^"]+)": executable file not found|` + launcherLine),
	"missing_python_module": schema.Expression(`(?i)no module named '?([\w.]+)`),
	"missing_node_module":   schema.Expression(`(?i)cannot find module '([^']+)'`),
	"missing_path":          schema.Expression(`(?i)([^\s:'"]+)['"]?: no such file or directory|no such file or directory: '([^']+)'|enoent[^'\n]*'([^']+)'`),
}

// classConfidence is how sure a class is when only the class is known.
var classConfidence = map[string]float64{
	ClassCommandMissing: 0.94, ClassPythonModule: 0.88, ClassNodeModule: 0.84, ClassPermission: 0.82, ClassPath: 0.79,
	ClassAssertion: 0.93, ClassLint: 0.85, ClassMemory: 0.85, ClassNetwork: 0.8,
}

// most of an output that is classified, in bytes: its end.
const classifiedOutput = 256 << 10

// Classify returns what kind of failure a command's output tells of, how sure that
// is from 0 to 1, and what it names: missing_command, missing_path, test,
// symbol and the like. Exit status 0 has no class.
//
// What a tool is known to print decides first; then the seven classes of Andon
// in their order, on the command, a line end and the output, lower-cased.
func Classify(command, output string, exit int) (class string, sure float64, details map[string]string) {
	if exit == 0 {
		return "", 0, nil
	}
	if len(output) > classifiedOutput {
		output = output[len(output)-classifiedOutput:]
	}
	if exit == 127 || exit == 126 { // the shell's own word for it
		if c, s, d := classifyAndon(command + "\n" + output); c == ClassCommandMissing || c == ClassPermission || c == ClassPath {
			return c, s, d
		}
	}
	best := classRule{confidence: -1}
	var found []int
	for _, r := range toolRules {
		if m := r.pattern().FindStringSubmatchIndex(output); m != nil && r.confidence > best.confidence {
			best, found = r, m
		}
	}
	if best.confidence >= 0 {
		return best.class, best.confidence, detailOf(best, output, found)
	}
	return classifyAndon(command + "\n" + output)
}

func detailOf(r classRule, text string, m []int) map[string]string {
	i := r.pattern().SubexpIndex("d")
	if r.detail == "" || i < 0 || m[2*i] < 0 {
		return nil
	}
	return map[string]string{r.detail: strings.TrimSpace(text[m[2*i]:m[2*i+1]])}
}

func classifyAndon(text string) (string, float64, map[string]string) {
	lower := strings.ToLower(text)
	for _, r := range andonRules {
		if !r.pattern().MatchString(lower) {
			continue
		}
		find := andonDetails[r.detail]
		if find == nil {
			return r.class, r.confidence, nil
		}
		for _, m := range find().FindAllStringSubmatch(text, 1) {
			for _, g := range m[1:] {
				if g != "" {
					return r.class, r.confidence, map[string]string{r.detail: g}
				}
			}
		}
		return r.class, r.confidence, nil
	}
	return ClassUnknown, 0.35, nil
}

// unsteady is what differs between two runs of the same failure, and what stands
// in its place.
var unsteady = []struct {
	pattern func() *regexp.Regexp
	with    string
}{
	{schema.Expression("\x1b\\[[0-9;?]*[ -/]*[@-~]"), ""},
	{schema.Expression(`\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`), "<time>"},
	{schema.Expression(`\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`), "<time>"},
	{schema.Expression(`0x[0-9a-fA-F]+`), "<address>"},
	{schema.Expression(`(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]+){2,}`), "<path>"},
	{schema.Expression(`\b[0-9a-f]{7,64}\b`), "<hash>"},
	{schema.Expression(`\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|m|min|sec|seconds?|minutes?)\b`), "<duration>"},
	{schema.Expression(`\d+(?:\.\d+)?`), "<n>"},
}

// sameLines is how many of the last lines are compared.
const sameLines = 50

// SameFailure returns a text that is equal for failures that are the same: a
// hash of the last 50 lines that are not blank, without numbers, paths, times,
// addresses and durations.
func SameFailure(output string) string {
	if len(output) > classifiedOutput {
		output = output[len(output)-classifiedOutput:]
	}
	var tail []string
	for line := range strings.Lines(output) {
		if line = text.Collapse(line); line != "" {
			tail = append(tail, line)
		}
	}
	tail = tail[max(0, len(tail)-sameLines):]
	text := strings.Join(tail, "\n")
	for _, u := range unsteady {
		text = u.pattern().ReplaceAllString(text, u.with)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
