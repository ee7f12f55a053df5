package plan

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
	"github.com/zeebo/xxh3"
)

// Folder is where plans lie, below the repository's root.
const Folder = "plans"

// maxPlan is how many bytes a plan may have. What one session of an agent can
// do is said in far fewer.
const maxPlan = 256 << 10

// The parts of a plan, as they are spelled.
var (
	keys     = []string{"title", "priority", "effort", "risk", "scope", "goal", "checks", "depends_on", "base", "decision", "labels", "rejected", "spec_changes"}
	sections = []string{"Context", "Chunks", "Risks", "Notes"}
	items    = []string{"skill", "files", "depends on", "verify", "tests"}
)

// document is a plan with the places of its parts.
type document struct {
	collector
	src  []byte
	plan loops.Plan

	// front is the YAML between the fences, root what it says (nil if nothing),
	// and broken is true if it is not all valid.
	front  schema.Span
	root   *schema.Node
	broken bool
	// body is where the text begins.
	body   int
	chunks []chunk
}

// chunk is a chunk's places.
type chunk struct {
	heading schema.Span // the line
	title   schema.Span
	number  int
	items   []item
	steps   []word // commands that steps of the text are verified by
}

// item is one "- key: value" below a chunk's heading.
type item struct {
	key    string
	span   schema.Span // of the key
	values []word
}

// word is a text with its place.
type word struct {
	text string
	span schema.Span
}

// Parse reads a plan strictly. path is the file's, relative to the repository's
// root. The plan is never nil and holds what is right; faults are in order of
// place. What a plan means in its repository is for [Lint] to judge.
func Parse(path string, src []byte) (*loops.Plan, []Fault) {
	d := parse(path, src)
	return &d.plan, d.sorted()
}

func parse(file string, src []byte) *document {
	d := &document{collector: newCollector(src), src: src}
	d.plan = loops.Plan{
		Name: NameOf(file), Path: file, Hash: Hash(src), Priority: 2, Effort: "M", Risk: "MED",
		Scope: []string{}, Chunks: []loops.Chunk{},
	}
	switch {
	case len(src) > maxPlan:
		d.err("too-large", schema.Span{}, "split it", "the plan has %d bytes, more than %d", len(src), maxPlan)
		return d
	case !utf8.Valid(src):
		at := schema.Span{Start: invalidAt(src)}
		at.End = at.Start + 1
		d.err("encoding", at, "save the file as UTF-8", "the file is not UTF-8")
		return d
	}
	if d.fences() {
		d.frontmatter()
	}
	d.sections()
	return d
}

// NameOf returns a plan's name: its file's, without folder and extension.
func NameOf(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }

// Hash names the content of a plan.
func Hash(src []byte) string {
	return fmt.Sprintf("%016x", xxh3.Hash(src))
}

// invalidAt returns the offset of the first byte that is not UTF-8.
func invalidAt(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(src)
}

// fences finds the frontmatter.
func (d *document) fences() bool {
	first := d.lines.Line(1)
	if fence := string(first.In(d.src)); strings.TrimRight(fence, " \t") != "---" {
		at := schema.Span{Start: first.Start, End: first.Start}
		d.body = first.Start
		d.err("frontmatter-missing", at, "begin with ---, keys such as title: and goal:, and --- again; 'wiki plan new' creates a plan", "the plan has no frontmatter")
		return false
	}
	for n := 2; n <= d.lines.Lines(); n++ {
		line := d.lines.Line(n)
		if strings.TrimRight(string(line.In(d.src)), " \t") != "---" {
			continue
		}
		d.front = schema.Span{Start: d.lines.Line(2).Start, End: line.Start}
		d.body = len(d.src)
		if n < d.lines.Lines() {
			d.body = d.lines.Line(n + 1).Start
		}
		return true
	}
	d.body = len(d.src)
	d.err("frontmatter-unclosed", first, "close it with a line ---", "the frontmatter is not closed")
	return false
}

// frontmatter reads the keys.
func (d *document) frontmatter() {
	root, faults := yaml.Parse(d.front.In(d.src), d.front.Start)
	for _, f := range faults {
		code := "frontmatter-invalid"
		if f.Kind == schema.FaultDuplicateKey {
			code = string(f.Kind)
		} else {
			d.broken = true
		}
		d.err(code, f.Span, "", "%s", f.Message)
	}
	if d.root = root; root == nil {
		d.missing()
		return
	}
	if root.Kind != schema.KindMap || root.Span.Start < len(d.src) && d.src[root.Span.Start] == '{' {
		d.broken = true
		d.err("frontmatter-invalid", root.Span, "write one key per line: title: …", "the frontmatter is not a list of keys")
		return
	}
	root.Walk(func(n *schema.Node) {
		if text := n.Span.In(d.src); len(text) > 0 && text[0] == '*' && !n.Quoted {
			d.broken = true
			d.err("frontmatter-alias", n.Span, "write the value itself, or put it in quotes", "YAML aliases are not allowed in a plan")
		}
	})
	seen := map[string]bool{}
	for _, p := range root.Pairs {
		if seen[p.Key] {
			continue // said already, and the first counts
		}
		seen[p.Key] = true
		d.key(p)
	}
	if !d.broken {
		d.missing()
	}
}

// missing names the keys that a plan can't be run without.
func (d *document) missing() {
	at := schema.Span{Start: d.front.Start, End: d.front.Start}
	for _, need := range [][2]string{{"title", "title: Pricing input validation"}, {"scope", "scope: [src/pricing/**]"}, {"goal", "goal: npm test"}} {
		if d.root.Get(need[0]) == nil && !slices.ContainsFunc(d.pairs(), func(p schema.Pair) bool { return d.meant(p.Key) == need[0] }) {
			d.err("missing-key", at, "write one, such as "+need[1], "the plan has no %s", need[0])
		}
	}
}

func (d *document) pairs() []schema.Pair {
	if d.root == nil {
		return nil
	}
	return d.root.Pairs
}

// meant returns the known key that a key most likely stands for.
func (d *document) meant(key string) string {
	if slices.Contains(keys, key) {
		return key
	}
	near, _ := schema.Nearest(key, keys)
	return near
}

// key reads one key of the frontmatter.
func (d *document) key(p schema.Pair) {
	switch v := p.Value; p.Key {
	case "title":
		d.text(p, &d.plan.Title)
	case "priority":
		if w := d.oneOf(p, "P1", "P2", "P3"); w != "" {
			d.plan.Priority = int(w[1] - '0')
		}
	case "effort":
		if w := d.oneOf(p, "S", "M", "L"); w != "" {
			d.plan.Effort = w
		}
	case "risk":
		if w := d.oneOf(p, "LOW", "MED", "HIGH"); w != "" {
			d.plan.Risk = w
		}
	case "scope":
		d.list(p, &d.plan.Scope, "[src/pricing.ts, src/pricing/**]")
	case "goal":
		d.text(p, &d.plan.Goal)
	case "checks":
		d.list(p, &d.plan.Checks, "[npm run typecheck]")
	case "depends_on":
		d.list(p, &d.plan.DependsOn, "[2026-07-other-plan]")
		for i, name := range d.plan.DependsOn {
			d.plan.DependsOn[i] = NameOf(name)
		}
	case "labels":
		d.list(p, &d.plan.Labels, "[maintenance]")
	case "base":
		d.plan.RedBase = d.oneOf(p, "green", "red") == "red"
	case "decision":
		if v.Kind != schema.KindBool {
			d.err("invalid-value", place(p), "write true or false", "decision is %s", kind(v))
			return
		}
		d.plan.Decision = strings.EqualFold(v.Text, "true")
	case "rejected":
		if v.Kind == schema.KindBool {
			d.err("invalid-value", v.Span, "write the reason, such as rejected: \"done by hand\"", "rejected is %s", kind(v))
			return
		}
		d.text(p, &d.plan.Rejected)
	case "spec_changes":
		d.plan.SpecChanges = d.specChanges(v)
	default:
		d.err("unknown-key", p.KeySpan, nearest(p.Key, keys), "unknown key %q", p.Key)
	}
}

// place returns where a key's value stands, or the key itself if there is none.
func place(p schema.Pair) schema.Span {
	if p.Value.Kind == schema.KindNull && p.Value.Span.Len() == 0 {
		return p.KeySpan
	}
	return p.Value.Span
}

// kind returns what a value is.
func kind(n *schema.Node) string {
	if n.IsScalar() {
		return n.Kind.String() + " " + strconv.Quote(n.Text)
	}
	return n.Kind.String()
}

func (d *document) text(p schema.Pair, into *string) {
	switch {
	case p.Value.IsScalar() && strings.TrimSpace(p.Value.Text) != "":
		*into = strings.TrimSpace(p.Value.Text)
	case p.Value.IsScalar(), p.Value.Kind == schema.KindNull:
		d.err("empty-value", place(p), "fill it in, or delete the line", "%s is empty", p.Key)
	default:
		d.err("invalid-value", place(p), "write one line of text", "%s is a %s", p.Key, p.Value.Kind)
	}
}

func (d *document) oneOf(p schema.Pair, words ...string) string {
	if p.Value.IsScalar() && slices.Contains(words, p.Value.Text) {
		return p.Value.Text
	}
	d.err("invalid-value", place(p), "expected one of "+strings.Join(words, ", "), "%s is %s", p.Key, kind(p.Value))
	return ""
}

func (d *document) list(p schema.Pair, into *[]string, example string) {
	if p.Value.Kind != schema.KindList {
		d.err("invalid-value", place(p), "write a list, such as "+p.Key+": "+example, "%s is %s", p.Key, kind(p.Value))
		return
	}
	for _, it := range p.Value.Items {
		if it.IsScalar() && strings.TrimSpace(it.Text) != "" {
			*into = append(*into, strings.TrimSpace(it.Text))
			continue
		}
		at := it.Span
		if at.Len() == 0 {
			at = p.KeySpan
		}
		if it.IsScalar() || it.Kind == schema.KindNull {
			d.err("empty-value", at, "fill it in, or delete it", "%s has an empty entry", p.Key)
		} else {
			d.err("invalid-value", at, "write text; quote it if it contains \": \" or begins with { or [", "an entry of %s is a %s", p.Key, it.Kind)
		}
	}
}

// trimSpan takes white space off both ends of a place.
func trimSpan(src []byte, s schema.Span) schema.Span {
	text := s.In(src)
	left := bytes.TrimLeft(text, " \t\r\n")
	s.Start += len(text) - len(left)
	s.End = s.Start + len(bytes.TrimRight(left, " \t\r\n"))
	return s
}
