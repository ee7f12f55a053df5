// Package repo opens a repository for loops: its configuration and environment, its plans, the
// specs of its loops, and its runs. It makes no decisions; the packages that do use it.
package repo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// Repo is a repository whose loops are run.
type Repo struct {
	Root   string // of the main checkout, absolute
	Config schema.LoopsConfig
	// Getenv is the process's environment.
	Getenv func(string) string
	// Self is how this program is started again as a supervisor.
	Self []string
	// Rules are those of the linter.
	Rules []*linter.Rule
	Now   func() time.Time
	Store *run.Store
	// Tracker opens an issue tracker that Config names.
	Tracker func(name string) (loops.Tracker, error)
	// Passages searches a wiki for prompts and questions: it returns sections of pages, best
	// first, of at most size bytes together.
	Passages  func(ctx context.Context, w *compiler.Wiki, query string, size int) ([]loops.Passage, error)
	container loops.Container
	Objects   string // where the repository keeps them
}

// Open finds the repository that dir lies in.
func Open(ctx context.Context, dir string, getenv func(string) string) (*Repo, error) {
	dir, err := filepath.Abs(dir) // as it is PWD, by which git names folders
	if err != nil {
		return nil, err
	}
	out, err := Command(ctx, dir, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir").Output()
	if err != nil {
		var missing *exec.Error
		if errors.As(err, &missing) {
			return nil, err
		}
		if _, why := history.Toplevel(ctx, dir); errors.Is(why, history.ErrNotTrusted) {
			_, remedy, _ := strings.Cut(why.Error(), "; run ")
			return nil, &UntrustedError{dir, remedy}
		}
		return nil, &NoRepositoryError{dir}
	}
	top, common, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	// Runs belong to the main checkout, wherever they are asked for.
	if filepath.Base(common) == ".git" {
		top = filepath.Dir(common)
	}
	root := filepath.FromSlash(top)
	return &Repo{Root: root, Getenv: getenv, Now: time.Now, Store: run.NewStore(root), Objects: filepath.Join(filepath.FromSlash(common), "objects")}, nil
}

// NoRepositoryError is a folder that lies in no repository of git.
type NoRepositoryError struct{ Dir string }

func (e *NoRepositoryError) Error() string {
	return "no git repository in " + e.Dir + " or its parents"
}

// Hint returns what to do.
func (e *NoRepositoryError) Hint() string {
	return "loops need a git repository: run 'git init' and commit, or pass its directory with -C"
}

// UntrustedError is a repository of another user, which git does not work on.
type UntrustedError struct{ Dir, Remedy string }

func (e *UntrustedError) Error() string {
	return "git does not trust the repository in " + e.Dir + ", which belongs to another user"
}

// Hint returns what to do, with the path as git wants it.
func (e *UntrustedError) Hint() string { return "if you trust it, run '" + e.Remedy + "'" }

// Command returns a call of git that the process's surroundings do not change.
func Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false"}, args...)...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(c.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "GIT_") && !strings.HasPrefix(e, "GIT_SSH") && !strings.HasPrefix(e, "GIT_CONFIG_")
	})
	return c
}

// Git asks git in the main checkout.
func (r *Repo) Git(ctx context.Context, args ...string) (string, error) {
	out, err := Command(ctx, r.Root, args...).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return "", fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(failed.Stderr)))
		}
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// Remote returns where branches are pushed to: origin, or the only remote there is; ""
// if there is none.
func (r *Repo) Remote(ctx context.Context) (string, error) {
	out, err := r.Git(ctx, "remote")
	names := strings.Fields(out)
	switch {
	case err != nil || len(names) == 0:
		return "", err
	case slices.Contains(names, "origin"):
		return "origin", nil
	case len(names) > 1:
		return "", fmt.Errorf("several remotes (%s), none named origin: rename the one to push to", strings.Join(names, ", "))
	}
	return names[0], nil
}

// Container runs the programs of this repository's runs.
func (r *Repo) Container() loops.Container {
	if r.container == nil {
		r.container = contain.New(r.Self, r.sandbox())
	}
	return r.container
}

func (r *Repo) sandbox() contain.Options {
	o := contain.Options{Place: r.name()}
	if r.Config.Sandbox == "none" {
		o.AtMost = loops.Bare
	}
	return o
}

// Losses returns the sandboxes that this repository's runs do without.
func (r *Repo) Losses() []contain.Loss { return contain.Losses(r.sandbox()) }

// name returns what this repository's runs are told apart from others' by.
func (r *Repo) name() string { return digest(r.Root) }

// Within reports whether this process was started by a program of a run of this
// repository.
func (r *Repo) Within() bool { return contain.Above(r.Self, r.name()) }

// digest is short and of few letters.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// ToolCache returns where the gates of all repositories keep the caches of compilers: a
// first run does not have to build a standard library each time. "" keeps them
// with the repository.
func (r *Repo) ToolCache() string {
	cache := Cache(r.Getenv)
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "wiki", "gates")
}

// Cache returns the person's folder for caches, absolute; "" if the environment names none.
func Cache(getenv func(string) string) string {
	cache := getenv("XDG_CACHE_HOME")
	if home := getenv("HOME"); cache == "" && home != "" {
		cache = filepath.Join(home, ".cache")
	}
	if !filepath.IsAbs(cache) {
		return ""
	}
	return cache
}

// FS returns the main checkout.
func (r *Repo) FS() fs.FS { return files.DirFS(r.Root, files.Text) }

// Relative returns a path as the repository has it: slash-separated, from its root.
func (r *Repo) Relative(path string) (string, bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	// The root has no symbolic links in it, as git printed it.
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	rel, err := filepath.Rel(r.Root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Sleep waits, or until nobody wants the result anymore.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
