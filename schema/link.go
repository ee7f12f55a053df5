package schema

import "strings"

// LinkSyntax says how a link is written.
type LinkSyntax uint8

// The ways a link is written.
const (
	SyntaxWikilink  LinkSyntax = iota // [[target|label]]
	SyntaxInline                      // [label](target)
	SyntaxReference                   // [label][ref], [ref][], [ref]
	SyntaxAutolink                    // <https://…> and bare URLs
	SyntaxHTML                        // href or src of raw HTML
	SyntaxValue                       // a plain path or name in front matter
)

func (s LinkSyntax) String() string {
	return [...]string{"wikilink", "markdown", "reference", "autolink", "html", "value"}[s]
}

// Link is one outgoing link as written.
type Link struct {
	Syntax   LinkSyntax
	Embed    bool   // ![[…]], ![…](…) or <img>: shown in place
	Span     Span   // the whole construct, brackets included
	Dest     Span   // the destination as written, fragment included; for a reference link that of its definition
	Raw      string // the destination decoded: percent and backslash escapes undone, fragment included
	Target   string // Raw without its fragment, trimmed
	Fragment string // Raw after the first #, without it; see [Resolution.Fragment] for pages whose names hold a #
	Hash     bool   // Raw holds a #, even if nothing follows it
	Label    string // as a reader sees it; empty when the syntax gives none
	LabelAt  Span   // the label as written
	Field    string // the front matter key it stands under; empty in the body
	Block    Span   // the paragraph, cell, item or heading around it
	External bool   // has a scheme or begins with //
	// Wiki is set for [[a]](b), written as a markdown link whose label is a
	// wikilink: it is the wikilink a, followed by a note in parentheses, when
	// there is no b. A [Resolution] says which of the two was taken.
	Wiki *Link
}

// As returns the link that res was found for: l, or the wikilink it was read as.
func (l *Link) As(res *Resolution) *Link {
	if l.Wiki != nil && res != nil && res.Wiki {
		return l.Wiki
	}
	return l
}

// BlockReference returns the id of the block that [label](((id))) leads to in
// Logseq; ok is false for other links.
func (l *Link) BlockReference() (id string, ok bool) {
	id, ok = strings.CutPrefix(l.Raw, "((")
	return strings.TrimSuffix(id, "))"), ok && strings.HasSuffix(id, "))")
}

// Markdown reports whether the link is written in markdown's own syntax (or
// HTML), so that its destination is a relative URL.
func (l *Link) Markdown() bool {
	return l.Syntax == SyntaxInline || l.Syntax == SyntaxReference || l.Syntax == SyntaxHTML
}

// ResolvedBy says how a link's target was found: the reason that is kept with
// every resolution. The order is that of the ladder, strictest first.
type ResolvedBy uint8

// The rungs of the ladder.
const (
	ByNothing    ResolvedBy = iota // not found
	BySelf                         // a bare #fragment: the page itself
	ByExternal                     // a URL; not looked up
	ByRelative                     // from the page's own folder
	ByRoot                         // from the wiki's root
	BySuffix                       // the end of its path, as Obsidian does
	ByExtension                    // a markdown link that works only when .md may be left out
	ByVault                        // a markdown link that works only when looked up vault-wide
	ByRepository                   // from the repository's root
	ByParent                       // from the parent of the wiki's root
	BySite                         // as the generator of the site counts
	ByIndex                        // a folder, through its index page
	ByID                           // the page's id or slug field
	BySlug                         // spaces, hyphens, underscores and punctuation taken as equal
	ByAlias                        // a front matter alias
	ByTitle                        // the page's title
)

func (r ResolvedBy) String() string {
	return [...]string{"nothing", "self", "external", "relative", "root", "suffix", "extension", "vault",
		"repository", "parent", "site", "index", "id", "slug", "alias", "title"}[r]
}

// TargetKind says what a link leads to.
type TargetKind uint8

// The kinds of target.
const (
	TargetNone     TargetKind = iota // nothing: the link is broken
	TargetPage                       // a page of the wiki
	TargetFile                       // another file of the wiki: an image, a PDF, a canvas
	TargetOutside                    // a file of the repository outside the wiki
	TargetFolder                     // a folder without an index page
	TargetExternal                   // a URL
)

// Resolution is the target of a link, and the reason.
type Resolution struct {
	Kind     TargetKind
	By       ResolvedBy
	CaseOnly bool // found only because letter case was ignored
	Broken   BrokenReason
	Wiki     bool   // found for [Link.Wiki]: the markdown destination is not there
	Page     PageID // of TargetPage
	// Path is that of the file or page, below the wiki's root; it begins with
	// ../ outside it. With TargetNone it may name a file that was probably meant.
	Path     string
	Fragment string // what is left of the link's text after the part that names the target
	Anchor   string // the HTML id of Fragment in the target, empty when it has none or was not found
	// AnchorMissing is set when the target is a page that has no such heading
	// or block.
	AnchorMissing bool
	// GitHub reports whether the link also works by GitHub's rules: relative,
	// case-sensitive, extension required.
	GitHub bool
	// Candidates are the paths that fit the link, in order of preference
	// without regard to the page's own folder, the first [MaxCandidates] of them;
	// nil when there is only one. The slice is shared and must not be changed.
	Candidates []string
}

// BrokenReason says why a link leads nowhere.
type BrokenReason string

// The reasons.
const (
	BrokenNot      BrokenReason = ""
	BrokenMissing  BrokenReason = "missing"  // no such page or file
	BrokenEscapes  BrokenReason = "escapes"  // leads out of the repository
	BrokenLocal    BrokenReason = "local"    // a path of one machine
	BrokenEmpty    BrokenReason = "empty"    // no destination
	BrokenTemplate BrokenReason = "template" // a placeholder such as {{x}} or <x>, or what only looks like a link
)

// OK reports whether the link leads somewhere.
func (r *Resolution) OK() bool { return r.Kind != TargetNone }

// Backlink is one link that leads to a page.
type Backlink struct {
	From PageID
	Link int // index into the linking page's Links
}
