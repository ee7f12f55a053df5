package site

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/schema"
)

// How many entries of the sidebar one file holds. The top is in every file.
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
	file   string // the file
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

// putBranches puts the file of a branch that has entries, and of those in it.
func (s *Site) putBranches(n *names, b *branch) {
	if len(b.kids)+len(b.pages) > 0 || b == s.top {
		name := "top"
		if b != s.top {
			name = fmt.Sprintf("%08x", uint32(xxh3.HashString(b.key())))
		}
		b.file = s.put(n, treeName+name+".js", treeOutput{b})
		b.id = strings.TrimSuffix(path.Base(b.file), ".js")
	}
	for _, kid := range b.kids {
		s.putBranches(n, kid)
	}
}

// menuFile is the file that draws the menu of the pages in a branch.
func (b *branch) menuFile() string {
	for b.file == "" {
		b = b.up
	}
	return b.file
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

// treeOutput is a script with the entries of a branch, and with the menu of the pages in
// it: pages that are opened from a disk may load no other kind of file.
type treeOutput struct{ branch *branch }

// row is an entry: its title, its address below the root, and the branch that it is.
type row []string

func (b *branch) row() row {
	if b.id == "" {
		return row{b.title, escapePath(b.href)}
	}
	return row{b.title, escapePath(b.href), b.id}
}

func (s *Site) pageRows(rows []row, pages []*schema.Page) []row {
	for _, p := range pages {
		rows = append(rows, row{s.titles[p.ID], escapePath(s.place[p.ID])})
	}
	return rows
}

// menu is what surrounds the entries of a branch in the menu. There are no numbers in it:
// one new page would change the files of all branches.
type menu struct {
	Lists []row   `json:"lists"`          // of the whole wiki
	Way   []level `json:"way,omitempty"`  // from the top to above the branch
	Kids  int     `json:"kids,omitempty"` // how many of the entries are branches; pages follow them
	More  string  `json:"more,omitempty"` // lists all entries, empty at the top, where all are shown
}

// level is the entries around one that is open.
type level struct {
	Rows []row  `json:"rows"`
	Open int    `json:"open"`           // the entry that is open
	More string `json:"more,omitempty"` // lists the rest, empty when all are shown
	Tree string `json:"tree"`           // the branch that they are in
}

// menuOf shows where in the wiki a branch is: all entries of the top, and those near the
// way in every branch on the way to it.
func (s *Site) menuOf(b *branch) menu {
	m := menu{Kids: len(b.kids)}
	for _, l := range s.wholeLists() {
		m.Lists = append(m.Lists, row{l.title, escapePath(l.file)})
	}
	var way []*branch // from below the top to b
	for up := b; up != s.top; up = up.up {
		way = append(way, up)
	}
	if b != s.top {
		m.More = escapePath(b.href)
	}
	slices.Reverse(way)
	if hidden := len(way) - levels; hidden > 0 {
		way = slices.Delete(way, 1, 1+hidden)
	}
	for _, next := range way {
		m.Way = append(m.Way, s.level(next))
	}
	return m
}

// level is the entries around an open branch.
func (s *Site) level(open *branch) level {
	b, at := open.up, slices.Index(open.up.kids, open)
	first, end := 0, len(b.kids)
	if b != s.top {
		first = min(max(0, at-sideFolders/2), max(0, end-sideFolders))
		end = min(end, first+sideFolders)
	}
	out := level{Open: at - first, Tree: b.id}
	for _, kid := range b.kids[first:end] {
		out.Rows = append(out.Rows, kid.row())
	}
	if b == s.top {
		out.Rows = s.pageRows(out.Rows, b.pages)
	} else if len(out.Rows) < len(b.kids)+len(b.pages) {
		out.More = escapePath(b.href)
	}
	return out
}

func (o treeOutput) render(s *Site, _ string) ([]byte, error) {
	b := o.branch
	rows := make([]row, 0, len(b.kids)+len(b.pages))
	for _, kid := range b.kids {
		rows = append(rows, kid.row())
	}
	rows = s.pageRows(rows, b.pages)
	shared := sharedStart(rows)
	for _, r := range rows {
		r[1] = r[1][len(shared):]
	}
	call, err := json.Marshal([]any{b.id, shared, rows, s.menuOf(b)})
	if err != nil {
		return nil, fmt.Errorf("encode entries of the menu: %w", err)
	}
	return fmt.Appendf(nil, "self[\"wiki.tree\"]?.(...%s);\n", call), nil
}

// sharedStart is what all addresses begin with.
func sharedStart(rows []row) string {
	if len(rows) == 0 {
		return ""
	}
	shared := rows[0][1]
	for _, row := range rows[1:] {
		for !strings.HasPrefix(row[1], shared) {
			shared = shared[:len(shared)-1]
		}
	}
	return shared
}
