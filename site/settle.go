package site

import (
	"bytes"
	"errors"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds on settling the raw HTML of one page.
const (
	maxSettle    = 4 << 20 // bytes of HTML that are read as a browser reads them
	settleRounds = 4
)

// normalizeHTML arranges HTML as a browser does: a table in a table moves out of it, a
// paragraph ends where a block begins, an element that is not closed is. What it
// returns is read as it is written, so that no part of it leaves the element that
// it is put in. It reports false for what does not come to rest, is nested too
// deep or is too large.
func normalizeHTML(src []byte) ([]byte, bool) {
	if len(src) > maxSettle {
		return nil, false
	}
	limit := 4*len(src) + 64<<10
	last, err := rearrange(src, limit)
	for range settleRounds {
		if err != nil {
			return nil, false
		}
		var next []byte
		if next, err = rearrange(last, limit); err == nil && bytes.Equal(next, last) {
			return next, true
		}
		last = next
	}
	return nil, false
}

// rearrange parses HTML as the content of a div and renders it again.
func rearrange(src []byte, limit int) ([]byte, error) {
	nodes, err := html.ParseFragment(bytes.NewReader(src), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return nil, err
	}
	out := bounded{limit: limit}
	out.Grow(len(src) + len(src)/8)
	for _, n := range nodes {
		if err := html.Render(&out, n); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

var errBound = errors.New("the text is too long")

// bounded is a buffer that holds no more than its limit.
type bounded struct {
	bytes.Buffer
	limit int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		return 0, errBound
	}
	return b.Buffer.Write(p)
}

func (b *bounded) WriteString(s string) (int, error) {
	if b.Len()+len(s) > b.limit {
		return 0, errBound
	}
	return b.Buffer.WriteString(s)
}

func (b *bounded) WriteByte(c byte) error {
	if b.Len() >= b.limit {
		return errBound
	}
	return b.Buffer.WriteByte(c)
}
