package contain

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// state returns all that must be the same after an attack.
func (s *sandbox) state() string {
	s.t.Helper()
	var b strings.Builder
	for _, args := range [][]string{
		{"rev-parse", "HEAD", "HEAD^{tree}", "--symbolic-full-name", "HEAD"},
		{"ls-files", "-s", "-v"},
		{"status", "--porcelain", "--untracked-files=all"},
		{"stash", "list"},
		{"for-each-ref"},
		{"worktree", "list"},
		{"diff"},
	} {
		if args[0] == "for-each-ref" {
			for line := range strings.Lines(s.git(s.top, "for-each-ref")) {
				if !strings.Contains(line, "refs/heads/loop/") {
					b.WriteString(line)
				}
			}
			continue
		}
		b.WriteString(args[0] + "\n" + s.git(s.top, args...))
	}
	for _, name := range []string{"config", "info/exclude", "info/attributes", "objects/info/alternates", "logs/refs/stash", "HEAD"} {
		text, _ := os.ReadFile(filepath.Join(s.top, ".git", name))
		fmt.Fprintf(&b, "%s %q\n", name, text)
	}
	hooks, _ := os.ReadDir(filepath.Join(s.top, ".git", "hooks"))
	for _, h := range hooks {
		fmt.Fprintln(&b, "hook", h.Name())
	}
	return b.String()
}

func (s *sandbox) prepare() {
	s.git(s.dir, "init", "-q", "--bare", "-b", "main", "--template=", "remote.git")
	s.git(s.top, "remote", "add", "origin", filepath.Join(s.dir, "remote.git"))
	s.git(s.top, "push", "-q", "origin", "main")
	s.git(s.top, "tag", "-a", "v1", "-m", "v1")
	s.git(s.top, "branch", "other")
	s.git(s.top, "pack-refs", "--all")
	s.write(s.top, "a.go", "package a // stashed one\n")
	s.git(s.top, "stash", "-q")
	s.write(s.top, "a.go", "package a // stashed two\n")
	s.git(s.top, "stash", "-q")
	s.write(s.top, "a.go", "package a // a person's\n")
	s.write(s.top, "draft.md", "a person's draft\n")
	s.write(s.top, "staged.md", "staged\n")
	s.git(s.top, "add", "staged.md")
}

// copied returns the same in its own folder, without all the processes that made it.
func (s *sandbox) copied(t testing.TB) *sandbox {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(s.dir))
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &sandbox{t, dir, filepath.Join(dir, filepath.Base(s.top))}
	c.git(c.top, "remote", "set-url", "origin", filepath.Join(dir, "remote.git"))
	c.git(c.top, "update-index", "-q", "--refresh") // the files are younger than their index
	return c
}

// gits runs some commands of git in the worktree, split at spaces.
func gits(commands ...string) func(*sandbox, *Worktree) {
	return func(s *sandbox, w *Worktree) {
		for _, c := range commands {
			s.git(w.Path(), strings.Fields(c)...)
		}
	}
}

var attacks = []struct {
	name   string
	breach string // what must be named
	do     func(*sandbox, *Worktree)
}{
	{"hooksPath", "config", gits("config core.hooksPath /evil")},
	{"a broken config", "config", func(s *sandbox, _ *Worktree) { s.write(s.top, ".git/config", "[[[") }},
	{"a filter that runs a program", "config", func(s *sandbox, w *Worktree) {
		s.git(w.Path(), "config", "filter.evil.clean", "touch '"+s.dir+"/owned'; cat")
		s.write(w.Path(), ".gitattributes", "* filter=evil\n")
	}},
	{"update-ref main", "refs/heads/main", func(s *sandbox, w *Worktree) {
		id := strings.TrimSpace(s.git(w.Path(), "commit-tree", "-m", "evil", "HEAD^{tree}"))
		s.git(w.Path(), "update-ref", "refs/heads/main", id)
	}},
	{"branch -f", "refs/heads/other", func(s *sandbox, w *Worktree) {
		id := strings.TrimSpace(s.git(w.Path(), "commit-tree", "-m", "evil", "HEAD^{tree}"))
		s.git(w.Path(), "branch", "-f", "other", id)
	}},
	{"branch -D", "refs/heads/other", gits("branch -D other")},
	{"a branch in the way", "refs/heads/other", gits("branch -D other", "branch other/x")},
	{"stash", "stash", func(s *sandbox, w *Worktree) {
		s.write(w.Path(), "a.go", "x")
		s.git(w.Path(), "stash")
	}},
	{"stash clear", "stash", gits("stash clear")},
	{"stash drop", "stash", gits("stash drop stash@{1}")},
	{"stash clear, gc --prune", "stash", gits("stash clear", "reflog expire --expire=now --all", "gc -q --prune=now")},
	{"branch -D, gc --prune", "refs/heads/other", func(s *sandbox, w *Worktree) {
		gits("branch -D other", "reflog expire --expire=now --all", "gc -q --prune=now")(s, w)
	}},
	{"commit --amend", "commit by an agent on loop/2026-07-x", gits("commit -q --amend -m evil")},
	{"commit", "commit by an agent on loop/2026-07-x", gits("commit -q --allow-empty -m evil")},
	{"own branch deleted", "commit by an agent on loop/2026-07-x", gits("checkout -q --detach", "branch -D loop/2026-07-x")},
	{"own branch made a link to main", "commit by an agent on loop/2026-07-x", gits("symbolic-ref refs/heads/loop/2026-07-x refs/heads/main")},
	{"checkout of another branch", "HEAD of the worktree", gits("checkout -q other")},
	{"push", "refs/remotes/origin/main", gits("commit -q --allow-empty -m evil", "push -q origin HEAD:main")},
	{"tag", "refs/tags/evil", gits("tag evil")},
	{"notes", "refs/notes/commits", gits("notes add -m evil HEAD")},
	{"a hook", "hooks/post-checkout", func(s *sandbox, _ *Worktree) { s.write(s.top, ".git/hooks/post-checkout", "evil") }},
	{"exclude", "info/exclude", func(s *sandbox, _ *Worktree) { s.write(s.top, ".git/info/exclude", "*\n") }},
	{"alternates", "objects/info/alternates", func(s *sandbox, _ *Worktree) { s.write(s.top, ".git/objects/info/alternates", "/evil\n") }},
	{"the index of the checkout", "index of the main checkout", func(s *sandbox, _ *Worktree) { s.git(s.top, "rm", "-q", "--cached", "a.go") }},
	{"an index of garbage", "index of the main checkout", func(s *sandbox, _ *Worktree) { s.write(s.top, ".git/index", "garbage") }},
	{"a file hidden", "index of the main checkout", func(s *sandbox, _ *Worktree) { s.git(s.top, "update-index", "--assume-unchanged", "sub/b.go") }},
	{"a file in the checkout", "main checkout: evil.go", func(s *sandbox, _ *Worktree) { s.write(s.top, "evil.go", "evil") }},
	{"a clean file changed", "main checkout: sub/b.go", func(s *sandbox, _ *Worktree) { s.write(s.top, "sub/b.go", "evil") }},
	{"a dirty file changed", "main checkout: a.go", func(s *sandbox, _ *Worktree) { s.write(s.top, "a.go", "evil") }},
	{"an untracked file deleted", "main checkout: draft.md", func(s *sandbox, _ *Worktree) { _ = os.Remove(filepath.Join(s.top, "draft.md")) }},
	{"a folder replaced by a link", "main checkout: sub", func(s *sandbox, _ *Worktree) {
		_ = os.RemoveAll(filepath.Join(s.top, "sub"))
		_ = os.Symlink(s.dir, filepath.Join(s.top, "sub"))
	}},
	{"reset --hard and clean", "main checkout: a.go", func(s *sandbox, _ *Worktree) {
		s.git(s.top, "reset", "-q", "--hard")
		s.git(s.top, "clean", "-qfd")
	}},
	{"checkout of a new branch", "refs/heads/evil", func(s *sandbox, _ *Worktree) { s.git(s.top, "checkout", "-q", "-b", "evil") }},
	{"a commit in the checkout", "refs/heads/main", func(s *sandbox, _ *Worktree) { s.git(s.top, "commit", "-q", "-a", "-m", "evil") }},
	{"worktree add", "worktrees/evil", func(s *sandbox, w *Worktree) {
		s.git(w.Path(), "worktree", "add", "-q", "-b", "evil", filepath.Join(s.dir, "evil"))
	}},
	{"worktree remove", "HEAD of the worktree", func(s *sandbox, w *Worktree) { s.git(s.top, "worktree", "remove", "--force", w.Path()) }},
	{"submodule add", "config", func(s *sandbox, w *Worktree) {
		s.git(w.Path(), "-c", "protocol.file.allow=always", "submodule", "add", "-q", filepath.Join(s.dir, "remote.git"), "lib")
	}},
	{"a repository in the worktree", "nested repository: sub/.git", gits("init -q sub")},
	{"the worktree's own .git", ".git of the worktree", func(s *sandbox, w *Worktree) {
		_ = os.Remove(filepath.Join(w.Path(), ".git"))
		s.git(w.Path(), "init", "-q")
	}},
	{"gc --prune", "", gits("gc -q --prune=now")},
}

// Git's configuration outside the repository belongs to a person: what an
// agent changes there is named and stays, and the run's git reads it no more.
func TestChangedConfigOutsideIsNotRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, env string }{
		"global": {"global", "GIT_CONFIG_GLOBAL=global"},
		"home":   {".gitconfig", "GIT_CONFIG_GLOBAL"},
		"system": {"system", "GIT_CONFIG_SYSTEM=system"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			env := slices.DeleteFunc(append(s.env(), "GIT_CONFIG_NOSYSTEM=false"), func(kv string) bool {
				variable, _, _ := strings.Cut(c.env, "=")
				return strings.HasPrefix(kv, variable+"=")
			})
			if variable, file, ok := strings.Cut(c.env, "="); ok {
				env = append(env, variable+"="+filepath.Join(s.dir, file))
			}
			s.write(s.dir, c.file, "[user]\n\tname = A\n")
			w, err := Open(t.Context(), Repo{Dir: s.top, Env: env}, s.spec("r1"))
			if err != nil {
				t.Fatal(err)
			}
			shot := s.snapshot(w, "1/maker")
			s.write(s.dir, c.file, "[user]\n\tname = A\n[evil]\n\tkey = 1\n")
			_, _, breaches, err := w.Compare(t.Context(), shot)
			if err != nil || len(breaches) != 1 || breaches[0].What != "git configuration outside the repository: evil.key" || breaches[0].Restored {
				t.Errorf("%+v, %v", breaches, err)
			}
			for i, g := range []git{w.git, w.shared, w.repo.git} {
				if value, err := g.line(t.Context(), "config", "--get", "evil.key"); !gitFailed(err) {
					t.Errorf("git %d reads %q, %v", i, value, err)
				}
			}
		})
	}
}

func TestAttacksAreFoundAndUndone(t *testing.T) {
	t.Parallel()
	pristine := newSandbox(t)
	pristine.prepare()
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			s := pristine.copied(t)
			w := s.open(s.spec("r1"))
			s.write(w.Path(), "work.go", "package a\n")
			shot := s.snapshot(w, "1/maker")
			before := s.state()
			a.do(s, w)
			_, _, breaches, err := w.Compare(t.Context(), shot)
			if err != nil {
				t.Fatal(err)
			}
			if now := s.state(); now != before {
				t.Errorf("after the attack:\n%s\nbefore:\n%s", now, before)
			}
			var what []string
			for _, b := range breaches {
				what = append(what, b.What)
				if b.Restored == (a.name == "push" && b.What == a.breach) {
					t.Errorf("%+v", b)
				}
			}
			if a.breach != "" && !slices.Contains(what, a.breach) || a.breach == "" && len(what) > 0 {
				t.Errorf("the breaches are %q, without %q", what, a.breach)
			}
			if fileThere(filepath.Join(s.dir, "owned")) {
				t.Error("a program of the attacker ran")
			}
			if _, err := w.Restore(t.Context(), shot.Tree, filepath.Join(s.dir, "x.patch")); err != nil {
				t.Fatal(err)
			}
			_, changes, breaches, err := w.Compare(t.Context(), shot)
			if err != nil || len(changes) > 0 || len(breaches) > 0 {
				t.Errorf("after that, changes %+v, breaches %+v, %v", changes, breaches, err)
			}
			s.git(s.top, "fsck", "--connectivity-only")
		})
	}
}

// TestForgedRecordsArePutBack has a role without a sandbox write below the runner's
// folder, where a person's word and the evidence of the run lie.
func TestForgedRecordsArePutBack(t *testing.T) {
	t.Parallel()
	const incident = "incidents/INC-1/five-whys.md"
	for what, c := range map[string]struct {
		forge  func(s *sandbox, state, run string)
		breach string // "" is none
	}{
		"an approval":            {func(s *sandbox, state, _ string) { s.write(state, "approvals.jsonl", "forged\n") }, "approvals.jsonl"},
		"a baseline that is new": {func(s *sandbox, state, _ string) { s.write(state, "baseline.json", "forged\n") }, "baseline.json"},
		"the line that is open":  {func(s *sandbox, state, _ string) { s.remove(state, "incidents/andon-open.json") }, "incidents/andon-open.json"},
		"an incident":            {func(s *sandbox, state, _ string) { s.write(state, incident, "forged\n") }, incident},
		"an earlier answer":      {func(s *sandbox, _, run string) { s.write(run, "chunk-1/attempt-1/checker/call.json", "forged\n") }, "chunk-1/attempt-1/checker/call.json"},
		"a transcript":           {func(s *sandbox, _, run string) { s.remove(run, "chunk-1/attempt-1/checker/stdout") }, "chunk-1/attempt-1/checker/stdout"},
		"the sealed plan":        {func(s *sandbox, _, run string) { s.write(run, "plan.md", "forged\n") }, "plan.md"},
		"the end of the run":     {func(s *sandbox, _, run string) { s.write(run, "summary.json", "forged\n") }, "summary.json"},
		"what is of no account": {func(s *sandbox, state, run string) {
			s.write(state, "incidents/INC-2/andon.json", "of another run\n")
			s.write(run, "chunk-1/attempt-2/maker/stdout", "of this call\n")
		}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			w := s.open(s.spec("r1"))
			state := filepath.Join(s.top, ".loopwiki")
			run := filepath.Join(state, "runs", "r1")
			for _, name := range []string{"approvals.jsonl", "incidents/andon-open.json", incident} {
				s.write(state, name, "as it was\n")
			}
			for _, name := range []string{"plan.md", "chunk-1/attempt-1/checker/call.json"} {
				s.write(run, name, "as it was\n")
			}
			s.write(run, "chunk-1/attempt-1/checker/stdout", strings.Repeat("long\n", 20_000))
			before := records(t, state)
			shot := s.snapshot(w, "x")
			c.forge(s, state, run)
			_, _, breaches, err := w.Compare(t.Context(), shot)
			if err != nil {
				t.Fatal(err)
			}
			if c.breach == "" {
				if len(breaches) > 0 {
					t.Errorf("breaches %+v", breaches)
				}
				return
			}
			if len(breaches) != 1 || !strings.HasSuffix(breaches[0].What, c.breach) {
				t.Fatalf("breaches %+v", breaches)
			}
			if same := records(t, state) == before; same != breaches[0].Restored || same == (what == "a transcript") {
				t.Errorf("put back: %v, and %+v", same, breaches)
			}
		})
	}
}

// records returns all small files of the runner except for what git's state is kept in.
func records(t *testing.T, state string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range filesBelow(state, func(string) bool { return true }) {
		if text, err := os.ReadFile(filepath.Join(state, filepath.FromSlash(name))); err == nil && !strings.Contains(name, "/git/") && !strings.HasSuffix(name, OwnershipFile) {
			fmt.Fprintf(&b, "%s %q\n", name, text)
		}
	}
	return b.String()
}

func TestQuietRoleIsNoBreach(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.prepare()
	w := s.open(s.spec("r1"))
	shot := s.snapshot(w, "x")
	s.git(s.top, "status") // writes the index
	s.git(w.Path(), "add", "-A")
	other := s.spec("r2")
	other.Plan = "2026-07-y"
	o := s.open(other) // another run begins
	s.write(o.Path(), "n.go", "package a\n")
	if _, err := o.Commit(t.Context(), loops.CommitSpec{Tree: s.snapshot(o, "x").Tree, Subject: "x", Key: "k"}); err != nil {
		t.Fatal(err)
	}
	s.git(s.dir, "clone", "-q", "remote.git", "c")
	s.git(s.dir+"/c", "commit", "-q", "--allow-empty", "-m", "x")
	s.git(s.dir+"/c", "push", "-q")
	s.git(s.top, "fetch", "-q")
	_, changes, breaches, err := w.Compare(t.Context(), shot)
	if err != nil || len(changes) > 0 || len(breaches) > 0 {
		t.Errorf("changes %+v, breaches %+v, %v", changes, breaches, err)
	}
}

func TestWorkOfAPersonIsKept(t *testing.T) {
	t.Parallel()
	for _, contained := range []bool{true, false} {
		t.Run(fmt.Sprint(contained), func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			spec := s.spec("r1")
			spec.Contained = contained
			var notes []string
			spec.Note = func(n string) { notes = append(notes, n) }
			w := s.open(spec)
			shot := s.snapshot(w, "x")
			s.write(s.top, "mine.md", "mine\n")
			s.git(s.top, "add", "mine.md")
			s.git(s.top, "commit", "-q", "-m", "mine")
			s.write(s.top, "draft.md", "draft\n")
			id := strings.TrimSpace(s.git(s.top, "rev-parse", "HEAD"))
			_, _, breaches, err := w.Compare(t.Context(), shot)
			if err != nil {
				t.Fatal(err)
			}
			now := strings.TrimSpace(s.git(s.top, "rev-parse", "HEAD"))
			if contained {
				if now != id || len(breaches) > 0 || len(notes) == 0 || s.read(s.top, "draft.md") != "draft\n" {
					t.Errorf("HEAD is %s, breaches %+v, notes %q", now, breaches, notes)
				}
				return
			}
			if now == id || len(breaches) == 0 || s.read(shot.Saved, "overwritten/checkout/draft.md") != "draft\n" {
				t.Errorf("HEAD is %s, breaches %+v", now, breaches)
			}
			s.git(s.top, "reflog", "expire", "--expire=now", "--all")
			s.git(s.top, "gc", "-q", "--prune=now")
			s.git(s.top, "fetch", "-q", filepath.Join(shot.Saved, "overwritten", "refs.bundle"), "refs/heads/main:refs/heads/mine")
			if got := strings.TrimSpace(s.git(s.top, "rev-parse", "mine")); got != id {
				t.Errorf("the bundle holds %s", got)
			}
		})
	}
}

func (s *sandbox) remove(dir, name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		s.t.Fatal(err)
	}
}
