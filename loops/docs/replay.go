package docs

import "slices"

// Score is what a replay of a history came to: how many of the pages that people
// changed the work lists would have named in time.
type Score struct {
	// Commits counts those that changed more than pages and so have a work list.
	Commits int `json:"commits"`
	// Changes counts the changes of pages, by commit and page, that came at or at
	// most five commits after one with a work list. Pages that the commit added are
	// left out, as are index and log, which the runner keeps.
	Changes int `json:"changes"`
	// Found are those of them whose page stood on one of these lists.
	Found  int     `json:"found"`
	Recall float64 `json:"recall"`
	// Listed is how many pages a list had on average, Longest the most.
	Listed  float64 `json:"listed"`
	Longest int     `json:"longest"`
	// PerCommit is the other way to count: of the pages that changed in a commit
	// or the next five, how many stood on the list of that one commit, on average
	// over the commits after which a page changed; Pooled is the same over all
	// such pairs, and Ceiling what lists of this length that know the future would
	// reach of them.
	PerCommit float64 `json:"perCommit"`
	Pooled    float64 `json:"pooled"`
	Ceiling   float64 `json:"ceiling"`
}

// Replay makes the work list of every commit as it would have been made then, but
// for the pages themselves: their text is today's. It learns what changes together
// from earlier commits alone. No agent is called.
func (b *Bindings) Replay(commits []Commit, limit int, leftOut Features) Score {
	var s Score
	past := NewPast()
	born := map[string]int{}
	lists := make([]map[string]bool, len(commits))
	total := 0
	for i, c := range commits {
		if len(c.Files) > 0 {
			lists[i] = b.listOf(past, c, limit, leftOut, func(page string) bool { _, there := born[page]; return there })
			s.Commits++
			total += len(lists[i])
			s.Longest = max(s.Longest, len(lists[i]))
		}
		past.Add(c)
		for _, p := range c.Born {
			if _, there := born[p]; !there {
				born[p] = i
			}
		}
	}
	if s.Commits > 0 {
		s.Listed = float64(total) / float64(s.Commits)
	}
	s.byChange(commits, lists, born)
	s.byCommit(commits, lists, born, limit)
	return s
}

// listOf returns the work list of one commit, as a set of pages that are there.
func (b *Bindings) listOf(past *Past, c Commit, limit int, leftOut Features, there func(string) bool) map[string]bool {
	files := make([]File, len(c.Files))
	for i, f := range c.Files {
		files[i] = File{Path: f, Weight: 1} // how far each change went is not known
	}
	set := map[string]bool{}
	for _, it := range b.Rank(past, files, 0, leftOut) {
		if there(it.Page) && (limit <= 0 || len(set) < limit) {
			set[it.Page] = true
		}
	}
	return set
}

// byChange looks back from each change of a page.
func (s *Score) byChange(commits []Commit, lists []map[string]bool, born map[string]int) {
	for j, c := range commits {
		from := max(0, j-Window)
		prompted := slices.ContainsFunc(lists[from:j+1], func(l map[string]bool) bool { return l != nil })
		for _, p := range c.Pages {
			if at, there := born[p]; !prompted || Kept(p) || !there || at >= j {
				continue
			}
			s.Changes++
			if slices.ContainsFunc(lists[from:j+1], func(l map[string]bool) bool { return l[p] }) {
				s.Found++
			}
		}
	}
	if s.Changes > 0 {
		s.Recall = float64(s.Found) / float64(s.Changes)
	}
}

// byCommit looks forward from each commit.
func (s *Score) byCommit(commits []Commit, lists []map[string]bool, born map[string]int, limit int) {
	var n, hits, all, most int
	var sum float64
	for i := range commits {
		if lists[i] == nil {
			continue
		}
		truth := map[string]bool{}
		for j := i; j <= min(i+Window, len(commits)-1); j++ {
			for _, p := range commits[j].Pages {
				if at, there := born[p]; there && at < i && !Kept(p) {
					truth[p] = true
				}
			}
		}
		if len(truth) == 0 {
			continue
		}
		found := 0
		for p := range truth {
			if lists[i][p] {
				found++
			}
		}
		n++
		hits += found
		all += len(truth)
		sum += float64(found) / float64(len(truth))
		if limit > 0 {
			most += min(limit, len(truth))
		} else {
			most += len(truth)
		}
	}
	if n > 0 {
		s.PerCommit, s.Pooled, s.Ceiling = sum/float64(n), float64(hits)/float64(all), float64(most)/float64(all)
	}
}
