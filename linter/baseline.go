package linter

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// Baseline is a list of accepted findings, which are not reported again. They are
// identified by rule, page and the normalised text at their position, never by line. It
// must not be changed.
type Baseline struct {
	Entries []BaselineEntry // in order of path, rule and text
}

// BaselineEntry is one accepted finding, or several equal ones on one page.
type BaselineEntry struct {
	Rule  string `json:"rule"`
	Path  string `json:"path" jsonschema:"below the wiki's root"`
	Text  string `json:"text" jsonschema:"hash of the normalised text at the finding's position, or of its message if it has none"`
	Count int    `json:"count,omitempty" jsonschema:"number of equal findings; 1 if omitted"`
	Since string `json:"since,omitempty" jsonschema:"date of acceptance, 2006-01-02"`
}

// BaselineUse is the result of a baseline in one run.
type BaselineUse struct {
	Hidden int    // findings that are in it
	Oldest string // since when the oldest of them is, 2006-01-02; empty when not known
	// Stale are the entries that nothing was found for, so that they can go.
	// What is known of rules that could not run is not stale. It is nil unless
	// everything was looked at: all pages, by all rules.
	Stale []BaselineEntry
	// Next is the new baseline: without stale entries, with accepted findings, and with
	// the current paths of renamed pages.
	Next *Baseline
	// Accepted is how many findings [Config].AcceptNew added.
	Accepted int
}

// entryKey identifies an entry.
type entryKey struct {
	path, rule string
	text       uint64
}

func compareKeys(a, b entryKey) int {
	return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.rule, b.rule), cmp.Compare(a.text, b.text))
}

// matchedEntry is an entry, and how many findings it was matched with.
type matchedEntry struct {
	entry BaselineEntry
	had   int // findings that the baseline held
	found int // of these
	added int
}

// baselineMatcher matches findings with a baseline. A nil one holds nothing.
type baselineMatcher struct {
	accounts map[entryKey]*matchedEntry
	accept   bool
	today    string
	whole    bool
	ran      func(rule string) bool
}

func newBaselineMatcher(cfg Config, o *Outcome) *baselineMatcher {
	if cfg.Baseline == nil && !cfg.AcceptNew {
		return nil
	}
	l := &baselineMatcher{accounts: map[entryKey]*matchedEntry{}, accept: cfg.AcceptNew, whole: len(cfg.Only) == 0 && len(cfg.Except) == 0 && len(cfg.Within) == 0,
		ran: o.settled}
	if !cfg.Today.IsZero() {
		l.today = cfg.Today.Format(time.DateOnly)
	}
	if cfg.Baseline == nil {
		return l
	}
	moved := newMoves(o)
	for _, e := range cfg.Baseline.Entries {
		text, err := strconv.ParseUint(e.Text, 16, 64)
		if err != nil {
			continue // ReadBaseline lets none through
		}
		e.Path = moved.now(e.Path)
		l.open(entryKey{e.Path, e.Rule, text}, e).had += max(1, e.Count)
	}
	return l
}

// open returns the account of a key. Of entries that two branches added both,
// or that a rename brought together, the older day counts.
func (l *baselineMatcher) open(key entryKey, e BaselineEntry) *matchedEntry {
	a := l.accounts[key]
	if a == nil {
		a = &matchedEntry{entry: e}
		l.accounts[key] = a
	}
	if e.Since != "" && (a.entry.Since == "" || e.Since < a.entry.Since) {
		a.entry.Since = e.Since
	}
	return a
}

// take moves findings in the baseline from the kept to the suppressed ones.
func (l *baselineMatcher) take(j *judged) {
	if l == nil || j.pass.Rule.Notice {
		return
	}
	kept := j.kept[:0]
	for i := range j.kept {
		f := &j.kept[i]
		key := entryKey{f.Path, f.Rule, f.text}
		a := l.accounts[key]
		switch {
		case a != nil && a.found < a.had:
			a.found++
		case l.accept:
			if a == nil {
				a = l.open(key, BaselineEntry{Rule: f.Rule, Path: f.Path, Text: hexText(f.text), Since: l.today})
			}
			a.added++
		default:
			kept = append(kept, *f)
			continue
		}
		reason := "accepted"
		if a.entry.Since != "" {
			reason += " since " + a.entry.Since
		}
		j.suppressed = append(j.suppressed, suppressed{finding: *f, by: ByBaseline, reason: reason})
	}
	j.kept = kept
}

func hexText(text uint64) string {
	s := strconv.FormatUint(text, 16)
	return strings.Repeat("0", 16-len(s)) + s
}

// use closes the accounts.
func (l *baselineMatcher) use() *BaselineUse {
	u := &BaselineUse{Next: &Baseline{}}
	keys := make([]entryKey, 0, len(l.accounts))
	for k := range l.accounts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	for _, k := range keys {
		a := l.accounts[k]
		n := a.found + a.added
		u.Hidden += n
		u.Accepted += a.added
		if since := a.entry.Since; a.found > 0 && since != "" && (u.Oldest == "" || since < u.Oldest) {
			u.Oldest = since
		}
		if gone := a.had - a.found; gone > 0 && l.whole && l.ran(k.rule) {
			u.Stale = append(u.Stale, a.entry.times(gone))
		} else {
			n += gone
		}
		if n > 0 {
			u.Next.Entries = append(u.Next.Entries, a.entry.times(n))
		}
	}
	return u
}

// times returns the entry for n findings.
func (e BaselineEntry) times(n int) BaselineEntry {
	if e.Count = n; n == 1 {
		e.Count = 0
	}
	return e
}

// moves maps old paths of pages to current ones, by the renames in git.
type moves struct {
	where   places
	outcome *Outcome
	to      map[string]string // read when a page is first missed
}

func newMoves(o *Outcome) *moves { return &moves{where: o.where, outcome: o} }

// now returns the path that the page has now.
func (m *moves) now(path string) string {
	if m.where[path] != nil {
		return path
	}
	if m.to == nil {
		m.to = map[string]string{}
		if h := m.outcome.wiki.History(); h != nil {
			for _, page := range m.outcome.wiki.Pages() {
				if f := h.Files[page.Path]; f != nil {
					for _, old := range f.Renamed {
						m.note(old, page)
					}
				}
			}
		}
		if c := m.outcome.changes; c != nil {
			for _, page := range m.outcome.wiki.Pages() {
				m.note(c.Files[page.Path].Before, page)
			}
		}
	}
	if now, ok := m.to[path]; ok {
		return now
	}
	return path
}

func (m *moves) note(old string, page *schema.Page) {
	if _, taken := m.to[old]; !taken && old != "" {
		m.to[old] = page.Path
	}
}
