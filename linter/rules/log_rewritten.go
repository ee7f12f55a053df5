package rules

import (
	"bytes"
	"hash/maphash"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "log-rewritten",
	Group:    linter.IndexAndLog,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "Log entries were changed or deleted after they were committed.",
	Doc: `A log is evidence only if nobody edits it. An agent that tidies it up, or shortens it to save tokens, deletes
information that later runs need.

The current ` + "`log.md`" + ` is compared with its git history before commits that deleted lines. Each entry (a heading
that begins with a date, and the text below it) must still exist word for word; an entry moved to another
page, such as an archive, is found by its heading. Entries of the newest day in a version may still be edited.
White space and letter case are ignored.

All lost entries of a log are one finding. Restore them from the commit in the message, and add a new entry
with the correction. If the log was rewritten on purpose, add the finding to the baseline.`,
	Check: logRewritten,
})

func logRewritten(p *linter.Pass) {
	h := p.Wiki.History()
	if h == nil {
		return // said once for all that needs git
	}
	for _, page := range p.Wiki.Pages() {
		if !isLog(page.Path) || len(logFact.Of(p, page)) == 0 {
			continue
		}
		revs, err := h.Shortened(p, page.Path)
		if err != nil {
			p.Skip("could not read the git history of %s: %v; check git log -p %s", page.Path, err, page.Path)
			continue
		}
		past := make([]pastLog, len(revs))
		for i, rev := range revs {
			past[i] = pastLog{rev.Commit, entriesOf(rev.Text)}
		}
		reportLost(p, page, past)
	}
}

// pastLog is a log before a commit, or at HEAD if the commit is empty.
type pastLog struct {
	commit  string
	entries []pastEntry
}

// pastEntry is an entry as a revision holds it.
type pastEntry struct {
	title   string // as written
	heading string // folded, to be compared
	body    uint64 // of the text, white space and letter case aside
	newest  bool   // of the newest day of its revision
}

var logSeed = maphash.MakeSeed()

// entriesOf reads the entries of a log from its lines.
func entriesOf(text []byte) []pastEntry {
	var out []pastEntry
	var days []string
	level, fenced := 0, false
	var body maphash.Hash
	body.SetSeed(logSeed)
	end := func() {
		if len(out) > 0 {
			out[len(out)-1].body = body.Sum64()
		}
		body.Reset()
	}
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) {
			fenced = !fenced
		}
		hashes := len(line) - len(bytes.TrimLeft(line, "#"))
		title := strings.TrimSpace(strings.Trim(string(line), "#"))
		day, dated := leadingDay(title)
		if dated = dated && 0 < hashes && hashes <= 6 && !fenced; dated && (level == 0 || hashes <= level) {
			end()
			level = hashes
			out = append(out, pastEntry{title: title, heading: normalHeading(title)})
			days = append(days, day.Format("20060102"))
			continue
		}
		for _, word := range bytes.Fields(line) {
			_, _ = body.Write(bytes.ToLower(word))
			_ = body.WriteByte(' ')
		}
	}
	end()
	newest := ""
	for _, day := range days {
		newest = max(newest, day)
	}
	for i := range out {
		out[i].newest = days[i] == newest
	}
	return out
}

func normalHeading(s string) string { return text.Collapse(fold(s)) }

// reportLost reports the settled entries of former versions that are in the log
// no more.
func reportLost(p *linter.Pass, page *schema.Page, past []pastLog) {
	present := map[string]map[uint64]bool{}
	for _, e := range entriesOf(page.Source) {
		if present[e.heading] == nil {
			present[e.heading] = map[uint64]bool{}
		}
		present[e.heading][e.body] = true
	}
	others := headingsElsewhere(p, page)
	lost := map[string]bool{}
	var first, held string
	for _, was := range past {
		for _, e := range was.entries {
			bodies := present[e.heading]
			if e.newest || bodies[e.body] || lost[e.heading] || bodies == nil && others()[e.heading] {
				continue
			}
			lost[e.heading] = true
			if first == "" {
				first, held = e.title, "HEAD"
				if was.commit != "" {
					held = was.commit[:min(12, len(was.commit))] + "^"
				}
			}
		}
	}
	switch at := titleAt(page); len(lost) {
	case 0:
	case 1:
		p.Report(page.Path, at, "the log entry %q was changed or removed after it was committed; restore it from %s, and correct it with a new entry", short(first), held)
	default:
		p.Report(page.Path, at, "%s of this log (first: %q) were changed or removed after they were committed; restore them from %s, and correct them with a new entry",
			text.Count(len(lost), "entry"), short(first), held).Count = len(lost)
	}
}

// headingsElsewhere returns a function that returns the headings of the other
// pages, in which an entry is found that was moved into an archive.
func headingsElsewhere(p *linter.Pass, page *schema.Page) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for _, other := range p.Wiki.Pages() {
			for i := range other.Headings {
				if _, dated := leadingDay(other.Headings[i].Text); dated && other != page {
					out[normalHeading(other.Headings[i].Text)] = true
				}
			}
		}
		return out
	})
}
