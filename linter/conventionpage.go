package linter

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// conventionReader reads a schema page: blocks of YAML, tables of page types
// and lists of tags. What is written in sentences is never guessed at.
type conventionReader struct {
	c    *Conventions
	page *schema.Page
	root string // the wiki's root below its repository
}

func (r *conventionReader) read() {
	for i := range r.page.Fences {
		r.fence(&r.page.Fences[i])
	}
	for i := range r.page.Tables {
		r.table(&r.page.Tables[i])
	}
	for i := range r.page.Headings {
		if tagHeading(r.page.Headings[i].Text) {
			r.tags(i)
		}
	}
}

func (r *conventionReader) line(offset int) int { return r.page.Lines.Position(offset).Line }

// take adds what a place of the page says to the conventions.
func (r *conventionReader) take(b *schema.ConventionBlock, at schema.Span) {
	line := r.line(at.Start)
	decided := r.c.take(b, r.page.Path+":"+itoa(line))
	if len(b.Terms) > 0 {
		r.c.terms = append(r.c.terms, block{b, r.page, at})
	}
	says := describeBlock(b)
	for i, key := range decided {
		decided[i] = key[strings.LastIndexByte(key, '.')+1:]
	}
	if len(decided) > 0 && len(says) > 0 {
		says[len(says)-1] += " (wiki.yaml decides on " + strings.Join(decided, ", ") + ")"
	}
	for _, what := range says {
		r.c.Understood = append(r.c.Understood, Understood{r.page.Path, line, what})
	}
}

func (r *conventionReader) unread(at schema.Span, message string) {
	r.c.Unread = append(r.c.Unread, Unread{r.page, at, message})
}

// fence reads a YAML block that is marked for this program, or has only keys for it.
func (r *conventionReader) fence(f *schema.Fence) {
	if f.Language != "yaml" && f.Language != "yml" {
		return
	}
	if !r.marked(f) && !r.ours(f) {
		return
	}
	b, faults := yaml.LoadConventions(f.Content.In(r.page.Source), f.Content.Start)
	for _, fault := range faults {
		r.unread(fault.Span, fault.Message)
	}
	r.take(b, f.Span)
}

// marked reports whether the block's info string is "yaml wiki".
func (r *conventionReader) marked(f *schema.Fence) bool {
	line, _, _ := bytes.Cut(f.Span.In(r.page.Source), []byte("\n"))
	words := strings.Fields(strings.ToLower(strings.TrimLeft(string(line), "`~ \t")))
	return len(words) > 1 && slices.Contains(words[1:], "wiki")
}

// ours reports whether a block that is not marked can only be meant for this
// program: its keys are those of wiki.yaml, and are filled as there. A list of
// tags alone must stand below a heading that says so, since every example of a
// page's frontmatter may hold one.
func (r *conventionReader) ours(f *schema.Fence) bool {
	root, faults := yaml.Parse(f.Content.In(r.page.Source), f.Content.Start)
	if root == nil || root.Kind != schema.KindMap || len(faults) > 0 {
		return false
	}
	surely := false
	for _, p := range root.Pairs {
		switch p.Key {
		case "frontmatter":
			for _, key := range []string{"required", "types", "fields"} {
				v := p.Value.Get(key)
				surely = surely || v != nil && (v.Kind == schema.KindMap || v.Kind == schema.KindList)
			}
		case "tags":
			surely = surely || len(root.Pairs) == 1 && p.Value.Kind == schema.KindList && tagHeading(r.headingAbove(f.Span.Start))
		case "naming", "terms":
		default:
			return false
		}
	}
	return surely
}

// headingAbove returns the text of the last heading before offset.
func (r *conventionReader) headingAbove(offset int) string {
	text := ""
	for i := range r.page.Headings {
		if r.page.Headings[i].Span.Start > offset {
			break
		}
		text = r.page.Headings[i].Text
	}
	return text
}

// columns are the headings of tables that are read, in lower case.
var columns = map[string][]string{
	"type":     {"type", "page type", "types", "page types", "kind"},
	"folder":   {"folder", "directory", "dir", "path", "location", "lives in", "where"},
	"required": {"required fields", "required", "required frontmatter", "required keys", "required metadata", "mandatory fields"},
	"sections": {"sections", "required sections", "headings", "required headings", "mandatory sections"},
	"naming":   {"naming", "file naming", "file name", "file names", "filename", "filenames", "naming convention"},
}

// fieldColumns give a table away that is about fields, whose column "type" is
// that of their values.
var fieldColumns = []string{"field", "fields", "key", "property", "attribute", "column", "frontmatter field", "frontmatter key", "name"}

// columnNames returns the known names of a table's columns, "" for others.
func columnNames(t *schema.Table, known map[string][]string) []string {
	out := make([]string, len(t.Head))
	for i, cell := range t.Head {
		text := strings.ToLower(strings.Trim(strings.TrimSpace(cell.Text), "*_: "))
		for name, spellings := range known {
			if slices.Contains(spellings, text) && !slices.Contains(out, name) {
				out[i] = name
			}
		}
	}
	return out
}

// table reads a table of page types.
func (r *conventionReader) table(t *schema.Table) {
	names := columnNames(t, columns)
	about := 0
	for i, n := range names {
		if slices.Contains(fieldColumns, strings.ToLower(strings.TrimSpace(t.Head[i].Text))) {
			return
		}
		if n != "" && n != "type" {
			about++
		}
	}
	if !slices.Contains(names, "type") || about == 0 {
		return
	}
	seen := map[string]bool{}
	for _, row := range t.Rows {
		name, pt := r.row(names, row)
		if name == "" || seen[strings.ToLower(name)] || pt.Folder == "" && len(pt.Required)+len(pt.Sections) == 0 && pt.Naming == "" {
			continue
		}
		seen[strings.ToLower(name)] = true
		r.take(&schema.ConventionBlock{Frontmatter: schema.FrontConfig{Types: map[string]schema.PageType{name: pt}}}, row[0].Span)
	}
}

var (
	typeWord   = schema.Expression(`^\p{L}[\p{L}\p{N}_-]*$`)
	folderWord = schema.Expression(`^[\p{L}\p{N}_.][\p{L}\p{N}_. /-]*$`)
	fieldWord  = schema.Expression(`^[A-Za-z][A-Za-z0-9_.-]*$`)
	lineBreak  = schema.Expression(`(?i)<br\s*/?>`)
	globEnd    = schema.Expression(`/\*\*?(?:/\*)?(?:\.md)?$`)
)

// row reads one page type; its name is "" when the row names none.
func (r *conventionReader) row(names []string, row []schema.Cell) (name string, t schema.PageType) {
	for i, cell := range row {
		if i >= len(names) || cell.Span.Len() == 0 {
			continue
		}
		written := string(cell.Span.In(r.page.Source))
		switch names[i] {
		case "type":
			if name = plainCell(written); !typeWord().MatchString(name) {
				return "", t
			}
		case "folder":
			folder := globEnd().ReplaceAllString(plainCell(written), "")
			if folder = belowRoot(folder, r.root); folder != "." && folderWord().MatchString(folder) && !strings.HasSuffix(folder, ".md") {
				t.Folder = folder
			}
		case "required":
			t.Required = fieldsIn(written)
		case "sections":
			t.Sections = sectionsIn(written)
		case "naming":
			t.Naming = namingIn(plainCell(written))
		}
	}
	return name, t
}

// plainCell returns what stands in a cell without code, emphasis and slashes
// at its end.
func plainCell(s string) string {
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "`*_\""))
}

// noField are words in a column of required fields that are not fields.
var noField = []string{"yes", "no", "true", "false", "none", "optional", "required", "all", "any", "n/a", "x", "same", "and", "or"}

// fieldsIn returns the fields that a cell lists, separated by commas, or nil
// when anything else is in it.
func fieldsIn(cell string) []string {
	var out []string
	for _, item := range cellItems(cell) {
		item = plainCell(item)
		if !fieldWord().MatchString(item) || slices.Contains(noField, strings.ToLower(item)) {
			return nil
		}
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// sectionsIn returns the headings listed in a cell, or nil if it looks like a sentence.
func sectionsIn(cell string) []string {
	var out []string
	for _, item := range cellItems(cell) {
		item = strings.TrimSpace(strings.TrimLeft(plainCell(item), "#"))
		switch {
		case item == "", len(item) > 60, strings.ContainsAny(item, ".:()[]<>{}|*"), len(strings.Fields(item)) > 6,
			slices.Contains(noField, strings.ToLower(item)), strings.Trim(item, "-–—…") == "":
			return nil
		}
		out = append(out, item)
	}
	return out
}

func cellItems(cell string) []string {
	return strings.FieldsFunc(lineBreak().ReplaceAllString(cell, ","), func(r rune) bool { return r == ',' || r == ';' })
}

// namingIn returns the style of names that a cell gives, or "".
func namingIn(text string) string {
	text = strings.ToLower(strings.TrimSuffix(text, ".md"))
	for _, end := range []string{"-case", "_case", " case"} {
		text = strings.TrimSuffix(text, end)
	}
	switch {
	case slices.Contains(schema.NamingStyles, text):
		return text
	case strings.HasPrefix(text, "yyyy-mm-dd"):
		return "date-prefixed"
	}
	return ""
}
