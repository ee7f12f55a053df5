package gate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// silenced returns which pages were changed so that nothing would be said about them.
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
			say(0, "is a raw source%s; raw sources never change", how(c))
			continue
		case isLog(rel, c.path) && c.gone:
			say(0, "is a log, and was deleted")
			continue
		case isLog(rel, c.path) && !c.added:
			if line := rewritten(shown(was[rel], c.old), shown(now[rel], c.now)); line != "" {
				say(0, "is a log, and an entry was changed or deleted: %s", clip(line, 100))
			}
		}
		if rel == "" || c.gone {
			continue
		}
		old := was[rel]
		if old == nil && c.from != "" {
			old = was[below(before.ws, c.from)] // what stood on a page moves with it
		}
		silencedPage(old, now[rel], say)
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

// rewritten returns a line of a log's text that does not exist anymore, in its order.
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

// shown returns what a reader sees of a page: its text without frontmatter and comments,
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

// verdictKeys are keys of a page by which a person says how it must be taken, beside
// those that the vocabulary knows.
var verdictKeys = []string{"deprecated", "reviewed_by", "reviewed_on", "reviewed_at", "verified_by", "verified_at", "approved", "approved_by", "conflicts", "acknowledged"}

// verdict reports whether a key says how a page must be taken. When a new page is to
// be looked at again is for its author to say.
func verdict(key string, isNew bool) bool {
	switch schema.FieldOf(key) {
	case schema.FieldVerified, schema.FieldSupersedes, schema.FieldSupersededBy:
		return true
	case schema.FieldExpires:
		return !isNew
	}
	return slices.ContainsFunc(verdictKeys, func(k string) bool { return schema.SameKey(k, key) })
}

// reviewWords are states that a page is in when somebody has read it.
var reviewWords = []string{"reviewed", "verified", "approved"}

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
			say(s.line, "suppresses findings: %s; only a person does that", clip(s.text, 80))
		}
	}
	if s := now.Meta.Status; was == nil && (s.Class == schema.StatusDeprecated || slices.ContainsFunc(reviewWords, func(w string) bool { return strings.EqualFold(w, s.Word) })) {
		say(now.Lines.Position(s.Span.Start).Line, "is new, and its status is %q; only a person sets it", s.Word)
	}
	verdicts(was, now, say)
	if was == nil {
		return
	}
	if a, b := was.Meta.Status.Word, now.Meta.Status.Word; !strings.EqualFold(a, b) {
		say(now.Lines.Position(now.Meta.Status.Span.Start).Line, "its status is %q, was %q; only a person sets it", b, a)
	}
	for _, line := range movedToHistory(was, now) {
		say(lineOf(now.Source, line), "a claim was moved under History, where contradictions are not checked: %s", clip(line, 80))
	}
}

type suppression struct {
	text string
	line int
}

// suppressions returns the comments and the fields of a page that are for the linter.
func suppressions(p *schema.Page) []suppression {
	var out []suppression
	add := func(span schema.Span) {
		out = append(out, suppression{text.Collapse(string(span.In(p.Source))), p.Lines.Position(span.Start).Line})
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

// verdicts says which verdicts of a page are not what they were, in the order in
// which they stand there; of a new page all that say something.
func verdicts(was, now *schema.Page, say func(line int, format string, args ...any)) {
	a, b := verdictTexts(was, was == nil), verdictTexts(now, was == nil)
	for _, v := range b {
		if i := slices.IndexFunc(a, func(o verdictText) bool { return schema.SameKey(o.key, v.key) }); i >= 0 {
			if a[i].text != v.text {
				say(v.line, "its %s is %q, was %q; only a person sets it", v.key, clip(v.text, 60), clip(a[i].text, 60))
			}
			a = slices.Delete(a, i, i+1)
		} else if v.text != "" {
			say(v.line, "its %s is %q, was %q; only a person sets it", v.key, clip(v.text, 60), "")
		}
	}
	for _, gone := range a {
		if gone.text != "" {
			say(0, "its %s is %q, was %q; only a person sets it", gone.key, "", clip(gone.text, 60))
		}
	}
}

// verdictText is a verdict as it is on a page.
type verdictText struct {
	key, text string
	line      int
}

// verdictTexts returns the verdicts of a page, nil for one that does not exist.
func verdictTexts(p *schema.Page, isNew bool) []verdictText {
	var out []verdictText
	if p == nil || p.Front == nil || p.Front.Root == nil {
		return out
	}
	for i := range p.Front.Root.Pairs {
		pair := &p.Front.Root.Pairs[i]
		if !verdict(pair.Key, isNew) {
			continue
		}
		v := verdictText{key: pair.Key, line: p.Lines.Position(pair.KeySpan.Start).Line}
		if n := pair.Value; n != nil && n.Kind != schema.KindNull {
			v.text = text.Collapse(string(n.Span.In(p.Source)))
		}
		out = append(out, v)
	}
	return out
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

// linesUnder returns the lines of a page, with whether they tell of the past.
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
