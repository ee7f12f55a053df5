package site

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// The files for language models; see https://llmstxt.org.
const (
	llmsName     = "llms.txt"
	llmsFullName = "llms-full.txt"
)

// maxLLMsFull bounds one file with the text of pages, and maxLLMsText all of them: the text
// is published as markdown of each page too, and hosts limit the size of a site.
const (
	maxLLMsFull = 10 << 20
	maxLLMsText = 25 << 20
)

type (
	// llmsOutput lists all pages, by folder.
	llmsOutput struct{}
	// llmsFullOutput is the text of pages.
	llmsFullOutput struct{ pages []*schema.Page }
)

// putLLMs puts the text of the whole wiki in one file, or in one for each folder when that
// is too long; of a very long one there is the list alone. Raw sources are not in it.
func (s *Site) putLLMs(n *names) {
	s.put(n, llmsName, llmsOutput{})
	if size(s.wikiPages(s.folders["."], true)) <= maxLLMsText {
		s.putText(n, s.folders["."])
	}
}

// putText puts the text of a folder.
func (s *Site) putText(n *names, f *folder) {
	all := s.wikiPages(f, true)
	if size(all) <= maxLLMsFull {
		s.putTextOf(n, f, all)
		return
	}
	own := s.wikiPages(f, false)
	for from := 0; from < len(own); {
		to, sum := from, 0
		for to < len(own) && (to == from || sum+len(own[to].Source) <= maxLLMsFull) {
			sum += len(own[to].Source)
			to++
		}
		s.putTextOf(n, f, own[from:to])
		from = to
	}
	for _, sub := range f.subs {
		s.putText(n, sub)
	}
}

func (s *Site) putTextOf(n *names, f *folder, pages []*schema.Page) {
	if len(pages) == 0 {
		return
	}
	name := llmsFullName
	if f.parent != nil {
		name = s.notOwn(safePath(f.path) + "/" + name)
	}
	s.texts = append(s.texts, s.put(n, name, llmsFullOutput{pages}))
}

// wikiPages are the pages of a folder, and with below those in the folders below it, that
// are no raw sources.
func (s *Site) wikiPages(f *folder, below bool) (out []*schema.Page) {
	if f.index != nil {
		out = append(out, f.index)
	}
	out = append(out, f.pages...)
	if below {
		for _, sub := range f.subs {
			out = append(out, s.wikiPages(sub, true)...)
		}
	}
	return slices.DeleteFunc(out, func(p *schema.Page) bool { return p.Layer == schema.LayerSource })
}

// size is the bytes of the sources of pages.
func size(pages []*schema.Page) (n int) {
	for _, p := range pages {
		n += len(p.Source)
	}
	return n
}

// markdownText escapes what would end the text of a link.
var markdownText = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

// markdownHref escapes what would end the address of a link.
var markdownHref = strings.NewReplacer("(", "%28", ")", "%29")

func (llmsOutput) render(s *Site, name string) ([]byte, error) {
	var b bytes.Buffer
	line := func(title, file, note string) {
		fmt.Fprintf(&b, "- [%s](%s)", markdownText.Replace(title), markdownHref.Replace(relative(name, file)))
		if note != "" {
			b.WriteString(": " + note)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "# %s\n", oneLine(s.siteTitle()))
	if about := oneLine(s.cfg.Description); about != "" {
		fmt.Fprintf(&b, "\n> %s\n", about)
	}
	for i, text := range s.texts {
		if i == 0 {
			fmt.Fprintf(&b, "\n## %s\n\n", s.words.Publish.FullText)
		}
		line(text, text, "")
	}
	sources := false
	for _, g := range s.llmsGroups() {
		fmt.Fprintf(&b, "\n## %s\n\n", g.title)
		for _, p := range g.pages {
			line(s.titles[p.ID], s.raw[p.ID], summaryOf(p))
		}
	}
	for _, p := range s.pages {
		if p.Layer != schema.LayerSource {
			continue
		}
		if !sources {
			b.WriteString("\n## Optional\n\n") // a word of the format
			sources = true
		}
		line(s.titles[p.ID], s.raw[p.ID], summaryOf(p))
	}
	return b.Bytes(), nil
}

// llmsGroup is a titled part of the list.
type llmsGroup struct {
	title string
	pages []*schema.Page
}

// llmsGroups are the pages by folder, or by type where all are in one folder.
func (s *Site) llmsGroups() (out []llmsGroup) {
	at := map[string]int{}
	add := func(title string, p *schema.Page) {
		i, ok := at[title]
		if !ok {
			i = len(out)
			at[title] = i
			out = append(out, llmsGroup{title: title})
		}
		out[i].pages = append(out[i].pages, p)
	}
	for _, p := range s.wikiPages(s.folders["."], true) {
		switch dir := path.Dir(p.Path); {
		case len(s.folders) == 1 && p.Meta.Type != "":
			add(clip(oneLine(p.Meta.Type), 60), p)
		case dir == ".":
			add(s.words.AllPages, p)
		default:
			add(dir, p)
		}
	}
	return out
}

func (o llmsFullOutput) render(s *Site, name string) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(size(o.pages) + 100*len(o.pages))
	fmt.Fprintf(&b, "# %s\n", oneLine(s.siteTitle()))
	for _, p := range o.pages {
		fmt.Fprintf(&b, "\n<page href=\"%s\">\n", relative(name, s.place[p.ID]))
		text := bytes.TrimPrefix(s.public.Source(p), []byte("\ufeff"))
		b.Write(bytes.TrimRight(text, "\n"))
		b.WriteString("\n</page>\n")
	}
	return b.Bytes(), nil
}
