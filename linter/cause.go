package linter

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/schema"
)

// sharedCause is a cause shared by findings of any rule: its key and its wording.
type sharedCause struct{ key, what string }

// causesOf are the causes that a finding may share with others of its rule, the most
// particular first: the very same text, as pages made from one template have it, and
// the same part of a link, as those of one convention have it.
func causesOf(f *finding, where places) []sharedCause {
	page := where.page(f.Path)
	if page == nil || page.Path != f.Path || f.Span.Len() == 0 || f.Secret {
		return nil
	}
	text := f.Span.In(page.Source)
	out := []sharedCause{{fmt.Sprintf("text:%x", xxh3.Hash(normalise(nil, text))), "the same text"}}
	if part := linkPart(text); part != "" {
		out = append(out, sharedCause{"part:" + part, fmt.Sprintf("%q", part)})
	}
	return out
}

// linkPart returns what links by one convention have in common: the word before a
// colon, as in [[concept:Name]], or the key of a fragment, as in a.pdf#page=12.
func linkPart(link []byte) string {
	if !bytes.ContainsAny(link[:min(len(link), 2)], "[!<") {
		return ""
	}
	target := strings.Trim(string(link[:min(len(link), identifiedText)]), "[]<>! \n")
	if i := strings.LastIndex(target, "]("); i >= 0 {
		target = strings.Trim(target[i+2:], "<>)")
	}
	target, _, _ = strings.Cut(target, "|")
	if i := strings.IndexByte(target, '#'); i >= 0 {
		if key, _, ok := strings.Cut(target[i:], "="); ok {
			return key + "="
		}
	}
	word, rest, ok := strings.Cut(target, ":")
	if ok && word != "" && rest != "" && !strings.ContainsAny(word, " /.#") && !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "//") {
		return word + ":"
	}
	return ""
}

// sharedPlaces is the most other places that such a finding lists, since each is a fault
// of its own.
const sharedPlaces = 100

// collapseShared says once what more than [causeThreshold] findings share that their
// rule gave no cause in common.
func collapseShared(r *Rule, found []finding, where places) []finding {
	if r.contradicts() || len(found) <= causeThreshold {
		return found
	}
	type key struct {
		cause string
		sev   schema.Severity
	}
	groups, what := map[key][]int{}, map[key]string{}
	for i := range found {
		for _, c := range causesOf(&found[i], where) {
			k := key{c.key, found[i].Severity}
			groups[k] = append(groups[k], i)
			what[k] = c.what
		}
	}
	drop := make([]bool, len(found))
	for i := range found {
		for _, c := range causesOf(&found[i], where) {
			k := key{c.key, found[i].Severity}
			g := groups[k]
			if drop[i] || len(g) <= causeThreshold || g[0] != i {
				continue
			}
			rest := g[:0:0]
			for _, j := range g {
				if !drop[j] {
					rest = append(rest, j)
				}
			}
			if len(rest) <= causeThreshold {
				continue
			}
			first := found[i].Message
			plain := *r
			plain.Cause = func(n int, _ schema.Diagnostic) string {
				return fmt.Sprintf("%d findings share one cause, %s; the first: %s", n, what[k], first)
			}
			found[i].Diagnostic, found[i].cause = one(&plain, found, rest, sharedPlaces), c.key
			for _, j := range rest[1:] {
				drop[j] = true
			}
		}
	}
	return keep(found, drop)
}

// yields says which rule leaves a place to which others that say more about it.
var yields = map[string][]string{
	"broken-link":        {"index-dead-entry"},
	"broken-wikilink":    {"index-dead-entry", "wanted-page"},
	"malformed-wikilink": {"table-shape"},
}

// spreads are the rules whose related places have the same fault, so that yielding rules
// don't report it there either. wanted-page is not one of them: a broken link is an
// error at every place.
var spreads = map[string]bool{"table-shape": true}

// yield takes out what another rule reports at the same place.
func (o *Outcome) yield() {
	type place struct {
		rule, path string
	}
	taken := map[place][]schema.Span{}
	for i := range o.judged {
		j := &o.judged[i]
		for k := range j.kept {
			f := &j.kept[k]
			if j.pass.silent {
				continue
			}
			taken[place{f.Rule, f.Path}] = append(taken[place{f.Rule, f.Path}], f.Span)
			if !spreads[f.Rule] {
				continue
			}
			for _, r := range f.Related {
				taken[place{f.Rule, r.Path}] = append(taken[place{f.Rule, r.Path}], r.Span)
			}
		}
	}
	for _, spans := range taken {
		slices.SortFunc(spans, func(a, b schema.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	for i := range o.judged {
		j := &o.judged[i]
		winners := yields[j.pass.Rule.ID]
		if len(winners) == 0 {
			continue
		}
		drop := make([]bool, len(j.kept))
		for k := range j.kept {
			f := &j.kept[k]
			for _, w := range winners {
				spans := taken[place{w, f.Path}]
				at, _ := slices.BinarySearchFunc(spans, f.Span.Start, func(s schema.Span, start int) int { return cmp.Compare(s.End, start+1) })
				drop[k] = drop[k] || at < len(spans) && spans[at].Overlaps(f.Span)
			}
		}
		j.kept = keep(j.kept, drop)
	}
}
