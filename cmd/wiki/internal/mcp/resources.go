package mcp

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pagePrefix is what the address of a page begins with; its path follows, escaped.
const pagePrefix = "wiki://page/"

// maxResource bounds a resource in bytes.
const maxResource = 64 << 10

func (s *Server) addResources() {
	const kind = "text/markdown"
	for _, r := range []struct{ name, about string }{{"index", "The index page of the wiki"}, {"log", "The log of what was done to the wiki"}} {
		s.mcp.AddResource(&mcp.Resource{Name: r.name, URI: "wiki://" + r.name, Description: r.about, MIMEType: kind}, s.resource(func(string) string { return r.name }))
	}
	s.mcp.AddResource(&mcp.Resource{Name: "status", URI: "wiki://status", Description: "Counts, findings and the latest runs of loops", MIMEType: "text/plain"},
		func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			v, err := s.lib.current(ctx)
			if err != nil {
				return nil, err
			}
			a, err := status(ctx, v, statusInput{})
			return contents(req.Params.URI, "text/plain", a.data), err
		})
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{Name: "page", URITemplate: pagePrefix + "{+path}", Description: "A page by its path", MIMEType: kind},
		s.resource(func(uri string) string {
			name, err := url.PathUnescape(strings.TrimPrefix(uri, pagePrefix))
			if err != nil {
				return ""
			}
			return name
		}))
}

func contents(uri, kind, s string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: kind, Text: text.ForModel(s)}}}
}

// resource serves the page that an address names.
func (s *Server) resource(name func(uri string) string) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := req.Params.URI
		v, err := s.lib.current(ctx)
		if err != nil {
			return nil, err
		}
		var page *schema.Page
		if n := name(uri); len(n) <= maxName {
			page, err = card.Find(v.Wiki, n)
		}
		switch {
		case page == nil || err != nil:
			return nil, mcp.ResourceNotFoundError(uri)
		case len(page.Source) > maxResource:
			return nil, fmt.Errorf("the page has %d bytes, a resource at most %d; use the tool read_page", len(page.Source), maxResource)
		}
		return contents(uri, "text/markdown", string(page.Source)), nil
	}
}
