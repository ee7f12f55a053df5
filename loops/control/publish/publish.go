// Package publish records a person's decision on a run, pushes the branch of an approved run,
// and opens its pull request. It only pushes to loop/ branches, never forces, and asks the
// remote which branch is its default branch.
package publish

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// Publisher brings what runs made to where people review it.
type Publisher struct{ *repo.Repo }

// New returns the publisher of a repository.
func New(r *repo.Repo) *Publisher { return &Publisher{r} }

// Bounds of a pull request, in bytes, and of the programs that open it.
const (
	maxTitle    = 200
	maxBody     = 60_000 // the host takes 65,536 characters
	publishWall = 2 * time.Minute
)

// UnpublishedError is why no pull request is opened, and what a person types.
type UnpublishedError struct{ Why, Branch, Remote string }

func (e *UnpublishedError) Error() string { return "no pull request opened: " + e.Why }

// Hint returns what to do.
func (e *UnpublishedError) Hint() string {
	return fmt.Sprintf("git push %s %s && gh pr create --head %s", e.Remote, e.Branch, e.Branch)
}

// ForbiddenBranchError is a branch that no loop ever pushes to.
type ForbiddenBranchError struct{ Branch, Why string }

func (e *ForbiddenBranchError) Error() string {
	return fmt.Sprintf("%s was not pushed: %s", e.Branch, e.Why)
}

// Hint returns what to do.
func (e *ForbiddenBranchError) Hint() string {
	return "loops never push to a default branch; see 'git ls-remote --symref REMOTE HEAD'"
}

// PublishUnattended publishes what no person approved, if the loop may do that still:
// it may have gone a step back since the run began.
func (p *Publisher) PublishUnattended(ctx context.Context, s *loops.State) (string, error) {
	st, err := modes.New(p.Repo).Granted(ctx, s.Start.Loop)
	if err != nil {
		return "", err
	}
	if st.Mode != loops.Autonomous {
		return "", fmt.Errorf("%s is now limited to %s mode", s.Start.Loop, st.Mode)
	}
	return p.publish(ctx, s)
}

// publish pushes the branch of a run that is met and opens a pull request for it,
// whose address it returns. Nothing is forced, and nothing is published while the
// line is stopped. Both steps are safe to repeat.
func (p *Publisher) publish(ctx context.Context, s *loops.State) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, publishWall)
	defer cancel()
	if s.Start.Mode != loops.Draft && s.Start.Mode != loops.Autonomous {
		return "", fmt.Errorf("a run in %s mode publishes nothing", s.Start.Mode)
	}
	line, err := p.Andon().Line()
	if err == nil {
		err = line.Err()
	}
	if err != nil {
		return "", err
	}
	remote, err := p.Remote(ctx)
	if err != nil {
		return "", err
	}
	branch := s.Place.Branch
	if remote == "" {
		return "", &UnpublishedError{"the repository has no remote", branch, "REMOTE"}
	}
	gh := p.LookPath("gh")
	if gh == "" {
		return "", &UnpublishedError{"gh not found", branch, remote}
	}
	base, err := p.mayPush(ctx, remote, branch)
	if err != nil {
		return "", err
	}
	// The commit is named: what the branch has become since is not pushed.
	if err := p.push(ctx, remote, s.Head, branch); err != nil {
		return "", err
	}
	return p.pullRequest(ctx, gh, s, base)
}

// mayPush refuses every branch that is not a loop's own, and returns the remote's
// default branch. Which that is, the remote is asked itself, now: what this
// repository remembers of it may be old, and an agent could have written it.
func (p *Publisher) mayPush(ctx context.Context, remote, branch string) (base string, err error) {
	if !strings.HasPrefix(branch, "loop/") {
		return "", &ForbiddenBranchError{branch, "loops only push to loop/<plan>"}
	}
	out, err := p.remoteGit(ctx, "ls-remote", "--symref", remote, "HEAD")
	if err != nil {
		return "", failedOutside("ask %s for its default branch: %v", remote, err)
	}
	for line := range strings.Lines(out) {
		if ref, ok := strings.CutPrefix(line, "ref: refs/heads/"); ok {
			base, _, _ = strings.Cut(ref, "\t")
		}
	}
	here, err := contain.DefaultBranch(ctx, p.Checkout())
	switch {
	case err != nil:
		return "", err
	case base == "":
		return "", &ForbiddenBranchError{branch, remote + " does not report its default branch"}
	case strings.EqualFold(branch, base): // a host may not tell upper from lower case
		return "", &ForbiddenBranchError{branch, "it is the default branch of " + remote}
	case strings.EqualFold(branch, here):
		return "", &ForbiddenBranchError{branch, "it is the local default branch"}
	}
	return base, nil
}

// push brings a commit to a branch of a remote, forward and nothing else with it.
// Hooks of the repository run: what leaves it is for them to refuse.
func (p *Publisher) push(ctx context.Context, remote, commit, branch string) error {
	_, err := p.remoteGit(ctx, "-c", "push.followTags=false", "-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-force", "--no-force-with-lease", remote, commit+":refs/heads/"+branch)
	if err != nil {
		return failedOutside("push %s to %s: %v", branch, remote, err)
	}
	return nil
}

// failedOutside returns what a remote or its host refuses, or does not answer.
func failedOutside(format string, args ...any) error {
	return &run.MissingError{What: fmt.Sprintf(format, args...), Hint: "run 'wiki loop approve RUN' to try again"}
}

// remoteGit calls git where a remote answers. It asks nobody for a password.
func (p *Publisher) remoteGit(ctx context.Context, args ...string) (string, error) {
	c := repo.Command(ctx, p.Root, args...)
	c.Env = append(c.Env, "GIT_TERMINAL_PROMPT=0")
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return "", errors.New(cmp.Or(p.clean(said.String()), err.Error()))
	}
	return string(out), nil
}

// address is that of a pull request.
var address = schema.Expression(`https?://[^\s"'<>]+`)

// pullRequest opens one, or returns the one that is there for the branch.
func (p *Publisher) pullRequest(ctx context.Context, gh string, s *loops.State, base string) (string, error) {
	title, body := p.words(s)
	file := filepath.Join(p.Store.Folder(s.Start.Run), "pull-request.md")
	if err := files.ReplacePath(file, []byte(body), 0o644); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, gh, "pr", "create", "--base="+base, "--head="+s.Place.Branch, "--title="+title, "--body-file="+file)
	c.Dir, c.Env = p.Root, append(repo.Command(ctx, p.Root).Env, "GH_PROMPT_DISABLED=1", "NO_COLOR=1")
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	text := string(out)
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed) && strings.Contains(said.String(), "already exists"):
		text = said.String()
	case err != nil:
		return "", failedOutside("gh pr create: %s", cmp.Or(p.clean(said.String()), err.Error()))
	}
	all := address().FindAllString(text, -1)
	if len(all) == 0 {
		return "", fmt.Errorf("gh pr create printed no URL: %q", p.clean(text))
	}
	return all[len(all)-1], nil
}

// words are title and body of a pull request: the plan's title, and the report.
func (p *Publisher) words(s *loops.State) (title, body string) {
	title = strings.Join(strings.Fields(p.clean(cmp.Or(s.Start.Plan.Title, s.Start.Plan.Name))), " ")
	if len(title) > maxTitle {
		title = strings.ToValidUTF8(title[:maxTitle], "") + "…"
	}
	if t, err := p.Store.Text(s.Start.Run, run.ReportFile); err == nil {
		body = string(t.Head)
	}
	body = p.Andon().Redact(body)
	if len(body) > maxBody {
		body = strings.ToValidUTF8(body[:maxBody], "") + "\n\n(truncated; the full report is with the run)\n"
	}
	return title, body
}

// clean takes secrets out of text, and what a terminal would act on.
func (p *Publisher) clean(text string) string {
	return run.Printable(strings.TrimSpace(p.Andon().Redact(text)))
}
