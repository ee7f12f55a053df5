package merge

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/history"
)

// dated is the heading of a log's entry: ## [2026-04-02] ingest | Title, or ## 2026-04-02.
var dated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^##+ +\[?(\d{4}-\d\d-\d\d)`) })

// logFile is a log cut at the headings of its entries.
type logFile struct {
	top     string // what is above the first entry
	entries []logEntry
}

type logEntry struct{ day, text string }

// readLog cuts a log. A heading in a block of code begins no entry.
func readLog(src string) logFile {
	var f logFile
	code := false
	for line := range strings.Lines(src) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if m := dated().FindStringSubmatch(line); m != nil && !code {
			f.entries = append(f.entries, logEntry{day: m[1]})
		}
		if n := len(f.entries); n > 0 {
			f.entries[n-1].text += line
		} else {
			f.top += line
		}
	}
	return f
}

// log joins a log by its entries, so that those of both branches stay whole. New entries
// of the other branch are put where their day belongs.
func log(ctx context.Context, v Versions) ([]byte, error) {
	base, ours, theirs := readLog(string(v.Base)), readLog(string(v.Ours)), readLog(string(v.Theirs))
	if len(ours.entries) == 0 || len(theirs.entries) == 0 {
		return index(ctx, v)
	}
	top, err := union(ctx, Versions{[]byte(base.top), []byte(ours.top), []byte(theirs.top)})
	if err != nil {
		return nil, err
	}
	text := func(e logEntry) string { return strings.TrimSpace(e.text) }
	has := func(f logFile, e logEntry) bool {
		return slices.ContainsFunc(f.entries, func(other logEntry) bool { return text(other) == text(e) })
	}
	kept := slices.DeleteFunc(slices.Clone(ours.entries), func(e logEntry) bool { return has(base, e) && !has(theirs, e) })
	newestFirst := descends(ours) || descends(theirs)
	var added []logEntry
	for _, e := range theirs.entries {
		if !has(base, e) && !has(ours, e) {
			added = append(added, e)
		}
	}
	for _, e := range added {
		at := len(kept)
		for i, other := range kept {
			if newestFirst && other.day <= e.day && !slices.ContainsFunc(added, func(a logEntry) bool { return a == other }) || !newestFirst && other.day > e.day {
				at = i
				break
			}
		}
		kept = slices.Insert(kept, at, e)
	}
	out := string(top)
	for _, e := range kept {
		out = apart(out) + e.text
	}
	return []byte(ended(out)), nil
}

// descends reports whether the entries of a log go from the newest to the oldest.
func descends(f logFile) bool {
	n := len(f.entries)
	return n > 1 && f.entries[0].day > f.entries[n-1].day
}

// ended ends a text with one line break.
func ended(s string) string { return strings.TrimRight(s, "\n") + "\n" }

// apart ends a text with an empty line.
func apart(s string) string {
	if strings.TrimSpace(s) == "" {
		return s
	}
	return ended(s) + "\n"
}

// index joins an index by its lines, and keeps the lines of both branches where they
// differ. An item that both added is there once, and a list that was sorted stays so.
func index(ctx context.Context, v Versions) ([]byte, error) {
	joined, err := union(ctx, v)
	if err != nil {
		return nil, err
	}
	before := sortedLists(string(v.Ours), string(v.Theirs))
	var out []string
	for _, block := range blocks(string(joined)) {
		if item(block[0]) {
			block = once(block)
			if before[block[0]] {
				slices.SortFunc(block, compareItems)
			}
		}
		out = append(out, block...)
	}
	return []byte(strings.Join(out, "")), nil
}

// union joins texts by lines, and keeps those of both where they differ.
func union(ctx context.Context, v Versions) ([]byte, error) {
	if string(v.Ours) == string(v.Theirs) {
		return v.Ours, nil
	}
	joined, _, err := history.MergeFile(ctx, v.Base, v.Ours, v.Theirs, true)
	return joined, err
}

// blocks cuts a text into lists, each of items that follow one another, and other lines.
func blocks(text string) (out [][]string) {
	for line := range strings.Lines(text) {
		if n := len(out); n > 0 && item(line) && item(out[n-1][0]) {
			out[n-1] = append(out[n-1], ended(line))
			continue
		}
		out = append(out, []string{line})
	}
	return out
}

// item reports whether a line is an item at the outer level of a list.
func item(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

// once leaves out items that a list has already.
func once(items []string) []string {
	var out []string
	for _, s := range items {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func compareItems(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// leastSorted is how many items in order make a list a sorted one.
const leastSorted = 3

// sortedLists returns the items of lists that are sorted in each text that has them.
func sortedLists(texts ...string) map[string]bool {
	sorted := map[string]bool{}
	for _, text := range texts {
		for _, block := range blocks(text) {
			if !item(block[0]) {
				continue
			}
			ok := len(block) >= leastSorted && slices.IsSortedFunc(block, compareItems)
			for _, s := range block {
				was, known := sorted[s]
				sorted[s] = ok && (was || !known)
			}
		}
	}
	return sorted
}
