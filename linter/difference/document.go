// Package difference compares two states of a wiki, mostly of two revisions, and says what
// changed in what the wiki knows: pages with their sections, claims with the old and the
// new value, and the findings that opened and closed, by lint itself.
//
// In go two compiled wikis; out comes a [Document]. It compares what pages state and not
// their lines: a paragraph that was wrapped anew, or moved below another heading of the
// same name, is no change.
package difference

import "github.com/loopwiki/wiki/schema"

// Version is that of the document.
const Version = 1

// Document is the difference between two states of a wiki. All lists are sorted by path,
// then by place.
type Document struct {
	Version        int              `json:"version"`
	From           Revision         `json:"from"`
	To             Revision         `json:"to"`
	Pages          Pages            `json:"pages"`
	Claims         Claims           `json:"claims"`
	Links          Links            `json:"links"`
	Freshness      Freshness        `json:"freshness"`
	Contradictions Contradictions   `json:"contradictions"`
	Skipped        []schema.Skipped `json:"skipped,omitempty" jsonschema:"checks that could not run on one of the two"`
}

// Revision is one of the two states.
type Revision struct {
	Name   string `json:"name" jsonschema:"as it was given; 'working tree' for the files on disk"`
	Commit string `json:"commit,omitempty" jsonschema:"its id; empty for the working tree"`
	Date   string `json:"date,omitempty" jsonschema:"day on which its pages were judged, 2006-01-02"`
}

// Pages are the differences of whole pages.
type Pages struct {
	Added   []Page       `json:"added"`
	Removed []Page       `json:"removed"`
	Changed []PageChange `json:"changed" jsonschema:"pages whose text, front matter or path changed"`
}

// Page is a page that one state has.
type Page struct {
	Path   string `json:"path" jsonschema:"below the wiki's root"`
	Title  string `json:"title"`
	Type   string `json:"type,omitempty"`
	Words  int    `json:"words"`
	Claims int    `json:"claims" jsonschema:"number of values that its tables, items and fields state"`
}

// PageChange is a page that both states have.
type PageChange struct {
	Path     string          `json:"path"`
	Was      string          `json:"was,omitempty" jsonschema:"its path before, if it was moved"`
	Title    string          `json:"title"`
	Fields   []FieldChange   `json:"fields" jsonschema:"front matter that changed"`
	Sections []SectionChange `json:"sections"`
}

// FieldChange is a field of front matter that changed.
type FieldChange struct {
	Name string `json:"name"`
	Was  string `json:"was" jsonschema:"empty if it was added"`
	Now  string `json:"now" jsonschema:"empty if it was removed"`
}

// SectionChange is a section that changed, with the sentences, items, rows and lines of
// code that were added, removed and reworded.
type SectionChange struct {
	Heading []string   `json:"heading" jsonschema:"the headings above its text, outermost first; empty for the text above the first"`
	Change  string     `json:"change" jsonschema:"added, removed, renamed or changed"`
	Was     string     `json:"was,omitempty" jsonschema:"its heading before, if it was renamed; its text may have changed too"`
	Line    int        `json:"line,omitempty" jsonschema:"its first line; of a removed section that in the old state"`
	Added   []string   `json:"added"`
	Removed []string   `json:"removed"`
	Changed []Reworded `json:"changed" jsonschema:"pairs that share most of their words"`
}

// Reworded is a sentence, item, row or line before and after.
type Reworded struct {
	Was string `json:"was"`
	Now string `json:"now"`
}

// What a section's Change says.
const (
	SectionAdded   = "added"
	SectionRemoved = "removed"
	SectionRenamed = "renamed"
	SectionChanged = "changed"
)

// Claims are the differences of what tables, items and fields of pages state. A sentence is
// among them only if its number changed; else it is a text of its section.
type Claims struct {
	Added   []Claim       `json:"added"`
	Removed []Claim       `json:"removed"`
	Changed []ClaimChange `json:"changed" jsonschema:"the same claim with another value"`
}

// Claim is one statement.
type Claim struct {
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	Section []string `json:"section"`
	Subject string   `json:"subject" jsonschema:"what it is about; the page's title for its own subject"`
	Attr    string   `json:"attribute"`
	Text    string   `json:"text" jsonschema:"the value as the page has it; of a sentence all of it"`
}

// ClaimChange is a claim before and after.
type ClaimChange struct {
	Was Claim `json:"was"`
	Now Claim `json:"now"`
}

// Links are the links that broke, and those that no longer are broken.
type Links struct {
	Broken []Finding `json:"broken"`
	Mended []Finding `json:"mended" jsonschema:"places are those of the old state"`
}

// Freshness is what became of pages' being up to date.
type Freshness struct {
	Changed  []StateChange `json:"changed" jsonschema:"pages whose state differs"`
	Stale    []Finding     `json:"stale" jsonschema:"what pages say of code that no longer is so"`
	Resolved []Finding     `json:"resolved" jsonschema:"places are those of the old state"`
}

// StateChange is the freshness of a page before and after.
type StateChange struct {
	Path   string                `json:"path"`
	Was    schema.FreshnessState `json:"was"`
	Now    schema.FreshnessState `json:"now"`
	Reason string                `json:"reason,omitempty"`
}

// Contradictions are the findings of rules for contradictions.
type Contradictions struct {
	Opened []Finding `json:"opened"`
	Closed []Finding `json:"closed" jsonschema:"places are those of the old state"`
}

// Finding is what lint reports in one state and not in the other.
type Finding struct {
	Rule     string  `json:"rule"`
	Severity string  `json:"severity"`
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Message  string  `json:"message"`
	Related  []Place `json:"related,omitempty"`
}

// Place is another place of a finding.
type Place struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message,omitempty"`
}

// Empty reports whether nothing changed.
func (d *Document) Empty() bool {
	return len(d.Pages.Added)+len(d.Pages.Removed)+len(d.Pages.Changed)+
		len(d.Claims.Added)+len(d.Claims.Removed)+len(d.Claims.Changed)+
		len(d.Links.Broken)+len(d.Links.Mended)+len(d.Freshness.Changed)+len(d.Freshness.Stale)+len(d.Freshness.Resolved)+
		len(d.Contradictions.Opened)+len(d.Contradictions.Closed) == 0
}
