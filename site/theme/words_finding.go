package theme

// FindingWords are the strings of what helps to find one's way: mentions, types, previews
// and the list of keys.
type FindingWords struct {
	Around, Mentions, MoreMentions string // %d
	Types, SubTags, AlsoHere       string
	Keys, KeySearch, KeyHelp       string
	KeyResults, KeyClose           string
}

// shortcuts is what the list of keys says.
func (w *FindingWords) shortcuts() map[string]any {
	return map[string]any{"title": w.Keys, "list": [][2]string{
		{"/ Ctrl+K", w.KeySearch}, {"↑ ↓ Enter", w.KeyResults}, {"Esc", w.KeyClose}, {"?", w.KeyHelp},
	}}
}

var englishFinding = FindingWords{
	Around: "Around this page", Mentions: "Mentioned in", MoreMentions: "and %d more pages",
	Types: "Types", SubTags: "Tags below it", AlsoHere: "Also in this folder",
	Keys: "Keyboard shortcuts", KeySearch: "Search", KeyHelp: "Show this list",
	KeyResults: "Move in the results, open one", KeyClose: "Close a dialog or a preview",
}

var germanFinding = FindingWords{
	Around: "Rund um diese Seite", Mentions: "Erwähnt in", MoreMentions: "und %d weitere Seiten",
	Types: "Arten", SubTags: "Schlagwörter darunter", AlsoHere: "Auch in diesem Ordner",
	Keys: "Tastenkürzel", KeySearch: "Suchen", KeyHelp: "Diese Liste zeigen",
	KeyResults: "In den Treffern gehen, einen öffnen", KeyClose: "Dialog oder Vorschau schließen",
}
