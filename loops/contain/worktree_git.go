package contain

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// gitOptions make git's answers the same on every machine, keep it from
// starting programs that a configuration names, and make it look twice at a
// file whose size and time were restored.
var gitOptions = []string{
	"--no-pager", "--no-optional-locks",
	"-c", "core.quotepath=off",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.untrackedCache=false",
	"-c", "core.splitIndex=false",
	"-c", "index.sparse=false",
	"-c", "core.trustctime=true",
	"-c", "core.checkStat=default",
	"-c", "core.ignoreStat=false",
	"-c", "core.safecrlf=false",
	"-c", "core.alternateRefsCommand=",
	"-c", "add.ignoreErrors=false",
	"-c", "commit.gpgSign=false",
	"-c", "i18n.commitEncoding=UTF-8",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
	"-c", "submodule.recurse=false",
	"-c", "color.ui=false",
}

// gitEnvironment keeps of an environment what does not redirect git. Nothing
// may reach the network, no object replaces another, and what large files
// are kept elsewhere stays there.
func gitEnvironment(from []string) []string {
	var env []string
	for _, kv := range from {
		name, _, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name)
		if strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_SSH") && !gitConfiguration[name] {
			continue
		}
		env = append(env, kv)
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_LFS_SKIP_SMUDGE=1", "GIT_LITERAL_PATHSPECS=1")
}

// gitConfiguration are the variables that say where git's own configuration lies:
// whoever set them has a reason, and a role's environment does not reach here.
var gitConfiguration = map[string]bool{"GIT_CONFIG_GLOBAL": true, "GIT_CONFIG_SYSTEM": true, "GIT_CONFIG_NOSYSTEM": true}

// git is how git is called for one folder.
type git struct {
	dir string   // where it is started
	env []string // by gitEnvironment, and what follows from the fields of a repository
	// options stand before the subcommand.
	options []string
	// program is git's; "" is the one on the PATH.
	program string
}

// with returns g with more in its environment.
func (g git) with(env ...string) git {
	g.env = append(g.env[:len(g.env):len(g.env)], env...)
	return g
}

// gitFailure is git having ended with an exit status other than zero.
type gitFailure struct {
	command, dir string
	status       int
	stderr       string
}

func (f *gitFailure) Error() string {
	said := strings.TrimSpace(f.stderr)
	for line := range strings.Lines(f.stderr) {
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			said = strings.TrimSpace(rest)
			break
		}
	}
	said, _, _ = strings.Cut(said, "\n")
	if said == "" {
		said = fmt.Sprintf("exit status %d", f.status)
	}
	return fmt.Sprintf("git %s in %s: %s", f.command, f.dir, said)
}

// out runs one git command and returns what it prints.
func (g git) out(ctx context.Context, args ...string) (string, error) {
	return g.in(ctx, nil, args...)
}

// in is out with something for git to read.
func (g git) in(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	var out bytes.Buffer
	err := g.stream(ctx, stdin, &out, args...)
	return out.String(), err
}

// line is out without the line's end.
func (g git) line(ctx context.Context, args ...string) (string, error) {
	s, err := g.out(ctx, args...)
	return strings.TrimSuffix(s, "\n"), err
}

// stream runs one git command; its output goes to a writer.
func (g git) stream(ctx context.Context, stdin io.Reader, to io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, cmp.Or(g.program, "git"), append(append(gitOptions[:len(gitOptions):len(gitOptions)], g.options...), args...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout = g.dir, stdin, to
	cmd.Env = append(g.env[:len(g.env):len(g.env)], "PWD="+g.dir)
	cmd.WaitDelay = 2 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("git %s in %s: %w", args[0], g.dir, context.Cause(ctx))
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("git not found; install it and add it to PATH")
	case errors.As(err, &exit):
		return &gitFailure{command: args[0], dir: g.dir, status: exit.ExitCode(), stderr: stderr.String()}
	}
	return fmt.Errorf("git %s in %s: %w", args[0], g.dir, err)
}

// gitFailed reports whether git itself said no, rather than that it could not be run.
func gitFailed(err error) bool {
	var f *gitFailure
	return errors.As(err, &f)
}

// gitFields cuts what git prints with -z.
func gitFields(s string) []string {
	if s = strings.TrimSuffix(s, "\x00"); s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}
