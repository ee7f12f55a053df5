package site

import (
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler/exchange/llms"
	"github.com/loopwiki/wiki/schema"
)

// maxLLMsText bounds all files with the text of pages: the text is published as markdown of
// each page too, and hosts limit the size of a site.
const maxLLMsText = 25 << 20

type (
	// llmsOutput lists all pages, by folder.
	llmsOutput struct{}
	// llmsFullOutput is the text of pages.
	llmsFullOutput struct{ pages []*schema.Page }
)

// putLLMs puts the text of the whole wiki in one file, or in one for each folder when that
// is too long; of a very long one there is the list alone. Raw sources are not in it.
func (s *Site) putLLMs(n *names) {
	s.put(n, llms.IndexName, llmsOutput{})
	if size(s.wikiPages(s.folders["."], true)) <= maxLLMsText {
		s.putText(n, s.folders["."])
	}
}

// putText puts the text of a folder.
func (s *Site) putText(n *names, f *folder) {
	all := s.wikiPages(f, true)
	if size(all) <= llms.MaxFull {
		s.putTextOf(n, f, all)
		return
	}
	own := s.wikiPages(f, false)
	for from := 0; from < len(own); {
		to, sum := from, 0
		for to < len(own) && (to == from || sum+len(own[to].Source) <= llms.MaxFull) {
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
	name := llms.FullName
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

// render lists the full texts, the pages by folder, and raw sources, which may be left out.
func (llmsOutput) render(s *Site, name string) ([]byte, error) {
	full := llms.Section{Title: s.words.Publish.FullText}
	for _, text := range s.texts {
		full.Entries = append(full.Entries, llms.Entry{Title: text, Href: relative(name, text)})
	}
	entry := func(p *schema.Page) llms.Entry {
		return llms.Entry{Title: s.titles[p.ID], Href: relative(name, s.raw[p.ID]), Note: summaryOf(p)}
	}
	sections := []llms.Section{full}
	for _, g := range s.llmsGroups() {
		part := llms.Section{Title: g.title}
		for _, p := range g.pages {
			part.Entries = append(part.Entries, entry(p))
		}
		sections = append(sections, part)
	}
	sources := llms.Section{Title: llms.Optional}
	for _, p := range s.pages {
		if p.Layer == schema.LayerSource {
			sources.Entries = append(sources.Entries, entry(p))
		}
	}
	return llms.Index(s.siteTitle(), s.cfg.Description, append(sections, sources)), nil
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
	pages := make([]llms.Text, len(o.pages))
	for i, p := range o.pages {
		pages[i] = llms.Text{Href: relative(name, s.place[p.ID]), Source: s.public.Source(p)}
	}
	return llms.Full(s.siteTitle(), pages), nil
}
