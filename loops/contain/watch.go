package contain

import (
	"context"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/zeebo/xxh3"
)

// watch calls stalled once the tree below dir has not changed for as long as the
// limit. It looks every few seconds, and more seldom where looking takes long:
// at most one part in forty of the time.
func watch(ctx context.Context, dir string, limit time.Duration, stalled func()) {
	pause := max(min(limit/20, 5*time.Second), 10*time.Millisecond)
	changed := time.Now()
	was := fingerprint(ctx, dir)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(pause, 40*was.took)):
		}
		at := time.Now()
		is := fingerprint(ctx, dir)
		if ctx.Err() != nil {
			return
		}
		if is.sum != was.sum || is.files != was.files {
			changed = at
		} else if time.Since(changed) >= limit {
			stalled()
			return
		}
		was = is
	}
}

// print is what a tree looks like from outside.
type print struct {
	sum   uint64
	files int
	took  time.Duration
}

// fingerprint sums up names, sizes, times of change and modes of everything
// below dir but git's and our own records. What can't be read counts as absent.
func fingerprint(ctx context.Context, dir string) print {
	begin := time.Now()
	var p print
	p.folder(ctx, dir)
	p.took = time.Since(begin)
	return p
}

func (p *print) folder(ctx context.Context, dir string) {
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	for ctx.Err() == nil {
		entries, err := f.ReadDir(512)
		for _, e := range entries {
			if name := e.Name(); name == ".git" || name == ".loopwiki" {
				continue
			}
			p.entry(ctx, filepath.Join(dir, e.Name()), e)
		}
		if err != nil || len(entries) == 0 {
			if err != nil && err != io.EOF {
				p.files++ // a folder that went away while it was read is a change
			}
			return
		}
	}
}

func (p *print) entry(ctx context.Context, path string, e fs.DirEntry) {
	if e.IsDir() {
		p.files++
		p.sum += xxh3.HashString(path)
		p.folder(ctx, path)
		return
	}
	info, err := e.Info()
	if err != nil {
		return
	}
	var b [20]byte
	binary.LittleEndian.PutUint64(b[:], uint64(info.Size()))
	binary.LittleEndian.PutUint64(b[8:], uint64(info.ModTime().UnixNano()))
	binary.LittleEndian.PutUint32(b[16:], uint32(info.Mode()))
	p.files++
	p.sum += xxh3.HashSeed(b[:], xxh3.HashString(path)) // a sum needs no order
}
