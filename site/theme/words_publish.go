package theme

// PublishWords are the strings of the files that are made for programs.
type PublishWords struct {
	FullText, Feed string
}

var englishPublish = PublishWords{FullText: "Full text", Feed: "Recent changes"}

var germanPublish = PublishWords{FullText: "Der ganze Text", Feed: "Letzte Änderungen"}
