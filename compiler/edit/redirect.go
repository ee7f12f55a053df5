package edit

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Address is the form of a page's path in redirect_from: from the wiki's root, without
// extension; for the index page of a folder, the folder.
func Address(p string) string {
	if isIndex(p) {
		return strings.TrimSuffix("/"+folder(p), "/") + "/"
	}
	return "/" + stemOf(p)
}

// redirect notes the former address of every page that was moved.
func (r *relinker) redirect(ctx context.Context) error {
	final, err := r.after.WithOverlay(ctx, r.out.Changes.Overlay())
	if err != nil {
		return err
	}
	for _, p := range final.Pages() {
		from, moved := r.from[p.Path]
		if !moved || !namesPage(from) || p.Layer == schema.LayerSource || strings.EqualFold(from, p.Path) {
			continue
		}
		address := Address(from)
		if slices.ContainsFunc(p.Meta.Redirects, func(a schema.Alias) bool { return a.Name == address }) {
			continue
		}
		if err := r.out.Changes.Edit(redirectEdits(p, address)...); err != nil {
			return err
		}
	}
	return nil
}

// redirectEdits adds an address to a page's front matter, or a front matter with
// it; none where the front matter can't be read.
func redirectEdits(p *schema.Page, address string) []schema.Edit {
	value, key := address, string(schema.FieldRedirects)
	if !plainAddress(address) {
		value = fmt.Sprintf("%q", address)
	}
	if p.Front != nil {
		return AddValue(p, key, value)
	}
	if unreadable(p) {
		return nil
	}
	at := 0
	if bytes.HasPrefix(p.Source, []byte("\xef\xbb\xbf")) {
		at = 3
	}
	nl := Newline(p)
	return []schema.Edit{{Path: p.Path, Span: schema.Span{Start: at, End: at}, Text: "---" + nl + key + ": " + value + nl + "---" + nl}}
}

// plainAddress reports whether an address needs no quotes in YAML.
func plainAddress(a string) bool { return plainScalar(path.Clean("x"+a)) && strings.TrimSpace(a) == a }
