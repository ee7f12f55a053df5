package schema

// Limits bound what a wiki may cost. Zero means the default.
type Limits struct {
	PageBytes    int `yaml:"page_bytes" json:"page_bytes,omitempty" jsonschema:"largest page in bytes, default 10485760"`
	Nesting      int `yaml:"nesting" json:"nesting,omitempty" jsonschema:"deepest nesting of quotes and lists, default 100"`
	TableColumns int `yaml:"table_columns" json:"table_columns,omitempty" jsonschema:"most columns of a table, default 500"`
	Depth        int `yaml:"depth" json:"depth,omitempty" jsonschema:"deepest nesting of folders, default 32; deeper ones are not read"`
	WikiBytes    int `yaml:"wiki_bytes" json:"wiki_bytes,omitempty" jsonschema:"bytes of all pages together, default 268435456; pages beyond it are not read"`
}

// DefaultLimits are used where wiki.yaml gives none.
var DefaultLimits = Limits{PageBytes: 10 << 20, Nesting: 100, TableColumns: 500, Depth: 32, WikiBytes: 256 << 20}

// OrDefault fills in the limits that are not given.
func (l Limits) OrDefault() Limits {
	d := DefaultLimits
	for _, f := range []struct {
		value *int
		def   int
	}{
		{&l.PageBytes, d.PageBytes}, {&l.Nesting, d.Nesting}, {&l.TableColumns, d.TableColumns}, {&l.Depth, d.Depth}, {&l.WikiBytes, d.WikiBytes},
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
	MaxPatternSize  = 1000        // instructions of a regular expression of wiki.yaml
	MaxPatternSteps = 250_000_000 // bytes of a page times instructions of a pattern that is looked for in it
	MaxGlobStars    = 4           // of ** in a glob of wiki.yaml
	MaxGlobChoices  = 500         // between the braces of one
	MaxPageFile     = 32 << 20    // bytes of a file that is read as a page
	MaxSearched     = 16 << 20    // bytes of all pages that wiki search indexes, or
	MaxSearchedPage = 8 << 10     // bytes for each page, whichever is more
	MaxTagPages     = 5000        // tags that have a page on the site
	MaxTagLevels    = 20          // levels of a tag that are told apart
)
