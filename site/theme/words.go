package theme

import (
	"fmt"
	"strings"
)

// Words are the strings of the interface in one language.
type Words struct {
	Lang string // BCP 47

	SkipToContent, Menu, Home, AllPages, Tags, Recent, Search, Folders string
	ToggleTheme, OnThisPage, Breadcrumbs, More, PagesIn, Pagination    string
	Previous, Next, Raw, Edit, Sources, Backlinks, Findings            string
	Copy, Copied, Source                                               string

	SearchHint, SearchEmpty, SearchNone, SearchOne, SearchMany, SearchAny string
	SearchFailed, SearchNoScript, SearchKeys, Close, LoadingIndex         string

	Private, Unlisted, Verified, Unverified, Draft, Stale, Contested, Superseded, Deprecated string
	VerifiedOn, VerifiedBy, Against, UpdatedOn, CreatedOn                                    string
	ChangedSince, Expires                                                                    string
	CodeDiffers, PageStates, CodeHas, CodeLacks                                              string
	CitedMoved, CitedChanged, CitedLack                                                      string
	DeclaredNow, DeclaredWas, SinceDay                                                       string

	Contradicted, Contradictions, ContradictionsText, AllContradictions string
	MayDisagree, ContradictionsLive                                     string
	ContradictionOpen, Acknowledged, Until, ThisPage                    string

	NotFound, NotFoundText, Moved, MovedText, NoPages, NoPagesText string
	TaskDone, TaskOpen                                             string
	FileSource, FileBinary, FileTooLarge, RemoteMedia              string
	BrokenLink, MostLinked, LatestChanges, FolderEmpty, Parts      string
	Line, Under, Times                                             string

	// Said by a live preview. %s is a file or folder.
	ServerGone, Follows, NoPagesWrite, NoPagesBegin, NoPagesRoot, CanNotShow string

	PageOne, PageMany, MoreSources, MoreBacklinks  string // %d
	SymbolOne, SymbolMany, ChangedOne, ChangedMany string // %d

	Runs  RunWords
	Specs SpecWords

	Publish PublishWords
	Finding FindingWords
	Reading ReadingWords
	Change  ChangeWords
	Graph   GraphWords
	Find    SearchWords
	Health  HealthWords
}

// Plural returns the string for a number of pages.
func (w *Words) Plural(n int) string {
	if n == 1 {
		return w.PageOne
	}
	return fmt.Sprintf(w.PageMany, n)
}

// Count returns the string for a number of things: one, or many with %d.
func (w *Words) Count(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

// Format fills a number into one of the strings with %d.
func (w *Words) Format(format string, n int) string { return fmt.Sprintf(format, n) }

// languages is the one table of interface languages.
var languages = map[string]*Words{"en": &english, "de": &german}

// WordsFor returns the strings for a BCP 47 tag, English by default.
func WordsFor(tag string) *Words {
	primary, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	if w := languages[strings.ToLower(primary)]; w != nil {
		return w
	}
	return &english
}

// Direction returns "rtl" for languages usually written from right to left.
func Direction(tag string) string {
	primary, rest, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	switch primary {
	case "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi":
		if strings.HasPrefix(rest, "latn") {
			return "ltr"
		}
		return "rtl"
	}
	return "ltr"
}

var english = Words{
	Lang: "en", SkipToContent: "Skip to content", Menu: "Menu", Home: "Home", AllPages: "All pages", Tags: "Tags",
	Recent: "Recent changes", Search: "Search", Folders: "Folders", ToggleTheme: "Switch between light and dark",
	OnThisPage: "On this page", Breadcrumbs: "Breadcrumbs", More: "Show all", PagesIn: "Pages in", Pagination: "Neighbouring pages",
	Previous: "Previous", Next: "Next", Raw: "View source", Edit: "Edit this page", Sources: "Sources", Backlinks: "Linked from",
	Findings: "Findings", Copy: "Copy", Copied: "Copied",
	Source:     "Source document",
	SearchHint: "Search the wiki", SearchEmpty: "Type to search.", SearchNone: "Nothing found.", SearchOne: "1 result",
	SearchMany: "%d results", SearchAny: "No page has all of these words; these have some of them.",
	SearchFailed: "The search index could not be loaded.", SearchNoScript: "Searching needs JavaScript. Here are the pages from A to Z.",
	SearchKeys: "to move, Enter to open, Esc to close", Close: "Close", LoadingIndex: "Loading…",
	Private: "Private", Unlisted: "Unlisted", Verified: "Verified", Unverified: "Unverified", Draft: "Draft", Stale: "Stale", Contested: "Contested", Superseded: "Superseded", Deprecated: "Deprecated",
	VerifiedOn: "on", VerifiedBy: "by", Against: "against", UpdatedOn: "Updated", CreatedOn: "Created",
	ChangedSince: "changed since", Expires: "due for review",
	Contradicted: "Contradicted", Contradictions: "Contradictions", AllContradictions: "All contradictions",
	ContradictionsText: "Pages with conflicting values. At most one of them is right.",
	MayDisagree:        "May disagree", ContradictionsLive: "Pages with conflicting values. What may disagree was found by a rule; a published site shows only what was judged or acknowledged.",
	ContradictionOpen: "Open", Acknowledged: "Acknowledged", Until: "until", ThisPage: "This page",
	CodeDiffers: "The code has changed since this page was verified", PageStates: "The page states", CodeHas: "has", CodeLacks: "no longer has it",
	CitedMoved: "The cited lines are now at", CitedChanged: "The cited lines changed after this was written", CitedLack: "The cited lines no longer have",
	DeclaredNow: "is now", DeclaredWas: "was", SinceDay: "since",
	SymbolOne: "1 symbol", SymbolMany: "%d symbols", ChangedOne: "1 changed since", ChangedMany: "%d changed since",
	NotFound: "Page not found", NotFoundText: "The page may have been renamed or removed.",
	Moved: "Page moved", MovedText: "This page is now at", NoPages: "No pages yet", NoPagesText: "This wiki has no pages to show.",
	TaskDone: "done", TaskOpen: "to do",
	FileSource:   "A browser might run this file, so its source is shown. Name it in site.raw_files in wiki.yaml to publish it unchanged.",
	FileBinary:   "This file is not published, because its type is not known to be harmless. Name it in site.raw_files in wiki.yaml to publish it.",
	FileTooLarge: "This file is too large to show as source. Name it in site.raw_files in wiki.yaml to publish it unchanged.",
	RemoteMedia:  "media on another host",
	BrokenLink:   "Broken link", MostLinked: "Most linked", LatestChanges: "Latest changes", FolderEmpty: "Nothing here.",
	Parts: "Parts", Line: "line", Under: "under", Times: "times",
	ServerGone:   "The server does not respond. This page reloads when it is back.",
	Follows:      "This page updates when the files change.",
	NoPagesWrite: "Create a file that ends in .md in %s, for example %s.",
	NoPagesBegin: "Begin it with a line such as “# My wiki”. Link to another page with [[its name]].",
	NoPagesRoot:  "If the pages are elsewhere, set “root: FOLDER” in %s, or use wiki serve --root FOLDER.",
	CanNotShow:   "This page can't be shown",
	PageOne:      "1 page", PageMany: "%d pages", MoreSources: "and %d more", MoreBacklinks: "and %d more pages",
	Runs: englishRuns, Specs: englishSpecs, Publish: englishPublish, Finding: englishFinding, Reading: englishReading, Change: englishChange,
	Graph: englishGraph, Health: englishHealth, Find: englishSearch,
}

var german = Words{
	Lang: "de", SkipToContent: "Zum Inhalt springen", Menu: "Menü", Home: "Start", AllPages: "Alle Seiten", Tags: "Schlagwörter",
	Recent: "Letzte Änderungen", Search: "Suchen", Folders: "Ordner", ToggleTheme: "Zwischen hell und dunkel wechseln",
	OnThisPage: "Auf dieser Seite", Breadcrumbs: "Pfad", More: "Alle zeigen", PagesIn: "Seiten in", Pagination: "Benachbarte Seiten",
	Previous: "Zurück", Next: "Weiter", Raw: "Quelltext ansehen", Edit: "Seite bearbeiten", Sources: "Quellen", Backlinks: "Verlinkt von",
	Findings: "Befunde", Copy: "Kopieren", Copied: "Kopiert",
	Source:     "Quelldokument",
	SearchHint: "Wiki durchsuchen", SearchEmpty: "Suchbegriff eingeben.", SearchNone: "Nichts gefunden.", SearchOne: "1 Treffer",
	SearchMany: "%d Treffer", SearchAny: "Keine Seite enthält alle Wörter; diese enthalten einige davon.",
	SearchFailed: "Der Suchindex konnte nicht geladen werden.", SearchNoScript: "Die Suche braucht JavaScript. Hier sind die Seiten von A bis Z.",
	SearchKeys: "zum Bewegen, Enter zum Öffnen, Esc zum Schließen", Close: "Schließen", LoadingIndex: "Wird geladen …",
	Private: "Privat", Unlisted: "Nicht gelistet", Verified: "Geprüft", Unverified: "Ungeprüft", Draft: "Entwurf", Stale: "Veraltet", Contested: "Umstritten", Superseded: "Ersetzt", Deprecated: "Abgekündigt",
	VerifiedOn: "am", VerifiedBy: "von", Against: "gegen", UpdatedOn: "Geändert", CreatedOn: "Angelegt",
	ChangedSince: "seither geändert", Expires: "zu prüfen bis",
	Contradicted: "Widersprüchlich", Contradictions: "Widersprüche", AllContradictions: "Alle Widersprüche",
	ContradictionsText: "Seiten, die über dieselbe Sache Verschiedenes sagen. Höchstens eine davon hat recht.",
	MayDisagree:        "Vielleicht uneins", ContradictionsLive: "Seiten, die über dieselbe Sache Verschiedenes sagen. Was vielleicht uneins ist, fand eine Regel; veröffentlicht wird nur, was beurteilt oder zur Kenntnis genommen wurde.",
	ContradictionOpen: "Offen", Acknowledged: "Zur Kenntnis genommen", Until: "bis", ThisPage: "Diese Seite",
	CodeDiffers: "Der Code hat sich geändert, seit diese Seite geprüft wurde", PageStates: "Die Seite nennt", CodeHas: "hat", CodeLacks: "hat das nicht mehr",
	CitedMoved: "Die zitierten Zeilen stehen jetzt in", CitedChanged: "Die zitierten Zeilen haben sich geändert, seit dies geschrieben wurde", CitedLack: "In den zitierten Zeilen steht nicht mehr",
	DeclaredNow: "lautet jetzt", DeclaredWas: "vorher", SinceDay: "seit",
	SymbolOne: "1 Symbol", SymbolMany: "%d Symbole", ChangedOne: "1 seither geändert", ChangedMany: "%d seither geändert",
	NotFound: "Seite nicht gefunden", NotFoundText: "Unter dieser Adresse gibt es nichts. Vielleicht wurde die Seite umbenannt oder entfernt.",
	Moved: "Seite verschoben", MovedText: "Diese Seite steht jetzt unter", NoPages: "Noch keine Seiten", NoPagesText: "Dieses Wiki hat keine Seiten.",
	TaskDone: "erledigt", TaskOpen: "offen",
	FileSource:   "Ein Browser könnte diese Datei ausführen, darum steht hier ihr Quelltext. Mit site.raw_files in wiki.yaml wird sie veröffentlicht, wie sie ist.",
	FileBinary:   "Diese Datei ist nicht veröffentlicht, weil ihre Art nicht als harmlos bekannt ist. Mit site.raw_files in wiki.yaml wird sie es.",
	FileTooLarge: "Diese Datei ist zu groß, um als Quelltext gezeigt zu werden. Mit site.raw_files in wiki.yaml wird sie veröffentlicht, wie sie ist.",
	RemoteMedia:  "Medium auf einem anderen Server",
	BrokenLink:   "Dieser Link führt ins Leere", MostLinked: "Am häufigsten verlinkt", LatestChanges: "Letzte Änderungen", FolderEmpty: "Hier ist nichts.",
	Parts: "Teile", Line: "Zeile", Under: "unter", Times: "mal",
	ServerGone:   "Der Server antwortet nicht. Die Seite lädt neu, sobald er wieder da ist.",
	Follows:      "Diese Seite folgt den Dateien: Sie ändert sich, sobald jene sich ändern.",
	NoPagesWrite: "Schreibe eine Datei, die auf .md endet, in %s, zum Beispiel %s.",
	NoPagesBegin: "Beginne sie mit einer Zeile wie „# Mein Wiki“. Auf eine andere Seite verweist [[ihr Name]].",
	NoPagesRoot:  "Liegen die Seiten woanders, dann sage wo: „root: ORDNER“ in %s oder wiki serve --root ORDNER.",
	CanNotShow:   "Diese Seite kann nicht gezeigt werden",
	PageOne:      "1 Seite", PageMany: "%d Seiten", MoreSources: "und %d weitere", MoreBacklinks: "und %d weitere Seiten",
	Runs: germanRuns, Specs: germanSpecs, Publish: germanPublish, Finding: germanFinding, Reading: germanReading, Change: germanChange,
	Graph: germanGraph, Health: germanHealth, Find: germanSearch,
}
