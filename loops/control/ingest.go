package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
)

// intakeFile is what is taken in, in the run's folder.
const intakeFile = "intake.json"

// intakeTitle begins the title of a run that writes pages of sources.
const intakeTitle = "Pages of "

// intakeVersion is the version of that file.
const intakeVersion = 1

// intakeDocument is what is taken in: a run that is resumed asks nobody for it again.
type intakeDocument struct {
	Version int           `json:"version"`
	Batch   *ingest.Batch `json:"batch"`
	// Files are what the batch comes to in the worktree, once that is planned.
	Files map[string][]byte `json:"files,omitempty"`
}

// Writer says who writes pages of sources: who is asked for, or who is cast as the
// writer. ok is false if nobody is.
func (p *Place) Writer(f Flags) (c loops.Casting, ok bool, err error) {
	return p.alone(loops.Writer, f)
}

// alone says who plays a role of a run that has no other: who is asked for, or who is
// cast. A command plays the roles that it is named for.
func (p *Place) alone(role loops.Role, f Flags) (c loops.Casting, ok bool, err error) {
	if r, cast := p.Config.Roles[string(role)]; cast {
		c, ok = loops.Casting{Agent: r.Agent, Model: r.Model, Argv: r.Argv}, true
	}
	if f.Agent != "" {
		name, model, _ := strings.Cut(f.Agent, ":")
		given := loops.Casting{Agent: name, Model: model}
		if name == "command" {
			given.Argv = c.Argv
		}
		c, ok = given, true
	}
	if !ok {
		return c, false, nil
	}
	if c.Agent == "command" && len(c.Argv) == 0 {
		return c, false, &NobodyError{role}
	}
	cast := map[loops.Role]loops.Casting{role: c, loops.Maker: c}
	if err := p.know(cast); err != nil {
		return c, false, err
	}
	return cast[role], true, nil
}

// UncommittedError is a source that is registered and not committed: an agent works
// from what is committed.
type UncommittedError struct{ Path string }

func (e *UncommittedError) Error() string { return e.Path + " is registered, and not committed" }

// Hint says what to do.
func (e *UncommittedError) Hint() string {
	return "commit it with its register, index and log; an agent works from what is committed"
}

// IgnoredError is a source that git would not take into a commit.
type IgnoredError struct{ Path string }

func (e *IgnoredError) Error() string { return "git ignores " + e.Path }

// Hint says what to do.
func (e *IgnoredError) Hint() string {
	return "except it in .gitignore, as an agent works from what is committed; --agent none registers it without one"
}

// IngestWork are sources that pages are to be made of.
type IngestWork struct {
	Batch *ingest.Batch
	// Intake is what taking them in comes to in the main checkout, where nothing is
	// written.
	Intake *ingest.Intake
	Wiki   *compiler.Workspace
	Day    time.Time
}

// Ingest has a writer make pages of sources, on a branch: the sources are registered
// there first.
func (p *Place) Ingest(ctx context.Context, work IngestWork, writer loops.Casting, f Flags, live *Live) (loops.State, error) {
	var none loops.State
	if err := supported(); err != nil {
		return none, err
	}
	request, err := p.intakeRequest(ctx, work)
	if err != nil {
		return none, err
	}
	b := work.Batch
	name := "ingest-" + slugOf(path.Base(request.Sources[0].Path))
	if len(request.Sources) > 1 {
		name = "ingest-" + slugOf(b.Title)
	}
	pl := loops.Plan{Name: name, Path: request.Sources[0].Path, Title: intakeTitle + ingest.Plain(b.Title)}
	start, err := p.begin(ctx, loops.IngestLoop, &pl, map[loops.Role]loops.Casting{loops.Writer: writer}, f)
	if err != nil {
		return none, err
	}
	start.Gates, start.Ingest = loops.GateCommands{}, request
	if err := p.Store.Make(); err != nil {
		return none, err
	}
	release, note, err := p.lock(name)
	if err != nil {
		return none, err
	}
	defer release()
	if last, ok := p.Latest(pl.Path); ok && !loops.Status(last.Status).Over() {
		return none, unfinished(last)
	}
	all, err := p.Summaries()
	if err != nil {
		return none, err
	}
	if err := p.Andon().MayStart(all); err != nil {
		return none, err
	}
	if start.Run, err = p.Store.Create(name, p.Now()); err != nil {
		return none, err
	}
	text, err := json.Marshal(intakeDocument{Version: intakeVersion, Batch: b})
	if err != nil {
		return none, err
	}
	if err := files.Replace(p.Store.Folder(start.Run), intakeFile, text, 0o600); err != nil {
		return none, err
	}
	d := p.Driver()
	live.attach(d)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	return d.Begin(ctx, start)
}

// intakeRequest is what a writer is asked for: the sources that are new, and those
// that are registered and committed already.
func (p *Place) intakeRequest(ctx context.Context, work IngestWork) (*loops.IngestRequest, error) {
	in, ws := work.Intake, work.Wiki
	for _, s := range in.Known {
		file := path.Join(ws.RootPath, s.Path)
		if _, err := p.Git(ctx, "cat-file", "-e", "HEAD:"+file); err != nil {
			return nil, &UncommittedError{file}
		}
	}
	for _, s := range in.Added {
		file := path.Join(ws.RootPath, s.Path)
		if _, err := p.Git(ctx, "check-ignore", "--", file); err == nil {
			return nil, &IgnoredError{file}
		}
	}
	binary := make(map[string]bool)
	for _, f := range work.Batch.Files {
		binary[source.SumOf(f.Src)] = source.Binary(f.Src)
	}
	r := &loops.IngestRequest{Day: work.Day.Format(time.DateOnly)}
	for _, s := range ingest.Documents(append(in.Known[:len(in.Known):len(in.Known)], in.Added...)) {
		r.Sources = append(r.Sources, loops.IngestSource{Path: path.Join(ws.RootPath, s.Path), Title: ingest.Plain(s.Title), Origin: s.Origin, Binary: binary[s.Sum]})
	}
	if len(r.Sources) == 0 {
		return nil, errors.New("there is no source that pages could be made of")
	}
	return r, nil
}

// takeIn registers the sources of a run in its worktree, in a commit of the runner's.
// A run that has it has moved on from its base.
func (p *Place) takeIn(ctx context.Context, s *loops.Start, w loops.Worktree, at loops.PlaceResult) (loops.PlaceResult, error) {
	files, err := p.intakeFiles(ctx, s, w)
	if err != nil || len(files) == 0 { // none: all of them are committed
		return at, err
	}
	if at.Tree, err = w.Add(ctx, at.Tree, files); err != nil {
		return at, err
	}
	at.Head, err = w.Commit(ctx, loops.CommitSpec{
		Tree: at.Tree, Key: s.Run + "/plan/0/intake", Run: s.Run, Plan: s.Plan.Path, Subject: fmt.Sprintf("docs(%s): take in %s", s.Plan.Name, strings.TrimPrefix(s.Plan.Title, intakeTitle)),
	})
	if err != nil {
		return at, err
	}
	return at, p.forgetIntake(s.Run) // the commit has it
}

// forgetIntake removes what was kept of the sources of a run, and what a runner left
// that died while it wrote that.
func (p *Place) forgetIntake(id string) error {
	folder := p.Store.Folder(id)
	names, err := fs.Glob(files.DirFS(folder, files.Text), files.Pending(intakeFile))
	for _, name := range append(names, intakeFile) {
		if gone := os.Remove(filepath.Join(folder, name)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// intakeFiles are the files of a run's intake as they become, by their path in the
// repository. They are planned once: a runner that dies while they are written leaves
// a worktree that says they were there.
func (p *Place) intakeFiles(ctx context.Context, s *loops.Start, w loops.Worktree) (map[string][]byte, error) {
	name := filepath.Join(p.Store.Folder(s.Run), intakeFile)
	text, err := files.ReadPath(name, files.Run)
	if err != nil {
		return nil, err
	}
	var doc intakeDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("read %s of run %s: %w", intakeFile, s.Run, err)
	}
	if doc.Version > intakeVersion || doc.Batch == nil {
		return nil, fmt.Errorf("%s of run %s is of version %d, which is not known here; install a newer wiki", intakeFile, s.Run, doc.Version)
	}
	if doc.Files != nil {
		return doc.Files, nil
	}
	day, err := time.Parse(time.DateOnly, s.Ingest.Day)
	if err != nil {
		return nil, err
	}
	wiki, err := wikiOf(ctx, w.Path())
	if err != nil {
		return nil, err
	}
	if wiki == nil {
		return nil, errors.New("the commit that the run starts from has no folder of pages and no wiki.yaml; commit them first")
	}
	in, err := ingest.Take(wiki, doc.Batch, day)
	if err != nil {
		return nil, err
	}
	doc.Files = make(map[string][]byte)
	for _, c := range in.Changes.List() {
		doc.Files[path.Join(wiki.Workspace().RootPath, c.To)] = c.New
	}
	if text, err = json.Marshal(doc); err != nil {
		return nil, err
	}
	return doc.Files, files.Replace(p.Store.Folder(s.Run), intakeFile, text, 0o600)
}

// intakeTasks is the work list of a writer who makes pages of sources.
func intakeTasks(r *loops.IngestRequest) string {
	var b strings.Builder
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "- %s: %s", s.Path, oneLine(s.Title))
		if s.Origin != "" {
			fmt.Fprintf(&b, ", from %s", oneLine(s.Origin))
		}
		if s.Binary {
			b.WriteString(" (no text: name it where it belongs, and cite nothing of it)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
