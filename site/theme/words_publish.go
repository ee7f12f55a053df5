package theme

// PublishWords are the strings of the files that are made for programs.
type PublishWords struct {
	FullText, Feed, Subscribe string
}

var englishPublish = PublishWords{FullText: "Full text", Feed: "Recent changes", Subscribe: "Subscribe (Atom feed)"}

var germanPublish = PublishWords{FullText: "Der ganze Text", Feed: "Letzte Änderungen", Subscribe: "Abonnieren (Atom-Feed)"}
