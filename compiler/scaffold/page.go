package scaffold

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// PageSpec describes a page to create.
type PageSpec struct {
	Type, Title string
	Day         time.Time // on which it is created
	// Folder is where the page lies if nothing says where its type lives.
	Folder string
	// Body is the text below the title, instead of a template; Summary is the page's
	// summary, if it needs one.
	Body, Summary string
}

// UnknownTypeError is a type that a wiki does not have.
type UnknownTypeError struct {
	Type  string
	Known []string // sorted
}

func (e *UnknownTypeError) Error() string { return fmt.Sprintf("unknown page type %q", e.Type) }

// Hint returns which types there are.
func (e *UnknownTypeError) Hint() string {
	if near, ok := schema.Nearest(e.Type, e.Known); ok {
		return "did you mean " + near + "?"
	}
	return "use one of " + strings.Join(e.Known, ", ")
}

// NewPage returns the changes that create a page of a type, and its path: in the folder
// for the type, with a name in the style of the folder, the required fields, and an
// entry in the folder's index. The error is an [*UnknownTypeError], or [fs.ErrExist].
func NewPage(ctx context.Context, w *compiler.Wiki, spec PageSpec) (*edit.Changes, string, error) {
	spec.Title = strings.Join(strings.Fields(spec.Title), " ")
	var err error
	if spec.Type, err = knownType(w, spec.Type); err != nil {
		return nil, "", err
	}
	dir := typeFolder(w, spec.Type)
	if dir == "" {
		dir = spec.Folder
	}
	name := fileName(w, dir, spec)
	if name == "" {
		return nil, "", fmt.Errorf("the title %q has no letter or digit for a file name", spec.Title)
	}
	file := path.Join(dir, name+".md")
	c := edit.New(w)
	if slices.ContainsFunc(w.Pages(), func(p *schema.Page) bool { return strings.EqualFold(p.Path, file) }) {
		return nil, file, fmt.Errorf("%s: %w", file, fs.ErrExist)
	}
	text, err := firstText(w, spec)
	if err != nil {
		return nil, "", err
	}
	if err := c.Create(file, []byte(text)); err != nil {
		return nil, file, err
	}
	with, err := fill(ctx, w, c, file, spec)
	if err != nil {
		return nil, "", err
	}
	if e, ok := indexEntry(with, file); ok {
		err = c.Edit(e)
	}
	return c, file, err
}

// knownType returns a type as the wiki spells it. A wiki that gives no types
// takes any.
func knownType(w *compiler.Wiki, name string) (string, error) {
	types := map[string]bool{}
	for t := range w.Config().Frontmatter.Types {
		types[t] = true
	}
	strict := len(types) > 0
	for _, p := range w.Pages() {
		if p.Meta.Type != "" {
			types[p.Meta.Type] = true
		}
	}
	for _, t := range w.Workspace().Dialect.Types {
		types[t] = true
	}
	known := sorted(types)
	for _, t := range known {
		if strings.EqualFold(t, name) {
			return t, nil
		}
	}
	if _, near := schema.Nearest(name, known); strict || near {
		return "", &UnknownTypeError{name, known}
	}
	return name, nil
}

func sorted(set map[string]bool) []string {
	var out []string
	for s := range set {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// typeFolder returns where pages of a type live: as the configuration says, else as
// the dialect does if there is that folder, else where most of them are.
func typeFolder(w *compiler.Wiki, typ string) string {
	if f := strings.Trim(path.Clean("/"+w.Config().Frontmatter.Types[typ].Folder), "/"); f != "" {
		return f
	}
	pages := map[string]int{}
	folders := map[string]bool{}
	for _, p := range w.Pages() {
		dir := path.Dir(p.Path)
		for d := dir; d != "."; d = path.Dir(d) {
			folders[d] = true
		}
		if strings.EqualFold(p.Meta.Type, typ) && !p.Reserved() && p.Layer != schema.LayerSource {
			pages[dir]++
		}
	}
	usual := ""
	for f, t := range w.Workspace().Dialect.Types {
		if t == typ && (usual == "" || folders[f] && !folders[usual] || folders[f] == folders[usual] && f < usual) {
			usual = f
		}
	}
	if folders[usual] {
		return usual
	}
	best := ""
	for dir, n := range pages {
		if best == "" || n > pages[best] || n == pages[best] && dir < best {
			best = dir
		}
	}
	switch {
	case best == "":
		return usual
	case best == ".":
		return ""
	}
	return best
}

// templateFolders hold what pages are made from.
var templateFolders = []string{"_templates", "templates", "_Templates", "Templates"}

// firstText returns the page before its required fields are seen to: from the
// template of its type, or made of its title and sections.
func firstText(w *compiler.Wiki, spec PageSpec) (string, error) {
	if spec.Body != "" {
		return "---\n---\n# " + spec.Title + "\n\n" + strings.TrimSpace(spec.Body) + "\n", nil
	}
	root, err := w.Workspace().OpenPages()
	if err != nil {
		return "", err
	}
	defer root.Close()
	for _, dir := range templateFolders {
		src, err := root.ReadFile(path.Join(dir, spec.Type+".md"), files.Text)
		if err == nil {
			return fillTemplate(string(src), spec), nil
		}
	}
	text := "---\n---\n# " + spec.Title + "\n"
	for _, section := range w.Config().Frontmatter.Types[spec.Type].Sections {
		text += "\n## " + section + "\n"
	}
	return text, nil
}

// fillTemplate replaces {{title}}, {{date}} and {{type}}, in the front matter so
// that it stays YAML.
func fillTemplate(text string, spec PageSpec) string {
	values := map[string]string{"title": spec.Title, "date": spec.Day.Format(time.DateOnly), "type": spec.Type}
	front := false
	var b strings.Builder
	number := 0
	for line := range strings.Lines(text) {
		if bare := strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), " \r\n"); bare == "---" && (number == 0 || front) {
			front = number == 0
		}
		number++
		for name, value := range values {
			for _, hole := range []string{"{{" + name + "}}", "{{ " + name + " }}"} {
				written := value
				switch {
				case front && strings.HasSuffix(strings.TrimSpace(line), ": "+hole) && name != "date":
					written = scalar(value)
				case front:
					written = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
				}
				line = strings.ReplaceAll(line, hole, written)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// fill adds the fields that the page must have and does not, and returns the
// wiki with the page in it.
func fill(ctx context.Context, w *compiler.Wiki, c *edit.Changes, file string, spec PageSpec) (*compiler.Wiki, error) {
	for _, key := range required(w, file, spec) {
		with, err := w.WithOverlay(ctx, c.Overlay())
		if err != nil {
			return nil, err
		}
		p := pageAt(with, file)
		if p == nil {
			return nil, fmt.Errorf("%s would not be a page of the wiki: see ignore: in wiki.yaml", file)
		}
		if has(p, key) {
			continue
		}
		edits := edit.AddValue(p, key, value(w, p, key, spec))
		if p.Front == nil {
			edits = []schema.Edit{{Path: file, Text: "---\n" + key + ": " + value(w, p, key, spec) + "\n---\n"}}
		}
		if edits == nil {
			return nil, fmt.Errorf("the frontmatter of the template for %s is invalid, so %s can't be added: fix it first", spec.Type, key)
		}
		if err := c.Edit(edits...); err != nil {
			return nil, err
		}
	}
	return w.WithOverlay(ctx, c.Overlay())
}

func pageAt(w *compiler.Wiki, file string) *schema.Page {
	for _, p := range w.Pages() {
		if p.Path == file {
			return p
		}
	}
	return nil
}
