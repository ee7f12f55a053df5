package compiler

import (
	"context"
	"io/fs"

	"github.com/zeebo/xxh3"
)

// Stamp is the data in a folder listing about a page that was not read.
type Stamp struct {
	Path     string // below the root
	Size     int64  // in bytes, -1 when it can't be looked at
	Modified int64  // in nanoseconds since 1970
}

// Listing is the list of files that [Compile] would read.
type Listing struct {
	Pages  []Stamp  // in order of path, as those of the wiki
	Others []string // paths of the files that are not pages, sorted

	reader
	entries []entry
}

// List looks at the folder of a workspace. The error is for a root that can't be
// read. The caller closes the listing.
func List(ctx context.Context, ws *Workspace) (*Listing, error) {
	ld, done, err := (&Wiki{space: ws}).loader(ctx)
	if err != nil {
		return nil, err
	}
	l := &Listing{reader: reader{loader: ld}}
	pages, files, err := ld.tree(ctx)
	if err != nil {
		done()
		return nil, err
	}
	l.entries, l.Pages = pages, make([]Stamp, len(pages))
	for i, e := range pages {
		l.Pages[i] = Stamp{e.path, -1, 0}
		if info, err := l.stat(e); err == nil {
			l.Pages[i].Size, l.Pages[i].Modified = info.Size(), info.ModTime().UnixNano()
		}
	}
	for _, f := range files {
		l.Others = append(l.Others, f.path)
	}
	return l, nil
}

// stat looks at the file of a page. What its folder listed has been looked at, but for
// where a link leads.
func (l *Listing) stat(e entry) (fs.FileInfo, error) {
	if e.link || e.file == nil {
		return l.at.Stat(e.path)
	}
	return e.file.Info()
}

// Hash reads a page, by its number, and returns its Hash as a compilation would.
// What can't be read has that of an empty page.
func (l *Listing) Hash(i int) uint64 {
	src, _ := l.bytes(l.entries[i])
	return xxh3.Hash(src)
}

// Close frees the handles of the listing.
func (l *Listing) Close() {
	l.close()
	l.at.Close()
}
