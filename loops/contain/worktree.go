package contain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Repo is a repository that people work in.
type Repo struct {
	// Dir is the repository's top folder, or a folder below it.
	Dir string
	// Env is the environment that git is started with. Variables of git are
	// taken out, except for those that say where its configuration lies.
	Env []string
	// program is git's, for tests.
	program string
}

// Spec is the worktree that a run wants.
type Spec struct {
	Run  string // the run's id
	Plan string // the plan's name: branch loop/<plan>, folder <repository>-loop-<plan>
	// Base is the commit to start from; "" is the HEAD of the checkout.
	Base string
	// Parent is where the worktree is made, relative to the repository's top; "" is "..".
	Parent string
	// Folder is the run's own, absolute: what is needed to compare and to restore
	// is kept in it. The folders of other runs lie beside it.
	Folder string
	// Contained says that roles run in a sandbox in which they can write to the
	// worktree and to nothing else of the repository. What changes outside it
	// is then somebody else's work: it is noted, and left alone.
	Contained bool
	// Over says whether another run is at its end, so that what it left can be
	// used again. nil: none is.
	Over func(run string) bool
	// Failed says whether another run ended and did not reach its goal: what it
	// committed is then set aside on a branch loop/<plan>-wip-<n>. nil: none did, and
	// what another run left has to be merged or deleted by a person.
	Failed func(run string) bool
	// Continue says that the run goes on where an earlier one of the plan ended,
	// whose commits Base has: what that one did not commit is saved on a branch
	// loop/<plan>-wip-<n>, and its worktree and branch become this run's.
	Continue bool
	// Note is told what is worth knowing and no breach. It may be nil.
	Note func(string)
	// Name and Email stand in commits; "" is whom git's configuration names.
	Name, Email string
	// Now dates commits; nil is git's own clock.
	Now func() time.Time
	// Redact are values that reach no patch: it holds a mark instead.
	Redact []string
	// MaxSave is how many bytes of changed and untracked files of the main
	// checkout are kept to be restored; 0 is 64 MiB.
	MaxSave int64
}

// Branch returns where the run's commits go.
func (s Spec) Branch() string { return "loop/" + s.Plan }

// Worktree is a worktree of git that belongs to one run.
type Worktree struct {
	spec   Spec
	repo   checkout
	path   string // absolute
	admin  string // .git/worktrees/<name>
	git    git    // with the worktree, its own index replaced by one of the run's
	shared git    // with the repository alone
	record ownership
	// pinned is a digest of guarded state, and the commit that keeps it.
	pinned [2]string
	// staged is the sum of an index of the main checkout, and a digest of its entries.
	staged [2]string
	// secret are the trees between which a rollback took secrets away.
	secret [][2]string
}

var _ loops.Worktree = (*Worktree)(nil)

// checkout is where a repository lies.
type checkout struct {
	top    string // of the checkout that people work in
	gitDir string // of that checkout
	common string // what all checkouts share
	git    git    // in the checkout
}

// locateCheckout finds out where a repository lies, and refuses what no worktree can
// be made of.
func locateCheckout(ctx context.Context, repo Repo) (checkout, error) {
	dir, err := filepath.Abs(repo.Dir)
	if err != nil {
		return checkout{}, err
	}
	p := checkout{git: git{dir: dir, env: gitEnvironment(repo.Env), program: repo.program}}
	out, err := p.git.out(ctx, "rev-parse", "--is-bare-repository", "--path-format=absolute", "--git-dir", "--git-common-dir")
	if err != nil {
		return checkout{}, err
	}
	lines := strings.Split(out, "\n")
	if len(lines) < 3 {
		return checkout{}, fmt.Errorf("output of git rev-parse in %s: %q", dir, out)
	}
	if lines[0] == "true" {
		return checkout{}, fmt.Errorf("%s is a bare repository: loops need a checkout; clone it and run there", dir)
	}
	p.gitDir, p.common = filepath.FromSlash(lines[1]), filepath.FromSlash(lines[2])
	if p.top, err = p.git.line(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return checkout{}, err
	}
	p.top = filepath.FromSlash(p.top)
	p.git.dir = p.top
	p.git = p.git.with("GIT_DIR="+p.gitDir, "GIT_COMMON_DIR="+p.common, "GIT_WORK_TREE="+p.top)
	return p, nil
}

// ownershipVersion is of the record's file.
const ownershipVersion = 1

// ownership says that a worktree is a run's. It lies in the run's folder; the
// worktree's administrative folder holds a mark that points to it. It is
// written before anything is made.
type ownership struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	Plan    string `json:"plan"`
	Path    string `json:"path"`
	Branch  string `json:"branch"`
	Base    string `json:"base"`
	// Head is the commit that the runner made last, Next the one that it is about
	// to put on the branch.
	Head string `json:"head"`
	Next string `json:"next,omitempty"`
	// Made is set when the worktree was registered, Filled when its files are there.
	Made   bool `json:"made,omitempty"`
	Filled bool `json:"filled,omitempty"`
	// Latest is the snapshot that was taken last.
	Latest string `json:"latest,omitempty"`
	// Hooks is the folder that core.hooksPath named when the run began, "" if none.
	Hooks string `json:"hooks,omitempty"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

// OwnershipFile is the record's name in a run's folder, ownershipMark that in the
// worktree's administrative folder: the run's id is in it.
const (
	OwnershipFile = "worktree.json"
	ownershipMark = "wiki-loop"
)

// readOwnership reads a run's record; fs.ErrNotExist if it has none.
func readOwnership(folder string) (ownership, error) {
	name := filepath.Join(folder, OwnershipFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return ownership{}, err
	}
	var r ownership
	if err := json.Unmarshal(text, &r); err != nil {
		return ownership{}, fmt.Errorf("read %s: %w", name, err)
	}
	if r.Version > ownershipVersion {
		return ownership{}, fmt.Errorf("read %s: version %d is newer than this program supports (%d); upgrade wiki", name, r.Version, ownershipVersion)
	}
	return r, nil
}

// save writes the record.
func (w *Worktree) save() error {
	return writeJSON(filepath.Join(w.spec.Folder, OwnershipFile), w.record)
}

// writeJSON writes a document so that it is there whole or not at all.
func writeJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeWhole(name, append(text, '\n'), 0o644, synced)
}

// durability says whether a file has to outlive a machine that stops.
type durability bool

const (
	synced   durability = true
	unsynced durability = false // it is made again, or known by its sum
)

// writeWhole writes a file so that it is there whole or not at all, whatever
// becomes of the process.
func writeWhole(name string, text []byte, mode fs.FileMode, d durability) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".wiki-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err == nil && d == synced {
		err = f.Sync()
	}
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return os.Rename(f.Name(), name)
}

// Path returns the worktree's folder.
func (w *Worktree) Path() string { return w.path }

// Place returns where the run works, and on what.
func (w *Worktree) Place(ctx context.Context) (loops.PlaceResult, error) {
	tree, err := w.shared.line(ctx, "rev-parse", "--verify", w.record.Head+"^{tree}")
	return loops.PlaceResult{Path: w.path, Branch: w.record.Branch, Head: w.record.Head, Tree: tree}, err
}

func (w *Worktree) note(format string, args ...any) {
	if w.spec.Note != nil {
		w.spec.Note(fmt.Sprintf(format, args...))
	}
}

// kept returns the folder of a run in which the index and all that is saved lie.
func (w *Worktree) kept(name ...string) string {
	return filepath.Join(append([]string{w.spec.Folder, "git"}, name...)...)
}

// index returns the run's own index of the worktree. It remembers what files looked
// like, so that nothing is read twice, and no role writes to it.
func (w *Worktree) index() string { return w.kept("index") }

// bind sets how git is called, once the administrative folder is known. What
// the worktree's .git says is not asked: a role can write to it.
func (w *Worktree) bind(admin string) {
	w.admin = admin
	full := []string{"-c", "core.sparseCheckout=false", "-c", "core.bare=false"}
	base := git{dir: w.path, env: w.repo.git.env, options: full, program: w.repo.git.program}
	w.git = base.with("GIT_DIR="+admin, "GIT_COMMON_DIR="+w.repo.common, "GIT_WORK_TREE="+w.path, "GIT_INDEX_FILE="+w.index())
	w.shared = git{dir: w.repo.common, env: w.repo.git.env, program: w.repo.git.program}.with("GIT_DIR="+w.repo.common, "GIT_COMMON_DIR="+w.repo.common, "GIT_WORK_TREE="+w.repo.top)
}

// identify settles who commits, before any role has run.
func (w *Worktree) identify(ctx context.Context) error {
	r := &w.record
	r.Name, r.Email = w.spec.Name, w.spec.Email
	for key, to := range map[string]*string{"user.name": &r.Name, "user.email": &r.Email} {
		if *to != "" {
			continue
		}
		v, err := w.repo.git.line(ctx, "config", "--get", key)
		if err != nil && !gitFailed(err) {
			return err
		}
		*to = v
	}
	if r.Name == "" {
		r.Name = "wiki loop"
	}
	if r.Email == "" {
		r.Email = "wiki-loop@localhost"
	}
	return nil
}

// lexists reports whether there is something of that name, a link too.
func lexists(name string) (bool, error) {
	_, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
