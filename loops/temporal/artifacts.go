package temporal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
)

// Artifacts keeps what runs leave beside their commits: prompts, transcripts, evidence,
// patches, reports. Names are slash-separated. A bucket of an object store fits as well
// as a folder.
type Artifacts interface {
	Put(ctx context.Context, name string, text []byte) error
	Get(ctx context.Context, name string) ([]byte, error)
	// List returns the names below a folder.
	List(ctx context.Context, folder string) ([]string, error)
}

// Folder keeps artifacts in a folder, which hosts share or copy.
type Folder string

// Put implements Artifacts.
func (f Folder) Put(_ context.Context, name string, text []byte) error {
	return put(string(f), name, text)
}

// put writes a file below a folder, which is made.
func put(dir, name string, text []byte) error {
	root, err := files.Make(dir, 0o755)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return root.Replace(name, text, 0o600)
}

// Get implements Artifacts.
func (f Folder) Get(_ context.Context, name string) ([]byte, error) {
	return files.Read(string(f), name, files.Run)
}

// List implements Artifacts. What a worker is writing at this moment is not listed.
func (f Folder) List(_ context.Context, folder string) ([]string, error) {
	var out []string
	err := fs.WalkDir(files.DirFS(string(f), files.Run), folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if pending, err := path.Match(files.Pending("*"), d.Name()); err != nil || pending {
			return err
		}
		out = append(out, name)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return out, err
}

// The two parts of a run's artifacts.
const (
	runPart       = "run"
	incidentsPart = "incidents"
)

// unique names a run among those of all repositories, which may begin plans of one name in
// one second. first is the first execution of its workflow.
func unique(run, first string) string {
	sum := sha256.Sum256([]byte(first))
	return run + "-" + hex.EncodeToString(sum[:6])
}

// private are the files of a run's folder that mean something on its host alone.
var private = map[string]bool{"git": true, "worktree.json": true, "journal.jsonl": true, "summary.json": true, "elsewhere": true, "engine.json": true}

// stamp tells whether a file was stored as it is.
type stamp struct {
	size int64
	at   int64
}

// store puts what is new in a run's folder, and the incidents of its clone, where others
// find it, below a name that is the run's alone. stored remembers what was put before.
func store(ctx context.Context, to Artifacts, below, loopwiki, run string, stored map[string]stamp) error {
	for dir, part := range map[string]string{filepath.Join(loopwiki, "runs", run): runPart, filepath.Join(loopwiki, "incidents"): incidentsPart} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				return err
			}
			if top, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); part == runPart && private[top] {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if !d.Type().IsRegular() {
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			now := stamp{info.Size(), info.ModTime().UnixNano()}
			key := path.Join(below, part, filepath.ToSlash(rel))
			if stored[key] == now {
				return nil
			}
			text, err := files.ReadPath(name, files.Run)
			if err != nil {
				return err
			}
			if err := to.Put(ctx, key, text); err != nil {
				return err
			}
			stored[key] = now
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fetch copies the artifacts of a run into .loopwiki of a checkout. What is there and
// alike stays.
func fetch(ctx context.Context, from Artifacts, below, loopwiki, run string) error {
	for dir, part := range map[string]string{filepath.Join(loopwiki, "runs", run): runPart, filepath.Join(loopwiki, "incidents"): incidentsPart} {
		names, err := from.List(ctx, path.Join(below, part))
		if err != nil {
			return err
		}
		for _, name := range names {
			rel := strings.TrimPrefix(name, path.Join(below, part)+"/")
			text, err := from.Get(ctx, name)
			if err != nil {
				return err
			}
			if have, err := files.Read(dir, rel, files.Run); err == nil && string(have) == string(text) {
				continue
			}
			if err := put(dir, rel, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// DataHome returns where workers and clients of a person keep what they share on one
// machine, "" if there is no home.
func DataHome(env func(string) string) string {
	if dir := env("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "wiki-worker")
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "wiki-worker")
	}
	return ""
}
