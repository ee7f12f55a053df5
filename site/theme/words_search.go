package theme

// SearchWords are strings of the search.
type SearchWords struct {
	MoreResults, Indexing  string
	MoreSections, MoreThan string // %d
}

var englishSearch = SearchWords{
	MoreResults: "More results", MoreSections: "%d more sections", MoreThan: "More than %d results",
	Indexing: "The index is being made. These pages have the words in their names.",
}

var germanSearch = SearchWords{
	MoreResults: "Weitere Ergebnisse", MoreSections: "%d weitere Abschnitte", MoreThan: "Mehr als %d Ergebnisse",
	Indexing: "Der Index entsteht gerade. Diese Seiten haben die Wörter im Namen.",
}
