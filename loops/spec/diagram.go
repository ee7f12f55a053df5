package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// slug turns a name into the id of a node in a diagram.
func slug(s string) string {
	out := []rune(strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, s))
	return string(out[:min(len(out), 40)])
}

// pythonNumber writes a number as Python does: 8, 0.8, 10.0.
func pythonNumber(n *schema.Node) string {
	if n == nil || n.Kind != schema.KindFloat {
		return n.ScalarText()
	}
	f := numberOf(n)
	if a := max(f, -f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// LoopctlDiagram draws the document in Mermaid, byte for byte as loopctl does: all
// parts in one line, whatever they depend on.
func (d *Document) LoopctlDiagram() string {
	var b strings.Builder
	level := d.rootLevel()
	fmt.Fprintf(&b, "---\ntitle: %s (L%d)\n---\nflowchart TB\n", d.Name(), level)
	start := []rune(d.Root.Get("objective").ScalarText())
	fmt.Fprintf(&b, "    START([Start: %s])\n", strings.ReplaceAll(string(start[:min(len(start), 50)]), "\n", " "))
	previous, first := "START", ""
	next := func(id string) {
		fmt.Fprintf(&b, "    %s --> %s\n", previous, id)
		previous = id
	}
	for _, w := range items(d.Root, "workers") {
		id := "W_" + slug(w.Get("id").ScalarText())
		if first == "" {
			first = id
		}
		fmt.Fprintf(&b, "    %s[%s\\n(%s)]\n", id, w.Get("id").ScalarText(), w.Get("model").Get("name").ScalarText())
		next(id)
	}
	for _, e := range items(d.Root, "evaluators") {
		id, judges := "E_"+slug(e.Get("id").ScalarText()), "("+e.Get("type").ScalarText()+")"
		if pass := e.Get("rubric").Get("pass_threshold"); pass.IsScalar() {
			judges = ">=" + pythonNumber(pass)
		}
		fmt.Fprintf(&b, "    %s{%s\\n%s}\n", id, e.Get("id").ScalarText(), judges)
		next(id)
	}
	if channels := items(d.Root, "feedback_channels"); len(channels) > 0 {
		b.WriteString("    subgraph Feedback\n")
		for i, c := range channels {
			fmt.Fprintf(&b, "        FB%d[%s -> %s: %s]\n", i, c.Get("source").ScalarText(), c.Get("destination").ScalarText(), c.Get("format").ScalarText())
		}
		b.WriteString("    end\n")
		next("FB0")
	}
	if o := d.Root.Get("optimization_strategy"); o != nil {
		fmt.Fprintf(&b, "    OPT[Optimize: %s]\n", o.Get("type").ScalarText())
		next("OPT")
	}
	fmt.Fprintf(&b, "    TERM([Terminate: %s])\n    %s --> TERM", strings.Join(d.ends(), " | "), previous)
	if level >= 2 && first != "" {
		fmt.Fprintf(&b, "\n    %s -.->|not done| %s", previous, first)
	}
	return b.String()
}

// ends are the conditions that end the loop, as loopctl labels them.
func (d *Document) ends() (out []string) {
	stops := d.Root.Get("termination_conditions")
	for _, s := range items(stops, "success") {
		out = append(out, fmt.Sprintf("%s %s %s", s.Get("metric").ScalarText(), s.Get("operator").ScalarText(), pythonNumber(s.Get("value"))))
	}
	for _, f := range items(stops, "failure") {
		end := f.Get("type").ScalarText()
		if v := f.Get("value"); v.IsScalar() {
			end += "=" + pythonNumber(v)
		}
		out = append(out, end)
	}
	if out == nil {
		return []string{"done"}
	}
	return out
}
