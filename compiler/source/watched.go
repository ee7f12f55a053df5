package source

import (
	"context"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Watched says of each page that was verified against code what became of that,
// and who verified it last, by path, for those who show pages.
func Watched(ctx context.Context, w *compiler.Wiki, verdicts []Verdict) map[string]schema.Watched {
	out := map[string]schema.Watched{}
	mark(out, verdicts)
	if !slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Locked != nil }) {
		return out
	}
	who := whoVerified(ctx, w)
	seen := map[bindingKey]bool{}
	for i := range verdicts {
		v := &verdicts[i]
		key := bindingKey{v.Page.Path, v.Section.Heading, v.Target}
		if v.Locked == nil || seen[key] {
			continue
		}
		seen[key] = true
		w := out[v.Page.Path]
		if v.Narrowed {
			w.Notes = append(w.Notes, v.notes()...)
			out[v.Page.Path] = w
			continue
		}
		w.Symbols++
		if v.Locked.Date.After(w.Since.Time) {
			w.Since, w.By = schema.Moment{Time: v.Locked.Date, Day: true}, nil
		}
		if by := who[v.Locked.names()]; by != "" && v.Locked.Date.Equal(w.Since.Time) && !slices.Contains(w.By, by) {
			w.By = append(w.By, by)
			slices.Sort(w.By)
		}
		w.Edited = w.Edited || v.Locked.Reviewed != v.Section.Hash(v.Page)
		switch v.State {
		case StateFresh, StateMoved, StateReviewed, StateUnverifiable:
		default:
			w.Changed++
		}
		w.Notes = append(w.Notes, v.notes()...)
		out[v.Page.Path] = w
	}
	return out
}

// mark notes the citations that no longer hold, also on pages that nobody verified.
func mark(out map[string]schema.Watched, verdicts []Verdict) {
	for i := range verdicts {
		v := &verdicts[i]
		m := schema.StaleMark{Span: v.At}
		switch {
		case v.State == StateMoved:
			m.Moved = v.Moved
		case v.State == StateLinesChanged:
			m.Now = v.Now
		case v.State == StateStaleValue && v.Locked == nil:
			m.Says = v.Values[0].Old
		default:
			continue
		}
		w := out[v.Page.Path]
		w.Stale = append(w.Stale, m)
		out[v.Page.Path] = w
	}
}

// Files returns the paths, below the repository, of the files that verdicts rest
// on, sorted and each once.
func Files(verdicts []Verdict) []string {
	var out []string
	for i := range verdicts {
		if v := &verdicts[i]; v.Symbol != nil || v.Locked != nil {
			out = append(out, schema.ParseAnchor(v.Target).Path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// notes are what a reader of the page has to know.
func (v *Verdict) notes() []schema.WatchNote {
	n := schema.WatchNote{Name: v.Name(), Path: schema.ParseAnchor(v.Target).Path, Since: v.Since}
	if v.Symbol != nil {
		n.Line = v.Symbol.Line
	}
	switch v.State {
	case StateStaleValue:
		var out []schema.WatchNote
		for _, s := range v.Values {
			n.Says, n.Code = s.Old, s.New
			out = append(out, n)
		}
		return out
	case StateSignatureChanged:
		n.Code = v.Symbol.Signature
		if v.Old != nil {
			n.Was = v.Old.Signature
		}
		return []schema.WatchNote{n}
	}
	return nil
}
