package main

import (
	"bytes"
	"os"
	"strings"

	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/writing"
)

// reportPlan is one report to write: to a file, or to standard output.
type reportPlan struct{ format, file string }

// planReports decides what to write where. In GitHub Actions annotations come
// by themselves unless another format was asked for.
func (p *program) planReports(format string, outputs []string) ([]reportPlan, error) {
	var plan []reportPlan
	switch {
	case format != "":
		plan = append(plan, reportPlan{format: format})
	case p.env("GITHUB_ACTIONS") == "true":
		plan = append(plan, reportPlan{format: "text"}, reportPlan{format: "github"})
	default:
		plan = append(plan, reportPlan{format: "text"})
	}
	for _, o := range outputs {
		name, file, ok := strings.Cut(o, "=")
		if !ok || file == "" {
			return nil, misuse("write it as json=lint.json", "--output: %q is not FORMAT=FILE", o)
		}
		plan = append(plan, reportPlan{name, p.path(file)})
	}
	for _, r := range plan {
		flag := "--format"
		if r.file != "" {
			flag = "--output"
		}
		if !contains(formatNames(), r.format) {
			return nil, misuse(oneOf(r.format, formatNames()), "%s: unknown format %q", flag, r.format)
		}
	}
	return plan, nil
}

func (p *program) writeReports(plan []reportPlan, r *report.Report) error {
	for _, to := range plan {
		if to.file == "" {
			if err := report.Write(to.format, p.out, r); err != nil {
				return err
			}
			continue
		}
		plain := *r
		plain.Color = false
		var b bytes.Buffer
		if err := report.Write(to.format, &b, &plain); err != nil {
			return err
		}
		end := writing.Begin()
		err := os.WriteFile(to.file, b.Bytes(), 0o666)
		end()
		if err != nil {
			return err
		}
	}
	if summary := p.env("GITHUB_STEP_SUMMARY"); summary != "" && p.env("GITHUB_ACTIONS") == "true" {
		return appendSummary(summary, r)
	}
	return nil
}

// appendSummary adds the findings to the page that GitHub shows for a step.
func appendSummary(file string, r *report.Report) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	return report.StepSummary(f, r)
}

// severity reads the value of a flag.
func severity(flag, name string) (schema.Severity, error) {
	var s schema.Severity
	if err := s.UnmarshalText([]byte(name)); err != nil || s == schema.Off {
		return s, misuse(oneOf(name, []string{"error", "warning", "info"}), "%s: %q is not a severity", flag, name)
	}
	return s, nil
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}
