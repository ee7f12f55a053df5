package theme

// SpecWords are the strings of the pages that show loop specifications and the
// leaderboard. Words of the standard, such as the names of categories, are not among
// them.
type SpecWords struct {
	Title, Intro, Specs, Invalid, Objective, Version, Pattern, Level, File, Structure, StructureText string
	Category, Score, Weight, Diagram, TooLarge, ScoreChart, ScoreText, NoRuns, Run, Status           string
	Board, Updated, General, Rank, Submitter, External, Suite, Success, Spec                         string
}

var englishSpecs = SpecWords{
	Title: "Loops", Intro: "Loops that this repository specifies.", Specs: "Loop specifications",
	Invalid: "not valid", Objective: "Objective", Version: "Version", Pattern: "Pattern", Level: "Level", File: "File",
	Structure: "Score by structure", StructureText: "What the specification declares, in eight categories. Nothing was run for it.",
	Category: "Category", Score: "Score", Weight: "Weight", Diagram: "Diagram", TooLarge: "The specification has too many parts to draw.",
	ScoreChart: "Score of each run", ScoreText: "LES of the finished runs, from 0 to 100. Runs in which no agent worked have none.",
	NoRuns: "No runs yet.", Run: "Run", Status: "Status",
	Board: "Leaderboard", Updated: "Updated", General: "All suites", Rank: "Rank", Submitter: "Submitter", External: "external",
	Suite: "Suite", Success: "Success@k", Spec: "Specification",
}

var germanSpecs = SpecWords{
	Title: "Loops", Intro: "Loops, die dieses Repository festlegt.", Specs: "Loop-Spezifikationen",
	Invalid: "nicht gültig", Objective: "Ziel", Version: "Version", Pattern: "Muster", Level: "Stufe", File: "Datei",
	Structure: "Wertung nach dem Aufbau", StructureText: "Was die Spezifikation festlegt, in acht Kategorien. Dafür lief nichts.",
	Category: "Kategorie", Score: "Wertung", Weight: "Gewicht", Diagram: "Diagramm", TooLarge: "Die Spezifikation hat zu viele Teile für ein Diagramm.",
	ScoreChart: "Wertung jedes Laufs", ScoreText: "LES der beendeten Läufe, von 0 bis 100. Läufe, in denen kein Agent arbeitete, haben keine.",
	NoRuns: "Noch kein Lauf.", Run: "Lauf", Status: "Status",
	Board: "Rangliste", Updated: "Stand", General: "Alle Suiten", Rank: "Rang", Submitter: "Eingereicht von", External: "extern",
	Suite: "Suite", Success: "Success@k", Spec: "Spezifikation",
}
