package schema

// VisibilityLevel says who finds a page on the published site.
type VisibilityLevel uint8

// The levels, from the most open one.
const (
	Public   VisibilityLevel = iota // built, listed and searched
	Unlisted                        // built, and found by its address and by links that an author wrote
	Private                         // not built
)

func (l VisibilityLevel) String() string {
	return [...]string{"public", "unlisted", "private"}[l]
}

// VisibilityMark is one value in a page that says, or seems to say, who may
// read it.
type VisibilityMark struct {
	Key   string // as written
	Value string // as written, cut when it is long
	Span  Span   // of the value, or of the key when there is none
	Level VisibilityLevel
	// Draft is set for the key draft and the status draft, which the setting
	// site.drafts publishes.
	Draft bool
	// Plain is set when every program reads the value as this one does.
	Plain bool
	// Unread is set when the value was found by a search of the lines of front
	// matter that can't be read.
	Unread bool
	// Suggest is the unambiguous spelling of the same meaning, if there is one.
	Suggest string
}

// Visibility is everything in a page that says who may read it, in the order in
// which it was found.
type Visibility struct{ Marks []VisibilityMark }

// Level returns the strictest level that a mark asks for, and the first mark
// that does; nil for a public page. With drafts set, being a draft is no
// reason to hide a page.
func (v Visibility) Level(drafts bool) (level VisibilityLevel, why *VisibilityMark) {
	for i := range v.Marks {
		if m := &v.Marks[i]; m.Level > level && !(drafts && m.Draft) {
			level, why = m.Level, m
		}
	}
	return level, why
}
