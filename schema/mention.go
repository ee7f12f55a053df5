package schema

// Mention is the name of a page in the text of another, which has no link to it.
type Mention struct {
	Path string // of the page with the name in its text
	Span Span   // of the name
	Of   string // path of the page that has the name
}
