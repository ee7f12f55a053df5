package schema

// dialects are the families of wikis that people have, those with the surest
// markers first.
var dialects = []Dialect{
	{
		Name:    "logseq",
		Title:   "a Logseq graph",
		Markers: []string{"logseq/"},
		Profile: LinkProfile{Underscores: true, Outline: true, WantedPages: true, TitlesAlive: true, VaultMarkdown: true},
		Types:   map[string]string{"journals": "journal"},
	},
	{
		Name:    "dendron",
		Title:   "a Dendron workspace",
		Markers: []string{"dendron.yml", "dendron.code-workspace"},
		Profile: LinkProfile{Dots: true, LabelFirst: true},
	},
	{
		Name:    "foam",
		Title:   "a Foam workspace",
		Markers: []string{".foam/"},
		Profile: LinkProfile{TitlesAlive: true},
		Types:   map[string]string{"journals": "journal", "journal": "journal"},
	},
	{
		Name:    "obsidian",
		Title:   "an Obsidian vault",
		Markers: []string{".obsidian/"},
		Profile: LinkProfile{VaultMarkdown: true},
	},
	{
		Name:     "github-wiki",
		Title:    "a GitHub wiki: Home.md and _Sidebar.md",
		Markers:  []string{"Home.md", "_Sidebar.md"},
		Together: true,
		Profile:  LinkProfile{LabelFirst: true, PageNames: true, TitlesAlive: true},
	},
	nvk,
	{
		Name:      "okf",
		Title:     "an Open Knowledge Format bundle",
		Markers:   []string{".okf/", "okf.yaml", "okf.yml"},
		RootField: "okf_version",
		Profile:   LinkProfile{RootAbsolute: true},
		// The format requires a type of every page but the indexes and logs,
		// which are reserved.
		Required: []string{"type"},
		Index:    "index",
	},
	{
		Name:    "code-wiki",
		Title:   "a wiki about a code base, written by agents",
		Markers: []string{"openwiki/", ".openwiki/", "DEEPWIKI.md", ".wiki/modules/"},
		Profile: LinkProfile{RootAbsolute: true, TitlesAlive: true},
		Types: map[string]string{
			"modules": "module", "concepts": "concept", "entities": "entity", "flows": "flow", "decisions": "decision",
			"guides": "guide", "candidates": "candidate", "glossary": "glossary",
		},
		Index: "index",
	},
	{
		Name:     "karpathy",
		Title:    "an LLM wiki of sources, entities and concepts",
		Markers:  []string{"index.md", "log.md"},
		Together: true,
		Profile:  LinkProfile{TitlesAlive: true},
		Types: map[string]string{
			"entities": "entity", "concepts": "concept", "sources": "source", "topics": "topic", "synthesis": "synthesis",
			"syntheses": "synthesis", "comparisons": "comparison", "queries": "query", "summaries": "summary",
			"10_DOMAIN": "domain", "20_SYSTEM": "system", "90_LOG": "log",
		},
		Index: "index",
		Log:   "log.md",
	},
}

// nvk is the layout of the nvk wiki skill: an _index.md in every folder, raw
// sources that are never changed, articles compiled from them, and inventory
// and dataset records next to them.
var nvk = Dialect{
	Name:     "nvk",
	Title:    "an nvk wiki: _index.md in every folder, raw/ and wiki/ side by side",
	Markers:  []string{"_index.md", "raw/", "wiki/"},
	Together: true,
	Profile:  LinkProfile{TitlesAlive: true},
	Index:    "_index",
	Log:      "log.md",
	Standing: []string{"config.md"}, // title and scope of the wiki, read by the skill
	Types: map[string]string{
		"wiki/concepts": "concept", "wiki/topics": "topic", "wiki/references": "reference", "wiki/theses": "thesis",
		"raw/articles": "articles", "raw/papers": "papers", "raw/repos": "repos", "raw/notes": "notes", "raw/data": "data",
	},
	Values: map[string][]string{
		"confidence": {"high", "medium", "low"},
		"volatility": {"hot", "warm", "cold"},
	},
	Folders: []Folder{
		{Path: "raw", Indexed: true, Only: []string{".md"}},
		{Path: "raw/articles", Indexed: true, Required: nvkRaw, Types: nvkRawTypes},
		{Path: "raw/papers", Indexed: true, Required: nvkRaw, Types: nvkRawTypes},
		{Path: "raw/repos", Indexed: true, Required: nvkRaw, Types: nvkRawTypes},
		{Path: "raw/notes", Indexed: true, Required: nvkRaw, Types: nvkRawTypes},
		{Path: "raw/data", Indexed: true, Required: nvkRaw, Types: nvkRawTypes},
		{Path: "wiki", Indexed: true, Only: []string{".md"}},
		{Path: "wiki/concepts", Indexed: true, Required: nvkArticle, Types: []string{"concept"}, Only: []string{".md"}},
		{Path: "wiki/topics", Indexed: true, Required: nvkArticle, Types: []string{"topic"}, Only: []string{".md"}},
		{Path: "wiki/references", Indexed: true, Required: nvkArticle, Types: []string{"reference"}, Only: []string{".md"}},
		{Path: "wiki/theses", Optional: true, Indexed: true, Required: []string{"title", "summary", "created", "updated"}, Types: []string{"thesis"}, Only: []string{".md"}},
		{Path: "output", Indexed: true, Required: []string{"title", "summary", "created"}},
		{Path: "inventory", Optional: true, Indexed: true},
		{Path: "inventory/items", Optional: true, Indexed: true, Required: nvkRecord},
		{Path: "inventory/candidates", Optional: true, Indexed: true, Required: nvkRecord},
		{Path: "inventory/entities", Optional: true, Indexed: true, Required: nvkRecord},
		{Path: "inventory/corpora", Optional: true, Indexed: true, Required: nvkRecord},
		{Path: "inventory/views", Optional: true, Indexed: true, Required: []string{"title", "summary", "updated"}},
		{Path: "datasets", Optional: true, Indexed: true},
		{Path: "datasets/*", Optional: true, Indexed: true, Required: []string{"title", "summary", "status", "storage", "locations", "created", "updated"}},
		{Path: "datasets/*/samples", Optional: true, Indexed: true},
		{Path: "datasets/*/profiles", Optional: true, Indexed: true},
		{Path: "datasets/*/queries", Optional: true, Indexed: true},
	},
	Tags: map[string]string{
		"ml": "machine-learning", "ai": "artificial-intelligence", "nlp": "natural-language-processing",
		"k8s": "kubernetes", "js": "javascript", "ts": "typescript",
	},
}

var (
	nvkRaw      = []string{"title", "source", "type", "ingested", "tags", "summary"}
	nvkRawTypes = []string{"articles", "papers", "repos", "notes", "data"}
	nvkArticle  = []string{"title", "category", "sources", "created", "updated", "tags", "confidence", "volatility", "verified", "summary"}
	nvkRecord   = []string{"title", "kind", "status", "created", "updated", "tags", "summary"}
)
