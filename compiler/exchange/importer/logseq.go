package importer

import (
	"bytes"
	"context"
	"path"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// The forms of Logseq that other tools don't have.
var (
	journalName = schema.Expression(`^journals/(\d{4})_(\d{2})_(\d{2})\.md$`)
	journalDay  = schema.Expression(`^([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th), (\d{4})$`)
	reference   = schema.Expression(`\{\{embed \(\(([0-9a-f-]{36})\)\)\}\}|\{\{embed \[\[([^\[\]\n]+)\]\]\}\}|\[([^\[\]\n]*)\]\(\(\(([0-9a-f-]{36})\)\)\)|\(\(([0-9a-f-]{36})\)\)`)
	property    = schema.Expression(`^([A-Za-z][A-Za-z0-9_/?-]*):: ?(.*)$`)
	dropped     = schema.Expression(`^(?:id|collapsed):: `)
	breaks      = schema.Expression("^(?:```|~~~|#{1,6} |\\||>|\\$\\$)")
	blockMark   = schema.Expression(`^(\s*)- `)
)

// fromLogseq makes pages of a graph: names with folders, front matter of page properties,
// block ids of the ids that others refer to, and links of references.
func fromLogseq(ctx context.Context, c *conversion) error {
	c.names()
	g := &graph{conversion: c, blocks: map[string]block{}, used: map[string]bool{}}
	for p := range c.each {
		g.collect(p)
	}
	for p := range c.each {
		g.properties(p)
		g.references(p)
		g.lines(p)
	}
	// Which links lead nowhere shows when properties are front matter, with aliases.
	if err := c.settle(ctx); err != nil {
		return err
	}
	for p := range c.each {
		c.wanted(p)
	}
	return nil
}

// names gives pages the folders that their names mean, and journals ISO days.
func (c *conversion) names() {
	keep := c.files[:0]
	for _, name := range c.files {
		if strings.HasPrefix(name, "logseq/") {
			continue // settings and backups of Logseq
		}
		if path.Ext(name) == ".org" {
			c.notes = append(c.notes, Note{name, 0, "copied; Org pages are not read"})
		}
		keep = append(keep, name)
	}
	c.files = keep
	for p := range c.each {
		if m := journalName().FindStringSubmatch(p.Path); m != nil {
			c.to[p.Path] = "journals/" + m[1] + "-" + m[2] + "-" + m[3] + ".md"
		} else if rest, ok := strings.CutPrefix(p.Path, "pages/"); ok {
			c.to[p.Path] = strings.NewReplacer("___", "/", "%2F", "/", "%2f", "/").Replace(rest)
		}
	}
}

// graph is what the pages of a Logseq graph say of each other's blocks.
type graph struct {
	*conversion
	blocks map[string]block
	used   map[string]bool // ids that references name
}

// block is a block with an id.
type block struct {
	page *schema.Page
	line schema.Span // its first line, without the end of line; empty if it can't have an id
	end  int         // of its first paragraph, where its id is put
	prop schema.Span // the line of the id
}

// collect finds the ids of a page, and those that it refers to.
func (g *graph) collect(p *schema.Page) {
	for _, m := range reference().FindAllSubmatch(p.Source, -1) {
		for _, id := range [][]byte{m[1], m[4], m[5]} {
			if id != nil {
				g.used[string(id)] = true
			}
		}
	}
	for i := range p.Fields {
		f := &p.Fields[i]
		if f.Key != "id" {
			continue
		}
		own := wholeLines(p, f.Span)
		b := block{page: p, line: firstLine(p, own), prop: own}
		b.end = paragraphEnd(p, b.line)
		g.blocks[f.Value] = b
	}
}

// firstLine is the line at which the block begins that a property stands in.
func firstLine(p *schema.Page, prop schema.Span) schema.Span {
	depth := indent(prop.In(p.Source))
	if blockMark().Match(prop.In(p.Source)) {
		return schema.Span{} // the block has no text before its id
	}
	for end := prop.Start; end > 0; {
		start := bytes.LastIndexByte(p.Source[:end-1], '\n') + 1
		line := bytes.TrimRight(p.Source[start:end], "\r\n")
		if m := blockMark().FindSubmatch(line); m != nil && len(m[1]) < depth {
			return schema.Span{Start: start, End: start + len(bytes.TrimRight(line, " \t"))}
		}
		end = start
	}
	return schema.Span{}
}

// paragraphEnd is the end of the text that begins at the first line of a block.
func paragraphEnd(p *schema.Page, line schema.Span) int {
	end := line.End
	if strings.HasPrefix(strings.TrimLeft(string(line.In(p.Source)), " \t-"), "#") {
		return end
	}
	for at := line.End; at < len(p.Source); {
		next := bytes.IndexByte(p.Source[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
		own := p.Source[at:]
		if i := bytes.IndexByte(own, '\n'); i >= 0 {
			own = own[:i]
		}
		switch text := strings.TrimSpace(string(own)); {
		case dropped().MatchString(text):
			continue
		case text == "" || blockMark().Match(own) || breaks().MatchString(text):
			return end
		}
		end = at + len(bytes.TrimRight(own, " \t\r"))
	}
	return end
}

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// properties makes front matter of the properties at the head of a page.
func (g *graph) properties(p *schema.Page) {
	if p.Front != nil {
		return
	}
	var out strings.Builder
	at := p.Body
	for at < len(p.Source) {
		line := p.Source[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		text := strings.TrimRight(string(line), "\r\n")
		m := property().FindStringSubmatch(text)
		if m == nil && (strings.TrimSpace(text) != "" || out.Len() == 0) {
			break
		}
		if m != nil {
			g.property(p, &out, m[1], strings.TrimSpace(m[2]))
		}
		at += len(line)
		if m == nil {
			break // the blank line below them
		}
	}
	if out.Len() > 0 {
		g.edit(p, schema.Span{Start: p.Body, End: at}, "---\n"+out.String()+"---\n\n")
	}
}

// property writes one property as a key of front matter.
func (g *graph) property(p *schema.Page, out *strings.Builder, key, value string) {
	name := strings.ToLower(key)
	switch name {
	case "id":
		name = "logseq_id"
	case "alias":
		name = "aliases"
	}
	if name != key {
		g.keys = append(g.keys, Key{p.Path, key + "::", name + ":"})
	}
	if name == "aliases" || name == "tags" {
		var list []string
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.TrimSpace(plain.Replace(strings.TrimLeft(strings.TrimSpace(item), "#"))); item != "" {
				list = append(list, quote(item))
			}
		}
		out.WriteString(name + ": [" + strings.Join(list, ", ") + "]\n")
		return
	}
	if name == "type" {
		value = plain.Replace(value)
	}
	out.WriteString(quote(name) + ": " + quote(value) + "\n")
}

// plain takes the brackets of wikilinks off.
var plain = strings.NewReplacer("[[", "", "]]", "")

// references makes links and embeds of references to blocks.
func (g *graph) references(p *schema.Page) {
	for _, m := range reference().FindAllSubmatchIndex(p.Source, -1) {
		at := schema.Span{Start: m[0], End: m[1]}
		if inCode(p, at) {
			continue
		}
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return string(p.Source[m[2*n]:m[2*n+1]])
		}
		if page := group(2); page != "" {
			g.relink(p, at, "![["+page+"]]")
			continue
		}
		id := group(1) + group(4) + group(5)
		b, ok := g.blocks[id]
		if !ok {
			g.note(p, at.Start, "reference to a block that is in no page: %s", id)
			continue
		}
		target := strings.TrimSuffix(b.page.Path, ".md")
		if g.marked(b) {
			target += "#^" + id
		}
		switch label := group(3); {
		case group(1) != "":
			g.relink(p, at, "![["+target+"]]")
		case label != "":
			g.relink(p, at, "[["+target+"|"+label+"]]")
		default:
			g.relink(p, at, "[["+target+"|"+b.label()+"]]")
		}
	}
}

// marked reports whether the first line of a block can have an id.
func (g *graph) marked(b block) bool {
	return b.line.Len() > 0 && !strings.Contains(string(b.line.In(b.page.Source)), "```")
}

// maxLabel is how many characters of a block its links show.
const maxLabel = 80

// label is the text of a block in a link.
func (b block) label() string {
	text := strings.TrimLeft(string(b.line.In(b.page.Source)), " \t-#")
	text = reference().ReplaceAllString(text, "")
	text = strings.TrimSpace(strings.NewReplacer("[[", "", "]]", "", "[", "(", "]", ")", "|", "/", "`", "").Replace(text))
	if r := []rune(text); len(r) > maxLabel {
		text = strings.TrimSpace(string(r[:maxLabel])) + "…"
	}
	if text == "" {
		return b.page.Title
	}
	return text
}

// wanted makes text of the links to pages that nobody wrote, which are tags to Logseq and
// broken links to others, and leads those to a day to its journal.
func (c *conversion) wanted(p *schema.Page) {
	for l, res := range c.wiki.Links(p) {
		if l.Syntax != schema.SyntaxWikilink {
			continue
		}
		at, label := l.Span, l.Label
		hash := at.Start > 0 && p.Source[at.Start-1] == '#'
		if hash {
			at.Start--
		}
		if label == "" {
			label = l.Target
		}
		lost := !res.OK() && res.Broken == schema.BrokenMissing
		switch name := c.journal(l.Target); {
		case lost && name != "":
			c.relink(p, at, "[["+name+"|"+label+"]]")
		case lost && !l.Embed:
			c.relink(p, at, label)
		case hash:
			c.relink(p, at, string(l.Span.In(p.Source)))
		}
	}
}

// head is the text that the properties of a page take.
func (g *graph) head(p *schema.Page) schema.Span {
	for _, e := range g.edits {
		if e.Path == p.Path && e.Span.Start == p.Body && strings.HasPrefix(e.Text, "---\n") {
			return e.Span
		}
	}
	return schema.Span{}
}

// journal returns the page of a day, without .md.
func (c *conversion) journal(name string) string {
	m := journalDay().FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	day, err := time.Parse("Jan 2 2006", m[1][:3]+" "+m[2]+" "+m[3])
	if err != nil || !c.pages["journals/"+day.Format("2006_01_02")+".md"] {
		return ""
	}
	return "journals/" + day.Format("2006_01_02")
}

// lines moves the ids of blocks that others refer to behind the blocks' first lines, and
// takes out the properties that only Logseq reads.
func (g *graph) lines(p *schema.Page) {
	head := g.head(p)
	for i := range p.Fields {
		f := &p.Fields[i]
		if head.Contains(f.Span.Start) {
			continue
		}
		switch own := wholeLines(p, f.Span); {
		case strings.TrimSpace(string(own.In(p.Source))) != strings.TrimSpace(string(f.Span.In(p.Source))):
		case f.Key == "collapsed", f.Key == "id" && !g.used[f.Value]:
			g.edit(p, own, "")
		case f.Key == "id" && g.blocks[f.Value].page == p && g.blocks[f.Value].prop == own && g.marked(g.blocks[f.Value]):
			end := g.blocks[f.Value].end
			g.edit(p, schema.Span{Start: end, End: end}, " ^"+f.Value)
			g.edit(p, own, "")
		}
	}
	g.outline(p)
}

// outline takes a tab off the items below a heading, which are code to others.
func (g *graph) outline(p *schema.Page) {
	heading, below := false, false
	for at := p.Body; at < len(p.Source); {
		end := len(p.Source)
		if i := bytes.IndexByte(p.Source[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := p.Source[at:end]
		item := len(line) > 2 && bytes.IndexByte([]byte("-*+"), line[1]) >= 0 && line[2] == ' '
		if below = line[0] == '\t' && (below || heading && item); below {
			g.edit(p, schema.Span{Start: at, End: at + 1}, "")
		}
		if !dropped().MatchString(strings.TrimSpace(string(line))) {
			heading = line[0] == '#'
		}
		at = end
	}
}

// inCode reports whether a place is in a code block, a code span or a comment.
func inCode(p *schema.Page, at schema.Span) bool {
	for _, f := range p.Fences {
		if f.Span.Overlaps(at) {
			return true
		}
	}
	for _, c := range p.Comments {
		if c.Overlaps(at) {
			return true
		}
	}
	start := bytes.LastIndexByte(p.Source[:at.Start], '\n') + 1
	return bytes.Count(p.Source[start:at.Start], []byte("`"))%2 == 1
}
