package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

var _ = register(Format{Name: "github", Summary: "for GitHub Actions: annotations of the changed files", Write: writeGitHub})

// GitHub shows ten annotations of each kind per step and drops the rest, so
// that the first ones of every rule say more than all of one rule. Beyond
// annotationsPerRule the findings of a rule are told as one.
const annotationsPerRule = 10

// writeGitHub writes workflow commands: ::error file=…,line=…::message. See
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
func writeGitHub(w io.Writer, r *Report) error {
	buf := bufio.NewWriter(w)
	p := &printer{w: buf}
	written, left := map[string]int{}, map[string][]*schema.Diagnostic{}
	var rest []string
	for i := range r.Findings {
		d := &r.Findings[i]
		if written[d.Rule]++; written[d.Rule] <= annotationsPerRule {
			annotate(p, r, d, d.Message)
			continue
		}
		if left[d.Rule] == nil {
			rest = append(rest, d.Rule)
		}
		left[d.Rule] = append(left[d.Rule], d)
	}
	for _, rule := range rest {
		more := left[rule]
		annotate(p, r, worst(more), fmt.Sprintf("%s of this rule; `wiki lint --rule %s` lists them", count(len(more), "more finding"), rule))
	}
	for _, s := range r.Skipped {
		p.printf("::notice title=%s::%s\n", escapeProperty(s.Check+" skipped"), escapeData(s.Reason))
	}
	if p.err != nil {
		return p.err
	}
	return buf.Flush()
}

func worst(list []*schema.Diagnostic) *schema.Diagnostic {
	w := list[0]
	for _, d := range list {
		if d.Severity > w.Severity {
			w = d
		}
	}
	return w
}

func annotate(p *printer, r *Report, d *schema.Diagnostic, message string) {
	command := map[schema.Severity]string{schema.Error: "error", schema.Warning: "warning"}[d.Severity]
	if command == "" {
		command = "notice"
	}
	e := newExtent(d.Path, d.From, d.To)
	at := fmt.Sprintf("line=%d,endLine=%d", e.Line, e.EndLine)
	if e.Line == e.EndLine { // columns count only within one line
		at += fmt.Sprintf(",col=%d,endColumn=%d", e.Column, max(e.Column, e.EndColumn))
	}
	p.printf("::%s file=%s,%s,title=%s::%s\n", command, escapeProperty(r.inRepository(d.Path)), at,
		escapeProperty(d.Rule), escapeData(message+" ["+d.Rule+"]"))
}

// escapeData escapes the message of a workflow command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes a property of a workflow command, where a colon or a
// comma would end it.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// summaryRows is how many findings a step summary lists.
const summaryRows = 50

// StepSummary writes the summary of a workflow step in GitHub's markdown: the
// counts, the causes, and the first findings of warning and above.
func StepSummary(w io.Writer, r *Report) error {
	buf := bufio.NewWriter(w)
	p := &printer{w: buf}
	st := r.Stats
	p.printf("## wiki lint\n\n")
	if len(r.Findings) == 0 {
		p.printf("%s, %s: no findings.\n", count(st.Pages, "page"), count(st.Links, "link"))
	} else {
		p.printf("%s, %s, %s info on %s with %s.\n\n", count(st.Errors, "error"), count(st.Warnings, "warning"), thousands(st.Infos),
			count(st.Pages, "page"), count(st.Links, "link"))
		p.printf("| rule | findings | what it is |\n|---|---:|---|\n")
		for _, t := range causes(r.Findings, schema.Info) {
			p.printf("| `%s` | %s | %s |\n", t.rule, thousands(t.n), cell(r.Summaries[t.rule]))
		}
		summaryFindings(p, r)
	}
	for _, s := range r.Skipped {
		p.printf("\nSkipped `%s`: %s.\n", s.Check, cell(s.Reason))
	}
	if p.err != nil {
		return p.err
	}
	return buf.Flush()
}

func summaryFindings(p *printer, r *Report) {
	n := 0
	for i := range r.Findings {
		d := &r.Findings[i]
		if d.Severity < schema.Warning {
			continue
		}
		if n++; n == 1 {
			p.printf("\n| place | severity | finding |\n|---|---|---|\n")
		}
		if n <= summaryRows {
			p.printf("| %s:%d | %s | %s `%s` |\n", cell(r.inRepository(d.Path)), d.From.Line, d.Severity, cell(d.Message), d.Rule)
		}
	}
	if n > summaryRows {
		p.printf("\nAnd %s.\n", count(n-summaryRows, "more finding"))
	}
}

// cell escapes text for a cell of a markdown table: nothing of a page's words
// becomes a link, an image or another cell.
func cell(s string) string {
	var b strings.Builder
	for _, r := range printable(s) {
		if strings.ContainsRune("\\`*_{}[]<>()#|!@", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
