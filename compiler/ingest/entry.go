package ingest

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// mostListed is how many sources a log entry names.
const mostListed = 20

// enter plans the entries in the index and in the log.
func (in *Intake) enter(w *compiler.Wiki, b *Batch, day time.Time) error {
	docs := Documents(in.Added)
	if len(docs) == 0 {
		return nil
	}
	if page := IndexPage(w); page != nil {
		var lines []string
		for _, s := range docs {
			lines = append(lines, "- "+linkTo(page, s)+from(s))
		}
		if err := in.Changes.Edit(IndexEdit(page, "Sources", lines)); err != nil {
			return err
		}
		in.Index = page.Path
	}
	page := LogPage(w)
	if page == nil {
		return nil
	}
	title := b.Title
	if len(docs) == 1 {
		title = docs[0].Title
	}
	var lines []string
	for i, s := range docs {
		if i == mostListed {
			lines = append(lines, fmt.Sprintf("- and %d more, in `%s`", len(docs)-i, source.RegisterPath()))
			break
		}
		lines = append(lines, fmt.Sprintf("- %s%s, %d bytes, `%.23s`", linkTo(styled(w, page), s), from(s), s.Size, s.Sum))
	}
	in.Log = page.Path
	return in.Changes.Edit(LogEdit(page, day, "ingest", title, lines))
}

// atTop returns the page at the wiki's root with the first existing name, or nil.
func atTop(w *compiler.Wiki, names ...string) *schema.Page {
	for _, name := range names {
		name = strings.TrimSuffix(name, ".md")
		for _, p := range w.Pages() {
			if name != "" && path.Dir(p.Path) == "." && strings.EqualFold(strings.TrimSuffix(p.Path, path.Ext(p.Path)), name) {
				return p
			}
		}
	}
	return nil
}

// EnterPage plans the entries of a page that is made by changes: in the index, unless
// the changes enter it there already, and in the log. target is its path without
// extension.
func EnterPage(w *compiler.Wiki, c *edit.Changes, target, title, section, kind string, day time.Time) error {
	s := source.Raw{Path: target + ".md", Title: title}
	if page := IndexPage(w); page != nil {
		if now, _ := c.Content(page.Path); bytes.Equal(now, page.Source) {
			if err := c.Edit(IndexEdit(page, section, []string{"- " + linkTo(page, s)})); err != nil {
				return err
			}
		}
	}
	page := LogPage(w)
	if page == nil {
		return nil
	}
	return c.Edit(LogEdit(page, day, kind, title, []string{"- " + linkTo(styled(w, page), s)}))
}

// IndexPage returns the wiki's index page, or nil.
func IndexPage(w *compiler.Wiki) *schema.Page {
	return atTop(w, w.Workspace().Dialect.Index, "index", "_index")
}

// LogPage returns the wiki's log page, or nil.
func LogPage(w *compiler.Wiki) *schema.Page { return atTop(w, "log") }

// linkTo is a link to a source in the form of those that a page has.
func linkTo(page *schema.Page, s source.Raw) string {
	title := Plain(s.Title)
	if title == "" {
		title = path.Base(s.Path)
	}
	if isPage := strings.EqualFold(path.Ext(s.Path), ".md"); isPage && wikilinks(page) {
		return "[[" + strings.TrimSuffix(s.Path, path.Ext(s.Path)) + "|" + title + "]]"
	}
	return "[" + title + "](" + strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29").Replace(s.Path) + ")"
}

// styled returns a page whose link style a page should follow: the page itself, or the
// index if it has no links yet.
func styled(w *compiler.Wiki, page *schema.Page) *schema.Page {
	if index := IndexPage(w); len(page.Links) == 0 && index != nil {
		return index
	}
	return page
}

// wikilinks reports whether a page links by double brackets; one without links does
// as Karpathy's pages do.
func wikilinks(page *schema.Page) bool {
	inline := false
	for i := range page.Links {
		switch page.Links[i].Syntax {
		case schema.SyntaxWikilink:
			return true
		case schema.SyntaxInline:
			inline = true
		}
	}
	return !inline
}

// from says where a source is from.
func from(s source.Raw) string {
	switch {
	case s.Origin == "":
		return ""
	case webAddress(s.Origin):
		return ", from <" + s.Origin + ">"
	}
	return ", from " + Plain(s.Origin)
}

// Plain keeps a text from being markup of the page that it is put into.
func Plain(s string) string {
	return oneLine(strings.Map(func(r rune) rune {
		switch r {
		case '[', ']', '`', '<', '>', '|', '{', '}', '#', '*', '_', '\\', '^', '$', '%', '~':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "")))
}

// IndexEdit puts lines below the heading of a page that has a word in it, behind what
// is there, or below a new one at the end.
func IndexEdit(page *schema.Page, word string, lines []string) schema.Edit {
	at, text := len(page.Source), strings.Join(lines, "\n")+"\n"
	for i, h := range page.Headings {
		if h.Level < 2 || !strings.Contains(strings.ToLower(h.Text), strings.ToLower(word)) {
			continue
		}
		for _, next := range page.Headings[i+1:] {
			if next.Level <= h.Level {
				at = next.Span.Start
				break
			}
		}
		section := string(page.Source[h.Span.End:at])
		end := h.Span.End + len(strings.TrimRight(section, " \t\r\n"))
		last := section[:end-h.Span.End]
		if nl := strings.LastIndexByte(last, '\n'); nl >= 0 {
			last = strings.TrimSpace(last[nl+1:])
		}
		gap := "\n"
		if !strings.HasPrefix(last, "- ") && !strings.HasPrefix(last, "* ") {
			gap = "\n\n"
		}
		return schema.Edit{Path: page.Path, Span: schema.Span{Start: end, End: end}, Text: gap + strings.TrimSuffix(text, "\n")}
	}
	return ending(page, "## "+word+"\n\n"+text)
}

// ending adds a block behind everything of a page.
func ending(page *schema.Page, text string) schema.Edit {
	body := strings.TrimRight(string(page.Source), " \t\r\n")
	return schema.Edit{Path: page.Path, Span: schema.Span{Start: len(body), End: len(page.Source)}, Text: "\n\n" + text}
}

var (
	dayHeading   = schema.Expression(`^\d{4}-\d{2}-\d{2}$`)          // of OKF, the newest first
	entryHeading = schema.Expression(`^\[?(\d{4}-\d{2}-\d{2})\]?\b`) // of Karpathy's logs
)

// LogEdit adds an entry to a log, in the log's own order: `## [DAY] KIND | Title` with
// lines below it, or in a log of days a line of that day.
func LogEdit(page *schema.Page, day time.Time, kind, title string, lines []string) schema.Edit {
	date := day.Format(time.DateOnly)
	var entries []schema.Heading
	for _, h := range page.Headings {
		if h.Level == 2 && entryHeading().MatchString(h.Text) {
			entries = append(entries, h)
		}
	}
	before := func(h schema.Heading, text string) schema.Edit {
		return schema.Edit{Path: page.Path, Span: schema.Span{Start: h.Span.Start, End: h.Span.Start}, Text: text}
	}
	if len(entries) > 0 && dayHeading().MatchString(entries[0].Text) {
		text := fmt.Sprintf("* **%s**: %s\n", strings.ToUpper(kind[:1])+kind[1:], Plain(title))
		for _, l := range lines {
			text += "  " + l + "\n"
		}
		first := entries[0]
		if first.Text != date {
			return before(first, "## "+date+"\n"+text+"\n")
		}
		return schema.Edit{Path: page.Path, Span: schema.Span{Start: first.Span.End, End: first.Span.End}, Text: "\n" + strings.TrimSuffix(text, "\n")}
	}
	text := fmt.Sprintf("## [%s] %s | %s\n\n%s\n", date, kind, Plain(title), strings.Join(lines, "\n"))
	if n := len(entries); n > 1 && dayIn(entries[0]) > dayIn(entries[n-1]) {
		return before(entries[0], text+"\n")
	}
	return ending(page, text)
}

func dayIn(h schema.Heading) string {
	if m := entryHeading().FindStringSubmatch(h.Text); m != nil {
		return m[1]
	}
	return ""
}
