package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	schematext "github.com/loopwiki/wiki/schema/text"
)

// Times of checking. An edited page is checked at once, by the rules that need no other
// page for it; the whole wiki once nobody types.
const (
	settleTime = 10 * time.Millisecond
	quietTime  = 250 * time.Millisecond
)

// linting is what is known of findings.
type linting struct {
	mu      sync.Mutex
	facts   *linter.Facts
	factsOf *compiler.Wiki
	whole   *wholeRun
	focus   map[string]focusRun // the last of each page
	shown   map[string]string   // what was published of each page, but its version
}

// wholeRun are the findings of all rules about a wiki.
type wholeRun struct {
	wiki   *compiler.Wiki
	byPath map[string][]schema.Diagnostic
}

// focusRun are the findings on one page of the rules that can check it alone.
type focusRun struct {
	wiki     *compiler.Wiki
	findings []schema.Diagnostic
	covered  map[string]bool // rules that found all they find on the page
}

// forget drops what was found, since it was judged by another configuration.
func (l *linting) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.facts, l.factsOf, l.whole, l.focus = nil, nil, nil, nil
}

// config returns how a wiki is linted, with the facts about it.
func (v *view) config() linter.Config {
	v.load.compiling.Lock()
	cfg := v.load.config
	v.load.compiling.Unlock()
	l := &v.lint
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.facts == nil:
		l.facts = linter.NewFacts(v.wiki)
	case l.factsOf != v.wiki:
		l.facts = l.facts.Next(v.wiki)
	}
	l.factsOf = v.wiki
	cfg.Facts, cfg.Today, cfg.Each = l.facts, v.opt.Today(), true
	return cfg
}

// diagnose publishes findings until the server ends.
func (s *server) diagnose() {
	stop, done := func() {}, make(chan struct{})
	close(done)
	for {
		select {
		case <-s.ctx.Done():
			stop()
			return
		case <-s.wakeup:
		}
		stop()
		time.Sleep(settleTime) // several changes in a row are one
		then := s.moment()
		s.publishOpen(then)
		ctx, cancel := context.WithCancel(s.ctx)
		before := done
		stop, done = cancel, make(chan struct{})
		go s.publishWhole(ctx, then, before, done)
	}
}

// publishOpen publishes findings of the open pages that changed.
func (s *server) publishOpen(then moment) {
	defer s.guard("checking a page", nil)
	v, err := s.view(s.ctx, then)
	if err != nil {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(v.then.docs)) {
		if p := v.page(v.then.docs[path].uri); p != nil {
			v.publish(s.ctx, p)
		}
	}
}

// publishWhole checks the whole wiki, once nobody types and the run before is over.
func (s *server) publishWhole(ctx context.Context, then moment, before, done chan struct{}) {
	defer close(done)
	defer s.guard("checking the wiki", nil)
	select {
	case <-ctx.Done():
		<-before
		return
	case <-time.After(quietTime):
	}
	<-before
	v, err := s.view(ctx, then)
	if err != nil {
		return
	}
	began := time.Now()
	cfg := v.config()
	cfg.Workers = max(1, runtime.GOMAXPROCS(0)-1) // somebody may type again
	res, err := linter.Run(ctx, v.wiki, cfg)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.tell(messageWarning, "%v", err)
	}
	if res == nil {
		return
	}
	run := &wholeRun{v.wiki, map[string][]schema.Diagnostic{}}
	for _, d := range res.Findings {
		run.byPath[d.Path] = append(run.byPath[d.Path], d)
	}
	s.lint.mu.Lock()
	s.lint.whole = run
	paths := slices.Collect(maps.Keys(s.lint.shown))
	s.lint.mu.Unlock()
	s.opt.Log.Debug("checked", "findings", len(res.Findings), "took", time.Since(began).Round(time.Millisecond))
	paths = slices.AppendSeq(paths, maps.Keys(run.byPath))
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		if ctx.Err() != nil {
			return
		}
		v.publishPath(path, run.byPath[path])
	}
}

// findings returns what is known of a page: what the last whole run found, if the page
// is as it was then, else what is found on it alone, and of the other rules what was
// found outside of the edited text.
func (v *view) findings(ctx context.Context, p *schema.Page) ([]schema.Diagnostic, error) {
	v.lint.mu.Lock()
	whole := v.lint.whole
	v.lint.mu.Unlock()
	var old *schema.Page
	if whole != nil {
		old = whole.wiki.Page(p.ID)
	}
	if old == p {
		return whole.byPath[p.Path], nil
	}
	run, err := v.focused(ctx, p)
	if err != nil || old == nil {
		return run.findings, err
	}
	return merge(run, whole.byPath[p.Path], newEdited(old.Source, p.Source)), nil
}

// merge joins the findings of a page alone with those of rules that look at others. Where
// both speak of one place, the latter know more.
func merge(run focusRun, whole []schema.Diagnostic, at edited) []schema.Diagnostic {
	var out []schema.Diagnostic
	known := map[schema.Span]bool{}
	for _, d := range whole {
		if span, ok := at.now(d.Span); ok && !run.covered[d.Rule] {
			d.Span, d.Fixes = span, nil // their places are those of the old text
			known[span] = true
			out = append(out, d)
		}
	}
	for _, d := range run.findings {
		if run.covered[d.Rule] && (!known[d.Span] || d.Span.Len() == 0) {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b schema.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), strings.Compare(a.Rule, b.Rule))
	})
	return out
}

// focused checks one page.
func (v *view) focused(ctx context.Context, p *schema.Page) (focusRun, error) {
	v.lint.mu.Lock()
	run, ok := v.lint.focus[p.Path]
	v.lint.mu.Unlock()
	if ok && run.wiki == v.wiki {
		return run, nil
	}
	cfg := v.config()
	cfg.Focus = []string{p.Path}
	res, err := linter.Run(ctx, v.wiki, cfg)
	if res == nil {
		return focusRun{}, err
	}
	run = focusRun{v.wiki, nil, map[string]bool{}}
	for _, r := range res.Ran {
		run.covered[r.ID] = r.Check == nil || r.Local
	}
	for _, d := range res.Findings {
		if d.Path == p.Path {
			run.findings = append(run.findings, d)
		}
	}
	v.lint.mu.Lock()
	defer v.lint.mu.Unlock()
	if v.lint.focus == nil {
		v.lint.focus = map[string]focusRun{}
	}
	v.lint.focus[p.Path] = run
	return run, nil
}

// edited is the stretch in which two texts differ.
type edited struct{ start, oldEnd, newEnd int }

func newEdited(old, now []byte) edited {
	n := min(len(old), len(now))
	start, same := 0, 0
	for start < n && old[start] == now[start] {
		start++
	}
	for same < n-start && old[len(old)-1-same] == now[len(now)-1-same] {
		same++
	}
	return edited{start, len(old) - same, len(now) - same}
}

// whole widens the stretch to whole characters.
func (e edited) whole(old, now []byte) edited {
	for e.start > 0 && (!boundary(old, e.start) || !boundary(now, e.start)) {
		e.start--
	}
	for e.oldEnd < len(old) && e.newEnd < len(now) && (!boundary(old, e.oldEnd) || !boundary(now, e.newEnd)) {
		e.oldEnd, e.newEnd = e.oldEnd+1, e.newEnd+1
	}
	return e
}

func boundary(src []byte, at int) bool { return at == len(src) || utf8.RuneStart(src[at]) }

// now returns where a place of the old text is in the new one; ok is false if it was
// edited.
func (e edited) now(s schema.Span) (schema.Span, bool) {
	switch d := e.newEnd - e.oldEnd; {
	case s.End <= e.start:
		return s, true
	case s.Start >= e.oldEnd:
		return schema.Span{Start: s.Start + d, End: s.End + d}, true
	}
	return s, false
}

// publish sends the findings of a page.
func (v *view) publish(ctx context.Context, p *schema.Page) {
	found, err := v.findings(ctx, p)
	if err != nil {
		v.tell(messageWarning, "%v", err)
		return
	}
	v.publishPath(p.Path, found)
}

// publishPath sends the findings of a file, unless they were sent or the text is another
// by now.
func (v *view) publishPath(path string, found []schema.Diagnostic) {
	full := filepath.Join(v.wiki.Workspace().Root, filepath.FromSlash(path))
	params := publishParams{URI: v.uri(full), Diagnostics: v.diagnostics(found)}
	said, err := json.Marshal(params.Diagnostics)
	if err != nil || v.pulls() {
		return
	}
	state := string(said)
	if d := v.open[path]; d != nil {
		params.URI, params.Version = d.uri, &d.version
		state = schematext.Sprintf("%d %s", d.version, said)
		if now := v.moment().docs[d.path]; now != d {
			return
		}
	}
	l := &v.lint
	l.mu.Lock()
	if l.shown == nil {
		l.shown = map[string]string{}
	}
	before, known := l.shown[path]
	if l.shown[path] = state; len(found) == 0 && params.Version == nil {
		delete(l.shown, path)
	}
	l.mu.Unlock()
	if before != state && (known || len(found) > 0 || params.Version != nil) {
		v.notify("textDocument/publishDiagnostics", params)
	}
}

var severities = map[schema.Severity]int{schema.Error: severityError, schema.Warning: severityWarning, schema.Info: severityInformation}

// diagnostics translates findings.
func (v *view) diagnostics(found []schema.Diagnostic) []diagnostic {
	out := make([]diagnostic, len(found))
	for i := range found {
		d := &found[i]
		out[i] = diagnostic{Range: v.place(d.Path, d.Span, d.From), Severity: severities[d.Severity], Code: d.Rule, Source: "wiki", Message: schematext.Line(d.Message)}
		if v.caps.Document.Publish == nil || !v.caps.Document.Publish.Related {
			continue
		}
		for _, r := range d.Related {
			out[i].Related = append(out[i].Related, relatedInformation{location{v.uriOf(r.Path), v.place(r.Path, r.Span, r.From)}, schematext.Line(r.Message)})
		}
	}
	return out
}

// place returns the range of a span; of a file that is no page, where its line begins.
func (v *view) place(path string, span schema.Span, from schema.Position) textRange {
	if p := v.pageAt(path); p != nil {
		return v.text(p).span(span)
	}
	at := position{Line: max(0, from.Line-1)}
	return textRange{at, at}
}

type diagnosticReport struct {
	Kind  string       `json:"kind"`
	Items []diagnostic `json:"items"`
}

// diagnostic answers clients that ask for the findings of a page.
func (v *view) diagnostic(ctx context.Context, p documentParams) (diagnosticReport, error) {
	out := diagnosticReport{Kind: "full", Items: []diagnostic{}}
	page := v.page(p.Document.URI)
	if page == nil {
		return out, nil
	}
	found, err := v.findings(ctx, page)
	if err == nil {
		out.Items = v.diagnostics(found)
	}
	return out, err
}
