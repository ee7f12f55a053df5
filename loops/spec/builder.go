package spec

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"github.com/loopwiki/wiki/schema"
)

// New is what [Build] makes a spec of. Fields that are empty have a default.
type New struct {
	Pattern       string // of a [Builder], or an alias
	Name          string
	Objective     string
	Input         string // name of the one input, default task
	Example       string // of that input
	Quality       float64
	MaxIterations int
}

// Builder is a pattern that [Build] knows.
type Builder struct {
	Name      string          `json:"name"`
	Aliases   []string        `json:"aliases"`
	Design    string          `json:"design"`    // the design pattern of the registry
	Criteria  string          `json:"criteria"`  // what the rubric asks
	Retention int             `json:"retention"` // iterations that memory is kept, 0 is none
	Workers   []BuilderWorker `json:"workers"`
}

// BuilderWorker is a worker of a built spec.
type BuilderWorker struct {
	ID     string   `json:"id"`
	Role   string   `json:"role"`
	Output string   `json:"output"`
	After  string   `json:"after"`
	Tools  string   `json:"tools"`  // separated by commas
	Inputs []string `json:"inputs"` // but the loop's own
}

// FindBuilder finds a pattern by its name or an alias.
func FindBuilder(name string) (Builder, bool) {
	i := slices.IndexFunc(Common().Builders, func(b Builder) bool { return b.Name == name || slices.Contains(b.Aliases, name) })
	if i < 0 {
		return Builder{}, false
	}
	return Common().Builders[i], true
}

//go:embed builder.yaml.tmpl
var builderText string

var builderTemplate = Template(builderText)

// Build makes a spec from a pattern. The error says which value no spec can have.
func Build(n New) (*Document, error) {
	b, ok := FindBuilder(n.Pattern)
	if !ok {
		return nil, fmt.Errorf("unknown pattern %q; use %s", n.Pattern, strings.Join(BuilderNames(), ", "))
	}
	if n.Input == "" {
		n.Input = "task"
	}
	if n.Example == "" {
		n.Example = "Complete the objective of this loop."
	}
	if n.Quality == 0 {
		n.Quality = 0.8
	}
	if n.MaxIterations == 0 {
		n.MaxIterations = 8
	}
	workers := slices.Clone(b.Workers)
	for i, w := range workers {
		workers[i].Inputs = append([]string{"inputs." + n.Input}, w.Inputs...)
	}
	return Render("loop.yaml", builderTemplate(), map[string]any{
		"Pattern": b.Name, "Design": b.Design, "Criteria": b.Criteria, "Retention": b.Retention, "Workers": workers,
		"Worker": workers[0].ID, "Last": workers[len(workers)-1].ID,
		"Name": n.Name, "Objective": n.Objective, "Input": n.Input, "Example": n.Example,
		"Quality": strconv.FormatFloat(n.Quality, 'g', -1, 64), "MaxIterations": n.MaxIterations,
	})
}

// BuilderNames are the names of the builder patterns.
func BuilderNames() (out []string) {
	for _, b := range Common().Builders {
		out = append(out, b.Name)
	}
	return out
}

// Template is a template of a spec, parsed when it is first asked for. Its function q
// quotes text for YAML.
func Template(text string) func() *template.Template {
	return sync.OnceValue(func() *template.Template {
		return template.Must(template.New("spec").Funcs(template.FuncMap{"q": quote}).Parse(text))
	})
}

// Render makes a document of a template; the error says what no spec can have.
func Render(path string, t *template.Template, data any) (*Document, error) {
	var text bytes.Buffer
	if err := t.Execute(&text, data); err != nil {
		return nil, err
	}
	d, err := Read(path, text.Bytes())
	if err != nil {
		return nil, err
	}
	return made(path, d.Root)
}

// made is the document of a root that was put together, read from the text that is
// written.
func made(path string, root *schema.Node) (*Document, error) {
	d, err := Read(path, Format(root))
	if err != nil {
		return nil, err
	}
	if faults := d.Validate(LSS10); len(faults) > 0 {
		return nil, fmt.Errorf("no spec can have %s", faults[0])
	}
	return d, nil
}

// Text is the document as YAML.
func (d *Document) Text() []byte { return Format(d.Root) }

// WithLevel is the document with the level that its form suggests, as a hint and,
// if it states none, in its metadata.
func (d *Document) WithLevel() (*Document, error) {
	h := d.SuggestLevel()
	hint := mapNode(
		schema.Pair{Key: "taxonomy_level", Value: textNode(h.TaxonomyLevel)}, schema.Pair{Key: "pattern", Value: textNode(h.Pattern)},
		schema.Pair{Key: "workers", Value: intNode(h.Workers)}, schema.Pair{Key: "confidence", Value: textNode(h.Confidence)},
	)
	root := with(d.Root, "x_loopforge", with(d.Root.Get("x_loopforge"), "level_hint", hint))
	if stated, _ := d.TaxonomyLevel(); stated == 0 {
		level, _ := strconv.Atoi(h.TaxonomyLevel)
		root = with(root, "metadata", with(root.Get("metadata"), "taxonomy_level", intNode(level)))
	}
	return made(d.Path, root)
}

// String is the line that --suggest-level prints.
func (h Hint) String() string {
	return fmt.Sprintf("Level hint: L%s (pattern=%s, workers=%d, confidence=%s)", h.TaxonomyLevel, h.Pattern, h.Workers, h.Confidence)
}
