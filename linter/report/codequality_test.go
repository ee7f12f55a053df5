package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestCodeQualityForm checks what GitLab documents: the fields that it asks for,
// its severities, paths below the repository, and fingerprints that differ.
func TestCodeQualityForm(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Write("codequality", &b, sample()); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Description, Check_name, Fingerprint, Severity string
		Location                                       struct {
			Path  string
			Lines struct{ Begin, End int }
		}
	}
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(sample().Findings) {
		t.Errorf("%d issues", len(list))
	}
	prints := map[string]bool{}
	for _, c := range list {
		if c.Description == "" || c.Check_name == "" || c.Fingerprint == "" || prints[c.Fingerprint] || c.Location.Lines.Begin < 1 || c.Location.Lines.End < c.Location.Lines.Begin {
			t.Errorf("incomplete, or there twice: %+v", c)
		}
		prints[c.Fingerprint] = true
		if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, c.Severity) {
			t.Errorf("GitLab knows no severity %q", c.Severity)
		}
		if strings.HasPrefix(c.Location.Path, "/") || strings.HasPrefix(c.Location.Path, ".") {
			t.Errorf("the path %s is not below the repository", c.Location.Path)
		}
	}
	b.Reset()
	if err := Write("codequality", &b, &Report{}); err != nil || b.String() != "[]\n" {
		t.Errorf("of nothing it makes %q, %v", b.String(), err)
	}
}
