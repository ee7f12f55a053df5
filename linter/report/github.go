package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = register(Format{Name: "github", Summary: "for GitHub Actions: annotations of the changed files", Write: writeGitHub})

// GitHub shows that many annotations of each kind per step, in the order in
// which they come, and drops the rest in silence.
const annotationsPerKind = 10

// messageRunes is how much of a message is shown where a page's words could
// make it long: an annotation and a step summary have their limits.
const messageRunes = 1_000

// writeGitHub writes workflow commands: ::error file=…,line=…::message. See
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
// Of each kind there are no more than GitHub shows, and the first notice says
// how many findings have none.
func writeGitHub(w io.Writer, r *Report) error {
	p, done := text.Open(w)
	notices := annotationsPerKind - min(len(r.Skipped), annotationsPerKind/2)
	shown := map[schema.Severity][]*schema.Diagnostic{
		schema.Error:   choose(r.Findings, schema.Error, annotationsPerKind),
		schema.Warning: choose(r.Findings, schema.Warning, annotationsPerKind),
		schema.Info:    choose(r.Findings, schema.Info, notices),
	}
	hidden := hiddenText(r.Findings, shown)
	if hidden != "" {
		shown[schema.Info] = choose(r.Findings, schema.Info, notices-1)
		p.Command("::notice title=wiki lint::%s\n", escapeData(hiddenText(r.Findings, shown)))
	}
	for _, s := range r.Skipped {
		p.Command("::notice title=%s::%s\n", escapeProperty(s.Check+" skipped"), escapeData(text.Line(s.Reason)))
	}
	for _, sev := range []schema.Severity{schema.Error, schema.Warning, schema.Info} {
		for _, d := range shown[sev] {
			annotate(p, r, d)
		}
	}
	return done()
}

// choose returns n findings of a severity in their order: the first of each rule, then
// the second of each, because many causes tell more than many places of one.
func choose(findings []schema.Diagnostic, sev schema.Severity, n int) []*schema.Diagnostic {
	type ranked struct{ round, index int }
	var all []ranked
	seen := map[string]int{}
	for i := range findings {
		if d := &findings[i]; d.Severity == sev {
			all = append(all, ranked{seen[d.Rule], i})
			seen[d.Rule]++
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.round, b.round) })
	all = all[:min(n, len(all))]
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Compare(a.index, b.index) })
	out := make([]*schema.Diagnostic, len(all))
	for i, c := range all {
		out[i] = &findings[c.index]
	}
	return out
}

// hiddenText says how many findings of each severity are not among those
// shown, or nothing.
func hiddenText(findings []schema.Diagnostic, shown map[schema.Severity][]*schema.Diagnostic) string {
	left := map[schema.Severity]int{}
	for i := range findings {
		left[findings[i].Severity]++
	}
	var parts []string
	for _, sev := range []schema.Severity{schema.Error, schema.Warning, schema.Info} {
		if n := left[sev] - len(shown[sev]); n > 0 {
			parts = append(parts, severityCount(n, sev))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "not annotated (GitHub shows ten per kind): " + strings.Join(parts, ", ") + "; run `wiki lint --severity info` to list them"
}

// severityCount returns "2 errors", "1 warning" or "3 info".
func severityCount(n int, sev schema.Severity) string {
	if sev == schema.Info {
		return text.Thousands(n) + " info"
	}
	return count(n, sev.String())
}

func annotate(p *text.Writer, r *Report, d *schema.Diagnostic) {
	command := map[schema.Severity]string{schema.Error: "error", schema.Warning: "warning"}[d.Severity]
	if command == "" {
		command = "notice"
	}
	e := newExtent(d.Path, d.From, d.To)
	at := fmt.Sprintf("line=%d,endLine=%d", e.Line, e.EndLine)
	if e.Line == e.EndLine { // columns count only within one line
		at += fmt.Sprintf(",col=%d,endColumn=%d", e.Column, max(e.Column, e.EndColumn))
	}
	p.Command("::%s file=%s,%s,title=%s::%s\n", command, escapeProperty(r.inRepository(d.Path)), at,
		escapeProperty(d.Rule), escapeData(clip(text.Line(d.Message), messageRunes)+" ["+d.Rule+"]"))
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
	p, done := text.Open(w)
	st := r.Stats
	p.Printf("## wiki lint\n\n")
	if len(r.Findings) == 0 {
		p.Printf("%s, %s: no findings.\n", count(st.Pages, "page"), count(st.Links, "link"))
	} else {
		p.Printf("%s, %s, %s info on %s with %s.\n\n", count(st.Errors, "error"), count(st.Warnings, "warning"), text.Thousands(st.Infos),
			count(st.Pages, "page"), count(st.Links, "link"))
		p.Printf("| rule | findings | summary |\n|---|---:|---|\n")
		for _, t := range causes(r.Findings, schema.Info) {
			p.Printf("| `%s` | %s | %s |\n", t.rule, text.Thousands(t.places), cell(r.Summaries[t.rule]))
		}
		summaryFindings(p, r)
	}
	if left := hiddenCounts(r); len(left) > 0 {
		p.Printf("\nNot shown: %s.\n", strings.Join(left, ", "))
	}
	for _, s := range r.Skipped {
		p.Printf("\nSkipped `%s`: %s.\n", strings.ReplaceAll(s.Check, "`", "'"), cell(s.Reason))
	}
	return done()
}

func summaryFindings(p *text.Writer, r *Report) {
	n := 0
	for i := range r.Findings {
		d := &r.Findings[i]
		if d.Severity < schema.Warning {
			continue
		}
		if n++; n == 1 {
			p.Printf("\n| place | severity | finding |\n|---|---|---|\n")
		}
		if n <= summaryRows {
			p.Printf("| %s:%d | %s | %s `%s` |\n", cell(r.inRepository(d.Path)), d.From.Line, d.Severity, cell(clip(d.Message, messageRunes)), d.Rule)
		}
	}
	if n > summaryRows {
		p.Printf("\nAnd %s.\n", count(n-summaryRows, "more finding"))
	}
}

// cell escapes text for a cell of a markdown table: nothing of a page's words
// becomes a link, an image or another cell.
func cell(s string) string {
	var b strings.Builder
	for _, r := range text.Line(s) {
		if strings.ContainsRune("\\`*_{}[]<>()#|!@&$~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return autolinks.Replace(b.String())
}

// autolinks breaks what becomes a link without any markup.
var autolinks = strings.NewReplacer("://", "\\://", "www.", "www\\.")
