package resolve

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
)

// markdown resolves a destination as a URL relative to the page, by GitHub's rules, then
// by those of the profile.
func (x *Index) markdown(from *schema.Page, l *schema.Link) schema.Resolution {
	dest, _, _ := strings.Cut(norm.NFC.String(l.Target), "?")
	// What follows :~: is for the browser, which looks for the text.
	fragment, _, _ := strings.Cut(norm.NFC.String(l.Fragment), ":~:")
	if id, ok := l.BlockReference(); ok && x.profile.Outline {
		return x.block(id)
	}
	if dest = strings.TrimSpace(dest); dest == "" {
		return x.self(from, fragment, l)
	}
	found := x.url(from, dest)
	if l.Syntax == schema.SyntaxHTML && from.Python && !found.OK() && !strings.HasPrefix(dest, "/") {
		// MkDocs doesn't rewrite HTML: the path is relative to the page's address.
		site, ok := x.rawHTML(from, dest)
		if found = site; !ok {
			found = schema.Resolution{Kind: schema.TargetExternal, By: schema.ByExternal}
		}
	}
	r := x.withFragment(from, found, fragment, l)
	if (!r.OK() || r.AnchorMissing) && strings.ContainsAny(l.Raw, "#?") {
		// The name itself may contain # or ?. Without escapes it works only in a vault,
		// where it is looked up unchanged.
		if whole := x.url(from, norm.NFC.String(l.Raw)); whole.OK() && whole.Kind != schema.TargetFolder {
			whole.GitHub = false
			return whole
		}
	}
	return r
}

// block looks a block up by the id that its id:: property gives.
func (x *Index) block(id string) schema.Resolution {
	x.named.Do(func() {
		x.blocks = map[string]int32{}
		for i := range x.targets {
			for _, id := range BlockIDs(x.targets[i].page) {
				x.smallest(x.blocks, id, int32(i))
			}
		}
	})
	if i, ok := x.blocks[id]; ok {
		return x.hit(i, schema.ByID, "")
	}
	return schema.Resolution{Broken: schema.BrokenMissing}
}

// BlockIDs returns the ids that a page gives its blocks with the property id.
func BlockIDs(p *schema.Page) []string {
	if p == nil || !p.Outline {
		return nil
	}
	var out []string
	for i := range p.Fields {
		if p.Fields[i].Key == "id" {
			out = append(out, p.Fields[i].Value)
		}
	}
	return out
}

// published looks up an address on the site that wiki.yaml says where it leads,
// by the longest beginning; a page is named there without .md.
func (x *Index) published(dest string) (r schema.Resolution, ok bool) {
	prefix := ""
	for p := range x.place.Published {
		if len(p) > len(prefix) && strings.HasPrefix(dest+"/", strings.TrimSuffix(p, "/")+"/") {
			prefix = p
		}
	}
	folder := x.place.Published[prefix]
	switch {
	case prefix == "":
		return r, false
	case folder == "-":
		return schema.Resolution{Kind: schema.TargetExternal, By: schema.ByExternal, GitHub: true}, true
	}
	full := strings.TrimPrefix(path.Join("/", folder, strings.TrimPrefix(dest, strings.TrimSuffix(prefix, "/"))), "/")
	if r, ok := x.precise(full, schema.ByRoot); ok && r.Kind != schema.TargetFolder {
		return r, true
	}
	return x.at(full, schema.ByRoot, full), true
}

// ofSite resolves a relative address for sites with a folder per page, such as Hugo's:
// ../other on the page guide/this.md is guide/other.md.
func (x *Index) ofSite(from *schema.Page, dest string) (schema.Resolution, bool) {
	own := strings.TrimSuffix(norm.NFC.String(from.Path), PageExtension(from.Path))
	full := path.Join(own, dest)
	if path.Ext(dest) != "" || !strings.HasPrefix(dest, "../") || strings.HasPrefix(full, "../") {
		return schema.Resolution{}, false
	}
	r := x.at(full, schema.ByExtension, full)
	return r, r.OK() && r.Kind == schema.TargetPage
}

// url looks a relative or root-absolute path up.
func (x *Index) url(from *schema.Page, dest string) schema.Resolution {
	if r, ok := x.published(dest); ok {
		return r
	}
	full, by := path.Join(path.Dir(norm.NFC.String(from.Path)), dest), schema.ByRelative
	if rest, ok := strings.CutPrefix(dest, "/"); ok {
		full, by = path.Clean(rest), schema.ByRoot
		if strings.HasPrefix(full, "../") {
			full = strings.TrimLeft(full, "./")
		}
	}
	if full == ".." || strings.HasPrefix(full, "../") {
		r := x.beyond(full)
		if site, ok := x.onSite(from, dest); ok && !r.OK() {
			return site
		}
		if !r.OK() && x.profile.VaultMarkdown {
			return x.vault(from, dest, r)
		}
		return r
	}
	if r, ok := x.precise(full, by); ok {
		return r
	}
	if x.outside(path.Join(x.place.RootPath, full)) {
		return schema.Resolution{Kind: schema.TargetOutside, By: by, Path: full, GitHub: true}
	}
	if by == schema.ByRoot && x.place.RootPath != "." && cleanPath(dest[1:]) {
		if below, ok := strings.CutPrefix(dest, "/"+x.place.RootPath+"/"); ok {
			if r, ok := x.precise(below, schema.ByRepository); ok {
				return r
			}
		}
		if x.outside(dest[1:]) {
			return schema.Resolution{Kind: schema.TargetOutside, By: schema.ByRepository, Path: x.above(dest[1:]), GitHub: true}
		}
	}
	missing := schema.Resolution{Broken: schema.BrokenMissing}
	if i, ok := x.folded[Fold(full)]; ok {
		r := x.hit(i, by, "")
		r.CaseOnly = true
		return r
	}
	if r, ok := x.rendered(full, by); ok {
		return r
	}
	if x.profile.PageNames {
		r := x.suffix(from, dest)
		if same := x.slugs[Slug(dest)]; !r.OK() && len(same) > 0 { // spaces and hyphens are equal
			r = x.hit(same[0], schema.BySuffix, "")
		}
		if r.Kind == schema.TargetPage {
			r.GitHub, r.CaseOnly = true, false
			return r
		}
	}
	if by == schema.ByRelative && path.Ext(full) != ".md" {
		if r := x.at(full, schema.ByExtension, full); r.OK() {
			return r
		}
		if r, ok := x.ofSite(from, dest); ok {
			return r
		}
	}
	if r, ok := x.onSite(from, dest); ok {
		return r
	}
	if x.profile.VaultMarkdown {
		return x.vault(from, dest, missing)
	}
	return x.nearMiss(dest, missing)
}

// precise looks a path up as GitHub does: exact, letter case included; a
// folder is shown by its index.
func (x *Index) precise(full string, by schema.ResolvedBy) (schema.Resolution, bool) {
	if full == "." {
		full = ""
	}
	if i, ok := x.exact[full]; ok {
		r := x.hit(i, by, "")
		r.GitHub = true
		return r, true
	}
	if dir, ok := x.dirs[Fold(full)]; full == "" || ok && dir == full {
		if r, ok := x.folderIndex(full); ok {
			r.GitHub = true
			return r, true
		}
		return schema.Resolution{Kind: schema.TargetFolder, By: by, Path: full, GitHub: true}, true
	}
	return schema.Resolution{}, false
}

// vault looks a destination up in the whole wiki, as Obsidian does with
// markdown links.
func (x *Index) vault(from *schema.Page, dest string, failed schema.Resolution) schema.Resolution {
	name := strings.TrimPrefix(path.Clean("/"+dest), "/")
	for strings.HasPrefix(dest, "../") {
		dest = dest[3:]
		name = dest
	}
	r := x.obsidian(from, name)
	if !r.OK() {
		return failed
	}
	r.By = schema.ByVault
	return r
}

// nearMiss says, for a destination that leads nowhere, where it would have led
// from the wiki's root or its parent: Kind stays TargetNone and Path names the
// file that was probably meant.
func (x *Index) nearMiss(dest string, failed schema.Resolution) schema.Resolution {
	name := strings.TrimPrefix(dest, "/")
	for strings.HasPrefix(name, "../") || strings.HasPrefix(name, "./") {
		_, name, _ = strings.Cut(name, "/")
	}
	if r, ok := x.precise(path.Clean(name), schema.ByRoot); ok && r.Kind != schema.TargetFolder {
		failed.By, failed.Path = schema.ByRoot, r.Path
		return failed
	}
	if below, ok := strings.CutPrefix(name, x.place.Name+"/"); ok && x.place.Name != "" {
		if r, ok := x.precise(path.Clean(below), schema.ByParent); ok && r.Kind != schema.TargetFolder {
			failed.By, failed.Path = schema.ByParent, r.Path
		}
	}
	return failed
}
