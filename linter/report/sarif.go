package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// The format is SARIF 2.1.0 with its errata:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
// GitHub takes no notice of suppressions and would show an alert for each of
// them, so there is one form for it, and one for everybody else.
var (
	_ = register(Format{Name: "sarif", Summary: "SARIF 2.1.0 for editors and dashboards, with suppressed findings", Write: writeSARIF})
	_ = register(Format{Name: "code-scanning", Summary: "SARIF 2.1.0 for GitHub code scanning, without suppressed findings", Write: writeCodeScanning})
)

// What GitHub takes of one run, as
// https://docs.github.com/code-security/reference/code-scanning/sarif-files/sarif-support
// has it. Other readers take more, but none asks for more.
const (
	sarifResults   = 25_000
	sarifLocations = 1_000    // of one result
	sarifBytes     = 10 << 20 // compressed by gzip
	sarifText      = 1_024    // characters of a rule's descriptions
)

// The document. Lists that may be empty and must be there are never nil.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool            sarifTool                `json:"tool"`
		Invocations     []sarifInvocation        `json:"invocations"`
		BaseIDs         map[string]sarifArtifact `json:"originalUriBaseIds"`
		Results         []sarifResult            `json:"results"`
		DefaultEncoding string                   `json:"defaultEncoding"`
		ColumnKind      string                   `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string          `json:"id"`
		Name             string          `json:"name"`
		ShortDescription sarifMessage    `json:"shortDescription"`
		FullDescription  sarifMessage    `json:"fullDescription"`
		Help             sarifMessage    `json:"help"`
		HelpURI          string          `json:"helpUri,omitempty"`
		Default          sarifDefault    `json:"defaultConfiguration"`
		Properties       *sarifRuleProps `json:"properties,omitempty"`
	}
	sarifRuleProps struct {
		Tags []string `json:"tags"`
	}
	sarifDefault struct {
		Enabled *bool  `json:"enabled,omitempty"` // true unless said otherwise
		Level   string `json:"level"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Descriptor sarifDescriptor `json:"descriptor"`
		Level      string          `json:"level"`
		Message    sarifMessage    `json:"message"`
	}
	sarifDescriptor struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifMessage       `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Occurrences  int                `json:"occurrenceCount,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI         string        `json:"uri,omitempty"`
		URIBaseID   string        `json:"uriBaseId,omitempty"`
		Description *sarifMessage `json:"description,omitempty"`
	}
	sarifRegion struct {
		StartLine   int  `json:"startLine,omitempty"`
		StartColumn int  `json:"startColumn,omitempty"`
		EndLine     int  `json:"endLine,omitempty"`
		EndColumn   int  `json:"endColumn,omitempty"`
		CharOffset  *int `json:"charOffset,omitempty"`
		CharLength  *int `json:"charLength,omitempty"`
		ByteOffset  *int `json:"byteOffset,omitempty"`
		ByteLength  *int `json:"byteLength,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	sarifFix struct {
		Description sarifMessage  `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
		Properties  sarifFixProps `json:"properties"`
	}
	sarifFixProps struct {
		Safe bool `json:"safe"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion  `json:"deletedRegion"`
		Inserted sarifContent `json:"insertedContent"`
	}
	sarifContent struct {
		Text   *string `json:"text,omitempty"`
		Binary *string `json:"binary,omitempty"` // in base64
	}
)

const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifBase    = "%SRCROOT%"
	sarifBaseFor = "The repository; without one, the folder of the wiki's pages."
	// sarifPrint is the name of our fingerprints. The number changes when what
	// they are made of does.
	sarifPrint = "wikiFinding/v1"
)

func writeSARIF(w io.Writer, r *Report) error { return encodeSARIF(w, r, r.Suppressed) }

func writeCodeScanning(w io.Writer, r *Report) error { return encodeSARIF(w, r, nil) }

// encodeSARIF writes as much of the report as GitHub takes: everything, then
// everything without its fixes, then fewer and fewer findings.
func encodeSARIF(w io.Writer, r *Report, suppressed []linter.Suppressed) error {
	all := append(slices.Clone(r.Findings), asFindings(suppressed)...)
	why := map[int]linter.Suppressed{}
	for i, s := range suppressed {
		why[len(r.Findings)+i] = s
	}
	for n, fixes := min(len(all), sarifResults), true; ; {
		var b bytes.Buffer
		enc := json.NewEncoder(text.JSON(&b))
		enc.SetEscapeHTML(false)
		if err := enc.Encode(newSARIF(r, all, why, n, fixes)); err != nil {
			return err
		}
		if n == 0 || compressed(b.Bytes()) <= sarifBytes {
			_, err := text.JSON(w).Write(b.Bytes())
			return err
		}
		if !fixes {
			n /= 2
		}
		fixes = false
	}
}

func asFindings(list []linter.Suppressed) []schema.Diagnostic {
	out := make([]schema.Diagnostic, len(list))
	for i, s := range list {
		out[i] = s.Diagnostic
	}
	return out
}

// compressed returns a size that gzip does not go beyond.
func compressed(b []byte) int {
	if len(b) < sarifBytes {
		return len(b)
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out) // neither writes to a buffer can fail
	z.Write(b)
	z.Close()
	return out.Len()
}

// newSARIF returns the document of the n worst findings; why maps the indexes of
// suppressed ones.
func newSARIF(r *Report, all []schema.Diagnostic, why map[int]linter.Suppressed, n int, fixes bool) *sarifLog {
	s := &sarifWriter{Report: r, locator: newLocator(r), index: map[string]int{}, fixes: fixes}
	run := sarifRun{
		Tool:            sarifTool{sarifDriver{Name: "wiki lint", Version: r.Version, InformationURI: Home}},
		BaseIDs:         map[string]sarifArtifact{sarifBase: {Description: &sarifMessage{Text: sarifBaseFor}}},
		Results:         []sarifResult{},
		DefaultEncoding: "utf-8",
		ColumnKind:      "unicodeCodePoints",
	}
	run.Tool.Driver.Rules = s.rules(all)
	for _, i := range worstFirst(all, why, n) {
		res := s.result(&all[i])
		if by, ok := why[i]; ok {
			res.Suppressions = []sarifSuppression{newSuppression(by)}
		}
		run.Results = append(run.Results, res)
	}
	run.Invocations = []sarifInvocation{{Successful: true, Notifications: s.notifications(len(all) - n)}}
	return &sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
}

// worstFirst returns the indexes of the n most important findings, in their order:
// errors before warnings before info, and unsuppressed before suppressed.
func worstFirst(all []schema.Diagnostic, why map[int]linter.Suppressed, n int) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	if n < len(all) {
		rank := func(i int) int {
			if _, ok := why[i]; ok {
				return int(schema.Error) + 1
			}
			return int(schema.Error - all[i].Severity)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
		order = order[:n]
		slices.Sort(order)
	}
	return order
}

// sarifWriter is the data shared by the parts of one run.
type sarifWriter struct {
	*Report
	*locator
	index   map[string]int // of rules
	fixes   bool
	related int // places that were left out
	dropped int // fixes that were left out
}

// rules describes those that ran, and those that only have findings.
func (s *sarifWriter) rules(all []schema.Diagnostic) []sarifRule {
	out := []sarifRule{}
	add := func(r *linter.Rule) {
		if _, ok := s.index[r.ID]; !ok {
			s.index[r.ID] = len(out)
			out = append(out, s.rule(r))
		}
	}
	for _, r := range s.Rules {
		add(r)
	}
	for i := range all {
		d := &all[i]
		if _, ok := s.index[d.Rule]; !ok {
			add(&linter.Rule{ID: d.Rule, Severity: d.Severity, Summary: cmp.Or(s.Summaries[d.Rule], d.Rule+".")})
		}
	}
	return out
}

func (s *sarifWriter) rule(r *linter.Rule) sarifRule {
	doc := cmp.Or(strings.TrimSpace(r.Doc), r.Summary)
	first, _, _ := strings.Cut(doc, "\n\n")
	out := sarifRule{ID: r.ID, Name: pascal(r.ID), HelpURI: s.manual(r.ID),
		ShortDescription: sarifMessage{Text: clip(r.Summary, sarifText)},
		FullDescription:  sarifMessage{Text: clip(text.Collapse(first), sarifText)},
		Help:             sarifMessage{Text: doc, Markdown: doc},
		Default:          sarifDefault{Level: sarifLevel(r.Severity)},
	}
	if r.Severity == schema.Off {
		out.Default = sarifDefault{Enabled: new(bool), Level: sarifLevel(schema.Warning)}
	}
	if r.Group != "" {
		out.Properties = &sarifRuleProps{Tags: []string{string(r.Group)}}
	}
	return out
}

// pascal writes broken-link as BrokenLink, which is how names of rules look in
// SARIF.
func pascal(id string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(id, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

func sarifLevel(s schema.Severity) string {
	if s == schema.Error || s == schema.Warning {
		return s.String()
	}
	return "note"
}

func (s *sarifWriter) result(d *schema.Diagnostic) sarifResult {
	out := sarifResult{RuleID: d.Rule, RuleIndex: s.index[d.Rule], Level: sarifLevel(d.Severity), Message: sarifMessage{Text: text.Line(d.Message)},
		Locations: []sarifLocation{{Physical: s.physical(d.Path, d.From, d.To)}}}
	if d.Fingerprint != "" {
		out.Fingerprints = map[string]string{sarifPrint: d.Fingerprint}
	}
	if d.Count > 1 {
		out.Occurrences = d.Count
	}
	for i, rel := range d.Related {
		if i == sarifLocations-1 {
			s.related += len(d.Related) - i
			break
		}
		out.Related = append(out.Related, sarifLocation{ID: i + 1, Physical: s.physical(rel.Path, rel.From, rel.To),
			Message: &sarifMessage{Text: text.Line(rel.Message)}})
	}
	for _, fix := range d.Fixes {
		switch {
		case len(fix.Moves) > 0: // a file that gets another path has no form in SARIF
		case !s.fixes:
			s.dropped++
		default:
			out.Fixes = append(out.Fixes, s.fix(fix))
		}
	}
	return out
}

func (s *sarifWriter) physical(path string, from, to schema.Position) sarifPhysical {
	e := newExtent(path, from, to)
	return sarifPhysical{s.artifact(path), sarifRegion{StartLine: e.Line, StartColumn: e.Column, EndLine: e.EndLine, EndColumn: e.EndColumn}}
}

func (s *sarifWriter) artifact(path string) sarifArtifact {
	return sarifArtifact{URI: (&url.URL{Path: s.inRepository(path)}).String(), URIBaseID: sarifBase}
}

func (s *sarifWriter) fix(f schema.Fix) sarifFix {
	title := text.Line(f.Title)
	if !f.Safe {
		title += " (review the result)"
	}
	out := sarifFix{Description: sarifMessage{Text: title}, Changes: []sarifChange{}, Properties: sarifFixProps{f.Safe}}
	at := map[string]int{}
	for _, e := range f.Edits {
		i, ok := at[e.Path]
		if !ok {
			i = len(out.Changes)
			at[e.Path] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: s.artifact(e.Path)})
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, s.replacement(e))
	}
	return out
}

// replacement gives the region of an edit in lines and columns and in
// characters, which have to agree. Bytes are for files whose text is not
// known: a region in bytes asks for content in bytes.
func (s *sarifWriter) replacement(e schema.Edit) sarifReplacement {
	from, ok := s.find(e.Path, e.Span.Start)
	to, _ := s.find(e.Path, e.Span.End)
	switch {
	case ok:
		length := to.chars - from.chars
		return sarifReplacement{sarifRegion{StartLine: from.line, StartColumn: from.column, EndLine: to.line, EndColumn: to.column,
			CharOffset: &from.chars, CharLength: &length}, sarifContent{Text: &e.Text}}
	case e.Span == schema.Span{}: // the file is new
		return sarifReplacement{sarifRegion{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1, CharOffset: new(int), CharLength: new(int)}, sarifContent{Text: &e.Text}}
	}
	start, length := e.Span.Start, e.Span.Len()
	content := base64.StdEncoding.EncodeToString([]byte(e.Text))
	return sarifReplacement{sarifRegion{ByteOffset: &start, ByteLength: &length}, sarifContent{Binary: &content}}
}

// newSuppression says where the request not to see a finding is kept.
func newSuppression(s linter.Suppressed) sarifSuppression {
	out := sarifSuppression{Kind: "inSource", Status: "accepted", Justification: text.Line(s.Reason)}
	if s.By != linter.ByComment && s.By != linter.ByFrontmatter {
		out.Kind = "external"
	}
	if out.Justification == "" {
		out.Justification = "suppressed by " + string(s.By) + ", without a reason"
	}
	return out
}

// notifications lists skipped checks and omitted findings.
func (s *sarifWriter) notifications(findings int) []sarifNotification {
	out := []sarifNotification{}
	note := func(id, text string) {
		out = append(out, sarifNotification{sarifDescriptor{id}, "warning", sarifMessage{Text: text}})
	}
	for _, k := range s.Skipped {
		note(k.Check, "skipped "+k.Check+": "+text.Line(k.Reason))
	}
	for _, left := range []struct {
		n    int
		noun string
	}{{findings, "finding"}, {s.related, "related place"}, {s.dropped, "suggested edit"}} {
		if left.n > 0 {
			note("report-cut", fmt.Sprintf("%s left out because of GitHub's limits; use the format json for all findings", count(left.n, left.noun)))
		}
	}
	return out
}
