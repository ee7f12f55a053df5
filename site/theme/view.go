package theme

import (
	"html/template"
	"strings"
	"sync"
)

// Link is a place to go, as templates show it.
type Link struct {
	Title   string
	Href    string
	Current bool   // it is the page being read
	Note    string // a date, a count, a summary
	Lang    string
}

// Place is the common part of all files in a folder, rendered once. All addresses are
// relative to that folder.
type Place struct {
	T          *Words
	Lang       string // of lists, and of pages that say no other
	Dir        string // "rtl" for scripts written from right to left, else "ltr"
	SiteTitle  string
	Home       bool // this is the first page
	Root       string
	HomeHref   string
	PagesHref  string
	FeedHref   string // empty when there is no feed
	Lists      []Link // of the whole wiki, the first page first
	MenuJS     string // draws the menu
	SearchHref string
	Icon       string
	Styles     []string
	Script     string
	SearchJS   string // the built-in scripts find it by themselves
	LiveJS     string // empty but in a live preview
	CSP        string // of pages without diagrams
	Base       string // href of <base>, of the page for wrong addresses only

	shared sync.Map // what the template function of that name made, by name
}

// Frame is the common part of every page. All addresses are relative to the page.
type Frame struct {
	*Place
	Lang        string // of the page
	Dir         string // "rtl" if it is written from right to left, else "ltr"
	CSP         string // its content security policy
	DiagramsJS  string // empty on a page without diagrams
	Title       string // of this page
	WindowTitle string // with that of the site
	Description string
	Canonical   string
	NoIndex     bool // search engines are told to pass the page over
	Crumbs      []Link
}

// Page is a page of the wiki.
type Page struct {
	Frame
	Type     string
	TypeHref string // leads to the pages of this type, empty when they have no list
	Status   string
	// Withheld says, in a preview, why the page is not published or not listed.
	Withheld    string
	StatusKind  string // draft, stable, stale, contested, deprecated or empty
	Fresh       Freshness
	Layer       string
	Text        []byte        // as HTML; templates know it as Article
	Heading     template.HTML // the title with its markup, empty when it is only Title
	HeadingID   string
	Contents    []Heading
	Sources     []Source
	MoreSources int
	Tags        []Link
	Backlinks   []Backlink
	// BacklinkPages counts the pages that link here; of many only some are shown.
	BacklinkPages int
	MoreBacklinks int
	Mentions      []Backlink // in pages that don't link here
	MentionPages  int
	MoreMentions  int
	// Above and Below are the blocks around the text.
	Above, Below []Block
	Dispute      Dispute // about its open contradictions
	RawHref      string
	DataHref     string // of its data as JSON
	EditHref     string
	Previous     *Link
	Next         *Link
	Near         *Near // nil if it is joined with no page
}

// Block is a part of a page with a template in templates/blocks, which is run with the
// block.
type Block struct {
	Name string // of the template
	T    *Words
	Data any
}

// Article is the text of the page.
func (p *Page) Article() template.HTML { return template.HTML(p.Text) }

// Freshness is the answer to "may I still believe this page?".
type Freshness struct {
	State   string // verified, unverified, draft, stale, contested or superseded
	Label   string // the state in words
	Detail  string // when, by whom, why
	Updated string // a day, for the line of dates
	Created string
}

// Note says that the code no longer has what the page states, or declares a
// symbol otherwise than when the page was verified.
type Note struct {
	Name  string // of the symbol
	Says  string // what the page states; empty when the declaration changed
	Was   string // the declaration then, empty when it is not known
	Code  string // what the code has, empty when it has no such value
	Place string // the file
	Href  string // leads to it, empty when there is nothing to open
	Since string // a day, empty when it is not committed
}

// Heading is an entry of the table of contents.
type Heading struct {
	Level int // 1 for the outermost of this page
	Text  string
	ID    string
	Href  string // leads to it on this page
	// Deeper is set on the first of a list below the heading before it.
	Deeper bool
	Ends   int // how many of these lists end with it, -1 when the next heading is deeper
}

// Close ends the entry, and the lists that end with it.
func (h Heading) Close() template.HTML {
	if h.Ends < 0 {
		return ""
	}
	return template.HTML("</li>" + strings.Repeat("\n</ul></li>", h.Ends))
}

// Nest sets which of the entries of a table of contents are below which.
func Nest(heads []Heading) {
	var open []int // the levels of the lists that are open
	for i := range heads {
		h := &heads[i]
		switch {
		case i == 0:
			open = append(open, h.Level)
		case h.Level > open[len(open)-1]:
			open = append(open, h.Level)
			h.Deeper, heads[i-1].Ends = true, -1
		default:
			for len(open) > 1 && open[len(open)-2] >= h.Level {
				open = open[:len(open)-1]
				heads[i-1].Ends++
			}
			open[len(open)-1] = h.Level
		}
	}
	if len(heads) > 0 {
		heads[len(heads)-1].Ends = len(open) - 1
	}
}

// Link is the text as a link to the heading.
func (h Heading) Link() template.HTML { return template.HTML(appendAnchor(nil, h.Href, h.Text)) }

// Source is one source of a page.
type Source struct {
	ID    string // footnotes of the text refer to it, empty when none can
	Title string
	Href  string // empty when there is nothing to open
	Place string // lines or symbol
}

// Backlink is a page that links here, with the sentence around the link.
type Backlink struct {
	Link
	Before string
	Marked string
	After  string
	Count  int // how many links it has to this page
	Times  int // the same, 0 for a single one
}

// Anchor is the title as a link.
func (b Backlink) Anchor() template.HTML { return template.HTML(appendAnchor(nil, b.Href, b.Title)) }

// Context is the sentence with the link marked, empty when there is nothing
// around it.
func (b Backlink) Context() template.HTML {
	if !b.hasContext() {
		return ""
	}
	return template.HTML(b.appendContext(nil))
}

// hasContext reports whether there is text around the link.
func (b *Backlink) hasContext() bool { return b.Before != "" || b.After != "" }

func (b *Backlink) appendContext(dst []byte) []byte {
	dst = append(appendText(dst, b.Before), "<mark>"...)
	dst = append(appendText(dst, b.Marked), "</mark>"...)
	return appendText(dst, b.After)
}

// Finding is a diagnostic of the page, in a live preview.
type Finding struct {
	Severity string
	Rule     string
	Message  string
	Line     int
	Column   int
	Excerpt  string
	Anchor   string // the heading it stands under
	Under    string
}

// Dispute says that a page may be wrong, or that it is contradicted.
type Dispute struct {
	Label string // empty if there is no open contradiction
	Kind  string // contested, or the severity of what a rule found
}

// Contradiction is a conflict between pages.
type Contradiction struct {
	About     string
	State     string // contested while it is open, a severity while it is not sure, else empty
	Label     string // the state in words
	Detail    string // who knows of it and why it stays, empty while it is open
	Sides     []Side // that of the page being read first
	MoreSides string // how many there are beside these, empty when none
}

// Contradictions are those of one page; Href leads to those of all pages.
type Contradictions struct {
	Title string
	List  []Contradiction
	Href  string
}

// Side is one place of a contradiction, with the line that it is in.
type Side struct {
	Link
	Under   string // the heading it stands under, empty when there is none
	Updated string // the day its page was last changed, empty when not known
	Before  string
	Marked  string
	After   string
}

// Quote is the line with the relevant part marked.
func (s Side) Quote() template.HTML {
	b := Backlink{Before: s.Before, Marked: s.Marked, After: s.After}
	return template.HTML(b.appendContext(nil))
}

// Disputes is a titled part of the list of contradictions.
type Disputes struct {
	Title string
	List  []Contradiction
}

// Also is what is in a folder and its page does not link to.
type Also struct {
	Links []Link
	More  string // leads to all, empty when these are all
}

// Group is a titled part of a list.
type Group struct {
	ID    string
	Title string
	Note  string
	Links []Link
	More  string // how many there are beside these, empty when none
}

// List is a page that lists others: a folder, a tag, all pages, the changes.
type List struct {
	Frame
	Kind   string // home, pages, tags, tag, folder, recent, contradictions or search
	Intro  string
	Jump   []Link // letters, or the parts of a list cut in several
	Groups []Group
	Lead   []Link // lists that are kept beside this one
	// Disputes are the entries of the list of contradictions.
	Disputes []Disputes
	Cloud    bool   // the entries are short and stand side by side
	Since    *Since // what changed since a revision, nil if nobody asked
}

// File is a page about a file that is not published unchanged.
type File struct {
	Frame
	Size int64  // in bytes
	Note string // why it is shown so
	Text string // of the file, empty when it can't be shown
}

// Redirect leads from a name that a page had to the page.
type Redirect struct {
	Frame
	Target string
	CSP    string // of this page, instead of the place's
}
