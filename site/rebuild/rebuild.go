// Package rebuild tells whether a build would write what is there already, without
// reading a page.
//
// It compares everything that a build could read with how that was before the last build:
// the files of the repository by name, size and times, the state of git, the program and
// its options; and what the last build wrote with what is there. It never decides what of a
// site to build: a site is either as a build leaves it, or is built.
package rebuild

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
)

// version is that of the file in the cache.
const version = 1

// mostFiles bounds how many files are looked at. A repository with more is always built.
const mostFiles = 200_000

// Last is what is kept of a build.
type Last struct {
	Version int    `json:"version"`
	Inputs  string `json:"inputs"`
	Outputs string `json:"outputs"`
	// Said is what the build told people.
	Said []string `json:"said"`
}

// Check is what a build would read, and where it would write.
type Check struct {
	ws     *compiler.Workspace
	out    string
	inputs string // empty if a change could be missed
}

// Observe looks at everything that a build into the folder out reads. with is what else
// decides about the site: options, the day. It comes before anything is read, so that what
// changes in the meantime is seen by the next call.
func Observe(ctx context.Context, ws *compiler.Workspace, out string, with ...string) *Check {
	c := &Check{ws: ws, out: out}
	if !contained(ws) {
		return c
	}
	h := xxh3.New()
	for _, s := range append(with, program(), ws.Root, ws.ConfigPath) {
		fmt.Fprintf(h, "%q\n", s)
	}
	if ws.Git {
		state, err := history.State(ctx, ws.Dir)
		if err != nil {
			return c
		}
		fmt.Fprintf(h, "%q\n", state)
	}
	if !c.walk(h) || ctx.Err() != nil {
		return c
	}
	c.inputs = hash(h)
	return c
}

func hash(h *xxh3.Hasher) string {
	sum := h.Sum128().Bytes()
	return fmt.Sprintf("%x", sum[:])
}

// contained reports whether all that a build reads is in the folder of the repository.
func contained(ws *compiler.Workspace) bool {
	paths := []string{ws.Root}
	if ws.ConfigPath != "" {
		paths = append(paths, filepath.Dir(ws.ConfigPath))
	}
	return !slices.ContainsFunc(paths, func(p string) bool {
		rel, err := filepath.Rel(ws.Dir, p)
		return err != nil || rel != "." && !filepath.IsLocal(rel)
	})
}

// program identifies the binary that runs.
func program() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return name + " " + stamp(info)
}

// walk adds the files of the repository to a hash, and reports whether these are all and a
// later change of any would be seen. Left out are the folder of git, the cache and the output.
func (c *Check) walk(h *xxh3.Hasher) bool {
	now, seen := time.Now(), 0
	err := filepath.WalkDir(c.ws.Dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if seen++; seen > mostFiles {
			return fs.SkipAll
		}
		rel, err := filepath.Rel(c.ws.Dir, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case e.Name() == ".git", p == c.out, rel == compiler.CacheFolder:
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case rel == path.Dir(compiler.CacheFolder):
			return nil
		case e.IsDir():
			fmt.Fprintf(h, "%q/\n", rel)
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		target := ""
		if e.Type()&fs.ModeSymlink != 0 {
			if target, err = os.Readlink(p); err != nil {
				return err
			}
		}
		if !settled(info, now) {
			return errUnsettled
		}
		fmt.Fprintf(h, "%q %q %s\n", rel, target, stamp(info))
		return nil
	})
	return err == nil && seen <= mostFiles
}

var errUnsettled = errors.New("a file was changed just now")

// settled reports whether a change from now on would give a file another time.
func settled(info fs.FileInfo, now time.Time) bool {
	tick := 2 * time.Second // of the coarsest file systems
	if info.ModTime().Nanosecond()%int(time.Millisecond) != 0 {
		tick = 50 * time.Millisecond
	}
	return now.Sub(info.ModTime()) >= tick
}

func stamp(info fs.FileInfo) string {
	return fmt.Sprintf("%v %d %d %s", info.Mode(), info.Size(), info.ModTime().UnixNano(), identity(info))
}

// Unchanged returns what the last build told, if it read what is here now and all that it
// wrote is as it left it.
func (c *Check) Unchanged(made []string) ([]string, bool) {
	if c.inputs == "" {
		return nil, false
	}
	b, err := c.ws.ReadCache(c.name(), files.Cache)
	var last Last
	if err != nil || json.Unmarshal(b, &last) != nil || last.Version != version || last.Inputs != c.inputs || last.Outputs == "" {
		return nil, false
	}
	return last.Said, c.outputs(made) == last.Outputs
}

// Keep remembers a build for the next call. A folder that can't be written to has no cache.
func (c *Check) Keep(made, said []string) {
	outputs := c.outputs(made)
	if c.inputs == "" || outputs == "" {
		return
	}
	b, err := json.Marshal(Last{version, c.inputs, outputs, said})
	if err == nil {
		_ = c.ws.WriteCache(c.name(), append(b, '\n'))
	}
}

func (c *Check) name() string { return fmt.Sprintf("build-%016x.json", xxh3.HashString(c.out)) }

// outputs is the state of the files that a build made, empty if one is missing.
func (c *Check) outputs(made []string) string {
	h := xxh3.New()
	for _, name := range made {
		info, err := os.Lstat(filepath.Join(c.out, filepath.FromSlash(name)))
		if err != nil {
			return ""
		}
		fmt.Fprintf(h, "%q %s\n", name, stamp(info))
	}
	return hash(h)
}
