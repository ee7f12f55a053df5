package theme

// Since is what changed since a revision.
type Since struct {
	Title string
	Pages []ChangedPage
	More  string // how many there are beside these, empty when none
}

// ChangedPage is a page that is new, gone or another.
type ChangedPage struct {
	Link         // without Href for a page that is gone
	Kind  string // added, removed or changed
	Label string // the kind in words
	Was   string // its path before, if it was moved
	Parts []ChangedPart
	More  string
}

// ChangedPart is a section that changed, or the front matter.
type ChangedPart struct {
	Title string // empty for the text above the first heading
	Was   string // its heading before, if it was renamed
	Label string // for a section that is new or gone
	Lines []ChangedLine
	More  string
}

// ChangedLine is a sentence, item or row before and after; either may be empty.
type ChangedLine struct {
	Name     string // of a field of front matter
	Was, Now string
}
