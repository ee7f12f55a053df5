package scaffold

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// LogSpec is an entry for the log.
type LogSpec struct {
	Kind  string // ingest, query, lint, …
	Title string
	Text  string // below the heading; may be empty
	Day   time.Time
}

// NoLogError is a wiki without a log.
type NoLogError struct{ Path string } // where it would be

func (e *NoLogError) Error() string { return "the wiki has no log" }

// Hint says what to do about it.
func (e *NoLogError) Hint() string { return "create " + e.Path }

// LogEntry returns the changes that add an entry to the log, and the path of the log: in
// the form of its entries, and at the end at which it grows. The error is a
// [*NoLogError], or one of the changes.
func LogEntry(w *compiler.Wiki, spec LogSpec) (*edit.Changes, string, error) {
	log := logPage(w)
	if log == nil {
		name := w.Workspace().Dialect.Log
		if name == "" {
			name = "log.md"
		}
		return nil, "", &NoLogError{name}
	}
	changes := edit.New(w)
	return changes, log.Path, changes.Edit(logEdit(w, log, spec))
}

// logPage is the log at the top of a wiki, nil without one.
func logPage(w *compiler.Wiki) *schema.Page {
	for _, name := range []string{w.Workspace().Dialect.Log, "log.md", "_log.md"} {
		for _, p := range w.Pages() {
			if name != "" && path.Dir(p.Path) == "." && strings.EqualFold(p.Path, name) && p.Layer != schema.LayerSource {
				return p
			}
		}
	}
	return nil
}

// dayHeading is the heading of an entry, or of the entries of a day.
type dayHeading struct {
	day   string
	at    schema.Span
	level int
	alone bool // the day is all of it
}

func dayHeadings(p *schema.Page) (out []dayHeading) {
	for _, h := range p.Headings {
		rest := strings.TrimLeft(h.Text, "[ ")
		if len(rest) < len(time.DateOnly) {
			continue
		}
		day := rest[:len(time.DateOnly)]
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			out = append(out, dayHeading{day, h.Span, h.Level, strings.Trim(rest[len(day):], "] ") == ""})
		}
	}
	return out
}

// logEdit is the edit that adds an entry.
func logEdit(w *compiler.Wiki, log *schema.Page, spec LogSpec) schema.Edit {
	list, day := dayHeadings(log), spec.Day.Format(time.DateOnly)
	okf := w.Workspace().Dialect.Name == "okf"
	newestFirst := len(list) > 1 && list[0].day > list[len(list)-1].day || len(list) < 2 && okf
	byDay := okf
	if len(list) > 0 {
		byDay = list[0].alone
	}
	title := strings.TrimLeft(text.Collapse(spec.Title), "# ")
	body := strings.TrimSpace(spec.Text)
	if byDay {
		item := fmt.Sprintf("- **%s**: %s", text.Collapse(spec.Kind), title)
		if body != "" {
			item += "\n  " + strings.ReplaceAll(body, "\n", "\n  ")
		}
		if h, ok := ofDay(list, day); ok {
			return insertText(log, sectionEnd(log, list, h), item, false)
		}
		return insertEntry(log, list, newestFirst, "## "+day+"\n\n"+item)
	}
	entry := fmt.Sprintf("## [%s] %s | %s", day, text.Collapse(spec.Kind), title)
	if body != "" {
		entry += "\n\n" + body
	}
	return insertEntry(log, list, newestFirst, entry)
}

func ofDay(list []dayHeading, day string) (dayHeading, bool) {
	for _, h := range list {
		if h.day == day {
			return h, true
		}
	}
	return dayHeading{}, false
}

// insertEntry puts an entry above the first one, or at the end.
func insertEntry(log *schema.Page, list []dayHeading, newestFirst bool, entry string) schema.Edit {
	if newestFirst && len(list) > 0 {
		at := wholeLine(log, list[0].at.Start).Start
		return schema.Edit{Path: log.Path, Span: schema.Span{Start: at, End: at}, Text: withNewlines(log, entry+"\n\n")}
	}
	return insertText(log, len(log.Source), entry, true)
}

// sectionEnd is where the text below a heading ends, without the empty lines behind it.
func sectionEnd(log *schema.Page, list []dayHeading, h dayHeading) int {
	end := len(log.Source)
	for _, next := range list {
		if next.at.Start > h.at.Start && next.at.Start < end {
			end = wholeLine(log, next.at.Start).Start
		}
	}
	return h.at.Start + len(strings.TrimRight(string(log.Source[h.at.Start:end]), " \t\r\n"))
}

// insertText puts a text behind what ends at a place, on a line of its own, or below an
// empty one.
func insertText(log *schema.Page, at int, add string, apart bool) schema.Edit {
	span := schema.Span{Start: at, End: at}
	if apart {
		span.Start = len(strings.TrimRight(string(log.Source[:at]), " \t\r\n"))
		add = "\n\n" + add + "\n"
	} else {
		add = "\n" + add
	}
	return schema.Edit{Path: log.Path, Span: span, Text: withNewlines(log, add)}
}

func withNewlines(p *schema.Page, s string) string {
	return strings.ReplaceAll(s, "\n", edit.Newline(p))
}
