// Package merge joins what two branches made of a file that agents and this program append
// to: the index, the log, wiki.lock, the baseline, acknowledgements and verdicts.
//
// In go the file of the common ancestor and those of both branches; out comes one file, or
// that only a person can join them. What one branch removed is gone, what either added is
// there, and of one entry that both changed the newer review counts. The order of the
// branches decides nothing but the order of log entries of one day.
package merge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// errVersions are two files of verdicts of different versions, or none.
var errVersions = errors.New("the versions differ")

// Versions are a file in the common ancestor, nil if it has none, and on both branches.
type Versions struct{ Base, Ours, Theirs []byte }

// joiner joins the versions of one kind of file; the error says why it can't.
type joiner func(context.Context, Versions) ([]byte, error)

// joiners are the kinds of files, by their names.
var joiners = map[string]joiner{
	"index.md": index, "_index.md": index,
	"log.md": log, "_log.md": log,
	source.LockName:                    lock,
	path.Base(schema.BaselineFile):     baseline,
	path.Base(schema.AcknowledgedFile): acknowledged,
	path.Base(schema.VerdictsFile):     verdicts,
}

// Known reports whether files of this path are joined, whatever changed.
func Known(file string) bool { return joiners[strings.ToLower(path.Base(file))] != nil }

// Files joins the versions of the file at a path. conflicts is how many places are left to
// a person, between git's markers: there are none in the files that are [Known], unless a
// version of one can't be read.
func Files(ctx context.Context, file string, v Versions) (joined []byte, conflicts int, err error) {
	switch {
	case bytes.Equal(v.Ours, v.Theirs), v.Base != nil && bytes.Equal(v.Base, v.Theirs):
		return v.Ours, 0, nil
	case v.Base != nil && bytes.Equal(v.Base, v.Ours):
		return v.Theirs, 0, nil
	}
	if join := joiners[strings.ToLower(path.Base(file))]; join != nil {
		if joined, err := join(ctx, v); err == nil {
			return joined, 0, nil
		}
	}
	return history.MergeFile(ctx, v.Base, v.Ours, v.Theirs, false)
}

// entries joins lists of entries that have a key: those of both without what one of them
// removed from base. Of entries that both changed or added, newer returns which counts.
func entries[K comparable, E any](base, ours, theirs []E, key func(*E) K, equal func(a, b *E) bool, newer func(a, b *E) *E) []E {
	before, mine, other := keyed(base, key), keyed(ours, key), keyed(theirs, key)
	var out []E
	for i := range ours {
		a := &ours[i]
		k := key(a)
		b, was := other[k], before[k]
		switch {
		case b == nil && was != nil && equal(a, was): // removed there
		case b == nil, was != nil && equal(b, was):
			out = append(out, *a)
		case was != nil && equal(a, was):
			out = append(out, *b)
		default:
			out = append(out, *newer(a, b))
		}
	}
	for i := range theirs {
		b := &theirs[i]
		k := key(b)
		if mine[k] == nil && (before[k] == nil || !equal(b, before[k])) {
			out = append(out, *b)
		}
	}
	return out
}

func keyed[K comparable, E any](list []E, key func(*E) K) map[K]*E {
	out := make(map[K]*E, len(list))
	for i := range list {
		if k := key(&list[i]); out[k] == nil {
			out[k] = &list[i]
		}
	}
	return out
}

// all reads the three versions of a file; one that is not there has no entries.
func all[T any](v Versions, read func([]byte) (T, error)) (base, ours, theirs T, err error) {
	for _, side := range []struct {
		src  []byte
		into *T
	}{{v.Base, &base}, {v.Ours, &ours}, {v.Theirs, &theirs}} {
		if len(bytes.TrimSpace(side.src)) == 0 {
			continue
		}
		if *side.into, err = read(side.src); err != nil {
			return base, ours, theirs, err
		}
	}
	return base, ours, theirs, nil
}

// lock joins wiki.lock: of two verifications of one binding the later one counts.
func lock(_ context.Context, v Versions) ([]byte, error) {
	base, ours, theirs, err := all(v, func(src []byte) ([]source.Binding, error) {
		l, err := source.ParseLock(src)
		if err != nil {
			return nil, err
		}
		return l.Bindings, nil
	})
	if err != nil {
		return nil, err
	}
	line := func(b *source.Binding) string { return string((&source.Lock{Bindings: []source.Binding{*b}}).Format()) }
	joined := entries(base, ours, theirs, func(b *source.Binding) [3]string { return [3]string{b.Page, b.Heading, b.Target} },
		func(a, b *source.Binding) bool { return line(a) == line(b) },
		func(a, b *source.Binding) *source.Binding {
			if cmp.Or(a.Date.Compare(b.Date), strings.Compare(line(a), line(b))) >= 0 {
				return a
			}
			return b
		})
	return (&source.Lock{}).With(joined, nil).Format(), nil
}

// baseline joins .loopwiki/baseline.json: of equal findings that both accepted the larger
// number and the older day count.
func baseline(_ context.Context, v Versions) ([]byte, error) {
	base, ours, theirs, err := all(v, func(src []byte) ([]linter.BaselineEntry, error) {
		b, err := linter.ReadBaseline("", src)
		if err != nil {
			return nil, err
		}
		return b.Entries, nil
	})
	if err != nil {
		return nil, err
	}
	joined := entries(base, ours, theirs, func(e *linter.BaselineEntry) [3]string { return [3]string{e.Path, e.Rule, e.Text} },
		func(a, b *linter.BaselineEntry) bool { return *a == *b },
		func(a, b *linter.BaselineEntry) *linter.BaselineEntry {
			both := *a
			both.Count = max(a.Count, b.Count)
			if both.Since == "" || b.Since != "" && b.Since < both.Since {
				both.Since = b.Since
			}
			return &both
		})
	slices.SortStableFunc(joined, func(a, b linter.BaselineEntry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Text, b.Text))
	})
	return (&linter.Baseline{Entries: joined}).JSON(), nil
}

// acknowledged joins .loopwiki/acknowledged.yaml: of two acknowledgements of one
// contradiction the later one counts.
func acknowledged(_ context.Context, v Versions) ([]byte, error) {
	base, ours, theirs, err := all(v, func(src []byte) ([]linter.AcknowledgedEntry, error) {
		a, err := linter.ReadAcknowledged("", src)
		if err != nil {
			return nil, err
		}
		return a.Entries, nil
	})
	if err != nil {
		return nil, err
	}
	text := func(e *linter.AcknowledgedEntry) string {
		return string((&linter.Acknowledgements{Entries: []linter.AcknowledgedEntry{*e}}).YAML())
	}
	sides := func(e *linter.AcknowledgedEntry) string {
		var parts []string
		for _, s := range e.Sides {
			parts = append(parts, s.Page, s.Hash)
		}
		return strings.Join(parts, "\x00")
	}
	joined := entries(base, ours, theirs, sides,
		func(a, b *linter.AcknowledgedEntry) bool { return text(a) == text(b) },
		func(a, b *linter.AcknowledgedEntry) *linter.AcknowledgedEntry {
			if cmp.Or(strings.Compare(a.Since, b.Since), strings.Compare(text(a), text(b))) >= 0 {
				return a
			}
			return b
		})
	out := &linter.Acknowledgements{}
	for _, e := range joined {
		out = out.With(e, func(*linter.AcknowledgedEntry) bool { return false })
	}
	return out.YAML(), nil
}

// verdicts joins .loopwiki/verdicts.jsonl by its lines, which are sorted. Where two models
// disagree both lines stay, which the reader of verdicts takes for an unclear one.
func verdicts(_ context.Context, v Versions) ([]byte, error) {
	lines := func(src []byte) ([]string, error) {
		return slices.DeleteFunc(strings.Split(strings.TrimRight(string(src), "\n"), "\n"), func(l string) bool { return l == "" }), nil
	}
	base, ours, theirs, err := all(v, lines)
	if err != nil || len(ours) == 0 || len(theirs) == 0 || ours[0] != theirs[0] {
		return nil, cmp.Or(err, errVersions)
	}
	same := func(a, b *string) bool { return *a == *b }
	joined := entries(base, ours, theirs, func(s *string) string { return *s }, same, func(a, _ *string) *string { return a })
	head := joined[:1]
	slices.Sort(joined[1:])
	return []byte(strings.Join(slices.Concat(head, slices.Compact(joined[1:])), "\n") + "\n"), nil
}
