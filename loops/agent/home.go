package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// folder is where a program keeps its own: a path below the home, or what lies below the
// folder that a variable names.
type folder struct{ variable, path, below string }

// of returns the folder below a home, or where the variable says.
func (f folder) of(home string, getenv func(string) string) string {
	dir := filepath.Join(home, filepath.FromSlash(f.path))
	if f.variable != "" && getenv(f.variable) != "" {
		dir = getenv(f.variable)
	}
	return filepath.Join(dir, filepath.FromSlash(f.below))
}

// credential is a file of a folder by which a program logs in.
type credential struct {
	in   folder
	name string
	// to is its path in the home of a call, if it is another one.
	to string
	// pick returns what of it concerns the login; nil is for files that hold nothing else.
	pick func(src []byte) ([]byte, error)
	// sealed is true if the program only reads it: its tools can't write it then.
	sealed bool
}

// XDG folders, which programs share.
var (
	xdgConfig = folder{variable: "XDG_CONFIG_HOME", path: ".config"}
	xdgData   = folder{variable: "XDG_DATA_HOME", path: ".local/share"}
	xdgState  = folder{variable: "XDG_STATE_HOME", path: ".local/state"}
	xdgCache  = folder{variable: "XDG_CACHE_HOME", path: ".cache"}
)

// holding returns the folder of one program below one that programs share.
func (f folder) holding(below string) folder { f.below = below; return f }

// folders lists where a program keeps its own in a home of a call.
func (r *record) folders() []folder {
	return append([]folder{xdgConfig, xdgData, xdgState, xdgCache}, r.state...)
}

// environment points a program to a home, whatever the person's variables say.
func (r *record) environment(home string) []string {
	env := []string{"HOME=" + home}
	for _, f := range r.folders() {
		if v := f.variable + "=" + filepath.Join(home, filepath.FromSlash(f.path)); f.variable != "" && !slices.Contains(env, v) {
			env = append(env, v)
		}
	}
	return env
}

// StateError is a folder that can't be the state of a program.
type StateError struct{ Agent, Folder, Why string }

func (e *StateError) Error() string {
	return fmt.Sprintf("the state folder %s of %s %s", e.Folder, e.Agent, e.Why)
}

// Settings are where a person's programs keep theirs.
type Settings struct {
	Home       string
	Repository string // nothing in it, and nothing that it lies in, is read as settings
	Getenv     func(string) string
}

// State returns the folders of a person's own that an agent's login is read from. One
// that may not be, but that nobody named and that does not exist, is no error.
func State(id string, s Settings) ([]string, error) {
	out := []string{}
	for _, f := range find(id).state {
		dir := f.of(s.Home, s.Getenv)
		named := f.variable != "" && s.Getenv(f.variable) != ""
		if _, err := os.Stat(dir); err != nil && !named {
			out = append(out, dir)
			continue
		}
		if why := refuse(dir, s); why != "" {
			return nil, &StateError{id, dir, why}
		}
		out = append(out, dir)
	}
	return out, nil
}

// refuse says why a folder can't be the state of a program, "" if it can.
func refuse(dir string, s Settings) string {
	real := func(path string) string {
		if r, err := filepath.EvalSymlinks(path); err == nil {
			return r
		}
		return filepath.Clean(path)
	}
	dir, home, repo := real(dir), real(s.Home), real(s.Repository)
	below := func(path, dir string) bool {
		rel, err := filepath.Rel(dir, path)
		return err == nil && (rel == "." || filepath.IsLocal(rel))
	}
	switch {
	case !filepath.IsAbs(dir):
		return "is not an absolute path"
	case dir == filepath.Dir(dir):
		return "is the root of the file system"
	case dir == home:
		return "is the home folder"
	case below(repo, dir):
		return "holds the repository"
	case below(dir, repo):
		return "lies in the repository"
	}
	return ""
}

// Login reads what an agent needs of a person's settings to reach its vendor. Nothing
// else of them is read, so that no hook, server or instruction of theirs comes along.
func Login(id string, s Settings) (loops.Login, error) {
	r := find(id)
	if r == nil || s.Home == "" {
		return loops.Login{}, nil
	}
	if _, err := State(id, s); err != nil {
		return loops.Login{}, err
	}
	var l loops.Login
	for _, c := range r.login {
		from := filepath.Join(c.in.of(s.Home, s.Getenv), c.name)
		src, err := files.ReadPath(from, files.Text)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && c.pick != nil {
			src, err = c.pick(src)
		}
		if err != nil {
			return l, fmt.Errorf("read the login of %s: %s: %w", id, from, err)
		}
		if len(src) == 0 {
			continue
		}
		to := c.to
		if to == "" {
			to = path.Join(c.in.path, c.in.below, c.name)
		}
		if slices.ContainsFunc(l.Files, func(f loops.LoginFile) bool { return f.Path == to }) {
			continue
		}
		l.Files = append(l.Files, loops.LoginFile{Path: to, Text: src, Sealed: c.sealed})
		l.Secrets = append(l.Secrets, secretValues(src)...)
	}
	if r.complete != nil {
		r.complete(&l, s.Getenv)
	}
	return l, nil
}
