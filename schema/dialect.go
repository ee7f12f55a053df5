package schema

// Dialect is a family of wikis, as data: how it is recognised, what its
// folders mean, and how its links resolve.
type Dialect struct {
	Name     string
	Markers  []string          // files or folders, below the root or the repository, that give it away
	Profile  LinkProfile       // how its links resolve
	Required []string          // frontmatter fields every page has
	Types    map[string]string // folder to the type of the pages in it
	Folders  []string          // folders a whole wiki has
	Tags     map[string]string // other spellings of tags to the usual one
}

// LinkProfile says how links resolve.
type LinkProfile struct {
	VaultMarkdown bool // a markdown destination is looked up in the whole vault, as Obsidian does
	RootAbsolute  bool // /x is below the wiki's root, as in OKF
	Underscores   bool // a___b is a/b, as in Logseq
	Dots          bool // a.b.c is a page of its own name, as in Dendron
	LabelFirst    bool // [[label|target]], as in Dendron
	WantedPages   bool // a link to a page that does not exist yet is no fault, as in Logseq
	TitlesAlive   bool // a link by title or alias works for this wiki's readers
}

// ReservedName reports whether the page at path has its place by its name:
// an index, a log, a schema, a readme. Such pages are no orphans and need no
// frontmatter.
func ReservedName(path string) bool { return false }
