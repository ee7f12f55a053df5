package site

import (
	"bytes"
	"fmt"
	"html"
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// remoteMedia counts what a page shows, or would show, from other hosts.
type remoteMedia struct{ images, recordings int }

// replaceMedia replaces an image or recording that must not be shown by text or a link,
// and reports whether it did: unpublished files, files shown as source, and files on
// other hosts as set in site.remote_media.
func (f *finisher) replaceMedia(tag []byte) bool {
	alt := firstOf(attribute(tag, "alt"), attribute(tag, "aria-label"))
	if f.text(tag) {
		f.str(alt + "</span>")
		return true
	}
	src := attribute(tag, "src")
	address := html.UnescapeString(src)
	switch file, _, _ := strings.Cut(address, "#"); {
	case isRemote(address):
		if bytes.HasPrefix(tag, []byte("<img")) {
			f.remote.images++
		} else {
			f.remote.recordings++
		}
		switch {
		case f.media == schema.RemoteMediaLink && len(f.links) == 0:
			f.str(`<a class="external" href="` + src + `" rel="noopener">` + firstOf(alt, src) + "</a>")
		case f.media == schema.RemoteMediaLink, f.media == schema.RemoteMediaBlock:
			if isRemote(html.UnescapeString(alt)) {
				alt = "" // a recording is named by its address
			}
			f.str(`<span class="plain">` + firstOf(alt, html.EscapeString(f.words.RemoteMedia)) + "</span>")
		default:
			return false
		}
	case !strings.HasSuffix(file, ".html"):
		return false
	case len(f.links) == 0:
		f.str(`<a href="` + src + `">` + firstOf(alt, html.EscapeString(path.Base(file))) + "</a>")
	default:
		f.str(`<span class="plain">` + firstOf(alt, html.EscapeString(path.Base(file))) + "</span>")
	}
	return true
}

// isRemote reports whether a browser may ask another host for an address. It
// leaves out white space and control characters, and takes \ for /.
func isRemote(address string) bool {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r <= ' ' || r == 0x7f:
			return -1
		case r == '\\':
			return '/'
		}
		return r
	}, address)
	i := strings.IndexAny(clean, ":/?#")
	if i < 0 || clean[i] != ':' {
		return strings.HasPrefix(clean, "//")
	}
	return !strings.EqualFold(clean[:i], "data")
}

// remoteNotes say what pages show from other hosts.
func (b *build) remoteNotes() []string {
	pages := int(b.remotePages.Load())
	if pages == 0 {
		return nil
	}
	var what []string
	if n := int(b.remoteImages.Load()); n > 0 {
		what = append(what, text.Count(n, "remote image"))
	}
	if n := int(b.remoteRecordings.Load()); n > 0 {
		what = append(what, text.Count(n, "remote recording"))
	}
	state := map[string]string{
		schema.RemoteMediaLink:  "shown as links (site.remote_media: link)",
		schema.RemoteMediaBlock: "shown as text (site.remote_media: block)",
	}[b.site.cfg.Site.RemoteMedia]
	return []string{fmt.Sprintf("%s on %s: %s", strings.Join(what, " and "), text.Count(pages, "page"),
		firstOf(state, "their hosts see who reads a page; set site.remote_media in wiki.yaml to link or block to prevent it"))}
}
