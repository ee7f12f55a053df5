package schema

// Dialect is a family of wikis, as data: how it is recognised, what its
// folders mean, and how its links resolve.
type Dialect struct {
	Name      string
	Title     string              // one line about whom it belongs to
	Markers   []string            // files or folders, below the root or the repository, that give it away
	Together  bool                // all Markers must be there; else any of them does
	RootField string              // a front matter field of the root index that gives it away too
	Profile   LinkProfile         // how its links resolve
	Required  []string            // front matter fields every page has but the reserved ones
	Types     map[string]string   // folder to the type of the pages in it
	Values    map[string][]string // field to the values it may have in this dialect; empty is open
	Folders   []Folder            // folders a whole wiki has, and what their pages must have
	Tags      map[string]string   // other spellings of tags to the usual one
	// Standing are paths of pages that need no link to them, beside those with
	// reserved names.
	Standing []string
	// Index is the name of a folder's index page, without ".md"; empty if the dialect
	// has none.
	Index string
	// Log is the path of the log page below the root; empty if the dialect has none.
	Log string
}

// Folder is one folder of a dialect.
type Folder struct {
	Path     string   // below the root; a * stands for one folder of any name
	Optional bool     // a whole wiki may do without it
	Indexed  bool     // holds the dialect's Index page when the folder is there
	Required []string // front matter fields of the pages right in it, but the reserved ones
	// Types are the values that the type field of its pages may have; empty is
	// open. A page whose type belongs to another folder is misplaced.
	Types []string
	// Only are the file name extensions that may are in it, empty for any.
	Only []string
}

// LinkProfile says how links resolve.
type LinkProfile struct {
	VaultMarkdown bool // a markdown destination is looked up in the whole vault, as Obsidian does
	RootAbsolute  bool // /x is below the wiki's root, as in OKF
	Underscores   bool // a___b is a/b, as in Logseq
	Outline       bool // pages are outlines: see [Page.Outline]; [label](((id))) is a link to the block with that id
	Dots          bool // a.b.c is a page of its own name, as in Dendron
	LabelFirst    bool // [[label|target]], as in Dendron and GitHub wikis
	PageNames     bool // [label](Page) leads to Page.md in whichever folder, as in GitHub wikis
	WantedPages   bool // a link to a page that does not exist yet is not a fault, as in Logseq
	TitlesAlive   bool // a link by title or alias works for this wiki's readers
}

// Folder returns what the dialect says about the folder at path below the
// root; ok is false when it says nothing.
func (d *Dialect) Folder(path string) (Folder, bool) {
	for _, f := range d.Folders {
		if matchFolder(f.Path, path) {
			return f, true
		}
	}
	return Folder{}, false
}

// Tag returns the usual spelling of a tag.
func (d *Dialect) Tag(name string) string {
	if usual, ok := d.Tags[fieldKey(name)]; ok {
		return usual
	}
	return name
}

// matchFolder reports whether path fits a pattern of as many segments.
func matchFolder(pattern, path string) bool {
	for {
		p, prest, pmore := cutSlash(pattern)
		s, srest, smore := cutSlash(path)
		if p != "*" && p != s || pmore != smore {
			return false
		}
		if !pmore {
			return true
		}
		pattern, path = prest, srest
	}
}

func cutSlash(s string) (before, rest string, found bool) {
	for i := range len(s) {
		if s[i] == '/' {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// Dialects returns every dialect, those with the surest markers first: the
// first whose markers are there is the one detected. The slice and what it
// holds must not be changed.
func Dialects() []Dialect { return dialects }

// DialectNames returns the names of all dialects in the order of [Dialects].
func DialectNames() []string {
	names := make([]string, len(dialects))
	for i, d := range dialects {
		names[i] = d.Name
	}
	return names
}

// DialectByName returns a dialect.
func DialectByName(name string) (Dialect, bool) {
	for _, d := range dialects {
		if d.Name == name {
			return d, true
		}
	}
	return Dialect{}, false
}
