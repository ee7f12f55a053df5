package theme

import (
	"html/template"
	"slices"
	"strconv"
)

// Near are the pages joined with a page by links, drawn as a fan: the page on the left,
// the others in rows, and arcs between those of them that are joined.
type Near struct {
	T     *Words
	Pages []NearPage
	Arcs  [][2]int // pairs of rows
	More  int      // pages that are not drawn
	Whole string   // leads to the graph of the wiki
}

// NearPage is a row of the fan.
type NearPage struct {
	Link
	In bool // it links to the page, which doesn't link to it
}

// The measures of the fan, in units of its drawing; 16 of them are one rem.
const (
	fanRow  = 20
	fanFrom = 8  // the page
	fanTo   = 52 // the others
	fanText = 62
	// fanMiddle is how far down the page stands at most: a long fan scrolls, and the most
	// linked pages, with it, are at its top.
	fanMiddle = 110
)

// HTML is the drawing with its title and the way to the whole graph.
func (n *Near) HTML() template.HTML { return template.HTML(n.appendHTML(nil)) }

func (n *Near) appendHTML(dst []byte) []byte {
	w := writer{out: dst}
	w.str("\n<nav class=\"fan\" aria-labelledby=\"wiki.near\">\n<h2 id=\"wiki.near\">")
	w.text(n.T.Graph.Near)
	high := fanRow * len(n.Pages)
	middle := min(high/2, fanMiddle)
	w.str("</h2>\n<div><svg viewBox=\"0 0 640 ")
	w.int(high)
	w.str(`" width="40rem" height="`)
	w.out = strconv.AppendFloat(w.out, float64(high)/16, 'g', -1, 64)
	w.str(`rem"><marker id="wiki.near-dot" viewBox="-4 -4 8 8" markerWidth="6" markerHeight="6" markerUnits="userSpaceOnUse"><circle r="3.5"/></marker><path class="arcs" d="`)
	for _, a := range n.Arcs {
		w.arc(row(a[0]), row(a[1]))
	}
	w.str(`"/><g marker-end="url(#wiki.near-dot)">`)
	for i := range n.Pages {
		n.Pages[i].appendTo(&w, middle, row(i))
	}
	w.str(`</g><circle cx="8" cy="`)
	w.int(middle)
	w.str("\" r=\"5\"/></svg></div>\n<p>")
	w.link(n.Whole, n.T.Graph.Whole)
	if n.More > 0 {
		w.element("<br><small>", n.T.Format(n.T.Graph.NearMore, n.More), "</small>")
	}
	if slices.ContainsFunc(n.Pages, func(p NearPage) bool { return p.In }) {
		w.element("<br><small>", n.T.Graph.NearIn, "</small>")
	}
	w.str("</p>\n</nav>")
	return w.out
}

// row is the middle of a row.
func row(i int) int { return fanRow*i + fanRow/2 }

// arc draws a curve between two rows, the wider the further they are apart.
func (w *writer) arc(from, to int) {
	bend := fanTo - 10 - min((to-from)/6, 26)
	w.point("M", fanTo, from)
	w.point("Q", bend, (from+to)/2)
	w.point(" ", fanTo, to)
}

func (w *writer) point(command string, x, y int) {
	w.str(command)
	w.int(x)
	w.str(" ")
	w.int(y)
}

func (p *NearPage) appendTo(w *writer, from, y int) {
	w.str("\n<a")
	if p.In {
		w.str(` class="in"`)
	}
	w.attribute(` href="`, p.Href, `"`)
	w.str(`><path d="`)
	w.point("M", fanFrom, from)
	w.point("C", 30, from)
	w.point(" ", 26, y)
	w.point(" ", fanTo, y)
	w.str(`"/><text x="`)
	w.int(fanText)
	w.str(`" y="`)
	w.int(y + 4)
	w.str(`">`)
	w.text(p.Title)
	w.str("</text></a>")
}

// Graph is the page of the graph of the wiki, and the lists of its pages.
type Graph struct {
	Frame
	W        *GraphWords
	Intro    string
	DataJS   string // of the graph, empty on the further parts of the list
	ScriptJS string
	Jump     []Link
	Links    []Link
}

// Health is the page about the state of the wiki.
type Health struct {
	Frame
	W            *HealthWords
	Intro        string
	Shares       []Share
	Rules        []RuleFindings // in a preview
	Disputes     []Contradiction
	DisputesHref string
	Groups       []Group
	Chart        *Chart // when pages were last changed, nil when that is not known
}

// Share is how many of the pages are of a kind.
type Share struct {
	Name  string
	Of    string // the number and that of all
	Share float64
}

// RuleFindings are the findings of a rule.
type RuleFindings struct {
	Rule     string
	Severity string // the gravest
	Level    int    // the same, to compare
	Count    int
	Places   []Link
	More     string // how many there are beside these, empty when none
}
