package site

import (
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
	"github.com/loopwiki/wiki/site/theme"
)

// maxSources bounds the list of sources of one page.
const maxSources = 100

// sources lists what a page was made from. What the wiki resolved becomes a
// link: a page, a published file, code in the repository, an address.
func (s *Site) sources(p *schema.Page, from string) (list []theme.Source, more int) {
	for i, ref := range p.Meta.Sources {
		if len(list) == maxSources {
			return list, len(p.Meta.Sources) - i
		}
		href, public := s.sourceHref(p, ref, from)
		if !public {
			continue
		}
		src := theme.Source{ID: ref.ID, Title: ref.Title, Place: place(ref.Anchor), Href: href}
		if src.Title == "" {
			src.Title = firstOf(ref.Anchor.Path, ref.Anchor.URL, ref.Anchor.Raw, ref.ID)
		}
		if src.Title = clip(strings.TrimSpace(src.Title), 200); src.Title != "" {
			list = append(list, src)
		}
	}
	return list, 0
}

// sourceHref returns where a source is, "" if nowhere, and false for a page that is not
// published.
func (s *Site) sourceHref(p *schema.Page, ref schema.SourceRef, from string) (href string, public bool) {
	if s.public.Cites(p, ref.Anchor) {
		return "", false
	}
	if ref.Anchor.URL != "" {
		href = safeURL(ref.Anchor.URL)
	}
	for l, res := range s.wiki.Links(p) {
		if l.Field == "" || !l.Span.Overlaps(ref.Span) || !res.OK() {
			continue
		}
		if s.public.Leads(res) {
			return "", false
		}
		href = s.href(from, l, res)
		if res.Kind == schema.TargetOutside {
			href = s.codeURL(outsidePath(s.wiki.Workspace(), res.Path), ref.Anchor.FromLine, ref.Anchor.ToLine)
		}
		break
	}
	if href == plainHref {
		href = ""
	}
	return href, true
}

// place describes the cited part of a source.
func place(a schema.Anchor) string {
	switch {
	case a.Symbol != "":
		return a.Symbol
	case a.FromLine > 0 && a.ToLine > a.FromLine:
		return strconv.Itoa(a.FromLine) + "–" + strconv.Itoa(a.ToLine)
	case a.FromLine > 0:
		return strconv.Itoa(a.FromLine)
	}
	return ""
}

// lineFragment names lines as web views of repositories do.
func lineFragment(from, to int) string {
	switch {
	case from <= 0:
		return ""
	case to > from:
		return "#L" + strconv.Itoa(from) + "-L" + strconv.Itoa(to)
	}
	return "#L" + strconv.Itoa(from)
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// freshness says in words whether the page may still be believed.
func (s *Site) freshness(p *schema.Page) theme.Freshness {
	f, w := s.fresh[p.ID], s.words
	out := theme.Freshness{State: string(f.State), Updated: day(f.Updated), Created: day(f.Created)}
	switch f.State {
	case schema.FreshVerified:
		out.Label = w.Verified
	case schema.FreshDraft:
		out.Label = w.Draft
	case schema.FreshStale:
		out.Label = w.Stale
	case schema.FreshContested:
		out.Label = w.Contested
	case schema.FreshSuperseded:
		out.Label = w.Superseded
		if search.Past(s.wiki, p) == "deprecated" {
			out.Label = w.Deprecated
		}
	default:
		out.State = string(schema.FreshUnverified)
		// Indexes, logs and sources are never verified; and if no page is, saying so on
		// each would be noise.
		if s.verifies && !p.Reserved() && p.Layer != schema.LayerSource {
			out.Label = w.Unverified
		}
	}
	var said []string
	if v := f.Verified; !v.At.IsZero() || v.By != "" {
		words := w.Verified
		if f.State == schema.FreshVerified {
			words = "" // the chip says it
		}
		if at := v.At.String(); at != "" && v.At.Commit == "" {
			words += " " + w.VerifiedOn + " " + at
		} else if at != "" {
			words += " " + w.Against + " " + at
		}
		if v.By != "" {
			words += " " + w.VerifiedBy + " " + v.By
		}
		if v.Against != "" {
			words += " " + w.Against + " " + v.Against
		}
		said = append(said, strings.TrimSpace(words))
	}
	switch {
	case f.State == schema.FreshUnverified && len(said) > 0 && f.Watched.Changed == 0:
		said = append(said, w.ChangedSince)
	case f.State == schema.FreshStale && len(f.Watched.Notes) == 0 || f.State == schema.FreshContested || f.State == schema.FreshSuperseded:
		if f.Reason != "" && !s.public.Names(p, f.Reason) && (out.Label != w.Deprecated || !strings.HasSuffix(f.Reason, p.Meta.Status.Word)) { // the chip says that
			said = append(said, f.Reason)
		}
	case !f.Expires.IsZero():
		said = append(said, w.Expires+" "+f.Expires.String())
	}
	if text := s.watched(f.Watched, out.Label == w.Verified); text != "" {
		said = append(said, text)
	}
	out.Detail = clip(strings.Join(said, "; "), 240)
	return out
}

// day is a moment's day, empty when only a commit is known.
func day(m schema.Moment) string {
	if m.Time.IsZero() {
		return ""
	}
	return m.Time.Format("2006-01-02")
}
