package plan

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// hidden are the keys that the maker does not see.
var hidden = []string{"goal", "checks", "spec_changes"}

// Withheld stands where a plan's text quotes a command that the maker does not
// know.
const Withheld = "[withheld]"

// Render returns the plan as the maker sees it: without goal, checks and
// spec_changes, with the comments directly above them, and with [Withheld] where
// the rest quotes one of their commands. All else stays byte for byte. A
// frontmatter that can't be read is left out as a whole.
func Render(p *loops.Plan, src []byte) []byte {
	d := parse(p.Path, src)
	secret := d.secrets(p)
	if len(d.plan.Scope) == 0 && d.root == nil && d.front.Len() == 0 {
		return secret.conceal(src)
	}
	if d.broken || d.root == nil {
		return secret.conceal(append([]byte("---\n---\n"), src[d.body:]...))
	}
	var out []byte
	at := 0
	for _, cut := range d.hiddenLines() {
		out = append(out, src[at:cut.Start]...)
		at = cut.End
	}
	return secret.conceal(append(out, src[at:]...))
}

// hiddenLines returns the lines of the frontmatter that the maker does not see.
func (d *document) hiddenLines() []schema.Span {
	first, last := d.lines.LineOf(d.front.Start), d.lines.LineOf(d.front.End)
	begins := map[int]bool{}
	for _, p := range d.root.Pairs {
		begins[d.lines.LineOf(p.KeySpan.Start)] = true
	}
	var out []schema.Span
	for _, p := range d.root.Pairs {
		if !slices.Contains(hidden, d.meant(p.Key)) {
			continue
		}
		from := d.lines.LineOf(p.KeySpan.Start)
		to := from + 1
		for to < last && !begins[to] {
			to++
		}
		for to-1 > from && to < last && d.comment(to-1) { // it is about the next key
			to--
		}
		for from > first && d.comment(from-1) {
			from--
		}
		out = append(out, schema.Span{Start: d.lineStart(from), End: d.lineStart(to)})
	}
	slices.SortFunc(out, func(a, b schema.Span) int { return a.Start - b.Start })
	merged := out[:0]
	for _, s := range out {
		if n := len(merged); n > 0 && s.Start < merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, s.End)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// comment reports whether a line is a comment at the left edge.
func (d *document) comment(line int) bool {
	return bytes.HasPrefix(d.lines.Line(line).In(d.src), []byte("#"))
}

func (d *document) lineStart(line int) int { return d.lines.Line(line).Start }

// secrets are commands that a maker must not read.
type secrets []*regexp.Regexp

// secrets returns the goal and the checks of the plan as it is and as it is
// written, except for what the chunks verify: the maker knows those.
func (d *document) secrets(p *loops.Plan) secrets {
	var out secrets
	for _, plan := range []*loops.Plan{p, &d.plan} {
		known := map[string]bool{}
		for _, c := range plan.Chunks {
			for _, v := range c.Verify {
				known[v] = true
			}
		}
		for _, command := range append([]string{plan.Goal}, plan.Checks...) {
			if command != "" && !known[command] {
				known[command] = true
				out = append(out, quoting(command))
			}
		}
	}
	return out
}

// quoting finds a command in text: in backticks, and as it stands if it is more
// than one plain word, since that is found by chance.
func quoting(command string) *regexp.Regexp {
	words := strings.Fields(strings.ToValidUTF8(command, ""))
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	text := strings.Join(words, `[ \t]+`)
	if len(words) > 1 || strings.ContainsAny(command, "./-=$") {
		return regexp.MustCompile(`(^|[^\w./-])` + text + `($|[^\w/-])`)
	}
	return regexp.MustCompile("(`)" + text + "(`)")
}

func (s secrets) conceal(src []byte) []byte {
	for _, re := range s {
		for range 2 { // two may share the character between them
			src = re.ReplaceAll(src, []byte("${1}"+Withheld+"${2}"))
		}
	}
	return src
}

// Conceal returns text of a plan as the maker may read it: with [Withheld] where
// it quotes the goal or a check.
func Conceal(p *loops.Plan, text string) string {
	d := document{}
	return string(d.secrets(p).conceal([]byte(text)))
}
