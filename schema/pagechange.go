package schema

// SinceRevision is what changed in the pages of a wiki since a revision.
type SinceRevision struct {
	Name  string // of the revision, as it was given
	Date  string // of its commit, 2006-01-02
	Pages []PageChange
}

// PageChange is what changed in a page. A page that is new or gone has no details.
type PageChange struct {
	Path     string // below the wiki's root
	Title    string
	Kind     ChangeKind
	Was      string // its path before, if it was moved
	Fields   []LineChange
	Sections []SectionChange
}

// ChangeKind says whether a page or section is new, gone or another.
type ChangeKind string

// What became of a page or a section.
const (
	ChangeAdded   ChangeKind = "added"
	ChangeRemoved ChangeKind = "removed"
	ChangeChanged ChangeKind = "changed"
)

// SectionChange is what changed in a section.
type SectionChange struct {
	Heading string // empty for the text above the first heading
	Was     string // its heading before, if it was renamed
	Kind    ChangeKind
	Lines   []LineChange
}

// LineChange is a sentence, item, row or line of code, or a field of front matter, as
// plain text: without Was it is new, without Now it is gone.
type LineChange struct {
	Name string // of a field
	Was  string
	Now  string
}
