package theme

// ChangeWords are the strings of what changed since a revision.
type ChangeWords struct {
	Since, None             string // %s is the revision, %s its day
	Added, Removed, Changed string
	Was, Before, After      string
	FrontMatter, More       string // %d
}

var englishChange = ChangeWords{
	Since: "Since %s (%s)", None: "No page changed.", Added: "added", Removed: "removed", Changed: "changed",
	Was: "was", Before: "Before:", After: "Now:", FrontMatter: "Front matter", More: "and %d more",
}

var germanChange = ChangeWords{
	Since: "Seit %s (%s)", None: "Keine Seite hat sich geändert.", Added: "neu", Removed: "entfernt", Changed: "geändert",
	Was: "vorher", Before: "Vorher:", After: "Jetzt:", FrontMatter: "Kopfdaten", More: "und %d weitere",
}
