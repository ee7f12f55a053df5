package theme

// GraphWords are the strings of graphs.
type GraphWords struct {
	Near, NearMore, NearIn, Whole                          string // %d in NearMore
	Title, LinkOne, LinkMany, OnlyFolders, ByLinks, Canvas string // %d in LinkMany
	Find, Colour, ByType, ByFolder, In, Out, Fit, Other    string
}

var englishGraph = GraphWords{
	Near: "Linked pages", NearMore: "%d more", NearIn: "Dashed: links to this page", Whole: "Whole graph",
	Title: "Graph", LinkOne: "1 link", LinkMany: "%d links", OnlyFolders: "Folders are drawn instead of pages.", ByLinks: "Pages by number of links",
	Canvas: "Graph of the pages. The list below has them by the number of their links.", Find: "Find pages", Colour: "Colours",
	ByType: "by type", ByFolder: "by folder", In: "Zoom in", Out: "Zoom out", Fit: "Show all", Other: "Other",
}

var germanGraph = GraphWords{
	Near: "Verbundene Seiten", NearMore: "%d weitere", NearIn: "Gestrichelt: verlinkt diese Seite", Whole: "Ganzer Graph",
	Title: "Graph", LinkOne: "1 Link", LinkMany: "%d Links", OnlyFolders: "Statt der Seiten sind Ordner gezeichnet.", ByLinks: "Seiten nach der Zahl ihrer Links",
	Canvas: "Graph der Seiten. Die Liste darunter nennt sie nach der Zahl ihrer Links.", Find: "Seiten finden", Colour: "Farben",
	ByType: "nach Typ", ByFolder: "nach Ordner", In: "Vergrößern", Out: "Verkleinern", Fit: "Alles zeigen", Other: "Übrige",
}

// HealthWords are the strings of the page about the state of the wiki.
type HealthWords struct {
	Title, Coverage, Cited, Findings, FindingsText, Outdated, Orphans, Ages, AgesText, Fine string
}

var englishHealth = HealthWords{
	Title: "Health", Coverage: "Coverage", Cited: "Sources cited", Findings: "Findings by rule",
	FindingsText: "What the linter found. Only this preview shows it.", Outdated: "Stale and contested pages", Orphans: "Pages that no page links to",
	Ages: "Last change", AgesText: "In which month pages were last changed.", Fine: "Nothing to report.",
}

var germanHealth = HealthWords{
	Title: "Zustand", Coverage: "Abdeckung", Cited: "Mit Quellen", Findings: "Befunde nach Regel",
	FindingsText: "Was der Linter fand. Nur diese Vorschau zeigt es.", Outdated: "Veraltete und umstrittene Seiten", Orphans: "Seiten, auf die keine Seite verweist",
	Ages: "Letzte Änderung", AgesText: "In welchem Monat Seiten zuletzt geändert wurden.", Fine: "Nichts zu berichten.",
}
