package theme

// Near are the pages joined with a page by links, which a script draws as a fan: the
// page on the left, the others in rows, and arcs between those of them that are joined.
type Near struct {
	Rows  string // one a line, as the script reads them
	Arcs  string // pairs of rows, such as "0-2 1-2"
	More  int    // pages that are not drawn
	Graph string // leads to the graph of the wiki
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
