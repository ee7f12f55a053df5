package schema

// ConfigVersion is the version of wiki.yaml that this program writes and the
// newest it reads.
const ConfigVersion = 1

// Config is wiki.yaml. Every key is optional; the zero Config means there is no file.
// Decoding is strict: an unknown key is an error.
type Config struct {
	Version     int               `yaml:"version" json:"version,omitempty" jsonschema:"format version of this file, 1"`
	Title       string            `yaml:"title" json:"title,omitempty" jsonschema:"name of the wiki, shown on its site"`
	Description string            `yaml:"description" json:"description,omitempty" jsonschema:"one sentence about the wiki"`
	Root        string            `yaml:"root" json:"root,omitempty" jsonschema:"folder of the pages, relative to this file; detected when absent"`
	Dialect     string            `yaml:"dialect" json:"dialect,omitempty" jsonschema:"karpathy, nvk, okf, code-wiki, obsidian, logseq, dendron, foam or github-wiki; detected when absent"`
	Language    string            `yaml:"language" json:"language,omitempty" jsonschema:"BCP 47 tag of the language the pages are written in"`
	Ignore      []string          `yaml:"ignore" json:"ignore,omitempty" jsonschema:"globs of files below the root to ignore, in addition to .gitignore"`
	Sources     []string          `yaml:"sources" json:"sources,omitempty" jsonschema:"globs of pages that are raw sources, in addition to raw/, sources/, _sources/ and references/"`
	Identity    IdentityConfig    `yaml:"identity" json:"identity,omitzero" jsonschema:"which pages are translations, versions or a series, in addition to those detected"`
	Links       map[string]string `yaml:"links" json:"links,omitempty" jsonschema:"targets of links that begin with a slash: maps a prefix, such as /docs/, to a folder below the root, or to - for pages outside this wiki"`
	Limits      Limits            `yaml:"limits" json:"limits,omitzero" jsonschema:"limits on size and complexity; wiki doctor lists them"`
	Frontmatter FrontConfig       `yaml:"frontmatter" json:"frontmatter,omitzero" jsonschema:"requirements for front matter"`
	Tags        []string          `yaml:"tags" json:"tags,omitempty" jsonschema:"allowed tags; others are reported by tag-taxonomy"`
	Naming      string            `yaml:"naming" json:"naming,omitempty" jsonschema:"naming convention of pages: kebab, snake, title, date-prefixed, or a regular expression for the whole name without .md; checked by naming"`
	Terms       map[string]string `yaml:"terms" json:"terms,omitempty" jsonschema:"forbidden terms and their replacements; reported by forbidden-term"`
	Rules       []CustomRule      `yaml:"rules" json:"rules,omitempty" jsonschema:"custom rules"`
	Lint        LintConfig        `yaml:"lint" json:"lint,omitzero" jsonschema:"what wiki lint reports"`
	Claims      ClaimsConfig      `yaml:"claims" json:"claims,omitzero" jsonschema:"synonyms and units for comparing claims, in addition to the built-in ones"`
	Loops       LoopsConfig       `yaml:"loops" json:"loops,omitzero" jsonschema:"configuration of agent loops"`
	Judge       JudgeConfig       `yaml:"judge" json:"judge,omitzero" jsonschema:"the model that decides doubts; used with --judge only"`
	Site        SiteConfig        `yaml:"site" json:"site,omitzero" jsonschema:"the rendered site"`
}

// IdentityConfig adds editions and series to those detected; wiki doctor shows both.
type IdentityConfig struct {
	Languages []string `yaml:"languages" json:"languages,omitempty" jsonschema:"globs of folders with translations: guide/german"`
	Versions  []string `yaml:"versions" json:"versions,omitempty" jsonschema:"globs of folders with versions of a manual: reference/*"`
	Series    []string `yaml:"series" json:"series,omitempty" jsonschema:"globs of pages about different days or releases, which don't contradict each other; each glob is one series"`
	Distinct  []string `yaml:"distinct" json:"distinct,omitempty" jsonschema:"globs of pages that are compared with all others, whatever is detected"`
}

// FrontConfig says what front matter must look like.
type FrontConfig struct {
	Required []string             `yaml:"required" json:"required,omitempty" jsonschema:"fields every page must have"`
	Types    map[string]PageType  `yaml:"types" json:"types,omitempty" jsonschema:"page types and their requirements"`
	Fields   map[string]FieldType `yaml:"fields" json:"fields,omitempty" jsonschema:"fields and the type of their value"`
	Closed   bool                 `yaml:"closed" json:"closed,omitempty" jsonschema:"report every field that is not listed under fields"`
}

// PageType are the requirements for pages of one type.
type PageType struct {
	Required []string `yaml:"required" json:"required,omitempty" jsonschema:"fields pages of this type must have"`
	Folder   string   `yaml:"folder" json:"folder,omitempty" jsonschema:"folder for pages of this type; pages there without a type have this one"`
	Sections []string `yaml:"sections" json:"sections,omitempty" jsonschema:"headings pages of this type must have; reported by template-sections"`
	Ordered  bool     `yaml:"ordered" json:"ordered,omitempty" jsonschema:"the sections must be in the listed order"`
	Naming   string   `yaml:"naming" json:"naming,omitempty" jsonschema:"naming convention of this type: kebab, snake, title, date-prefixed, or a regular expression for the whole name without .md"`
}

// FieldType is the type of a front matter field's value.
type FieldType struct {
	Type   string   `yaml:"type" json:"type,omitempty" jsonschema:"text, date, number, integer, boolean, list, map or link"`
	Values []string `yaml:"values" json:"values,omitempty" jsonschema:"the only values allowed"`
}

// LintConfig says what wiki lint reports.
type LintConfig struct {
	FailOn    string              `yaml:"fail_on" json:"fail_on,omitempty" jsonschema:"severity from which lint exits 1: error, warning or info; default error"`
	Rules     map[string]Severity `yaml:"rules" json:"rules,omitempty" jsonschema:"severity per rule or group of rules: off, info, warning or error"`
	PageWords int                 `yaml:"page_words" json:"page_words,omitempty" jsonschema:"most words of a page before page-size reports it, default 6000"`
	PageBytes int                 `yaml:"page_bytes" json:"page_bytes,omitempty" jsonschema:"most bytes of a page before page-size reports it, default 65536"`
	Overrides []LintOverride      `yaml:"overrides" json:"overrides,omitempty" jsonschema:"severities for some paths only; the last match wins"`
}

// LintOverride changes severities for some paths.
type LintOverride struct {
	Paths []string            `yaml:"paths" json:"paths" jsonschema:"globs below the wiki's root"`
	Rules map[string]Severity `yaml:"rules" json:"rules" jsonschema:"severity per rule or group of rules"`
}

// ClaimsConfig adds to the words by which the rules about contradictions compare rows,
// columns and fields. Opposite, Slots and Classes are read and have no effect any more.
type ClaimsConfig struct {
	Same     map[string][]string `yaml:"same" json:"same,omitempty" jsonschema:"synonyms of a word: weight: [mass]"`
	Opposite map[string][]string `yaml:"opposite" json:"opposite,omitempty" jsonschema:"deprecated, without effect"`
	Slots    map[string][]string `yaml:"slots" json:"slots,omitempty" jsonschema:"deprecated, without effect"`
	Units    map[string][]string `yaml:"units" json:"units,omitempty" jsonschema:"names of units, by their amount: 14 days: [fortnight, fortnights]"`
	Classes  map[string][]string `yaml:"classes" json:"classes,omitempty" jsonschema:"deprecated, without effect"`
}

// JudgeConfig configures the model that decides doubts; without a command or endpoint,
// the first agent CLI in PATH. It is used only on request.
type JudgeConfig struct {
	Command  []string      `yaml:"command" json:"command,omitempty" jsonschema:"program with arguments that reads the prompt from standard input and prints the answer: [claude, -p]"`
	Endpoint JudgeEndpoint `yaml:"endpoint" json:"endpoint,omitzero" jsonschema:"server to use instead of a command"`
	Timeout  int           `yaml:"timeout" json:"timeout,omitempty" jsonschema:"most seconds that one call may take, default 120"`
	Budget   int           `yaml:"budget" json:"budget,omitempty" jsonschema:"most calls per run of wiki lint, default 20; --judge-budget overrides it"`
	Exclude  []string      `yaml:"exclude" json:"exclude,omitempty" jsonschema:"globs of pages below the wiki's root that are never sent to a model"`
}

// JudgeEndpoint is a server that speaks the protocol of OpenAI's chat
// completions.
type JudgeEndpoint struct {
	URL   string `yaml:"url" json:"url,omitempty" jsonschema:"base address, without /chat/completions: https://api.openai.com/v1"`
	Model string `yaml:"model" json:"model,omitempty" jsonschema:"name of the model"`
	Key   string `yaml:"key" json:"key,omitempty" jsonschema:"name of the environment variable with the key; without it, no key is sent"`
}

// What the site does with images, video and audio on other hosts; the first is
// the default.
const (
	RemoteMediaAllow = "allow" // shows them
	RemoteMediaLink  = "link"  // shows a link to them
	RemoteMediaBlock = "block" // shows their text alone
)

// RemoteMediaModes are the values of site.remote_media.
var RemoteMediaModes = []string{RemoteMediaAllow, RemoteMediaLink, RemoteMediaBlock}

// What the site shows for a wikilink without a text that is written as a path or slug; the
// first is the default.
const (
	LinkTextTitle   = "title"   // the title of the page
	LinkTextWritten = "written" // what is written
)

// LinkTexts are the values of site.link_text.
var LinkTexts = []string{LinkTextTitle, LinkTextWritten}

// SiteConfig is about the rendered site.
type SiteConfig struct {
	URL     string `yaml:"url" json:"url,omitempty" jsonschema:"address the site is published at; needed for the sitemap and canonical links only"`
	Output  string `yaml:"output" json:"output,omitempty" jsonschema:"folder wiki build writes to, relative to this file; default _site in the repository"`
	Repo    string `yaml:"repo" json:"repo,omitempty" jsonschema:"web address of the repository, for links into the code"`
	EditURL string `yaml:"edit_url" json:"edit_url,omitempty" jsonschema:"address of a page's editor with {path} in it"`
	Theme   string `yaml:"theme" json:"theme,omitempty" jsonschema:"folder with templates and assets that override the built-in ones, relative to this file"`
	Drafts  bool   `yaml:"drafts" json:"drafts,omitempty" jsonschema:"publish drafts too, but no private pages"`
	Sources string `yaml:"sources" json:"sources,omitempty" jsonschema:"published markdown of each page: public, the default, removes comments; as-written keeps them"`

	RawFiles    []string `yaml:"raw_files" json:"raw_files,omitempty" jsonschema:"globs of trusted files below the wiki's root to publish unchanged although a browser may run them; other such files are shown as source"`
	RemoteMedia string   `yaml:"remote_media" json:"remote_media,omitempty" jsonschema:"images, video and audio on other hosts: allow shows them, link shows a link to them, block shows their text; default allow"`
	LinkText    string   `yaml:"link_text" json:"link_text,omitempty" jsonschema:"what a wikilink without a text that is written as a path or slug shows: title, the default, is the title of the page; written is what is written"`
}
