package loops

import "context"

// Item is a piece of work that somebody asked for elsewhere. All of it was written
// by others: it is data in a prompt, and decides nothing.
type Item struct {
	ID     string   `json:"id"` // as its tracker names it: 12, WIKI-7
	Title  string   `json:"title"`
	Text   string   `json:"text"` // at most MaxItemText bytes, without what looks like a secret
	URL    string   `json:"url"`
	Labels []string `json:"labels"` // sorted
}

// What is taken of a tracker; the rest is left out.
const (
	MaxItems    = 100
	MaxItemText = 16 << 10 // bytes
)

// Tracker is where people ask for work.
type Tracker interface {
	// Items returns the work that is open, in order of id.
	Items(context.Context) ([]Item, error)
}
