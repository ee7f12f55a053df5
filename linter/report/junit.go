package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// The format has no standard; this is the part of it that
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
// allows and GitLab, Jenkins and their like read. A rule is a suite and a
// finding a test of it; a rule without findings is one that passes. Names hold
// no lines, since servers compare tests of two runs by class and name.
var _ = register(Format{Name: "junit", Summary: "for the test reports of GitLab, Jenkins and others", Write: writeJUnit})

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Skipped *junitOutcome `xml:"skipped"`
		Failure *junitOutcome `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitOutcome struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitClass begins the class of every test: servers treat the text before the last dot
// as a package.
const junitClass = "wiki."

// junitWriter collects the tests of every rule.
type junitWriter struct {
	*Report
	suites map[string]*junitSuite
	seen   map[[2]string]int // how often a rule has a name
}

func writeJUnit(w io.Writer, r *Report) error {
	j := &junitWriter{r, map[string]*junitSuite{}, map[[2]string]int{}}
	for i := range r.Findings {
		j.finding(&r.Findings[i])
	}
	for i := range r.Suppressed {
		j.suppressed(&r.Suppressed[i])
	}
	for _, rule := range r.Rules {
		if j.suites[rule.ID] == nil {
			j.add(rule.ID, "no findings", junitCase{})
		}
	}
	all := junitSuites{Name: "wiki lint"}
	for _, s := range j.suites {
		all.Suites = append(all.Suites, *s)
	}
	slices.SortFunc(all.Suites, func(a, b junitSuite) int { return strings.Compare(a.Name, b.Name) })
	if s := skippedChecks(r.Skipped); len(s.Cases) > 0 {
		all.Suites = append(all.Suites, s)
	}
	for i := range all.Suites {
		all.Tests += all.Suites[i].Tests
		all.Failures += all.Suites[i].Failures
	}
	return encodeXML(w, all)
}

func encodeXML(w io.Writer, v any) error {
	w = text.XML(w)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// add adds a test to the suite of a rule, under a name that no other has.
func (j *junitWriter) add(rule, name string, c junitCase) *junitSuite {
	s := j.suites[rule]
	if s == nil {
		s = &junitSuite{Name: rule}
		j.suites[rule] = s
	}
	c.Class, c.Name = junitClass+rule, name
	for key := [2]string{rule, name}; j.seen[[2]string{rule, c.Name}] > 0; {
		j.seen[key]++
		c.Name = fmt.Sprintf("%s (%d)", name, j.seen[key])
	}
	j.seen[[2]string{rule, c.Name}]++
	s.Tests++
	s.Cases = append(s.Cases, c)
	return s
}

// finding adds one that counts as a failed test, and any other as a passed one
// that has something to say.
func (j *junitWriter) finding(d *schema.Diagnostic) {
	name := text.Line(j.inRepository(d.Path) + ": " + d.Message)
	lines := j.lines(d)
	if !j.failure(d) {
		j.add(d.Rule, name, junitCase{Out: lines})
		return
	}
	j.add(d.Rule, name, junitCase{Failure: &junitOutcome{d.Severity.String(), text.Line(d.Message), lines}}).Failures++
}

func (j *junitWriter) suppressed(s *linter.Suppressed) {
	why := "suppressed by " + string(s.By)
	if s.Reason != "" {
		why += ": " + text.Line(s.Reason)
	}
	name := text.Line(j.inRepository(s.Path) + ": " + s.Message)
	j.add(s.Rule, name, junitCase{Skipped: &junitOutcome{Message: why, Text: j.lines(&s.Diagnostic)}}).Skipped++
}

// lines returns a finding and its related places as text has them.
func (j *junitWriter) lines(d *schema.Diagnostic) string {
	var b strings.Builder
	e := newExtent(d.Path, d.From, d.To)
	text.Fprintf(&b, "%s:%d:%d: %s: %s [%s]", j.inRepository(d.Path), e.Line, e.Column, d.Severity, d.Message, d.Rule)
	for _, rel := range d.Related {
		text.Fprintf(&b, "\n%s:%d: %s", j.inRepository(rel.Path), max(rel.From.Line, 1), rel.Message)
	}
	return b.String()
}

// skippedChecks is the suite of skipped checks.
func skippedChecks(list []schema.Skipped) junitSuite {
	s := junitSuite{Name: "skipped checks"}
	for _, k := range list {
		s.Tests++
		s.Skipped++
		s.Cases = append(s.Cases, junitCase{Class: junitClass + "skipped", Name: text.Line(k.Check), Skipped: &junitOutcome{Message: text.Line(k.Reason)}})
	}
	return s
}
