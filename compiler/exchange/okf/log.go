package okf

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
)

// entryHeading is the heading of an entry of a log: a day, then what was done.
var entryHeading = schema.Expression(`^\[?(\d{4}-\d{2}-\d{2})\]?(?:[T ]\d{2}:\d{2}\S*)?\s*[-—–:|]*\s*(.*)$`)

// entry is one entry of a log.
type entry struct {
	day, title string
	body       string
}

// logs reports whether a page is a log by day: a title, then entries only.
func logs(p *schema.Page) bool {
	days := days(p)
	if len(days) == 0 {
		return len(p.Headings) <= 1
	}
	level := p.Headings[days[0]].Level
	for i, h := range p.Headings {
		switch {
		case slices.Contains(days, i):
			if h.Level != level {
				return false
			}
		case i < days[0]:
			if h.Level >= level {
				return false
			}
		case h.Level <= level:
			return false
		}
	}
	return true
}

// days are the headings of a log that begin with a day.
func days(p *schema.Page) (out []int) {
	for i, h := range p.Headings {
		if entryHeading().MatchString(h.Text) {
			out = append(out, i)
		}
	}
	return out
}

// log is a log by day, the newest first.
func (b *bundler) log(p *schema.Page, edits []schema.Edit) []byte {
	b.keysLost(p)
	days := days(p)
	body := bytes.TrimLeft(public.Apply(p.Source, bodyOf(p), edits), "\r\n")
	if len(days) == 0 || inOrder(p, days) {
		return body
	}
	part := func(from, to int) string {
		return strings.Trim(string(clean(public.Apply(p.Source, schema.Span{Start: from, End: to}, edits))), "\n")
	}
	var entries []entry
	for n, i := range days {
		h, end := p.Headings[i], len(p.Source)
		if n+1 < len(days) {
			end = p.Headings[days[n+1]].Span.Start
		}
		line := strings.Trim(part(h.Span.Start, h.Span.End), "# \n")
		m := entryHeading().FindStringSubmatch(line)
		if m == nil {
			m = entryHeading().FindStringSubmatch(h.Text)
		}
		entries = append(entries, entry{m[1], m[2], part(h.Span.End, end)})
	}
	if entries[0].day <= entries[len(entries)-1].day { // appended to
		slices.Reverse(entries)
	}
	slices.SortStableFunc(entries, func(x, y entry) int { return strings.Compare(y.day, x.day) })
	var out strings.Builder
	if head := part(p.Body, p.Headings[days[0]].Span.Start); head != "" {
		out.WriteString(head + "\n")
	}
	last := ""
	for _, e := range entries {
		if e.day != last {
			out.WriteString("\n## " + e.day + "\n")
			last = e.day
		}
		out.WriteString("\n" + e.markdown() + "\n")
	}
	return []byte(strings.TrimLeft(out.String(), "\n"))
}

// inOrder reports whether the entries of a log are days already, each once, the newest
// first.
func inOrder(p *schema.Page, days []int) bool {
	last := ""
	for _, i := range days {
		h := p.Headings[i]
		if h.Level != 2 || len(h.Text) != len("2006-01-02") || last != "" && h.Text >= last {
			return false
		}
		last = h.Text
	}
	return true
}

// markdown is the entry as an item of a list: what was done in bold, as the format has it.
func (e entry) markdown() string {
	if e.title == "" {
		return e.body
	}
	title := e.title
	if op, rest, ok := strings.Cut(title, "|"); ok && strings.TrimSpace(op) != "" {
		first, size := utf8.DecodeRuneInString(strings.TrimSpace(op))
		title = "**" + string(unicode.ToUpper(first)) + strings.TrimSpace(op)[size:] + "**: " + strings.TrimSpace(rest)
	}
	out := "* " + title
	if e.body == "" {
		return out
	}
	out += "\n"
	for line := range strings.SplitSeq(e.body, "\n") {
		out += "\n"
		if strings.TrimSpace(line) != "" {
			out += "  " + line
		}
	}
	return strings.TrimRight(out, "\n")
}
