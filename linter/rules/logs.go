package rules

import (
	"strings"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// logEntry is one dated heading of a log, ## [2026-04-02] ingest | Title.
type logEntry struct {
	day  time.Time
	at   schema.Span // of the heading
	text string      // the heading as a reader sees it
}

// logFact lists the entries of a log in order of the file: the headings that begin with
// a date, of the highest level with any. Other pages have none.
var logFact = linter.NewPageFact(func(page *schema.Page) []logEntry {
	if !isLog(page.Path) || page.Layer == schema.LayerSource {
		return nil
	}
	var out []logEntry
	level := 0
	for i := range page.Headings {
		h := &page.Headings[i]
		day, ok := leadingDay(h.Text)
		if !ok || level > 0 && h.Level > level {
			continue
		}
		if h.Level < level {
			out = out[:0]
		}
		level = h.Level
		out = append(out, logEntry{day, h.Span, h.Text})
	}
	return out
})

// isLog reports whether the file at a path is a log by its name.
func isLog(file string) bool {
	name := stem(file)
	return strings.EqualFold(name, "log") || strings.EqualFold(name, "_log")
}

// leadingDay returns the day that text begins with, in brackets or without.
func leadingDay(text string) (time.Time, bool) {
	text = strings.TrimLeft(text, "[ ")
	if len(text) < len(time.DateOnly) || text[4] != '-' {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	return day, err == nil
}
