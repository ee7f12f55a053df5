package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// contradictionAt finds a contradiction by its fingerprint, or by the place of any of
// its sides.
func (p *program) contradictionAt(ws *compiler.Workspace, res *linter.Result, what string) (*schema.Diagnostic, error) {
	all := res.Findings
	for i := range res.Suppressed {
		if s := &res.Suppressed[i]; s.By == linter.ByAcknowledgement { // to give it another reason, or day
			all = append(slices.Clip(all), s.Diagnostic)
		}
	}
	path, line, column := splitPlace(what)
	if path == "" {
		return byFingerprint(all, what)
	}
	within, outside, err := p.below(ws, []string{path})
	switch {
	case err != nil:
		return nil, err
	case len(outside) > 0:
		return nil, misuse("the root is "+ws.RootPath+"; 'wiki doctor' explains why", "%s is outside the wiki", path)
	}
	var hits []*schema.Diagnostic
	other := ""
	for i := range all {
		d := &all[i]
		if !slices.ContainsFunc(places(d), func(at schema.Related) bool {
			return at.Path == within[0] && at.From.Line <= line && line <= max(at.From.Line, at.To.Line) && (column == 0 || at.From.Column == column)
		}) {
			continue
		}
		if len(d.Sides) > 0 {
			hits = append(hits, d)
		} else {
			other = d.Rule
		}
	}
	switch {
	case len(hits) == 1:
		return hits[0], nil
	case len(hits) > 1:
		var prints []string
		for _, d := range hits {
			prints = append(prints, d.Fingerprint+" ("+d.Rule+")")
		}
		return nil, misuse("add the column, or use a fingerprint:  "+text.List(prints, "or"), "--ack: %s at %s", text.Count(len(hits), "contradiction"), what)
	case other != "":
		return nil, noContradiction(other)
	}
	return nil, misuse("'wiki lint' lists contradictions, --format json their fingerprints", "--ack: no contradiction at %s", what)
}

// places are those of a finding, the first its own.
func places(d *schema.Diagnostic) []schema.Related {
	return append([]schema.Related{{Path: d.Path, From: d.From, To: d.To}}, d.Related...)
}

var placePattern = schema.Expression(`^(.+?):(\d+)(?::(\d+))?$`)

// splitPlace reads PATH:LINE or PATH:LINE:COLUMN; path is empty when it is
// neither, column 0 when none is given.
func splitPlace(what string) (path string, line, column int) {
	m := placePattern().FindStringSubmatch(what)
	if m == nil {
		return "", 0, 0
	}
	line, _ = strconv.Atoi(m[2]) // one that is too large is not a line
	column, _ = strconv.Atoi(m[3])
	return m[1], line, column
}

func byFingerprint(all []schema.Diagnostic, print string) (*schema.Diagnostic, error) {
	for i := range all {
		d := &all[i]
		if !strings.EqualFold(d.Fingerprint, print) {
			continue
		}
		if len(d.Sides) == 0 {
			return nil, noContradiction(d.Rule)
		}
		return d, nil
	}
	return nil, misuse("use PATH:LINE from 'wiki lint', or a fingerprint from --format json", "--ack: unknown fingerprint %q", print)
}

func noContradiction(rule string) error {
	return misuse("to suppress other findings, see 'wiki lint --explain unused-suppression'", "--ack: %s is not a contradiction", rule)
}
