package serve

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestBrowserRedirects follows old addresses, with the part of the page that they name, on
// a host, from a disk and in a preview, and on a host without scripts.
func TestBrowserRedirects(t *testing.T) {
	browser := chromium(t)
	x := newHosted(t, newHost(t), map[string]string{
		"wiki/index.md":   "# Start\n\n[[new]]\n",
		"wiki/sub/new.md": "---\npermalink: /moved/here\nredirect_from: /old/there/\n---\n# New\n\n" + fmt.Sprintf("%0200d\n\n## Part é\n\nText.\n", 0),
	})
	x.serve()
	for _, base := range []string{x.host.URL + "/x/", x.host.URL + "/bare/x/", "file://" + filepath.ToSlash(x.out) + "/", x.server.url} {
		for _, old := range []string{"old/there/index.html", "sub/new.html"} {
			v := newView(t, browser)
			v.open(base + old + "#part-é")
			v.until("the page at "+base, `location.pathname.endsWith("/moved/here.html") && decodeURIComponent(location.hash) === "#part-é" && document.querySelector(":target")?.tagName === "H2"`)
			v.open(base + old)
			v.until("the page without a part", `location.pathname.endsWith("/moved/here.html") && location.hash === ""`)
			v.quiet("leading on from " + base + old)
		}
	}
	v := newView(t, browser)
	v.run(command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	v.open(x.host.URL + "/x/old/there/index.html")
	v.until("the page without scripts", `location.pathname.endsWith("/moved/here.html")`)
}
