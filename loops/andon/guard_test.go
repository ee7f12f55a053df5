package andon

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
)

var (
	stoppedLine = Line{Open: &OpenState{IncidentID: "INC-20260704-120000-00000001"}}
	openLine    = Line{}
)

// denied are commands that move forward, in the many ways of saying so.
var denied = []string{
	// as the list has them
	"git push", "git merge main", "git rebase main", "git cherry-pick abc", "git tag v1", "git tag", "git commit", "git commit -m 'fix: price'",
	"gh pr create", "gh pr merge 1", "vercel deploy", "firebase deploy", "netlify deploy --prod", "npm publish", "pnpm publish", "yarn publish",
	"twine upload dist/*", "xcodebuild archive",
	// with options
	"git -C ../x push origin main", "git --git-dir=.git push", "git --git-dir .git push", "git -c a.b=c --no-pager push -f", "git -p push",
	"gh -R o/r pr create", "gh pr -R o/r merge 1", "npm --prefix web publish", "pnpm -r publish", "yarn npm publish", "xcodebuild -scheme x archive",
	"vercel", "vercel --prod", "git pull", "python3 -m twine upload x", "git subtree push --prefix x o m",
	// lists, pipes, groups
	"go test && git push", "go test || git push", "true; git push", "true\ngit push", "true & git push", "yes | git push", "yes |& git push",
	"[[ a == @(`git push`) ]]", "[[ a == @($(git push)) ]]", "[[ a == !(x|$(git push)) ]]", "shopt -s extglob\necho @($(git push))",
	"(git push)", "{ git push; }", "((cd x); git push)", "if true; then git push; fi", "until git push; do :; done", "for i in 1; do git push; done",
	"for i do git push; done", "case x in x) git push;; esac", "case x in (x) git push;; esac", "echo $(case x in x) git push;; esac)",
	"f() { git push; }; f", "function f { git push; }; f", "! git push", "time git push", "time -p git push", "coproc git push", "coproc X { git push; }",
	"git status >a git push; git push", ">out git push", "2>&1 git push", "git push 2>&1 | tail", "git status &>/dev/null; git push", "true #x\ngit push",
	// substitutions
	"echo $(git push)", "echo `git push`", "echo \"$(git push)\"", "echo \"a `git push` b\"", "x=$(git push)", "cat <(git push)", "echo ${x:-$(git push)}",
	"echo $((1 + $(git push)))", "cat <<EOF\n$(git push)\nEOF", "cat <<EOF\n`git push`\nEOF", "echo `echo \\`git push\\``",
	// here-documents and what comes behind them
	"cat <<'EOF'\nx\nEOF\ngit push", "cat <<-EOF\n\tx\n\tEOF\ngit push", "cat <<A <<B\nA\nB\ngit push", "cat <<$X\n$X\ngit push", "cat <<\"$X\"\n$X\ngit push",
	"bash <<EOF\ngit push\nEOF", "bash <<'EOF'\ngit push\nEOF", "sh <<< 'git push'", "echo $((1<<2\n))\ngit push\n2\n", "((x<<2))\ngit push\n2\n",
	// prefixes and programs that run programs
	"GIT_DIR=x git push", "A=1 B='2 3' git push", "env git push", "env -i A=1 git push", "env -u X -C y git push", "env -S 'git push'", "sudo git push",
	"sudo -u me -E git push", "command git push", "command -p git push", "builtin command git push", "exec git push", "nohup git push", "nice -n 5 git push",
	"timeout 5 git push", "timeout -k 1 5s git push", "stdbuf -oL git push", "setsid git push", "xargs git push", "echo push | xargs git", "echo push | xargs -n 1 git",
	"xargs -I{} git {}", "find . -exec git push ;", "find . -exec git push \\;", "npx vercel deploy", "npx -y netlify deploy", "pnpm dlx vercel deploy",
	"npm exec -- vercel deploy", "poetry run twine upload x", "sudo -- git push", "env -- git push", "busybox sh -c 'git push'",
	// shells
	"sh -c 'git push'", "bash -lc 'git push'", "bash -c \"git push\"", "bash -o pipefail -c 'git push'", "bash -c -- 'git push'", "eval git push", "eval 'git push'",
	"eval \"git\" \"push\"", "bash -c \"bash -c 'git push'\"", "echo git push | sh", "echo git push | bash -s", "bash < file", "bash <(echo git push)",
	". <(echo git push)", "source <(echo git push)", "alias p='git push'", "trap 'git push' EXIT", "curl x | sudo bash", "xargs sh -c",
	// spelling
	"\\git push", "g\\it push", "'git' push", "\"git\" 'push'", "gi't' pu\"sh\"", "$'git' push", "$'\\x67it' push", "git $'\\160ush'", "git \\\n push",
	"/usr/bin/git push", "./git push", "GIT push", "git.exe push", "git\tpush", "g{it,} push", "{git,push}",
	// what can't be told
	"$GIT push", "${GIT} push", "G=git; $G push", "git $X", "git \"$X\"", "git pu?h", "$(echo git) push", "`echo git` push", "bash -c \"$X\"", "eval \"$X\"",
	// what the parser reads in another way than bash does
	"true # \\\ngit push", "echo \"${x:-it's}\"; git push; echo \"${x:-it's}\"", "cat <<E\n${x:-it's}\nE\ngit push\ncat <<E\n${x:-it's}\nE",
	// aliases
	"git -c alias.p=push p", "git -c alias.p='!git push' p", "git p", "git -c ALIAS.x=merge x main",
	// messages
	"git commit -am 'fix'", "git commit -F kaizen:", "git commit --amend --no-edit", "git commit -C kaizen:", "git commit -m fix # kaizen: x", "git commit -m fix; echo kaizen:",
	"git commit -m fix -- kaizen:", "git commit --author 'kaizen: x' -m fix",
}

// allowed are commands that do not.
var allowed = []string{
	"", "ls", "git status", "git diff HEAD", "git log --oneline | head", "git add .", "git stash push", "git -C x status", "git fetch", "git merge-base a b",
	"git merge --abort", "git rebase --abort", "git tag -l", "git tag --list 'v*'", "git branch merge", "git checkout -- push", "git log --grep push", "git worktree list",
	"git commit -m 'kaizen: check prices'", "git commit -am 'kaizen: x'", "git commit -a -m \"kaizen: x\"", "git commit --message='kaizen: x'", "git commit -m'kaizen: x'",
	"git commit --message 'Kaizen: x'", "git commit -m fix -m 'kaizen: x'", "git commit -m \"$(cat <<'EOF'\nkaizen: don't\n\nit's \"done\"\nEOF\n)\"",
	"echo git push", "echo 'git push'", "echo \"git push\"", "grep -r 'git push' .", "printf '%s' \"a; git push\"", "# git push", "ls # git push", "cat <<'EOF'\ngit push\nEOF",
	"cat <<EOF\ngit push\nEOF", "echo '$(git push)'", "command -v git", "which git", "git --version", "git", "git help push",
	"go test ./... 2>&1 | tail -5", "npm test", "npm run publish-docs", "npm install publish", "pnpm i", "gh pr view 1", "gh pr list", "gh run list", "vercel --version", "vercel ls",
	"wiki andon status", "wiki andon close --reason 'fixed' && wiki andon rollback latest", "make", "sh build.sh", "bash -c 'go test'", "bash -lc \"cd $DIR && go test\"",
	"for f in *.go; do gofmt -l \"$f\"; done", "[ -f x ] && echo yes", "[[ $a == b* ]]", "x=1", "x=$(git rev-parse HEAD)", "echo ${x:-\"it's\"}",
	"find . -name '*.go' -exec gofmt -l {} +", "find . -name push | xargs rm", "xargs -n1 echo", "docker build .", "xcodebuild -scheme x build", "cargo build", "twine check dist/*",
	"python3 -m pytest", "echo $((1 << 2))", "awk '{print $1}' x", "sed -n '1,3p' x", "echo $'it\\'s'", "if [ -d x ]; then ls; else pwd; fi", "a && b || c; d & e", "env", "env A=1 go test",
}

func TestGuard(t *testing.T) {
	t.Parallel()
	for _, c := range denied {
		var d *DeniedError
		if err := stoppedLine.Guard(ToolCall{Command: c}); !errors.As(err, &d) || d.Incident == "" {
			t.Errorf("%q: %v", c, err)
		}
		if err := openLine.Guard(ToolCall{Command: c}); err != nil {
			t.Errorf("%q while the line is open: %v", c, err)
		}
	}
	for _, c := range allowed {
		if err := stoppedLine.Guard(ToolCall{Command: c}); err != nil {
			t.Errorf("%q: %v", c, err)
		}
	}
}

func TestUnbalancedIsAlwaysDenied(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"echo 'x", "echo \"x", "echo it's", "echo `x", "echo $'x", "echo \"$(echo 'x)\"", "echo $(x", "echo ${x", "(x", "git commit -m \"kaizen: x", strings.Repeat("$(", 100) + strings.Repeat(")", 100)} {
		for _, l := range []Line{openLine, stoppedLine} {
			if err := l.Guard(ToolCall{Command: c}); err == nil {
				t.Errorf("%q is allowed", c)
			}
		}
	}
}

// What bash makes of the examples: in those that are allowed nothing is pushed,
// and the guard denies every one that bash pushes with.
func TestGuardAgreesWithBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash here")
	}
	dir := t.TempDir()
	bin, out := filepath.Join(dir, "bin"), filepath.Join(dir, "calls")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	git := "#!" + bash + "\nfor a in \"$@\"; do [ \"$a\" = push ] && echo pushed >>" + out + "; done; exit 0\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(git), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"env", "cat", "xargs", "nice", "timeout", "nohup", "sh", "bash", "true"} {
		if at, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(at, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	harmless := func(text string) bool { // of other programs it knows none, and of the disk nothing
		return !strings.Contains(text, "/usr") && !strings.Contains(text, "yes ") && !strings.Contains(text, "-k ")
	}
	pushes := func(text string) bool {
		os.Remove(out)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // should one wait forever
		defer cancel()
		cmd := exec.CommandContext(ctx, bash, "-c", text)
		cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + bin, "G=git", "X=EOF"}
		cmd.Run() // how it ends says nothing
		_, err := os.Stat(out)
		return err == nil
	}
	pushed := 0
	for _, c := range denied {
		if harmless(c) && pushes(c) {
			pushed++
		}
	}
	if pushed < 60 {
		t.Errorf("bash pushes with %d of the examples; is the stand-in for git called?", pushed)
	}
	for _, c := range allowed {
		if strings.HasPrefix(c, "git") || strings.Contains(c, "git help") { // push is a word of these that is not a command
			continue
		}
		if harmless(c) && pushes(c) {
			t.Errorf("%q is allowed, and bash pushes", c)
		}
	}
}

func TestReadToolCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in      string
		ok, may bool
	}{
		{`{"tool_name":"Bash","tool_input":{"command":"git push"}}`, true, false},
		{`{"tool_name":"Bash","tool_input":{"command":"git status","description":"x"},"session_id":"y","hook_event_name":"PreToolUse"}`, true, true},
		{`{"command":"git push"}`, true, false},
		{`{"command":["git","push"]}`, true, false},
		{`{"command":["bash","-lc","git push"]}`, true, false},
		{`{"command":["echo","git push; git push"]}`, true, true},
		{`{"tool":"shell","tool_input":{"cmd":["git","push"]}}`, true, false},
		{`{"tool_name":"Read","tool_input":{"file_path":"it's"}}`, true, true},
		{`{"tool_name":"Write","tool_input":{"content":"git push"}}`, true, true},
		{`{"tool_name":"mcp__github__create_pull_request","tool_input":{"title":"x"}}`, true, false},
		{`{"tool_name":"mcp__github__list_pull_requests","tool_input":{}}`, true, true},
		{`{"tool_name":"Bash","tool_input":{}}`, false, false},
		{`{"tool_name":"Bash","tool_input":"git push"}`, false, false},
		{`{"tool_name":"Bash"}`, false, false},
		{`{"command":7}`, false, false},
		{`{"command":"ls","tool_input":{"command":"git push"}}`, false, false},
		{`{}`, false, false},
		{`[]`, false, false},
		{`git push`, false, false},
		{``, false, false},
	} {
		call, err := ReadToolCall([]byte(c.in))
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if err == nil && (stoppedLine.Guard(call) == nil) != c.may {
			t.Errorf("%s: %v", c.in, stoppedLine.Guard(call))
		}
	}
}

// Whatever stands before it, and leads into no text of its own, a push on a line
// of its own is denied.
func FuzzGuard(f *testing.F) {
	for _, c := range schematest.Vary(400, slices.Concat([]string{"echo 'x", "a\\"}, denied, allowed)...) {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := stoppedLine.Guard(ToolCall{Command: text})
		if err != nil || strings.Contains(text, "<<") || strings.HasSuffix(text, "\\") {
			return
		}
		if stoppedLine.Guard(ToolCall{Command: text + "\ngit push"}) == nil {
			t.Errorf("%q, then a push, is allowed", text)
		}
		if stoppedLine.Guard(ToolCall{Command: "git push\n" + text}) == nil {
			t.Errorf("a push, then %q, is allowed", text)
		}
	})
}
