package theme

// RunWords are the strings of the pages that show runs of loops. What a run's
// status, an outcome or a verdict is called is not among them: it is the word
// that the commands print.
type RunWords struct {
	Title, Intro, None, Charts, ChartsIntro                             string
	Run, Plan, Loop, Mode, Status, Chunks, Cost, Started, Ended, Worked string
	Branch, Base, Commit, PullRequest, Now, Why, Report, Warnings       string
	Roles, Role, Agent, Model, Spent, SameVendor, Estimated             string
	Whole, Chunk, Attempt, Before, Gates, Passed, Output, Took          string // %d in Chunk, Attempt and Passed
	GoesOn, Lost, Assessment, Says, Touched                             string
	Evidence, OtherFiles, Patch, Incidents, Confidence, Meta            string
	Cut, Back, Binary, Decide, GoOn                                     string // %d in Cut
	CostChart, CostText, StatusChart, StatusText                        string
	RejectChart, RejectText, Values, Verdicts, Rejected, TotalText      string
	AcceptChart, AcceptText, Score, Accepted, Failed, Open, PerAccepted string
	Scroll, Runs, Plans, Cause                                          string
	Fleet, FleetIntro, Repository, SpentToday                           string
	ChunkOne, ChunkMany, IncidentOne, IncidentMany                      string // %d in Many
	ChangedOne, ChangedMany, OlderOne, OlderMany                        string // %d in Many
}

var englishRuns = RunWords{
	Title: "Runs of loops", Intro: "What agents did here, who judged it, and what it cost. Only this preview shows it: runs are not part of the built site.",
	Runs: "Runs", Plans: "Plans", Cause: "Cause",
	Fleet: "Many repositories", FleetIntro: "How the plans of the fleet stood when this page was loaded.", Repository: "Repository", SpentToday: "Spent today (UTC)",
	None: "No runs yet. Start one with “wiki loop run PLAN”.", Charts: "Charts", ChartsIntro: "The latest runs, oldest first.",
	Run: "Run", Plan: "Plan", Loop: "Loop", Mode: "Mode", Status: "Status", Chunks: "Chunks", Cost: "Cost", Started: "Started", Ended: "Ended", Worked: "Worked",
	Branch: "Branch", Base: "From", Commit: "Commit", PullRequest: "Pull request", Now: "Now", Why: "Why", Report: "Report", Warnings: "Warnings",
	Roles: "Roles", Role: "Role", Agent: "Agent", Model: "Model", Spent: "Spent", SameVendor: "same vendor as the maker", Estimated: "partly estimated",
	Whole: "The plan as a whole", Chunk: "Chunk", Attempt: "Attempt %d", Before: "Before the first attempt", Gates: "Gates", Passed: "%d passed", Output: "Output of", Took: "took",
	GoesOn: "goes on", Lost: "the result was lost", Assessment: "rates its own work", Says: "says", Touched: "changed outside its worktree",
	Evidence: "Evidence", OtherFiles: "Other files of the run", Patch: "what was removed", Incidents: "Incidents", Confidence: "confidence", Meta: "third in a row",
	Cut: "%d bytes are not shown here", Back: "Back to the run", Binary: "This file is empty.", Decide: "Decide", GoOn: "Go on",
	CostChart: "Cost of each run", CostText: "In US dollars. A hollow bar is partly estimated.", StatusChart: "How runs ended", StatusText: "One dot for each run, in the row of its status.",
	RejectChart: "Rejections by checkers", RejectText: "A dot is the share of a run’s verdicts that were no; the line is that of the ten runs up to there. A checker that never says no checks little.",
	Values: "Values", Verdicts: "Verdicts", Rejected: "Rejected", TotalText: "Together", Scroll: "can be scrolled",
	AcceptChart: "Accepted by people", AcceptText: "The share of judged runs that people accepted, one bar per loop and mode. With at least five, 80 % allow the next mode.",
	Score: "Score", Accepted: "Accepted", Failed: "Failed", Open: "Not judged", PerAccepted: "Cost of an accepted run",
	ChunkOne: "1 chunk", ChunkMany: "%d chunks", IncidentOne: "1 incident", IncidentMany: "%d incidents",
	ChangedOne: "1 file changed", ChangedMany: "%d files changed", OlderOne: "and 1 older run: wiki loop list", OlderMany: "and %d older runs: wiki loop list",
}

var germanRuns = RunWords{
	Title: "Läufe der Loops", Intro: "Was Agenten hier taten, wer darüber urteilte und was es kostete. Nur diese Vorschau zeigt es: In der gebauten Website stehen Läufe nicht.",
	Runs: "Läufe", Plans: "Pläne", Cause: "Ursache",
	Fleet: "Viele Repositories", FleetIntro: "Wie die Pläne der Flotte standen, als diese Seite geladen wurde.", Repository: "Repository", SpentToday: "Heute ausgegeben (UTC)",
	None: "Es gibt noch keinen Lauf. „wiki loop run PLAN“ beginnt einen.", Charts: "Diagramme", ChartsIntro: "Die letzten Läufe, die ältesten zuerst.",
	Run: "Lauf", Plan: "Plan", Loop: "Loop", Mode: "Modus", Status: "Status", Chunks: "Teile", Cost: "Kosten", Started: "Begonnen", Ended: "Beendet", Worked: "Gearbeitet",
	Branch: "Branch", Base: "Von", Commit: "Commit", PullRequest: "Pull Request", Now: "Jetzt", Why: "Warum", Report: "Bericht", Warnings: "Warnungen",
	Roles: "Rollen", Role: "Rolle", Agent: "Agent", Model: "Modell", Spent: "Ausgegeben", SameVendor: "ein Modell vom Hersteller des Machers", Estimated: "teils geschätzt",
	Whole: "Der Plan als Ganzes", Chunk: "Teil", Attempt: "Versuch %d", Before: "Vor dem ersten Versuch", Gates: "Prüfungen", Passed: "%d bestanden", Output: "Ausgabe von", Took: "dauerte",
	GoesOn: "läuft", Lost: "das Ergebnis ging verloren", Assessment: "hält von der eigenen Arbeit", Says: "sagt", Touched: "berührte außerhalb seines Arbeitsordners",
	Evidence: "Belege", OtherFiles: "Andere Dateien des Laufs", Patch: "was weggenommen wurde", Incidents: "Vorfälle", Confidence: "Gewissheit", Meta: "der dritte in Folge",
	Cut: "%d Bytes werden hier nicht gezeigt", Back: "Zurück zum Lauf", Binary: "Diese Datei ist leer.", Decide: "Entscheiden", GoOn: "Weitermachen",
	CostChart: "Kosten jedes Laufs", CostText: "In US-Dollar. Ein hohler Balken ist teils geschätzt.", StatusChart: "Wie Läufe endeten", StatusText: "Ein Punkt für jeden Lauf, in der Zeile seines Status.",
	RejectChart: "Ablehnungen durch Prüfer", RejectText: "Ein Punkt ist der Anteil der Urteile eines Laufs, die Nein hießen; die Linie ist der über die zehn Läufe bis dahin. Wer nie Nein sagt, prüft wenig.",
	Values: "Werte", Verdicts: "Urteile", Rejected: "Abgelehnt", TotalText: "Zusammen", Scroll: "lässt sich schieben",
	AcceptChart: "Von Menschen angenommen", AcceptText: "Der Anteil der beurteilten Läufe, die angenommen wurden, ein Balken für jeden Loop und Modus. Ab fünf verdienen vier Fünftel den nächsten Modus.",
	Score: "Bewertung", Accepted: "Angenommen", Failed: "Gescheitert", Open: "Nicht beurteilt", PerAccepted: "Kosten je angenommenem Lauf",
	ChunkOne: "1 Teil", ChunkMany: "%d Teile", IncidentOne: "1 Vorfall", IncidentMany: "%d Vorfälle",
	ChangedOne: "1 Datei geändert", ChangedMany: "%d Dateien geändert", OlderOne: "und 1 älterer Lauf: wiki loop list", OlderMany: "und %d ältere Läufe: wiki loop list",
}
