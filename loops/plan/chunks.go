package plan

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var (
	chunkHeading = schema.Expression(`^([1-9][0-9]{0,3})\.[ \t]+(\S.*)$`)
	itemLine     = schema.Expression(`^- ([A-Za-z][A-Za-z _-]{0,30}?)[ \t]*:(?:[ \t]+(.*?))?[ \t]*$`)
	listLine     = schema.Expression(`^[ \t]+- +(\S.*?)[ \t]*$`)
	itemComment  = schema.Expression(`[ \t]+#[ \t].*$`)
	stepLine     = schema.Expression(`^[ \t]*[0-9]{1,3}[.)][ \t]`)
	stepVerify   = schema.Expression("(?i)\\bverify(?:\\*\\*|__)?:(?:\\*\\*|__)?[ \t]*(?:(`+)[ \t]*([^`]+?)[ \t]*`+)?")
)

// readChunks reads what is below "## Chunks".
func (d *document) readChunks(head textLine, lines []textLine) {
	i := 0
	for ; i < len(lines) && lines[i].level != 3; i++ {
		if !lines[i].code && len(bytes.TrimSpace(lines[i].In(d.src))) > 0 {
			d.warn("stray-text", trimSpan(d.src, lines[i].Span), "move it below ## Context, or below a chunk", "text outside any chunk, which no agent gets")
		}
	}
	if i == len(lines) {
		d.err("no-chunks", head.text, "write ### 1. and the first thing to do", "the plan has no chunks")
	}
	for i < len(lines) {
		end := i + 1
		for end < len(lines) && lines[end].level != 3 {
			end++
		}
		d.chunk(lines[i], lines[i+1:end])
		i = end
	}
}

// chunk reads one chunk.
func (d *document) chunk(head textLine, lines []textLine) {
	name := string(head.text.In(d.src))
	m := chunkHeading().FindStringSubmatchIndex(name)
	if m == nil {
		d.err("chunk-heading", head.text, "write ### "+strconv.Itoa(len(d.chunks)+1)+". and a title", "the heading %q has no number", name)
		return
	}
	c := chunk{heading: head.Span, title: schema.Span{Start: head.text.Start + m[4], End: head.text.Start + m[5]}}
	c.number, _ = strconv.Atoi(name[m[2]:m[3]])
	end := head.End
	if len(lines) > 0 {
		end = lines[len(lines)-1].End
	}
	work := loops.Chunk{
		ID: name[m[2]:m[3]], Title: name[m[4]:m[5]], Tests: loops.TestsRule{Kind: loops.TestsNew},
		Span: trimSpan(d.src, schema.Span{Start: head.Start, End: end}),
	}
	for len(lines) > 0 && len(bytes.TrimSpace(lines[0].In(d.src))) == 0 {
		lines = lines[1:]
	}
	lines = d.items(&c, lines)
	for _, it := range c.items {
		d.item(&work, it)
	}
	d.steps(&c, lines)
	for _, s := range c.steps {
		if !slices.Contains(work.Verify, s.text) {
			work.Verify = append(work.Verify, s.text)
		}
	}
	work.Text = d.textOf(lines)
	d.chunks = append(d.chunks, c)
	d.plan.Chunks = append(d.plan.Chunks, work)
}

// items reads the list at the head of a chunk and returns the lines after it.
func (d *document) items(c *chunk, lines []textLine) []textLine {
	for len(lines) > 0 && !lines[0].code && bytes.HasPrefix(lines[0].In(d.src), []byte("- ")) {
		line := lines[0]
		lines = lines[1:]
		m := itemLine().FindSubmatchIndex(line.In(d.src))
		if m == nil {
			d.err("unknown-item", trimSpan(d.src, line.Span), "leave an empty line between the items and the text; items are "+strings.Join(items, ", "), "not an item of a chunk")
			continue
		}
		it := item{key: string(line.In(d.src)[m[2]:m[3]]), span: schema.Span{Start: line.Start + m[2], End: line.Start + m[3]}}
		if m[4] >= 0 && m[4] < m[5] {
			it.values = append(it.values, d.word(schema.Span{Start: line.Start + m[4], End: line.Start + m[5]}))
		}
		for len(lines) > 0 && !lines[0].code {
			more := listLine().FindSubmatchIndex(lines[0].In(d.src))
			if more == nil {
				break
			}
			it.values = append(it.values, d.word(schema.Span{Start: lines[0].Start + more[2], End: lines[0].Start + more[3]}))
			lines = lines[1:]
		}
		d.known(c, d.uncommented(it))
	}
	return lines
}

// uncommented takes comments off the values of an item. Those of verify are the
// shell's.
func (d *document) uncommented(it item) item {
	if it.key == "verify" && !(len(it.values) == 1 && strings.HasPrefix(it.values[0].text, "none ")) {
		return it
	}
	for i, v := range it.values {
		if m := itemComment().FindStringIndex(v.text); m != nil && d.src[v.span.Start-1] != '`' {
			it.values[i] = d.word(schema.Span{Start: v.span.Start, End: v.span.Start + m[0]})
		}
	}
	return it
}

// known keeps an item that there is.
func (d *document) known(c *chunk, it item) {
	again := slices.ContainsFunc(c.items, func(o item) bool { return o.key == it.key })
	switch {
	case !slices.Contains(items, it.key):
		d.err("unknown-item", it.span, nearest(it.key, items), "unknown item %q", it.key)
	case again && it.key != "verify":
		d.err("duplicate-item", it.span, "merge the two", "duplicate item %q", it.key)
	case len(it.values) == 0:
		d.err("empty-value", it.span, "fill it in, or delete the line", "%s is empty", it.key)
	default:
		c.items = append(c.items, it)
	}
}

// word returns a text with its place; quotes of code around all of it are taken off.
func (d *document) word(at schema.Span) word {
	text := at.In(d.src)
	if n := len(text); n > 2 && text[0] == '`' && text[n-1] == '`' && bytes.Count(text, []byte("`")) == 2 {
		at = schema.Span{Start: at.Start + 1, End: at.End - 1}
	}
	return word{string(at.In(d.src)), at}
}

// item puts what an item says into the chunk.
func (d *document) item(c *loops.Chunk, it item) {
	first := it.values[0]
	if len(it.values) == 1 && first.text == "none" && it.key != "tests" {
		return
	}
	if len(it.values) > 1 && (it.key == "skill" || it.key == "tests") {
		d.err("invalid-value", it.values[1].span, "name one", "%s has %d values", it.key, len(it.values))
		return
	}
	switch it.key {
	case "skill":
		c.Skill = first.text
	case "files":
		for _, w := range d.commas(it.values) {
			c.Files = append(c.Files, w.text)
		}
	case "depends on":
		for _, w := range d.commas(it.values) {
			id := strings.TrimPrefix(w.text, "#")
			if n, err := strconv.Atoi(id); err != nil || n < 1 {
				d.err("invalid-value", w.span, "write the numbers of chunks, such as 1, 2, or none", "depends on: invalid value %q", w.text)
				continue
			}
			c.DependsOn = append(c.DependsOn, id)
		}
	case "verify":
		for _, w := range it.values {
			c.Verify = append(c.Verify, w.text)
		}
	case "tests":
		c.Tests = d.tests(first)
	}
}

// commas cuts values at commas that stand outside braces.
func (d *document) commas(values []word) []word {
	var out []word
	for _, v := range values {
		depth, from := 0, v.span.Start
		cut := func(to int) {
			if at := trimSpan(d.src, schema.Span{Start: from, End: to}); at.Len() > 0 {
				out = append(out, d.word(at))
			} else {
				d.err("empty-value", at, "remove the comma", "the list has an empty entry")
			}
			from = to + 1
		}
		for i := v.span.Start; i < v.span.End; i++ {
			switch d.src[i] {
			case '{':
				depth++
			case '}':
				depth = max(0, depth-1)
			case ',':
				if depth == 0 {
					cut(i)
				}
			}
		}
		cut(v.span.End)
	}
	return out
}

// testsKinds are what a chunk may do to tests.
var testsKinds = []string{string(loops.TestsNew), string(loops.TestsCharacterize), string(loops.TestsMove), string(loops.TestsNone)}

// tests reads what a chunk may do to tests.
func (d *document) tests(w word) loops.TestsRule {
	kind, rest, _ := strings.Cut(w.text, " ")
	rule := loops.TestsRule{Kind: loops.TestsKind(kind)}
	switch {
	case !slices.Contains(testsKinds, kind):
		d.err("unknown-tests", w.span, nearest(kind, []string{"new", "characterize", "move FROM -> TO", "none"}), "tests: invalid value %q", w.text)
		return loops.TestsRule{Kind: loops.TestsNew}
	case rule.Kind == loops.TestsMove:
		from, to, arrow := strings.Cut(rest, "->")
		rule.From, rule.To = unquoted(from), unquoted(to)
		if !arrow || rule.From == "" || rule.To == "" || strings.Contains(rule.To, "->") {
			d.err("tests-move", w.span, "write tests: move old_test.go -> new_test.go", "tests: move has no source and target")
		}
	case strings.TrimSpace(rest) != "":
		d.err("unknown-tests", w.span, "write tests: "+kind+" alone; put the rest in the text below", "tests: invalid value %q", w.text)
	}
	return rule
}

func unquoted(s string) string { return strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "`")) }

// steps reads the text of a chunk: the commands that its numbered steps are
// verified by, and items that stand where nobody would read them.
func (d *document) steps(c *chunk, lines []textLine) {
	step := false
	for _, line := range lines {
		text := line.In(d.src)
		switch {
		case line.code:
			continue
		case stepLine().Match(text):
			step = true
		case len(text) > 0 && text[0] != ' ' && text[0] != '\t':
			step = false
		}
		if m := itemLine().FindSubmatchIndex(text); m != nil && slices.Contains(items, string(text[m[2]:m[3]])) {
			at := schema.Span{Start: line.Start + m[2], End: line.Start + m[3]}
			d.err("stray-item", at, "move it up", "the item %q is not directly below the chunk's heading, and is ignored", at.In(d.src))
		}
		if !step {
			continue
		}
		for _, m := range stepVerify().FindAllSubmatchIndex(text, -1) {
			if m[4] < 0 {
				at := schema.Span{Start: line.Start + m[0], End: line.Start + m[1]}
				d.warn("step-verify", trimSpan(d.src, at), "write the command in backticks", "the step's verification is not a command, and is not run")
				continue
			}
			at := schema.Span{Start: line.Start + m[4], End: line.Start + m[5]}
			c.steps = append(c.steps, word{string(at.In(d.src)), at})
		}
	}
}
