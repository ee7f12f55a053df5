package source

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// What of the code changed that a page is about, from what misleads most to what
// hardly concerns it. The last three are weak: the page only speaks of it.
const (
	ByLiterals  = "literals"  // a value that the page states
	ByName      = "name"      // it is gone, or called something else
	BySignature = "signature" // how it is declared
	ByTokens    = "tokens"    // anything else of it
	ByDate      = "date"      // the file was committed after the page was last known true
	ByMention   = "mention"   // the page mentions a symbol that changed
	ByLink      = "link"      // it links to the file
	ByCitation  = "citation"  // it cites the file
)

// weights orders them.
var weights = map[string]int{ByLiterals: 100, ByName: 90, BySignature: 80, ByTokens: 50, ByDate: 30, ByMention: 15, ByLink: 10, ByCitation: 5}

// Work is a page that is to be compared with the code again.
type Work struct {
	Path    string   `json:"path"`
	Reason  string   `json:"reason"`
	Facet   string   `json:"facet" jsonschema:"what changed: literals, name, signature, tokens, date, mention, link or citation"`
	Targets []string `json:"targets" jsonschema:"what the page is about that changed: paths below the repository, with #symbol behind them"`
	Weight  int      `json:"weight" jsonschema:"how likely the page misleads, from 100 down"`
	// Since is the day of the oldest change that the page does not know of; empty when
	// that is not known.
	Since string `json:"since,omitempty" jsonschema:"day of the oldest change, 2006-01-02"`
}

// Stale returns the pages that are to be compared with the code again, those first
// that most likely mislead: because of what changed since they were verified, or,
// when changes are given, since that revision, whether or not they ever were.
func Stale(ctx context.Context, w *compiler.Wiki, code *Code, lock *Lock, changes *schema.Changes) ([]Work, error) {
	list := &worklist{wiki: w, code: code, byPage: map[string]*Work{}}
	if changes != nil {
		var err error
		if lock, err = lockSince(ctx, w, code, changes); err != nil {
			return nil, err
		}
	}
	verdicts, err := Judge(ctx, w, code, lock)
	if err != nil {
		return nil, err
	}
	repository, _ := w.Repository(ctx) // nil when git knows nothing
	for i := range verdicts {
		v := &verdicts[i]
		elsewhere := v.State == StateFileMissing && v.Locked == nil && !wasHere(code, repository, v)
		if !elsewhere && (changes == nil || v.Locked != nil) {
			list.judged(v)
			list.since(v, repository)
		}
	}
	if err := list.dated(ctx, verdicts, changes); err != nil {
		return nil, err
	}
	if changes != nil {
		list.weak(ctx, changes)
	}
	return list.sorted(), ctx.Err()
}

// wasHere reports whether git knows that the file of a reference once was there:
// others are of another repository.
func wasHere(code *Code, r *compiler.Repository, v *Verdict) bool {
	return r != nil && slices.ContainsFunc(code.bases(v.Page, v.Anchor.Path), func(file string) bool { return !r.Gone(file).IsZero() })
}

// lockSince returns a lock as if all pages had been verified at a revision, as far
// as they are about what changed.
func lockSince(ctx context.Context, w *compiler.Wiki, code *Code, changes *schema.Changes) (*Lock, error) {
	base, err := w.Base(ctx, changes.Revision)
	if err != nil {
		return nil, err
	}
	was := map[string]*File{}
	former := func(file string) *File {
		f, known := was[file]
		if !known {
			if src, ok := w.Was(ctx, base, file); ok {
				f, _ = parsed.parse(ctx, file, src)
			}
			was[file] = f
		}
		return f
	}
	var all []Binding
	for _, page := range w.Pages() {
		for _, b := range locate(ctx, w, code, page) {
			files := []string{b.File}
			if b.File == "" {
				files = code.bases(page, b.Anchor.Path)
			}
			for i, file := range files {
				change, ok := changes.Files[file]
				if !ok {
					continue
				}
				old := former(cmp.Or(change.Before, file))
				if old == nil {
					continue
				}
				target := b.Target
				if b.File == "" {
					target = b.gone[i]
				}
				if s, _ := old.Anchored(&b.Anchor); s != nil {
					all = append(all, Binding{Page: page.Path, Heading: b.Section.Heading, Target: target, Facets: s.Facets})
				}
			}
		}
	}
	return newLock(all), ctx.Err()
}

// worklist collects one entry for each page.
type worklist struct {
	wiki   *compiler.Wiki
	code   *Code
	byPage map[string]*Work
}

// add notes that a page is about something that changed. The heaviest reason is
// the page's.
func (l *worklist) add(page, facet, target, reason string) {
	w := l.byPage[page]
	if w == nil {
		w = &Work{Path: page}
		l.byPage[page] = w
	}
	if weights[facet] > w.Weight {
		w.Facet, w.Reason, w.Weight = facet, reason, weights[facet]
		w.Targets = slices.DeleteFunc(w.Targets, func(t string) bool { return t == target })
		w.Targets = slices.Insert(w.Targets, 0, target)
	} else if !slices.Contains(w.Targets, target) {
		w.Targets = append(w.Targets, target)
	}
}

// since notes how long a page has been stale: since the commit that changed what it is
// about, or the file of it.
func (l *worklist) since(v *Verdict, r *compiler.Repository) {
	w, at := l.byPage[v.Page.Path], v.Since
	if at.IsZero() && r != nil && v.File != "" {
		at = r.Changed(v.File)
	}
	if w == nil || at.Time.IsZero() || v.State == StateFresh || v.State == StateReviewed || v.State == StateUnverifiable {
		return
	}
	if day := at.Time.Format(time.DateOnly); w.Since == "" || day < w.Since {
		w.Since = day
	}
}

func (l *worklist) sorted() []Work {
	out := make([]Work, 0, len(l.byPage))
	for _, w := range l.byPage {
		out = append(out, *w)
	}
	slices.SortFunc(out, func(a, b Work) int { return cmp.Or(b.Weight-a.Weight, strings.Compare(a.Path, b.Path)) })
	return out
}

// judged adds what became of an anchor.
func (l *worklist) judged(v *Verdict) {
	name := v.Name()
	switch v.State {
	case StateStaleValue:
		s := v.Values[0]
		reason := fmt.Sprintf("it states %q, which %s has no more", s.Old, name)
		if s.New != "" {
			reason = fmt.Sprintf("it states %q, and %s has %q", s.Old, name, s.New)
		}
		l.add(v.Page.Path, ByLiterals, v.Target, reason)
	case StateFileMissing:
		l.add(v.Page.Path, ByName, v.Target, "the source is gone")
	case StateSymbolMissing:
		l.add(v.Page.Path, ByName, v.Target, name+" is gone")
	case StateMoved:
		if v.Anchor.FromLine > 0 {
			l.add(v.Page.Path, ByCitation, v.Target, name+" is now "+v.Moved)
			break
		}
		l.add(v.Page.Path, ByName, v.Target, name+" is now "+v.Moved)
	case StateSignatureChanged:
		l.add(v.Page.Path, BySignature, v.Target, fmt.Sprintf("%s is declared as %q now", name, shortSignature(v.Symbol.Signature)))
	case StateBodyChanged, StateLinesChanged:
		l.add(v.Page.Path, ByTokens, v.Target, name+" changed")
	}
}

// dated adds pages by what they say of when they were true. What was judged is
// known better.
func (l *worklist) dated(ctx context.Context, verdicts []Verdict, changes *schema.Changes) error {
	r, err := l.wiki.Repository(ctx)
	if err != nil {
		return ctx.Err() // without git there are no dates of code
	}
	judged := map[*schema.Page][]schema.Span{}
	for i := range verdicts {
		if v := &verdicts[i]; v.Locked != nil {
			judged[v.Page] = append(judged[v.Page], v.At)
		}
	}
	for _, page := range l.wiki.Pages() {
		if claim.Mute(page) || schema.TemplatePath(page.Path) || len(page.Meta.Sources) == 0 {
			continue
		}
		since, how, _ := LastTrue(page, r)
		for i := range page.Meta.Sources {
			s := &page.Meta.Sources[i]
			if s.Anchor.Path == "" || s.Anchor.Rev != "" || slices.ContainsFunc(judged[page], s.Span.Overlaps) {
				continue
			}
			file, _ := l.code.Locate(page, s.Anchor.Path)
			if file == "" || changes != nil && !touched(changes, file) {
				continue
			}
			if at := r.Changed(file); !at.IsZero() && !since.IsZero() && LaterThan(at, since) {
				l.add(page.Path, ByDate, l.code.tree.Below(file), fmt.Sprintf("the source changed on %s, and the page was %s on %s", at, how, since))
			}
		}
	}
	return nil
}

// touched reports whether a file, or one in a folder, changed.
func touched(changes *schema.Changes, file string) bool {
	if _, ok := changes.Files[file]; ok {
		return true
	}
	for f := range changes.Files {
		if strings.HasPrefix(f, path.Clean(file)+"/") {
			return true
		}
	}
	return false
}

// shortSignature cuts a declaration to what fits a line.
func shortSignature(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
