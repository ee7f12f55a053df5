package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The reasons for which there is no history. Each message carries its remedy.
var (
	ErrNoGit         = errors.New("git not found; install it and add it to PATH")
	ErrNoRepository  = errors.New("not in a git work tree; run git init")
	ErrNotTrusted    = errors.New("git does not trust a repository that belongs to another user; run git config --global --add safe.directory with its top folder")
	ErrMissingObject = errors.New("the clone lacks directory listings of older commits; run git fetch --refetch --filter=blob:none")
)

// options make git's output the same on every machine, and keep the
// configuration of a repository, which is as untrusted as its pages, from
// starting programs.
var options = []string{
	"--no-pager", "--no-optional-locks",
	"-c", "core.quotepath=off",
	"-c", "core.fsmonitor=false", // a hook by another name
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.attributesFile=/dev/null",
	"-c", "diff.external=",
	"-c", "diff.orderFile=/dev/null",
	"-c", "diff.relative=false",
	"-c", "diff.suppressBlankEmpty=false",
	"-c", "log.showSignature=false", // runs gpg.program
	"-c", "log.showRoot=true", // else the first commit has no files
	"-c", "log.follow=false",
	"-c", "log.mailmap=false",
	"-c", "i18n.logOutputEncoding=UTF-8",
	"-c", "color.ui=false",
	"-c", "submodule.recurse=false",
}

// environment returns the process's own environment without what would
// redirect git (GIT_DIR, GIT_WORK_TREE, GIT_EXTERNAL_DIFF, …) and with
// messages in English. Nothing may reach the network: a partial clone would
// otherwise fetch the objects it lacks, through a command that the
// repository's configuration names.
func environment() []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name)
		if strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_SSH") {
			continue
		}
		env = append(env, kv)
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// failure is git having ended with an exit code other than zero.
type failure struct {
	command string
	dir     string
	status  int
	stderr  string
}

// Error is one line: the reason with its remedy, or else the first line of git's output.
func (f *failure) Error() string {
	said, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(f.stderr), "fatal: "), "\n")
	reason := f.Unwrap()
	switch {
	case reason == ErrNotTrusted && f.remedy() != "":
		said = "git does not trust a repository that belongs to another user; run " + f.remedy()
	case reason != nil:
		said = reason.Error()
	case said == "":
		said = fmt.Sprintf("exit status %d", f.status)
	}
	return fmt.Sprintf("git %s in %s: %s", f.command, f.dir, said)
}

// remedy returns the command by which git proposes to trust the repository,
// since only git knows which of the folders above is its top.
func (f *failure) remedy() string {
	for line := range strings.Lines(f.stderr) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "git config --global") {
			return line
		}
	}
	return ""
}

// Unwrap names the reasons a caller may want to tell apart.
func (f *failure) Unwrap() error {
	switch {
	case strings.Contains(f.stderr, "dubious ownership"), strings.Contains(f.stderr, "unsafe repository"):
		return ErrNotTrusted
	case strings.Contains(f.stderr, "not a git repository"),
		strings.Contains(f.stderr, "must be run in a work tree"):
		return ErrNoRepository
	}
	return nil
}

// run streams the standard output of one git command to read. It ends with
// the context, and with read: what git still had to say is then dropped.
func run(ctx context.Context, dir string, read func(io.Reader) error, args ...string) error {
	return runWith(ctx, dir, nil, read, args...)
}

// runWith is run with something for git to read.
func runWith(ctx context.Context, dir string, in io.Reader, read func(io.Reader) error, args ...string) error {
	if _, err := exec.LookPath("git"); err != nil {
		return ErrNoGit
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	ending, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ending, "git", append(options[:len(options):len(options)], args...)...)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Env = append(environment(), "PWD="+dir)
	cmd.WaitDelay = 2 * time.Second
	stderr := &head{limit: 8 << 10}
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start git in %s: %w", dir, err)
	}
	readErr := read(out)
	if readErr != nil {
		cancel()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("git %s in %s: %w", subcommand(args), dir, context.Cause(ctx))
	case readErr != nil:
		return fmt.Errorf("output of git %s in %s: %w", subcommand(args), dir, readErr)
	case errors.As(err, &exit):
		return &failure{command: subcommand(args), dir: dir, status: exit.ExitCode(), stderr: stderr.String()}
	case err != nil:
		return fmt.Errorf("git %s in %s: %w", subcommand(args), dir, err)
	}
	return nil
}

// subcommand returns the first argument that is not an option.
func subcommand(args []string) string {
	for len(args) > 1 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}

// output returns all that one git command prints, also when it fails.
func output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var buf bytes.Buffer
	err := run(ctx, dir, func(r io.Reader) error {
		_, err := buf.ReadFrom(r)
		return err
	}, args...)
	return buf.Bytes(), err
}

// head keeps the first bytes that are written to it.
type head struct {
	bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.limit - h.Len(); room > 0 {
		h.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// place is where a folder is in its repository, and the repository's state.
type place struct {
	prefix  string // of the folder, below the work tree's top: "" or "a/b/"
	head    string // commit id, empty when there is no commit yet
	shallow bool
}

// locate asks git about dir, without reading any history.
func locate(ctx context.Context, dir string) (place, error) {
	out, err := output(ctx, dir, "rev-parse", "--is-shallow-repository", "--show-prefix", "HEAD")
	shallow, rest, ok := strings.Cut(string(out), "\n")
	cut := strings.LastIndexByte(strings.TrimSuffix(rest, "\n"), '\n')
	if !ok || cut < 0 || (shallow != "true" && shallow != "false") {
		if err == nil {
			err = fmt.Errorf("output of git rev-parse in %s: %q", dir, out)
		}
		return place{}, err
	}
	at := place{prefix: rest[:cut], head: strings.TrimSpace(rest[cut+1:]), shallow: shallow == "true"}
	if err == nil {
		return at, nil
	}
	// Without a commit, git echoes the name that it could not resolve.
	var f *failure
	if errors.As(err, &f) && f.Unwrap() == nil && at.head == "HEAD" {
		at.head = ""
		return at, nil
	}
	return place{}, err
}

// Toplevel returns the top folder of the work tree that dir is in, absolute
// and in the platform's own spelling.
func Toplevel(ctx context.Context, dir string) (string, error) {
	out, err := output(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	return filepath.FromSlash(strings.TrimSuffix(string(out), "\n")), nil
}

// partial reports whether the clone lacks objects that its remote promised.
func partial(ctx context.Context, dir string) bool {
	out, err := output(ctx, dir, "config", "--get-regexp", `^(extensions\.partialclone|remote\..*\.promisor)$`)
	return err == nil && len(out) > 0
}
