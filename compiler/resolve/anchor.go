package resolve

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
)

// self resolves a bare #fragment.
func (x *Index) self(from *schema.Page, fragment string, l *schema.Link) schema.Resolution {
	r := schema.Resolution{Kind: schema.TargetPage, By: schema.BySelf, Page: from.ID, Path: from.Path, GitHub: l.Markdown()}
	return x.anchor(from, r, fragment, l)
}

// withFragment finds the anchor that a fragment names in the target of r.
func (x *Index) withFragment(from *schema.Page, r schema.Resolution, fragment string, l *schema.Link) schema.Resolution {
	r.Fragment = fragment
	if r.Kind != schema.TargetPage || fragment == "" {
		return r
	}
	target := from
	if r.Page != from.ID {
		target = x.targets[x.exact[norm.NFC.String(r.Path)]].page
	}
	return x.anchor(target, r, fragment, l)
}

func (x *Index) anchor(target *schema.Page, r schema.Resolution, fragment string, l *schema.Link) schema.Resolution {
	r.Fragment = fragment
	if fragment == "" || target == nil || x.place.Generator.Made(fragment) {
		return r
	}
	id, found := findAnchor(x.anchorsOf(target), target, fragment, l.Markdown(), x.profile.VaultMarkdown)
	r.Anchor, r.AnchorMissing = id, !found
	return r
}

// anchors are the ids of one page under the forms in which links name them.
type anchors struct {
	ids      map[string]string // as a link names them to as they stand in HTML
	headings map[string][]int  // stripped heading text to indexes into Headings
	blocks   map[string]string
}

func (x *Index) anchorsOf(p *schema.Page) *anchors {
	if a, ok := x.anchors.Load(p); ok {
		return a.(*anchors)
	}
	a := x.ownAnchors(p)
	x.included(a, p)
	got, _ := x.anchors.LoadOrStore(p, a)
	return got.(*anchors)
}

// ownAnchors are the anchors on the page itself, without those of embedded pages.
func (x *Index) ownAnchors(p *schema.Page) *anchors {
	a := &anchors{ids: map[string]string{}, headings: map[string][]int{}, blocks: map[string]string{}}
	for i := range p.Headings {
		h := &p.Headings[i]
		a.ids[h.ID] = h.ID
		key := strippedHeading(h.Text)
		a.headings[key] = append(a.headings[key], i)
		if raw := h.Span.In(p.Source); bytes.Contains(raw, []byte("](")) { // Obsidian writes such a heading as it stands
			key := strippedHeading(string(raw))
			a.headings[key] = append(a.headings[key], i)
		}
	}
	for _, b := range p.Blocks {
		a.blocks[Fold(b.Name)] = b.Anchor()
	}
	for _, id := range p.Anchors {
		if a.ids[id] == "" {
			a.ids[id] = schema.HTMLAnchor(id)
		}
	}
	x.generated(a, p)
	return a
}

// strippedHeading returns a heading in the form in which Obsidian compares:
// folded, with everything but letters, digits and single spaces taken out.
func strippedHeading(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range Fold(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '+' || r >= utf8.RuneSelf && unicode.IsSymbol(r):
			// C and C++ are two headings; `id` and id are one.
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	return b.String()
}

// findAnchor looks a fragment up: #^block, #Heading, #Outer#Inner, and for
// markdown links the slug that GitHub gives a heading. Outside a vault they
// have nothing else: what Obsidian finds is dead there.
func findAnchor(a *anchors, p *schema.Page, fragment string, markdown, vault bool) (id string, ok bool) {
	if rest, isBlock := strings.CutPrefix(fragment, "^"); isBlock {
		id, ok = a.blocks[Fold(strings.TrimSpace(rest))]
		return id, ok
	}
	if markdown {
		for _, try := range [...]string{fragment, strings.TrimPrefix(fragment, "user-content-"), Fold(fragment)} {
			if id, ok := a.ids[try]; ok {
				return id, true
			}
		}
		if strings.EqualFold(fragment, "top") || lineFragment(fragment) {
			return "", true
		}
		if !vault {
			return "", false
		}
	}
	parts := strings.Split(fragment, "#")
	last := strippedHeading(parts[len(parts)-1])
	for _, i := range a.headings[last] {
		if under(p.Headings, i, parts[:len(parts)-1]) {
			return p.Headings[i].ID, true
		}
	}
	if id, ok := a.ids[fragment]; ok {
		return id, true
	}
	// A heading that holds a # itself.
	for _, i := range a.headings[strippedHeading(fragment)] {
		return p.Headings[i].ID, true
	}
	return "", false
}

// lineFragment reports whether a fragment names lines, L10 or L10-L20, as
// GitHub does in the source of a file.
func lineFragment(s string) bool {
	first, last, ranged := strings.Cut(s, "-")
	isLine := func(s string) bool {
		digits := strings.TrimPrefix(s, "L")
		return digits != s && digits != "" && strings.Trim(digits, "0123456789") == ""
	}
	return isLine(first) && (!ranged || isLine(last))
}

// under reports whether heading i is below headings of the given texts,
// outermost first, others between them allowed.
func under(hs []schema.Heading, i int, outer []string) bool {
	level := hs[i].Level
	for n := len(outer) - 1; n >= 0; n-- {
		want := strippedHeading(outer[n])
		if want == "" {
			continue
		}
		found := false
		for j := i - 1; j >= 0 && !found; j-- {
			if hs[j].Level >= level {
				continue
			}
			level, i = hs[j].Level, j
			found = strippedHeading(hs[j].Text) == want
		}
		if !found {
			return false
		}
	}
	return true
}
