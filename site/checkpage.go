package site

import (
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// linkAttributes are those whose value is an address.
var linkAttributes = []string{"href", "src", "action", "poster", "data-search"}

// readPage returns the anchors of a page, and its links, each once.
func readPage(r io.Reader) (ids map[string]bool, links []string, err error) {
	ids = map[string]bool{}
	seen := map[string]bool{}
	for z := html.NewTokenizer(r); ; {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, nil, err
			}
			return ids, links, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			named, based := string(tag) == "a", string(tag) == "base"
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch k := string(key); {
				case k == "id", k == "name" && named:
					ids[string(value)] = true
				case slices.Contains(linkAttributes, k) && !based && !seen[string(value)]:
					seen[string(value)] = true
					links = append(links, string(value))
				}
			}
		}
	}
}

// follow returns the file that a link of a page leads to, -1 for another host, and its
// fragment.
func (c *checker) follow(from, link string) (to int32, fragment string, bad Problem) {
	u, err := url.Parse(strings.TrimSpace(link))
	switch {
	case err != nil:
		return -1, "", Problem{Kind: "broken-link", Message: "links to " + clip(link, 200) + ", which is no address"}
	case u.Scheme != "" || u.Host != "":
		return -1, "", Problem{}
	case strings.HasPrefix(u.Path, "/"):
		return -1, "", Problem{Kind: "absolute-link", Message: "links to " + clip(link, 200) + ", which is not below the site when it is published under a path"}
	}
	name := from
	if u.Path != "" {
		name = path.Join(path.Dir(from), u.Path)
		if strings.HasSuffix(u.Path, "/") || u.Path == "." {
			name = path.Join(name, homeName)
		}
	}
	number, ok := c.number[name]
	if !ok {
		return -1, "", Problem{Kind: "broken-link", Message: "links to " + clip(link, 200) + ", but there is no " + name}
	}
	return number, u.Fragment, Problem{}
}
