package plan

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/skill"
	"github.com/loopwiki/wiki/schema"
)

// mostChunks is how many chunks a plan may have: one that has more is several.
const mostChunks = 10

// planName is how the file of a plan is called.
var planName = schema.Expression(`^[0-9]{4}-(0[1-9]|1[0-2])-[a-z0-9]+(-[a-z0-9]+)*$`)

// branchName is what git and every file system take for a name.
var branchName = schema.Expression(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$`)

// Surroundings are what a plan is judged by beside its own text.
type Surroundings struct {
	// Repo is the repository's root; nil leaves out what only the files tell.
	Repo fs.FS
	// Plans are all plans that there are, with their status.
	Plans []Known
	// Program reports whether the shell finds a program of that name; nil leaves
	// the question out. See [Programs].
	Program func(name string) bool
	// NoWriter is true if no agent has the role of the writer: nobody writes decision pages.
	NoWriter bool
}

// Known is another plan.
type Known struct {
	Plan   *loops.Plan
	Status Status
}

// Lint judges what a plan means in its repository. It repeats nothing that
// [Parse] says of it. Faults are in order of place.
func Lint(p *loops.Plan, src []byte, in Surroundings) []Fault {
	d := parse(p.Path, src)
	d.faults = nil
	d.lintName()
	d.lintScope(in)
	d.lintCommands(in)
	d.lintChunks(in)
	d.lintOrder()
	d.lintOthers(in.Plans)
	if n := d.root.Get("decision"); in.NoWriter && d.plan.Decision && n != nil {
		d.warn("decision-without-writer", n.Span, "assign an agent in wiki.yaml (loops: roles: writer), or write decision: false", "the plan requires a decision page, but no agent is configured for the role writer")
	}
	return d.sorted()
}

// Check parses and lints a plan.
func Check(path string, src []byte, in Surroundings) (*loops.Plan, []Fault) {
	p, faults := Parse(path, src)
	c := newCollector(src)
	c.faults = append(faults, Lint(p, src, in)...)
	return p, c.sorted()
}

func (d *document) lintName() {
	switch name := d.plan.Name; {
	case !branchName().MatchString(name) || strings.HasSuffix(name, ".lock"):
		d.err("plan-name", schema.Span{}, "rename it to YYYY-MM-slug.md, in lower-case letters, digits and hyphens", "the name %q is not a valid branch name", name)
	case !planName().MatchString(name):
		d.warn("plan-name", schema.Span{}, "rename it to YYYY-MM-slug.md, in lower-case letters, digits and hyphens", "the name %q has no date", name)
	}
}

// entries returns the entries of a list in the frontmatter.
func (d *document) entries(key string) []word {
	if d.root.Get(key) == nil {
		return nil
	}
	var out []word
	for _, n := range d.root.Get(key).Items {
		if n.IsScalar() && strings.TrimSpace(n.Text) != "" {
			out = append(out, word{strings.TrimSpace(n.Text), n.Span})
		}
	}
	return out
}

// twice reports entries that are given again.
func (d *document) twice(what string, words []word) {
	seen := map[string]bool{}
	for _, w := range words {
		if seen[w.text] {
			d.warn("duplicate-entry", w.span, "remove one", "%s lists %q twice", what, w.text)
		}
		seen[w.text] = true
	}
}

// lintScope judges where the plan may write.
func (d *document) lintScope(in Surroundings) {
	scope := d.entries("scope")
	if n := d.root.Get("scope"); n != nil && n.Kind == schema.KindList && len(n.Items) == 0 {
		d.err("scope-empty", n.Span, "list what may change, such as [src/pricing.ts]", "the scope is empty")
	}
	d.twice("scope", scope)
	for _, w := range scope {
		d.pattern(w, "the scope", in.Repo)
		if everything(w.text) && unsafePath(w.text) == "" {
			d.err("scope-wide", w.span, "list the plan's files or their directory", "the scope %q matches everything", w.text)
		}
	}
}

// pattern judges one glob for paths.
func (d *document) pattern(w word, of string, repo fs.FS) {
	if why := unsafePath(w.text); why != "" {
		d.err("path-unsafe", w.span, "write a path below the repository's root, with slashes", "%s %q %s", of, w.text, why)
		return
	}
	clean := path.Clean(w.text)
	if strings.HasSuffix(w.text, "/") || repo != nil && !wild(clean) && clean != "." && isFolder(repo, clean) {
		d.err("path-folder", w.span, "write "+clean+"/** for what is in it", "%s %q is a directory; files need a glob", of, w.text)
		return
	}
	if strings.HasPrefix(w.text, "./") {
		d.err("path-unsafe", w.span, "write "+clean, "%s %q begins with ./; remove it", of, w.text)
	}
}

func isFolder(repo fs.FS, name string) bool {
	info, err := fs.Stat(repo, name)
	return err == nil && info.IsDir()
}

// lintChunks judges the chunks one by one.
func (d *document) lintChunks(in Surroundings) {
	if len(d.chunks) > mostChunks {
		d.err("too-many-chunks", d.chunks[mostChunks].heading, "split it into plans of at most "+strconv.Itoa(mostChunks)+", linked by depends_on", "the plan has %d chunks", len(d.chunks))
	}
	scope := d.entries("scope")
	numbers, titles := map[int]bool{}, map[string]bool{}
	last := 0
	for i, c := range d.chunks {
		work := d.plan.Chunks[i]
		if numbers[c.number] {
			d.err("duplicate-chunk", c.heading, "renumber the chunks", "two chunks are numbered %d", c.number)
		} else if c.number < last {
			d.warn("chunk-order", c.heading, "chunks run in order of their position; renumber them", "chunk %d comes after chunk %d", c.number, last)
		}
		numbers[c.number], last = true, max(last, c.number)
		if folded := strings.ToLower(work.Title); titles[folded] {
			d.warn("duplicate-title", c.title, "give this one a distinct title", "two chunks are titled %q", work.Title)
		} else {
			titles[folded] = true
		}
		d.lintFiles(c, scope, in.Repo)
		d.lintSkill(c, work.Skill, in.Repo)
		if t := work.Tests; t.Kind == loops.TestsMove && t.From != "" && t.To != "" {
			d.lintMove(c, t, work, scope)
		}
	}
}

// find returns the values of a chunk's item.
func (c *chunk) find(key string) []word {
	var out []word
	for _, it := range c.items {
		if it.key == key && !(len(it.values) == 1 && it.values[0].text == "none") {
			out = append(out, it.values...)
		}
	}
	return out
}

// lintFiles holds the files of a chunk within the plan's scope.
func (d *document) lintFiles(c chunk, scope []word, repo fs.FS) {
	quiet := &document{collector: newCollector(d.src), src: d.src}
	files := quiet.commas(c.find("files"))
	d.twice("files", files)
	for _, f := range files {
		before := len(d.faults)
		d.pattern(f, "the file", repo)
		if len(d.faults) > before || len(scope) == 0 {
			continue
		}
		if !inScope(scope, f.text) {
			d.err("outside-scope", f.span, "add it to scope:, or remove it from the chunk", "%q is outside the plan's scope", f.text)
		}
	}
}

func inScope(scope []word, file string) bool {
	return slices.ContainsFunc(scope, func(s word) bool { return unsafePath(s.text) == "" && covers(s.text, file) })
}

// lintMove holds both ends of a move within the scope.
func (d *document) lintMove(c chunk, t loops.TestsRule, work loops.Chunk, scope []word) {
	at := c.find("tests")[0].span
	if t.From == t.To {
		d.err("tests-move", at, "name two different files", "tests: move has the same source and target: %q", t.From)
	}
	for _, p := range []string{t.From, t.To} {
		switch {
		case unsafePath(p) != "":
			d.err("path-unsafe", at, "write a path below the repository's root, with slashes", "the file %q %s", p, unsafePath(p))
		case len(scope) > 0 && !inScope(scope, p):
			d.err("outside-scope", at, "add it to scope:", "%q is outside the plan's scope", p)
		case len(work.Files) > 0 && !slices.ContainsFunc(work.Files, func(f string) bool { return covers(f, p) }):
			d.err("outside-scope", at, "add it to files:", "%q is not among the chunk's files", p)
		}
	}
}

// lintSkill looks a skill up.
func (d *document) lintSkill(c chunk, name string, repo fs.FS) {
	if name == "" || repo == nil {
		return
	}
	at := c.find("skill")[0].span
	known := skill.Names(repo)
	if slices.Contains(known, name) {
		return
	}
	hint := "write .agents/skills/" + Slug(name) + "/SKILL.md, or skill: none"
	if near, ok := schema.Nearest(name, known); ok {
		hint = "did you mean \"" + near + "\"?"
	}
	d.err("unknown-skill", at, hint, "no such skill: %q", name)
}
