package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

// command is a workflow command as a runner reads it.
type command struct {
	name       string
	properties map[string]string
	message    string
}

// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice)(?: ([^:]*))?::(.*)$`)

// readCommands reads what a runner would read, and fails on anything else.
func readCommands(t *testing.T, out string) []command {
	t.Helper()
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	known := map[string]bool{"file": true, "line": true, "endLine": true, "col": true, "endColumn": true, "title": true}
	var all []command
	for line := range strings.Lines(out) {
		m := workflowCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			t.Fatalf("no workflow command: %q", line)
		}
		c := command{m[1], map[string]string{}, unescape.Replace(m[3])}
		for p := range strings.SplitSeq(m[2], ",") {
			key, value, ok := strings.Cut(p, "=")
			if !ok || !known[key] {
				t.Fatalf("%q is no property: %s", p, line)
			}
			c.properties[key] = unescape.Replace(value)
		}
		if c.properties["col"] != "" && c.properties["line"] != c.properties["endLine"] {
			t.Errorf("columns of more than one line, which GitHub refuses: %s", line)
		}
		all = append(all, c)
	}
	return all
}

func TestGitHubIsReadByARunner(t *testing.T) {
	t.Parallel()
	p := page("a, b: 100%.md", "x\ny\n")
	long := at(p, "x\ny", schema.Error, "r", strings.Repeat("語", 5000))
	r := &Report{Root: "docs", Findings: []schema.Diagnostic{at(p, "x", schema.Warning, "broken-link", "100%,\nsecond: line"), long}}
	var b bytes.Buffer
	if err := Write("github", &b, r); err != nil {
		t.Fatal(err)
	}
	got := readCommands(t, b.String())
	want := command{"warning", map[string]string{"file": "docs/a, b: 100%.md", "line": "1", "endLine": "1", "col": "1", "endColumn": "2", "title": "broken-link"},
		"100%, second: line [broken-link]"}
	if diff := cmp.Diff(want, got[1], cmp.AllowUnexported(command{})); diff != "" {
		t.Error(diff)
	}
	if n := len(got[0].message); got[0].name != "error" || n > 4*messageRunes || n < messageRunes {
		t.Errorf("the long message takes %d bytes", n)
	}
}

func TestGitHubLimits(t *testing.T) {
	t.Parallel()
	p := page("a.md", "x\n")
	r := &Report{Root: "."}
	add := func(n int, sev schema.Severity, rule string) {
		for i := range n {
			r.Findings = append(r.Findings, at(p, "x", sev, rule, fmt.Sprint(i)))
		}
	}
	add(60, schema.Warning, "orphan")
	add(2, schema.Warning, "link-case")
	add(11, schema.Info, "dead-end")
	add(12, schema.Error, "broken-link")
	add(1, schema.Error, "secret")
	for i := range 7 {
		r.Skipped = append(r.Skipped, schema.Skipped{Check: fmt.Sprint("check", i), Reason: "no git"})
	}
	var b bytes.Buffer
	if err := Write("github", &b, r); err != nil {
		t.Fatal(err)
	}
	kinds, rules := map[string]int{}, map[string]int{}
	all := readCommands(t, b.String())
	for _, c := range all {
		kinds[c.name]++
		rules[c.properties["title"]]++
	}
	if kinds["error"] != 10 || kinds["warning"] != 10 {
		t.Errorf("annotations: %v", kinds)
	}
	if rules["secret"] != 1 || rules["link-case"] != 2 || rules["broken-link"] != 9 || rules["orphan"] != 8 {
		t.Errorf("annotations do not begin with one of each rule: %v", rules)
	}
	want := "not annotated (GitHub shows ten per kind): 3 errors, 52 warnings, 7 info; run `wiki lint --severity info` to list them"
	if all[0].name != "notice" || all[0].message != want {
		t.Errorf("first comes\n%s: %s\nwant\n%s", all[0].name, all[0].message, want)
	}
	if all[8].message != "0 [broken-link]" { // errors come before milder ones
		t.Errorf("after what is not shown or checked comes %v", all[8])
	}
}

// TestReportsEscapeMarkup checks that page content is text in a step summary.
func TestReportsEscapeMarkup(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"[[x]] <b> a|b `c` @me #1 !": "\\[\\[x\\]\\] \\<b\\> a\\|b \\`c\\` \\@me \\#1 \\!",
		"https://x.org www.x.org":    `https\://x.org www\.x.org`,
		"a\x1b[31m\u202eb\nc":        `a\\x1b\[31m\\u202eb c`,
		"&lt;b&#x202e; $x$ ~~y~~":    `\&lt;b\&\#x202e; \$x\$ \~\~y\~\~`,
	} {
		if got := cell(in); got != want {
			t.Errorf("cell(%q) = %q, want %q", in, got, want)
		}
	}
}
