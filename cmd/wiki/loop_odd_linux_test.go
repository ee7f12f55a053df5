package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
)

// TestOddRepositories carries out a plan where things are not as usual: it works,
// or is refused with the reason, and nothing that is not ours is touched.
func TestOddRepositories(t *testing.T) {
	if testing.Short() {
		t.Skip("a run is carried out for every kind of repository")
	}
	t.Parallel()
	for i, c := range []struct {
		name, folder string
		make         func(s *shop)
		args         []string
		code         int
		says         string
	}{
		{name: "spaces and Unicode", folder: "Ein schöner Laden 店", make: func(s *shop) {
			s.write(s.top, "lib/ein schöner Name 店.txt", "x\n")
			s.commit("names")
		}},
		{name: "a submodule", make: func(s *shop) {
			s.git("-c", "protocol.file.allow=always", "clone", "-q", s.top, filepath.Join(s.dir, "other"))
			s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", filepath.Join(s.dir, "other"), "vendored")
			s.commit("submodule")
		}},
		{name: "pointers of git-lfs, which is not there", make: func(s *shop) {
			s.write(s.top, ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
			s.write(s.top, "a.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n")
			s.commit("pointers")
			for _, kv := range [][2]string{{"clean", "git-lfs clean -- %f"}, {"smudge", "git-lfs smudge -- %f"}, {"process", "git-lfs filter-process"}, {"required", "true"}} {
				s.git("config", "filter.lfs."+kv[0], kv[1])
			}
		}, code: -1, says: "lfs"},
		{name: "a detached HEAD", make: func(s *shop) { s.git("checkout", "-q", "--detach") }},
		{name: "a shallow clone", make: func(s *shop) {
			s.write(s.top, "b.txt", "b\n")
			s.commit("second")
			s.git("clone", "-q", "--depth=1", "file://"+s.top, filepath.Join(s.dir, "shallow"))
			s.top = filepath.Join(s.dir, "shallow")
		}},
		{name: "ends of lines that git changes", make: func(s *shop) {
			s.git("config", "core.autocrlf", "true")
			s.write(s.top, "dos.txt", "a\r\nb\r\n")
			s.write(s.top, ".gitattributes", "*.sh eol=lf\n")
			s.git("add", "dos.txt", ".gitattributes")
			s.git("commit", "-q", "-m", "dos")
		}},
		{name: "a checkout with changes", make: func(s *shop) {
			s.write(s.top, "price.sh", "echo mine\n")
			s.write(s.top, "staged.txt", "staged\n")
			s.git("add", "staged.txt")
			s.write(s.top, "untracked.txt", "untracked\n")
		}},
		{name: "a branch of that name", make: func(s *shop) { s.git("branch", "loop/"+shopPlan) }, code: 3, says: "was not created by a loop; rename it"},
		{name: "a folder of that name", make: func(s *shop) {
			s.write(filepath.Join(s.dir, filepath.Base(s.top)+"-loop-"+shopPlan), "mine.txt", "mine\n")
		}, code: 3, says: "was not created by a loop; move it away"},
		{name: "hooks that fail", make: func(s *shop) {
			for _, hook := range []string{"pre-commit", "commit-msg", "post-checkout", "reference-transaction", "post-commit"} {
				s.write(s.top, ".git/hooks/"+hook, "#!/bin/sh\nexit 1\n")
				_ = os.Chmod(filepath.Join(s.top, ".git/hooks", hook), 0o755)
			}
		}},
		{name: "signing without a key", make: func(s *shop) {
			s.git("config", "commit.gpgsign", "true")
			s.git("config", "user.signingkey", "nobody")
		}},
		{name: "hooks elsewhere", make: func(s *shop) {
			s.write(s.top, ".husky/pre-commit", "#!/bin/sh\nexit 1\n")
			_ = os.Chmod(filepath.Join(s.top, ".husky/pre-commit"), 0o755)
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "hooks")
			s.git("config", "core.hooksPath", ".husky")
		}},
		{name: "files that info/exclude hides", make: func(s *shop) {
			s.write(s.top, ".git/info/exclude", "hidden/\n")
			s.write(s.top, "hidden/x", "x\n")
		}},
		{name: "a worktree", make: func(s *shop) {
			s.git("worktree", "add", "-q", "-b", "topic", filepath.Join(s.dir, "beside-main"))
			s.top = filepath.Join(s.dir, "beside-main")
		}},
		{name: "a folder below", make: func(*shop) {}, args: []string{"-C", "lib/below"}},
		{name: "no place for worktrees", make: func(s *shop) {
			s.write(s.top, "wiki.yaml", shopFiles["wiki.yaml"]+"  worktrees: /proc/self/nowhere\n")
			s.commit("nowhere")
		}, code: 3, says: "worktree directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if i%4 > 0 {
				schematest.NeedThorough(t, "a run in one of sixteen odd repositories")
			}
			t.Parallel()
			if c.folder == "" {
				c.folder = "shop"
			}
			s := newShopIn(t, c.folder)
			s.write(s.top, "lib/below/file.txt", "x\n")
			s.inOne()
			s.commit("below, in one chunk")
			c.make(s)
			before := s.head(c.name)
			code, said := s.wiki(append(append([]string{}, c.args...), "loop", "run", shopPlan)...)
			if c.code >= 0 && code != c.code || !strings.Contains(said, c.says) {
				t.Errorf("exit status %d, and not %d; it said\n%s", code, c.code, said)
			}
			if now := s.head(c.name); now != before {
				t.Errorf("the checkout was\n%s\nand is\n%s", before, now)
			}
			if code == 0 {
				if out := s.git("diff", "--stat", "HEAD", "loop/"+shopPlan, "--", ":!wiki", ":!plans"); !strings.Contains(out, "2 files changed") {
					t.Errorf("the branch differs in\n%s", out)
				}
			}
		})
	}
}

// inOne makes the plan one of a single chunk that is approved at once: what is odd
// about a repository is met by then.
func (s *shop) inOne() {
	s.t.Helper()
	plan := shopFiles["plans/"+shopPlan+".md"]
	first, second := strings.Index(plan, "### 1. "), strings.Index(plan, "## Risks")
	s.write(s.top, "plans/"+shopPlan+".md", plan[:first]+`### 1. Refuse a price below 0, and add up

- files: price.sh, sum.sh
- verify: sh tests/price_test.sh
- tests: none

A price below 0 is refused. Two numbers are added.

`+plan[second:])
	s.write(filepath.Join(s.dir, "beside"), "maker.sh", `printf 'test "$1" -ge 0 || { echo "a price below 0"; exit 1; }\necho $(($1 * 2))\n' > price.sh
printf 'echo $(($1 + $2))\n' > sum.sh
echo '{"status": "ok", "summary": "done", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
`)
}

// TestRepositoryOfAnotherUser is refused with git's remedy, and accepted once the
// person has marked it as safe.
func TestRepositoryOfAnotherUser(t *testing.T) {
	if testing.Short() {
		t.Skip("a run is carried out")
	}
	schematest.NeedThorough(t, "a run in a repository that belongs to somebody else")
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	s := newShop(t)
	for _, name := range []string{s.top, filepath.Join(s.top, ".git")} {
		if err := os.Chown(name, 4242, 4242); err != nil {
			t.Fatal(err)
		}
	}
	if said := s.must(2, "loop", "run", shopPlan); !strings.Contains(said, "git config --global --add safe.directory "+s.top) {
		t.Errorf("it said %s", said)
	}
	s.write(s.dir, "gitconfig", "[safe]\n\tdirectory = "+s.top+"\n")
	s.env = append(s.env, "GIT_CONFIG_GLOBAL="+filepath.Join(s.dir, "gitconfig"))
	before := s.checkout()
	s.must(0, "loop", "run", shopPlan)
	s.outcome(before)
}

// head is checkout, but where git can't say what changed, as a filter is missing.
func (s *shop) head(name string) string {
	s.t.Helper()
	if strings.Contains(name, "git-lfs") {
		return s.git("rev-parse", "HEAD") + s.git("ls-files", "-s")
	}
	return s.checkout()
}

// TestLoopRefusesUnusableRepositories is refused with the reason: a repository without a commit,
// a bare one, and a folder that is none.
func TestLoopRefusesUnusableRepositories(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for name, want := range map[string]string{"empty": "no commit", "bare": "bare", "none": "no git repository"} {
		dir := filepath.Join(s.dir, name)
		for file, text := range shopFiles {
			s.write(dir, file, text)
		}
		switch name {
		case "empty":
			s.git("init", "-q", dir)
		case "bare":
			s.git("init", "-q", "--bare", filepath.Join(dir, ".git"))
		}
		if said := s.must(2, "-C", dir, "loop", "run", "plans/"+shopPlan+".md"); !strings.Contains(said, want) {
			t.Errorf("%s: it said %s", name, said)
		}
	}
}

// TestLargeFilesOfMakersAreOutOfScope has a maker leave a sparse file beside its work.
func TestLargeFilesOfMakersAreOutOfScope(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.inOne()
	s.commit("in one chunk")
	s.write(filepath.Join(s.dir, "beside"), "maker.sh", "truncate -s 20G big.bin\necho '# more' >> price.sh\n")
	if code, said := s.wiki("loop", "run", shopPlan); code != 4 || !strings.Contains(said, "big.bin: has 20480 MB: it is too large to be judged, and was removed") {
		t.Errorf("exit status %d; it said\n%s", code, said)
	}
}
