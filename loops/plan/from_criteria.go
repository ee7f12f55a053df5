package plan

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// The most that one session of an agent is asked to do.
const (
	mostCriteria = 8
	mostFiles    = 12
	mostText     = 4000 // bytes
)

// wholesale are words of stories that are several.
var wholesale = schema.Expression(`(?i)\b(entire|whole|everything|end-to-end|from scratch|all of the)\b`)

// vague are words that two people measure differently.
var vague = schema.Expression(`(?i)\b(appealing|attractive|beautiful(ly)?|clean(ly)?|clear(ly)?|consistent(ly)?|delightful|easy|easily|elegant(ly)?|engaging|fast|friendly|good|intuitive(ly)?|modern|natural(ly)?|nice(ly)?|pleasant|polished|professional|quick(ly)?|readable|reasonable|robust(ly)?|seamless(ly)?|simple|smooth(ly)?|well-designed)\b`)

// figure is what makes a vague word a measure: under 200 ms, at least 3.
var figure = schema.Expression(`[0-9]`)

// tooBig refuses what one session can't do.
func (c *collector) tooBig(at schema.Span, title string, text, criteria, files int) {
	const code, hint = "story-too-big", "split it: an agent does one thing per session"
	switch {
	case wholesale().MatchString(title):
		c.err(code, at, hint, "%q covers too much (%q)", title, strings.ToLower(wholesale().FindString(title)))
	case criteria > mostCriteria:
		c.err(code, at, hint, "%q has %d acceptance criteria, more than %d", title, criteria, mostCriteria)
	case files > mostFiles:
		c.err(code, at, hint, "%q names %d files, more than %d", title, files, mostFiles)
	case text > mostText:
		c.err(code, at, hint, "%q has a description of %d bytes, more than %d", title, text, mostText)
	}
}

// qualitative refuses a criterion that nobody can observe.
func (c *collector) qualitative(at schema.Span, criterion string) {
	word := vague().FindString(criterion)
	if word == "" || figure().MatchString(criterion) || strings.Contains(criterion, "`") {
		return
	}
	c.err("qualitative", at, "make it a question that can be answered by observation: #### Question: …, with scale:, passes: and fails:", "%q is subjective: %s", strings.ToLower(word), text.Collapse(criterion))
}

const question = "Question:"

// questionItems are what a question has.
var questionItems = []string{"scale", "passes", "fails"}

// questions checks the questions within a part of the file and counts them.
// A question is a heading "#### Question: …" with a list of its scale, an
// example that passes and one that fails.
func (d *document) questions(part schema.Span) int {
	n := 0
	lines := d.textLines()
	for i, line := range lines {
		text := string(line.text.In(d.src))
		if line.level < 3 || !strings.HasPrefix(text, question) || !part.Contains(line.Start) {
			continue
		}
		n++
		if strings.TrimSpace(strings.TrimPrefix(text, question)) == "" {
			d.err("question", line.Span, "write what to look at, and what to expect", "the question is empty")
		}
		given := map[string]string{}
		for _, l := range lines[i+1:] {
			if l.level > 0 {
				break
			}
			if m := itemLine().FindSubmatch(l.In(d.src)); m != nil {
				given[string(m[1])] = strings.TrimSpace(string(m[2]))
			}
		}
		for _, key := range questionItems {
			if given[key] == "" {
				d.err("question", line.text, "write - "+key+": …", "the question has no %s", map[string]string{"scale": "scale", "passes": "example that passes", "fails": "example that fails"}[key])
			}
		}
		if given["passes"] != "" && given["passes"] == given["fails"] {
			d.err("question", line.text, "show the difference", "the passing and the failing example are the same")
		}
	}
	return n
}

// judgePRD checks the stories and that each has a contract.
func (r Request) judgePRD(p *Proposal, outside *collector) {
	contracts := map[string]*Proposed{}
	var prd *Proposed
	for i := range p.Files {
		if f := &p.Files[i]; f.Path == prdFile {
			prd = f
		} else {
			contracts[storyOf(f.Path)] = f
		}
	}
	if prd == nil {
		if len(p.Files) > 0 {
			outside.err("no-files", schema.Span{}, "ask again", "the planner wrote no prd.json")
		}
		return
	}
	_, faults := ReadTask(TaskPlace{File: prdFile, Path: prdFile}, prd.Src)
	c := newCollector(prd.Src)
	stories := map[string]bool{}
	root, _, _ := readJSON(prd.Src)
	if v := root.Get("spec_changes"); v != nil {
		c.err("planner-grants", v.Span, "remove it; only people write it", "the planner wrote spec_changes")
	}
	if root.Get("userStories") != nil {
		for _, n := range root.Get("userStories").Items {
			if id := n.Get("id"); id.IsScalar() {
				stories[id.Text] = true
				c.proposedStory(n, contracts[id.Text])
			}
		}
	}
	for i := range p.Files {
		if f := &p.Files[i]; f != prd {
			f.Faults = judgeContract(f.Src, stories[storyOf(f.Path)])
		}
	}
	prd.Faults = merged(c, faults)
}

// storyOf returns the story that a contract is about.
func storyOf(contract string) string { return strings.TrimSuffix(NameOf(contract), ".contract") }

// proposedStory holds a story to what one session can do and a checker can see.
func (c *collector) proposedStory(n *schema.Node, contract *Proposed) {
	at := n.Get("id").Span
	var criteria []string
	for _, it := range n.Get("acceptanceCriteria").Scalars() {
		criteria = append(criteria, it.Text)
	}
	title, text := "", 0
	if t := n.Get("title"); t.IsScalar() {
		title, at = t.Text, t.Span
	}
	if t := n.Get("description"); t.IsScalar() {
		text = len(t.Text)
	}
	c.tooBig(at, title, text, len(criteria), 0)
	if len(criteria) == 0 {
		c.err("no-criteria", at, "write \"acceptanceCriteria\": [\"…\"]", "the story %q has no acceptance criteria", title)
	}
	for _, key := range []string{"passes", "rejections"} {
		if v := n.Get(key); v != nil && v.Text != "false" && v.Text != "0" {
			c.err("planner-grants", v.Span, "the runner writes it", "the planner wrote %s", key)
		}
	}
	id := n.Get("id").Text
	if contract == nil {
		c.err("no-contract", n.Get("id").Span, "write "+contractsDir+"/"+ContractName(id), "the story %q has no contract", id)
		return
	}
	d := document{collector: newCollector(contract.Src), src: contract.Src}
	if asked := d.questions(schema.Span{End: len(d.src)}); asked == 0 {
		for _, it := range criteria {
			c.qualitative(at, it)
		}
	}
}

// doneWhen is the section of a contract that maker and checker both read.
const doneWhen = "Done when"

// judgeContract checks a contract: a section "## Done when" with a list, and
// questions that are whole.
func judgeContract(src []byte, known bool) []Fault {
	d := document{collector: newCollector(src), src: src}
	if !known {
		d.err("unknown-story", schema.Span{}, "remove it", "no such story")
	}
	asked := d.questions(schema.Span{End: len(src)})
	within, found, listed := false, false, false
	for _, line := range d.textLines() {
		if line.level > 0 && line.level < 3 {
			within = string(line.text.In(src)) == doneWhen
			found = found || within
		}
		item, ok := strings.CutPrefix(strings.TrimSpace(string(line.In(src))), "- ")
		if !within || !ok || line.code {
			continue
		}
		if listed = true; asked == 0 {
			d.qualitative(trimSpan(src, line.Span), strings.TrimPrefix(item, "[ ] "))
		}
	}
	if !found || !listed {
		d.err("contract", schema.Span{}, "write ## "+doneWhen+" and below it a list", "the contract does not say when the story is done")
	}
	return d.sorted()
}
