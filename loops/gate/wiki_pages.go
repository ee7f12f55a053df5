package gate

import (
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// silenced says which pages were changed so that nothing would be said of them.
func (j *judge) silenced(before, after *wikiAt) []loops.Reason {
	was, now := pagesByPath(before), pagesByPath(after)
	var out []loops.Reason
	for i := range j.changes {
		c := &j.changes[i]
		if c.ignored || matchAny(j.unlocked, c.path) {
			continue
		}
		say := func(line int, format string, args ...any) {
			out = append(out, loops.Reason{Path: c.path, Line: line, Message: fmt.Sprintf(format, args...)})
		}
		rel := below(before.ws, c.path)
		switch {
		case isRaw(before.ws, c.path) && !c.added:
			say(0, "is a raw source%s; sources stay as they are", how(c))
			continue
		case isLog(rel, c.path) && c.gone:
			say(0, "is a log, and was deleted")
			continue
		case isLog(rel, c.path) && !c.added:
			if line := rewritten(shown(was[rel], c.old), shown(now[rel], c.now)); line != "" {
				say(0, "is a log, and an entry was changed or is gone: %s", clip(line, 100))
			}
		}
		if rel == "" || c.gone {
			continue
		}
		silencedPage(was[rel], now[rel], say)
	}
	return out
}

func pagesByPath(w *wikiAt) map[string]*schema.Page {
	out := map[string]*schema.Page{}
	for _, p := range w.wiki.Pages() {
		out[p.Path] = p
	}
	return out
}

// isLog reports pages that are only added to.
func isLog(rel, p string) bool {
	return strings.EqualFold(path.Base(rel), "log.md") || strings.HasPrefix(rel, "90_LOG/") || strings.HasPrefix(p, "90_LOG/")
}

// rewritten returns a line of a log's text that is not there any more, in its order.
func rewritten(old, now []byte) string {
	a, b := plainLines(string(old), ""), plainLines(string(now), "")
	for _, line := range b {
		if len(a) > 0 && a[0] == line {
			a = a[1:]
		}
	}
	if len(a) == 0 {
		return ""
	}
	return a[0]
}

// shown is what a reader sees of a page: its text without frontmatter and comments,
// in which an entry would be there and be read by nobody. p is nil for what is no
// page.
func shown(p *schema.Page, src []byte) []byte {
	if p == nil {
		return src
	}
	out := append([]byte{}, p.Source[p.Body:]...)
	for _, c := range p.Comments {
		for i := max(c.Start, p.Body); i < c.End; i++ {
			if out[i-p.Body] != '\n' {
				out[i-p.Body] = ' '
			}
		}
	}
	return out
}

// verdictFields are fields of a page by which a person says how it is to be
// taken.
var verdictFields = []string{"superseded_by", "replaced_by", "deprecated", "verified", "reviewed", "reviewed_by", "expires", "valid_until", "conflicts", "acknowledged"}

// silencedPage compares one page with what it was, nil for a new one.
func silencedPage(was, now *schema.Page, say func(line int, format string, args ...any)) {
	if now == nil {
		return
	}
	had := map[string]int{}
	if was != nil {
		for _, s := range suppressions(was) {
			had[s.text]++
		}
	}
	for _, s := range suppressions(now) {
		if had[s.text]--; had[s.text] < 0 {
			say(s.line, "suppresses findings: %s; who answers for the wiki does that", clip(s.text, 80))
		}
	}
	if was == nil {
		return
	}
	if a, b := was.Meta.Status.Word, now.Meta.Status.Word; !strings.EqualFold(a, b) {
		say(now.Lines.Position(now.Meta.Status.Span.Start).Line, "its status is %q, was %q; a person sets it", b, a)
	}
	for _, f := range verdictFields {
		if a, b := fieldText(was, f), fieldText(now, f); a != b {
			say(0, "its %s is %q, was %q; a person sets it", f, clip(b, 60), clip(a, 60))
		}
	}
	for _, line := range movedToHistory(was, now) {
		say(lineOf(now.Source, line), "a statement was put under History, where nothing contradicts it: %s", clip(line, 80))
	}
}

type suppression struct {
	text string
	line int
}

// suppressions are the comments and the fields of a page that are for the linter.
func suppressions(p *schema.Page) []suppression {
	var out []suppression
	add := func(span schema.Span) {
		out = append(out, suppression{strings.Join(strings.Fields(string(span.In(p.Source))), " "), p.Lines.Position(span.Start).Line})
	}
	for _, span := range p.Comments {
		if strings.Contains(strings.ToLower(string(span.In(p.Source))), "wiki-lint-") {
			add(span)
		}
	}
	if p.Front == nil || p.Front.Root == nil {
		return out
	}
	for i := range p.Front.Root.Pairs {
		if pair := &p.Front.Root.Pairs[i]; linter.SuppressionField(pair.Key) {
			end := pair.KeySpan.End
			if pair.Value != nil {
				end = pair.Value.Span.End
			}
			add(schema.Span{Start: pair.KeySpan.Start, End: end})
		}
	}
	return out
}

func fieldText(p *schema.Page, key string) string {
	if p.Front == nil || p.Front.Root == nil {
		return ""
	}
	for i := range p.Front.Root.Pairs {
		if pair := &p.Front.Root.Pairs[i]; schema.SameKey(pair.Key, key) && pair.Value != nil {
			return strings.Join(strings.Fields(string(pair.Value.Span.In(p.Source))), " ")
		}
	}
	return ""
}

// movedToHistory returns lines that stood elsewhere before and now stand below a
// heading such as History.
func movedToHistory(was, now *schema.Page) []string {
	present := map[string]bool{}
	for _, old := range linesUnder(was) {
		if !old.past {
			present[old.text] = true
		}
	}
	var out []string
	for _, l := range linesUnder(now) {
		if l.past && len(l.text) >= 12 && present[l.text] {
			out = append(out, l.text)
		}
	}
	return out
}

type underHeading struct {
	text string
	past bool
}

// linesUnder are the lines of a page, with whether they tell of the past.
func linesUnder(p *schema.Page) []underHeading {
	var out []underHeading
	at, past, level := 0, false, 0
	offset := 0
	for line := range strings.Lines(string(p.Source)) {
		for at < len(p.Headings) && p.Headings[at].Span.Start < offset+len(line) {
			h := p.Headings[at]
			if !past || h.Level <= level {
				past, level = tellsOfPast(h.Text), h.Level
			}
			at++
		}
		offset += len(line)
		if offset <= p.Body {
			continue
		}
		if text := strings.TrimSpace(line); text != "" && text[0] != '#' {
			out = append(out, underHeading{text, past})
		}
	}
	return out
}

func tellsOfPast(heading string) bool {
	switch strings.ToLower(strings.TrimSpace(heading)) {
	case "history", "changelog", "change log", "superseded", "deprecated", "archive", "archived", "previously", "obsolete", "old", "former", "past":
		return true
	}
	return false
}
