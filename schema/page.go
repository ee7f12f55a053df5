package schema

import (
	"strings"
	"time"
)

// PageID names a page: its slash-separated path below the wiki's root without
// ".md", in Unicode form NFC.
type PageID string

// Layer says what a file is for in the wiki.
type Layer string

// The layers. Pages of the layer source are what the wiki is based on: they count and
// can be linked, but rules about keeping a wiki don't apply to them.
const (
	LayerWiki   Layer = "wiki"
	LayerSource Layer = "source"
)

// Page is one parsed markdown file. It depends on no other file, is never changed after
// parsing, and is shared between compilations.
type Page struct {
	ID     PageID
	Path   string // slash-separated, below the wiki's root, as on disk
	Layer  Layer
	Source []byte // the file as on disk
	Hash   uint64 // xxh3 of Source
	Lines  *LineIndex

	Front *Frontmatter // nil when there is none
	// Outline says that list items count however far they are indented, as in
	// Logseq, where a heading has items below it.
	Outline bool
	// Python means that Python-Markdown reads the page, as in MkDocs: indented text
	// below !!! note, ??? note and === "Tab" is not code, and a pipe in code ends no
	// cell.
	Python bool
	Body   int // offset of the first byte after the front matter
	Meta   Meta
	Title  string
	// Visibility says who may read the page on the published site.
	Visibility Visibility
	H1         Span // the text of the first level-1 heading, empty when there is none

	Headings    []Heading
	Links       []Link
	Blocks      []BlockID
	Anchors     []string // ids that raw HTML of the body gives: <a id=…>, <a name=…>
	Footnotes   []Footnote
	Citations   []Citation
	Callouts    []Callout
	Tables      []Table
	Tasks       []Task
	Tags        []Tag // inline and front matter
	Fields      []Field
	Fences      []Fence
	Definitions []Definition
	Comments    []Span // %%…%% and <!-- … -->
	Math        []Math
	Words       int // of running text, without code and comments

	Faults []Fault
}

// HTMLAnchor returns the HTML id of an anchor that raw HTML gives, which is set
// apart from those of headings and of the site around the page.
func HTMLAnchor(id string) string { return "user-content-" + strings.Join(strings.Fields(id), "-") }

// Reserved reports whether the page is an index, a log or another page that
// has its place by its name; see [ReservedName].
func (p *Page) Reserved() bool { return ReservedName(p.Path) }

// Heading is one heading of the body.
type Heading struct {
	Level int
	Span  Span   // the whole construct, markers included
	Text  string // as a reader sees it
	ID    string // the HTML anchor: GitHub's slug with Unicode kept, numbered when repeated
}

// BlockID is a ^name at the end of a block.
type BlockID struct {
	Name  string
	Span  Span // ^name
	Block Span // what it names
}

// Anchor returns the HTML id of the block. No heading has one like it, since a
// slug holds no caret.
func (b BlockID) Anchor() string { return "^" + b.Name }

// Footnote is a definition [^id]: or a reference [^id].
type Footnote struct {
	ID         string
	Span       Span
	Definition bool
}

// Citation is a source named in running text: ^[file.md:42-58], (file.go:12),
// [S: file.go:12], or file.go:12 between backticks.
type Citation struct {
	Span  Span
	Ref   Anchor
	Caret bool // written ^[…]
	Code  bool // written between backticks
}

// Anchor names a place in a source: a file, lines of it, or a symbol in it.
// Spellings: path, path:12, path:12-30, path#L12-L30, path#Symbol,
// repo://path#L1-L2, path@rev.
type Anchor struct {
	Raw      string
	Path     string // empty when Raw is a URL
	URL      string
	FromLine int // 1-based; 0 when no line is named, [NoLine] for one that can't be
	ToLine   int // equal to FromLine for a single line
	Symbol   string
	Rev      string
}

// Callout is a quote that begins with [!type].
type Callout struct {
	Type  string // lower case
	Title string
	Span  Span
	Fold  byte // '+', '-' or 0
}

// Table is a pipe table.
type Table struct {
	Span Span
	Head []Cell
	Rows [][]Cell
}

// Cell is one cell of a table.
type Cell struct {
	Span Span // the text between the pipes, trimmed
	Text string
}

// Task is a list item with a checkbox.
type Task struct {
	Span Span
	Mark byte // ' ' is open, 'x' done, others as the author uses them
}

// Tag is a #tag in running text, or one of the frontmatter.
type Tag struct {
	Name  string // without #
	Span  Span
	Field string // the front matter key it stands under, empty for inline
}

// Field is a Dataview field, key:: value.
type Field struct {
	Key   string
	Value string
	Span  Span // the whole
	Val   Span // the value
}

// Fence is a fenced or indented code block.
type Fence struct {
	Span     Span
	Content  Span
	Language string // lower case, empty when none is given
	Unclosed bool   // runs to the end of the page without a closing fence
}

// Definition is a link reference definition, [label]: target.
type Definition struct {
	Label  string // normalised
	Span   Span
	Target string
	Used   bool
}

// Math is a formula: $…$, $$…$$ or a math fence.
type Math struct {
	Span    Span
	Display bool
}

// FaultKind is a kind of fault in a file.
type FaultKind string

// The faults the compiler recovers from. Each is reported by the rule of the
// same name.
const (
	FaultFrontmatterInvalid  FaultKind = "frontmatter-invalid"
	FaultFrontmatterUnclosed FaultKind = "frontmatter-unclosed"
	FaultDuplicateKey        FaultKind = "duplicate-key"
	FaultMalformedWikilink   FaultKind = "malformed-wikilink"
	FaultUndefinedReference  FaultKind = "undefined-reference"
	FaultSpacedDestination   FaultKind = "broken-link" // [label](a b.md), which is not a link
	FaultTooComplex          FaultKind = "page-too-complex"
	FaultEncoding            FaultKind = "encoding"
	FaultUnreadable          FaultKind = "unreadable-file"
	FaultHTMLDropped         FaultKind = "html-dropped"
	// FaultConfig is a fault of wiki.yaml, which is an error and no finding.
	FaultConfig FaultKind = "config"
)

// Fault is something wrong with a file that was recovered from.
type Fault struct {
	Kind    FaultKind
	Span    Span
	Message string
	// Related is a second place that explains the fault, such as the first of two equal
	// keys; may be empty.
	Related Span
}

// Meta is a page's front matter in one vocabulary; see [Vocabulary] for the
// spellings each of them accepts.
type Meta struct {
	ID         string
	Type       string
	Subtype    string
	Summary    string
	Status     Status
	Confidence string
	Volatility string // hot, warm or cold, as written: how soon its content ages
	Created    Moment
	Updated    Moment
	Verified   []Verification
	Expires    Moment
	Aliases    []Alias
	Redirects  []Alias // former addresses of the page, from the wiki's root
	Sources    []SourceRef
	Relations  []Relation
	Draft      bool // by the key draft
}

// StatusClass sorts the many words for a page's state.
type StatusClass string

// The classes of a status; see [StatusWord].
const (
	StatusNone       StatusClass = ""
	StatusDraft      StatusClass = "draft"
	StatusStable     StatusClass = "stable"
	StatusStale      StatusClass = "stale"
	StatusContested  StatusClass = "contested"
	StatusDeprecated StatusClass = "deprecated"
)

// Status is a page's state as written and as understood.
type Status struct {
	Word  string
	Class StatusClass
	Span  Span
}

// Moment is a date, a date-time or a commit as front matter gives it.
type Moment struct {
	Time   time.Time // UTC; zero when unknown or when only Commit is given
	Day    bool      // only the day is known
	Commit string    // an abbreviated or full commit id, lower case
	Key    string    // the front matter key it stands under; empty when it comes from git
	Span   Span
}

// IsZero reports whether nothing is known.
func (m Moment) IsZero() bool { return m.Time.IsZero() && m.Commit == "" }

// String returns the day as 2006-01-02, the commit, or "".
func (m Moment) String() string {
	switch {
	case !m.Time.IsZero():
		return m.Time.Format(time.DateOnly)
	case m.Commit != "":
		return m.Commit
	}
	return ""
}

// Verification says that someone or something checked the page.
type Verification struct {
	By      string // human:x, process:x, product/version; empty when not said
	At      Moment
	Against string // the repository a commit belongs to, when a map names it
}

// Alias is another name of a page.
type Alias struct {
	Name string
	Span Span
}

// SourceRef is one source that the front matter names.
type SourceRef struct {
	Key    string // the front matter key as written
	ID     string // footnotes refer to it
	Anchor Anchor
	Commit string // that it was read at, when an object gives one
	Title  string
	Span   Span
}

// RelationKind is a typed edge between pages.
type RelationKind string

// The relations the rules know; others keep the front matter's own word.
const (
	RelationSupersedes   RelationKind = "supersedes"
	RelationSupersededBy RelationKind = "superseded-by"
	RelationContradicts  RelationKind = "contradicts"
)

// Relation is one typed edge from a page to another.
type Relation struct {
	Kind   RelationKind
	Target string // as written, brackets of a wikilink taken off
	Span   Span
}

// FreshnessState is a one-word answer to "may I still believe this page?".
type FreshnessState string

// The states, from best to worst.
const (
	FreshVerified   FreshnessState = "verified"   // someone or something checked it, and nothing says otherwise
	FreshUnverified FreshnessState = "unverified" // nobody checked it
	FreshDraft      FreshnessState = "draft"
	FreshStale      FreshnessState = "stale" // its own status, or its expiry, says so
	FreshContested  FreshnessState = "contested"
	FreshSuperseded FreshnessState = "superseded"
)

// Freshness says when a page was made, changed and last known true.
type Freshness struct {
	State    FreshnessState
	Created  Moment
	Updated  Moment
	Verified Verification
	Expires  Moment
	Renamed  string  // the path it last had before the current one, from git
	Reason   string  // why State, in words
	Watched  Watched // what of the code it was verified against; see [Freshness.Watch]
}
