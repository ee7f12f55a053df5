package repo

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Loop is a loop and the spec that says what it may do.
type Loop struct {
	Spec   *plan.LoopSpec
	Src    []byte
	Faults []plan.Fault
	// Builtin is set for a loop whose spec is this program's own.
	Builtin bool
}

// maxSpec is how much of a spec, or of a file that it names, is read, in bytes.
const maxSpec = 1 << 20

// Loops returns the loops of the repository in order of name: those of
// agents/loops, and the built-in ones that none of them stands for.
func (r *Repo) Loops() ([]*Loop, error) {
	root, err := files.Open(r.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	out := []*Loop{}
	entries, err := fs.ReadDir(root.FS(files.Text), plan.LoopFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".md" || strings.EqualFold(e.Name(), "README.md") {
			continue
		}
		file := path.Join(plan.LoopFolder, e.Name())
		src, err := readBounded(root.FS(files.Text), file)
		if err != nil {
			return nil, err
		}
		if isPolicy(src) {
			continue
		}
		out = append(out, readLoop(root.FS(files.Text), file, src))
	}
	for _, b := range plan.Builtin() {
		if !slices.ContainsFunc(out, func(l *Loop) bool { return l.Spec.Name == b.Name }) {
			spec, faults := plan.ParseLoopSpec(plan.BuiltinFolder+"/"+b.Name+".md", b.Src, nil)
			out = append(out, &Loop{Spec: spec, Src: b.Src, Faults: faults, Builtin: true})
		}
	}
	slices.SortFunc(out, func(a, b *Loop) int { return cmp.Compare(a.Spec.Name, b.Spec.Name) })
	return out, nil
}

// isPolicy reports whether a file beside specs has a title of its own: a checklist
// or a policy that a spec names.
func isPolicy(src []byte) bool {
	line, _, _ := strings.Cut(strings.TrimLeft(string(src), "\r\n"), "\n")
	return strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "# Loop ") && !strings.HasPrefix(line, "# Spec")
}

func readBounded(repo fs.FS, name string) ([]byte, error) { return ReadAtMost(repo, name, maxSpec) }

// ReadAtMost reads no more of a file than most bytes.
func ReadAtMost(repo fs.FS, name string, most int64) ([]byte, error) {
	f, err := repo.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// readLoop reads a spec, and the files beside it that it names.
func readLoop(repo fs.FS, file string, src []byte) *Loop {
	spec, faults := plan.ParseLoopSpec(file, src, func(name string) ([]byte, error) {
		return readBounded(repo, path.Join(path.Dir(file), name))
	})
	for _, r := range spec.Roles {
		if _, err := agent.Find(loops.Casting{Agent: r.Agent}, nil); r.Agent != "" && err != nil {
			faults = append(faults, plan.Fault{Code: "unknown-agent", Severity: schema.Error, At: r.At, Message: err.Error()})
		}
	}
	return &Loop{Spec: spec, Src: src, Faults: faults}
}

// FindLoop returns the loop that somebody means by a name, or by a file of the
// repository seen from dir; false if there is none.
func (r *Repo) FindLoop(dir, typed string) (*Loop, bool, error) {
	all, err := r.Loops()
	if err != nil {
		return nil, false, err
	}
	for _, l := range all {
		if l.Spec.Name == typed {
			return l, true, nil
		}
	}
	if path.Ext(typed) != ".md" {
		return nil, false, nil
	}
	full := typed
	if !filepath.IsAbs(full) {
		full = filepath.Join(dir, typed)
	}
	rel, inside := r.Relative(full)
	if !inside {
		return nil, false, nil
	}
	root, err := files.Open(r.Root)
	if err != nil {
		return nil, false, err
	}
	defer root.Close()
	src, err := readBounded(root.FS(files.Text), rel)
	if err != nil || !plan.IsLoopSpec(rel, src) {
		return nil, false, nil // who asks for it says what is missing
	}
	return readLoop(root.FS(files.Text), rel, src), true, nil
}

// Err returns why the loop can't be run: a *FaultyLoopError, or nil.
func (l *Loop) Err() error {
	if plan.Refused(l.Faults) {
		return &FaultyLoopError{l.Spec.Name, FaultyError{l.Spec.Path, l.Faults}}
	}
	return nil
}

// FaultyLoopError is a spec that says what nothing understands or could hold.
type FaultyLoopError struct {
	Loop string
	FaultyError
}

// Hint returns what to do.
func (e *FaultyLoopError) Hint() string {
	return "fix it, then run 'wiki loop ready " + e.Loop + "'"
}

// NoLoopError is a name that no loop has.
type NoLoopError struct {
	Given string
	Names []string
}

func (e *NoLoopError) Error() string { return fmt.Sprintf("no such loop: %q", e.Given) }

// Hint returns what to do.
func (e *NoLoopError) Hint() string {
	if near, ok := schema.Nearest(e.Given, e.Names); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "list loops with 'wiki loop list --loops', or create one with 'wiki loop new NAME'"
}

// MustFindLoop is FindLoop, and an error where there is none.
func (r *Repo) MustFindLoop(dir, typed string) (*Loop, error) {
	l, ok, err := r.FindLoop(dir, typed)
	if err != nil || ok {
		return l, err
	}
	all, err := r.Loops()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range all {
		names = append(names, l.Spec.Name)
	}
	return nil, &NoLoopError{typed, names}
}

// UnrunError is a spec of a built-in loop that lies where it stands for none.
type UnrunError struct{ Loop *plan.LoopSpec }

func (e *UnrunError) Error() string {
	return fmt.Sprintf("%s: the spec of the loop %s must be %s/%[2]s.md", e.Loop.Path, e.Loop.Name, plan.LoopFolder)
}

// Hint returns what to do.
func (e *UnrunError) Hint() string {
	return "move it there, then run 'wiki loop run " + e.Loop.Name + "'"
}

// Runnable returns why a loop can't be run: its spec is faulty, or lies where it stands
// for no loop; or nil.
func (l *Loop) Runnable() error {
	if err := l.Err(); err != nil {
		return err
	}
	dir := path.Dir(l.Spec.Path)
	if (l.Spec.Name == loops.AuditLoop || l.Spec.Name == loops.DocumentationLoop) && dir != plan.LoopFolder && dir != plan.BuiltinFolder {
		return &UnrunError{l.Spec}
	}
	return nil
}

// Builtin returns a built-in loop, with the spec that a person wrote in the place of its
// own if there is one.
func (r *Repo) Builtin(name string) (*Loop, error) {
	l, err := r.MustFindLoop(r.Root, name)
	if err != nil {
		return nil, err
	}
	return l, l.Err()
}

// ExecutionLoop is the loop that carries out plans.
const ExecutionLoop = "execution"
