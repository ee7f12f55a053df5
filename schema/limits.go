package schema

// Limits bound what a wiki may cost. Zero means the default.
type Limits struct {
	PageBytes    int `yaml:"page_bytes" json:"page_bytes,omitempty" jsonschema:"largest page in bytes, default 10485760"`
	Nesting      int `yaml:"nesting" json:"nesting,omitempty" jsonschema:"deepest nesting of quotes and lists, default 100"`
	TableColumns int `yaml:"table_columns" json:"table_columns,omitempty" jsonschema:"most columns of a table, default 500"`
	Depth        int `yaml:"depth" json:"depth,omitempty" jsonschema:"deepest nesting of folders, default 32; deeper ones are not read"`
	File         int `yaml:"file" json:"file,omitempty" jsonschema:"largest attached file in bytes that is published, default 104857600"`
	WikiBytes    int `yaml:"wiki_bytes" json:"wiki_bytes,omitempty" jsonschema:"bytes of all pages together, default 536870912; pages beyond it are not read"`
	WikiLinks    int `yaml:"wiki_links" json:"wiki_links,omitempty" jsonschema:"links of all pages together, default 1500000; pages beyond it are not read"`
}

// DefaultLimits apply unless wiki.yaml sets others.
var DefaultLimits = Limits{PageBytes: 10 << 20, Nesting: 100, TableColumns: 500, Depth: 32, File: 100 << 20, WikiBytes: 512 << 20, WikiLinks: 1_500_000}

// OrDefault fills in the limits that are not given.
func (l Limits) OrDefault() Limits {
	d := DefaultLimits
	for _, f := range []struct {
		value *int
		def   int
	}{
		{&l.PageBytes, d.PageBytes}, {&l.Nesting, d.Nesting}, {&l.TableColumns, d.TableColumns}, {&l.Depth, d.Depth}, {&l.File, d.File}, {&l.WikiBytes, d.WikiBytes},
		{&l.WikiLinks, d.WikiLinks},
	} {
		if *f.value <= 0 {
			*f.value = f.def
		}
	}
	return l
}

// Unread is a page or a folder that was left out because it is beyond a limit.
type Unread struct {
	Path  string // below the root
	Limit string // name of the limit
	Why   string // the state and the remedy, without the path
}

// The limits that are the same in every wiki. [LimitTable] says what happens
// beyond each.
const (
	MaxPageFile      = 32 << 20    // bytes of a file that is read as a page
	MaxMarkup        = 300_000     // pieces of markup of a page
	MaxReferenced    = 16 << 20    // bytes of the targets of a page's links by reference
	MaxPageLines     = 1_000_000   // lines of a page
	MaxTableCells    = 1 << 20     // cells of a table
	MaxFront         = 1 << 20     // bytes of front matter, and of a configuration
	MaxFrontParsed   = 128 << 10   // bytes of it that are no plain `key: value` lines
	MaxFrontDepth    = 100         // nesting of its lists and maps
	MaxFrontCopies   = 10_000      // values that its YAML aliases stand for
	MaxFrontFaults   = 20          // faults of it that are reported
	MaxPatternSize   = 1000        // instructions of a regular expression of wiki.yaml
	MaxPatternSteps  = 250_000_000 // bytes of a page times instructions of a pattern that is looked for in it
	MaxRuleFindings  = 2000        // findings of one rule on a page
	MaxGlobStars     = 4           // of ** in a glob of wiki.yaml
	MaxGlobChoices   = 500         // between the braces of one
	MaxSearched      = 16 << 20    // bytes of all pages that wiki search indexes, or
	MaxSearchedPage  = 8 << 10     // bytes for each page, whichever is more
	MaxSearchedOne   = 4 << 20     // bytes of one page that it indexes; an eighth in Han and kana
	MaxTagPages      = 5000        // tags that have a page on the site
	MaxDrawnPages    = 20_000      // pages that the graph of a wiki draws one by one
	MaxTagLevels     = 20          // levels of a tag that are told apart
	MaxRedirects     = 20          // other names of a page that lead to it on the site
	MaxEmbeds        = 60          // pages that one page shows instead of links
	MaxEmbedBytes    = 512 << 10   // bytes of these
	MaxEmbedsBytes   = 256 << 20   // bytes of all pages that are shown in others
	MaxHighlight     = 24 << 10    // bytes of a block of code that is coloured
	MaxFormula       = 4 << 10     // bytes of a formula that is converted
	MaxFormulas      = 64 << 10    // bytes of the formulas of a page that are converted
	MaxSource        = 2 << 20     // bytes of a source file whose symbols are read
	MaxSourceNesting = 10_000      // brackets within each other in one
	MaxCandidates    = 64          // pages that a link is said to fit
)

// Limit is one limit on size or complexity.
type Limit struct {
	Name   string `json:"name" jsonschema:"name of the limit"`
	Value  int    `json:"value" jsonschema:"the limit in this wiki"`
	Unit   string `json:"unit" jsonschema:"unit of the value"`
	Key    string `json:"key,omitempty" jsonschema:"key of wiki.yaml that sets it; absent if it is fixed"`
	Beyond string `json:"beyond" jsonschema:"what happens beyond it, and where it is reported"`
}

// LimitTable lists the limits of a wiki with those of its configuration.
func LimitTable(l Limits) []Limit {
	l = l.OrDefault()
	return []Limit{
		{"page", l.PageBytes, "bytes", "limits.page_bytes", "the page is read as plain text (page-too-complex)"},
		{"page file", MaxPageFile, "bytes", "", "the file is not read (unreadable-file)"},
		{"attached file", l.File, "bytes", "limits.file", "the file is not published, and links to it become text (wiki build reports it)"},
		{"all pages", l.WikiBytes, "bytes", "limits.wiki_bytes", "the last pages in order of path are not read (unreadable-file)"},
		{"links of all pages", l.WikiLinks, "links", "limits.wiki_links", "the last pages in order of path are not read (unreadable-file)"},
		{"depth of folders", l.Depth, "levels", "limits.depth", "the folder is not read (unreadable-file)"},
		{"nesting of quotes and lists", l.Nesting, "levels", "limits.nesting", "the page is read as plain text (page-too-complex)"},
		{"columns of a table", l.TableColumns, "columns", "limits.table_columns", "the page is read as plain text (page-too-complex)"},
		{"cells of a table", MaxTableCells, "cells", "", "the page is read as plain text (page-too-complex)"},
		{"markup of a page", MaxMarkup, "pieces", "", "the page is read as plain text (page-too-complex)"},
		{"targets of links by reference", MaxReferenced, "bytes", "", "the page is read as plain text (page-too-complex)"},
		{"lines of a page", MaxPageLines, "lines", "", "the page is read as plain text (page-too-complex)"},
		{"front matter, wiki.yaml", MaxFront, "bytes", "", "it is not read (frontmatter-invalid)"},
		{"YAML beyond plain lines", MaxFrontParsed, "bytes", "", "the rest of it is read line by line (frontmatter-invalid)"},
		{"nesting of YAML", MaxFrontDepth, "levels", "", "the value is not read (frontmatter-invalid)"},
		{"values of YAML aliases", MaxFrontCopies, "values", "", "the value is not read (frontmatter-invalid)"},
		{"faults of front matter", MaxFrontFaults, "faults", "", "further ones are not reported"},
		{"pattern of wiki.yaml", MaxPatternSize, "instructions", "", "wiki.yaml is refused, with the place of the pattern"},
		{"pattern times page", MaxPatternSteps, "steps", "", "the page is not checked (the rule of the pattern)"},
		{"findings of a rule on a page", MaxRuleFindings, "findings", "", "further ones are not reported (the last one notes it)"},
		{"** in a glob of wiki.yaml", MaxGlobStars, "times", "", "wiki.yaml is refused, with the place of the glob"},
		{"choices in a glob of wiki.yaml", MaxGlobChoices, "choices", "", "wiki.yaml is refused, with the place of the glob"},
		{"text that is searched", MaxSearched, "bytes", "", "only the beginning of the largest pages is searched (wiki search reports it)"},
		{"text of a page that is searched", MaxSearchedOne, "bytes", "", "only the beginning of the page is searched (wiki search reports it)"},
		{"tags with a page on the site", MaxTagPages, "tags", "", "rarer tags link to a search"},
		{"pages in the graph of a wiki", MaxDrawnPages, "pages", "", "folders are drawn instead"},
		{"levels of a tag", MaxTagLevels, "levels", "", "lower levels are not searched, and their pages have no folder"},
		{"other names of a page on the site", MaxRedirects, "names", "", "further ones don't redirect to the page"},
		{"embeds of a page", MaxEmbeds, "pages", "", "the embed is shown as a link"},
		{"embedded text of a page", MaxEmbedBytes, "bytes", "", "the embed is shown as a link"},
		{"embedded text of all pages", MaxEmbedsBytes, "bytes", "", "each page may show less"},
		{"coloured block of code", MaxHighlight, "bytes", "", "the block is shown in one colour"},
		{"formula", MaxFormula, "bytes", "", "its source is shown"},
		{"formulas of a page", MaxFormulas, "bytes", "", "the source of further ones is shown"},
		{"pages that a link fits", MaxCandidates, "pages", "", "further ones are not named"},
		{"source file with symbols", MaxSource, "bytes", "", "its symbols are not read"},
		{"brackets within each other in one", MaxSourceNesting, "levels", "", "its symbols are not read"},
	}
}
