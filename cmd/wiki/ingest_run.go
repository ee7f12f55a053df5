package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/intake"
	"github.com/loopwiki/wiki/loops/control/repo"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// batch reads the files to ingest.
func (p *program) batch(ctx context.Context, what, raw string) (*ingest.Batch, error) {
	number, isPull := strings.CutPrefix(what, "pr:")
	if !isPull {
		if strings.HasPrefix(what, "http://") || strings.HasPrefix(what, "https://") {
			return nil, misuse("save the page in a browser, and ingest the file with --origin "+what, "%s: URLs are not fetched", what)
		}
		return ingest.Read(p.path(what), raw)
	}
	if n, err := strconv.Atoi(number); err != nil || n < 1 {
		return nil, misuse("write pr:128", "%q is not a pull request number", number)
	}
	view, err := p.gh(ctx, "pr", "view", number, "--json", ingest.PullFields)
	if err != nil {
		return nil, err
	}
	comments, err := p.gh(ctx, "api", "--paginate", "repos/{owner}/{repo}/pulls/"+number+"/comments?per_page=100")
	if err != nil {
		return nil, err
	}
	redactor, found := loops.NewRedactor(nil), 0
	clean := func(text string) string {
		text, n := redactor.Text(text)
		found += n
		return text
	}
	f, err := ingest.ReadPull(view, comments, clean)
	if err != nil {
		return nil, err
	}
	f.Src = []byte(clean(string(f.Src)))
	if found > 0 {
		p.say("removed %s that looked like secrets", text.Count(found, "place"))
	}
	return &ingest.Batch{Title: f.Title, Files: []ingest.File{*f}}, nil
}

// What is read of gh, and how long it may take.
const (
	maxGH  = 16 << 20
	waitGH = 2 * time.Minute
)

// gh asks GitHub's command line. Its own login and its choice of the repository count.
func (p *program) gh(ctx context.Context, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, waitGH)
	defer cancel()
	c := exec.CommandContext(ctx, "gh", args...)
	c.Dir = p.path(".")
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	var missing *exec.Error
	if errors.As(err, &missing) {
		return nil, &fault{code: exitEnvironment, err: errors.New("gh not found; it is needed to read pull requests"), hint: "install the GitHub CLI, https://cli.github.com, and run 'gh auth login'"}
	}
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(out, maxGH+1))
	if len(text) > maxGH {
		cancel()
		_ = c.Wait()
		return nil, fmt.Errorf("gh %s printed more than %d MiB", args[0], maxGH>>20)
	}
	if err := errors.Join(err, c.Wait()); err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		said, _ = loops.NewRedactor(nil).Text(said)
		return nil, &fault{code: exitEnvironment, err: fmt.Errorf("gh %s %s: %s", args[0], args[1], cmp.Or(said, err.Error())), hint: "'gh auth status' says whether it is logged in, 'gh repo set-default' which repository it asks"}
	}
	return text, nil
}

// cast returns the agent of a run's only role and the repository; nil without an agent.
// agent is the value of --agent.
func (p *program) cast(cmd *cobra.Command, agent string, role loops.Role, g cast.Given) (*loops.Casting, *control.Controller, error) {
	if agent == noAgent {
		return nil, nil, nil
	}
	ctl, err := p.loops(cmd)
	var outside *repo.NoRepositoryError
	if agent == "" && (errors.As(err, &outside) || errors.Is(err, exec.ErrNotFound)) {
		return nil, nil, nil // a wiki without a repository has no branch for an agent
	}
	if err != nil {
		return nil, nil, err
	}
	c, ok, err := cast.Roles(ctl.Config.Roles).Alone(role, g)
	if err != nil || !ok {
		return nil, nil, err
	}
	return &c, ctl, nil
}

// compileSources has a writer make pages of sources.
func (p *program) compileSources(cmd *cobra.Command, ctl *control.Controller, b *ingest.Batch, in *ingest.Intake, ws *compiler.Workspace, day time.Time, writer loops.Casting, o ingestOptions) error {
	live, done := p.liveView(loopRunOptions{})
	s, err := ctl.Ingest(cmd.Context(), intake.Work{Batch: b, Intake: in, Wiki: ws, Day: day}, writer, o.Flags, live)
	done()
	if err != nil {
		return err
	}
	if o.json {
		doc := intakeDocument(in, ws)
		sum := runs.Summary(s, ctl.Alive)
		doc.Run = &sum
		if err := p.json(doc); err != nil {
			return err
		}
		return ended(sum.Exit)
	}
	for _, src := range s.Start.Ingest.Sources {
		p.out.Println(src.Path)
	}
	if s.End.Status == loops.GoalNotMet {
		p.out.Printf("pages rejected: %s\n", s.End.Why)
	}
	return p.runEnded(ctl, s, nil, loopRunOptions{})
}

// diffOf is a change of a page as a diff.
func diffOf(ws *compiler.Workspace, c edit.Change) string {
	name := path.Join(relativeRoot(ws), c.To)
	return edit.Unified("a/"+name, "b/"+name, c.Old, c.New)
}

// saySecrets warns about possible secrets in new sources. They are kept: only a person
// knows whether one is a secret, and who may read it.
func (p *program) saySecrets(in *ingest.Intake, b *ingest.Batch) {
	added := make(map[string]string)
	for _, s := range in.Added {
		added[s.Sum] = s.Path
	}
	redactor := loops.NewRedactor(nil)
	for i := range b.Files {
		src := b.Files[i].Src
		name, ok := added[source.SumOf(src)]
		if !ok || source.Binary(src) {
			continue
		}
		if _, n := redactor.Text(string(src)); n > 0 {
			p.say("warning: %s: possible secrets are kept and committed with it: %s", name, text.Count(n, "place"))
		}
	}
}
