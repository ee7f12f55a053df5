package site

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/schema"
)

// How many entries of the sidebar one file holds. The top is in every page of the site.
const (
	perBranch  = 250
	topEntries = 40
)

// branch is an entry of the sidebar that opens: a folder, or a range of the entries of a
// folder that has too many for one list.
type branch struct {
	title  string
	href   string // the file that lists what is in it
	id     string // names the file with its entries, empty when it has none
	up     *branch
	folder *folder // nil for a range
	kids   []*branch
	pages  []*schema.Page // its other entries
	first  int            // a range of pages has those of the folder from first
	last   int            // to before last
}

// makeBranches puts a file for every branch but the top, which pages load when a
// reader opens it.
func (s *Site) makeBranches(n *names) {
	top := s.folders["."]
	s.top = &branch{folder: top}
	s.branches = map[*folder]*branch{top: s.top}
	s.fill(s.top, top, topEntries)
	s.putBranches(n, s.top)
}

// fill gives a branch the entries of a folder, at most so many.
func (s *Site) fill(b *branch, f *folder, most int) {
	subs, pages := most, most
	if len(f.subs)+len(f.pages) > most {
		subs, pages = most/2, most/2
	}
	s.addFolders(b, f, 0, len(f.subs), subs)
	s.addPages(b, f, 0, len(f.pages), pages)
}

// addFolders adds some of the folders in f, as ranges when there are more than most.
func (s *Site) addFolders(b *branch, f *folder, from, to, most int) {
	size := rangeSize(to-from, most)
	for at := from; at < to; at += size {
		end := min(at+size, to)
		if size == 1 {
			sub := f.subs[at]
			kid := &branch{title: sub.name(), href: sub.file, up: b, folder: sub}
			s.branches[sub] = kid
			s.fill(kid, sub, perBranch)
			b.kids = append(b.kids, kid)
			continue
		}
		kid := &branch{title: rangeTitle(f.subs[at].name(), f.subs[end-1].name()), href: s.partWith(f, at), up: b}
		s.addFolders(kid, f, at, end, perBranch)
		b.kids = append(b.kids, kid)
	}
}

// addPages adds some of the pages in f, as ranges when there are more than most.
func (s *Site) addPages(b *branch, f *folder, from, to, most int) {
	size := rangeSize(to-from, most)
	if size == 1 {
		b.pages = f.pages[from:to]
		return
	}
	for at := from; at < to; at += size {
		end := min(at+size, to)
		kid := &branch{title: rangeTitle(stem(f.pages[at]), stem(f.pages[end-1])), href: s.partWith(f, len(f.subs)+at), up: b, first: at, last: end}
		s.addPages(kid, f, at, end, perBranch)
		b.kids = append(b.kids, kid)
	}
}

// rangeSize is how many of n entries go into one range so that there are at most most
// ranges, 1 when none is needed. Ranges are about as many as each has entries: none of
// the lists that a reader goes through is long.
func rangeSize(n, most int) int {
	if n <= most {
		return 1
	}
	ranges := min(most, max((n+perBranch-1)/perBranch, int(math.Ceil(math.Sqrt(float64(n))))))
	return (n + ranges - 1) / ranges
}

// rangeTitle names a range by its ends. Entries are in the order of their file names,
// which titles need not have.
func rangeTitle(first, last string) string { return clip(first, 40) + " – " + clip(last, 40) }

func stem(p *schema.Page) string {
	base := path.Base(p.Path)
	return strings.TrimSuffix(base, path.Ext(base))
}

// partWith is the part of a folder's list that has its i-th entry.
func (s *Site) partWith(f *folder, i int) string {
	parts := s.lists[f.list]
	if f.list == s.pagesFile || len(parts) == 0 { // in another order
		return f.list
	}
	return parts[min(i/perPart, len(parts)-1)]
}

func (s *Site) putBranches(n *names, b *branch) {
	for _, kid := range b.kids {
		if len(kid.kids)+len(kid.pages) > 0 {
			file := s.put(n, treeName+fmt.Sprintf("%08x.js", uint32(xxh3.HashString(kid.key()))), treeOutput{kid})
			kid.id = strings.TrimSuffix(path.Base(file), ".js")
		}
		s.putBranches(n, kid)
	}
}

// key tells a branch from all others, in other builds as well.
func (b *branch) key() string {
	if b.folder != nil {
		return b.folder.path
	}
	return b.up.key() + "\x00" + b.title
}

// branchOf is the branch that has a page of the folder as an entry, and that of the folder
// when the page is not among its entries. Without a folder it is the top, or the one
// folder that has everything.
func (s *Site) branchOf(f *folder, p *schema.Page) *branch {
	if f == nil || f.parent == nil && p == f.index {
		b := s.top
		for len(b.kids) == 1 && len(b.pages) == 0 && b.kids[0].id != "" {
			b = b.kids[0]
		}
		return b
	}
	b, at := s.branches[f], position(f.pages, p)
	for at >= 0 && len(b.pages) == 0 {
		for _, kid := range b.kids {
			if kid.first <= at && at < kid.last {
				b = kid
				break
			}
		}
	}
	return b
}

// treeOutput is a script with the entries of a branch: pages that are opened from a disk
// may load no other kind of file.
type treeOutput struct{ branch *branch }

func (o treeOutput) render(s *Site, _ string) ([]byte, error) {
	b := o.branch
	rows := make([][]string, 0, len(b.kids)+len(b.pages))
	for _, kid := range b.kids {
		row := []string{kid.title, escapePath(kid.href)}
		if kid.id != "" {
			row = append(row, kid.id)
		}
		rows = append(rows, row)
	}
	for _, p := range b.pages {
		rows = append(rows, []string{s.titles[p.ID], escapePath(s.place[p.ID])})
	}
	shared := sharedStart(rows)
	for _, row := range rows {
		row[1] = row[1][len(shared):]
	}
	call, err := json.Marshal([]any{b.id, shared, rows})
	if err != nil {
		return nil, fmt.Errorf("encode entries of the menu: %w", err)
	}
	return fmt.Appendf(nil, "self[\"wiki.tree\"]?.(...%s);\n", call), nil
}

// sharedStart is what all addresses begin with.
func sharedStart(rows [][]string) string {
	shared := rows[0][1]
	for _, row := range rows[1:] {
		for !strings.HasPrefix(row[1], shared) {
			shared = shared[:len(shared)-1]
		}
	}
	return shared
}
