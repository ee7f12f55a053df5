package andon

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// KaizenMark is what the message of a commit has to say while the line is
// stopped: it fixes what stopped it.
const KaizenMark = "kaizen:"

// forwardGit are git's commands that move forward.
var forwardGit = map[string]bool{
	"push": true, "merge": true, "rebase": true, "cherry-pick": true, "tag": true,
	// These come to the same as one of the above.
	"pull": true, "send-pack": true, "http-push": true, "am": true, "pull-request": true,
}

// harmlessGit are git's commands that do not. What is in neither list may be
// an alias of anything.
var harmlessGit = wordSet(`add annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap
check-ref-format checkout cherry clean clone column config count-objects daemon describe diagnose diff diff-files diff-index diff-tree
difftool fast-export fetch for-each-ref format-patch fsck gc get-tar-commit-id grep gui hash-object help init instaweb interpret-trailers
log ls-files ls-remote ls-tree mailinfo maintenance merge-base merge-file merge-tree mergetool mktree mv name-rev notes patch-id prune
range-diff read-tree reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch
show-index show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref unpack-objects update-index var verify-commit
verify-pack verify-tag version whatchanged worktree write-tree`)

func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// gitValued are options of git itself that take a value.
var gitValued = wordSet("-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source")

// git judges a call of git.
func (g *guard) git(args []loops.ShellWord, open bool, depth int) string {
	aliases := map[string]string{}
	for n := 0; n < len(args); n++ {
		a := args[n]
		switch {
		case a.Dynamic && !strings.HasPrefix(a.Raw, "-"):
			return "git " + a.Raw + ": can't tell what it does"
		case a.Text == "-c" && n+1 < len(args):
			if key, value, ok := strings.Cut(args[n+1].Text, "="); ok && strings.HasPrefix(strings.ToLower(key), "alias.") {
				aliases[key[len("alias."):]] = value
			}
			n++
		case gitValued[a.Text]:
			n++
		case strings.HasPrefix(a.Text, "-"):
		default:
			if value, ok := aliases[a.Text]; ok {
				if shell, ok := strings.CutPrefix(value, "!"); ok {
					return g.script(shell, depth)
				}
				return g.script("git "+value+" "+joined(args[n+1:]), depth)
			}
			return gitCommand(a.Text, args[n+1:])
		}
	}
	return unseen("git", open)
}

// gitCommand judges one of git's commands.
func gitCommand(name string, args []loops.ShellWord) string {
	has := func(options ...string) bool {
		return slices.ContainsFunc(args, func(w loops.ShellWord) bool { return slices.Contains(options, w.Text) })
	}
	switch {
	case name == "commit":
		if !commitsKaizen(args) {
			return "git commit needs \"" + KaizenMark + "\" in its message (-m), as it fixes what stopped the line"
		}
		return ""
	case (name == "merge" || name == "rebase" || name == "cherry-pick" || name == "am") && len(args) == 1 && has("--abort", "--quit"):
		return "" // which goes back
	case name == "tag" && len(args) > 0 && (args[0].Text == "-l" || args[0].Text == "--list"):
		return ""
	case (name == "subtree" || name == "lfs") && !has("push"), (name == "svn") && !has("dcommit"):
		return ""
	case forwardGit[name], name == "subtree", name == "lfs", name == "svn":
		return "git " + name + " integrates or publishes work"
	case harmlessGit[name]:
		return ""
	}
	return "git " + name + ": not a known git command; it may be an alias"
}

// commitsKaizen reports whether the message of a commit says that it fixes what
// stopped the line. A message that is written elsewhere does not.
func commitsKaizen(args []loops.ShellWord) bool {
	for n := 0; n < len(args); n++ {
		a := args[n]
		if a.Text == "--" {
			return false
		}
		message, given := "", false
		switch name, value, inline := strings.Cut(a.Text, "="); {
		case name == "--message" && inline:
			message, given = value, true
		case a.Text == "--message":
			given = true
		case !strings.HasPrefix(a.Text, "--") && strings.HasPrefix(a.Text, "-"):
			message, given = shortMessage(a.Text)
		}
		if given && message == "" && n+1 < len(args) {
			n++
			message = args[n].Text
		}
		if given && strings.Contains(strings.ToLower(message), KaizenMark) {
			return true
		}
	}
	return false
}

// shortMessage finds -m among short options in one word: -m, -am, -mTEXT. Options
// that take a value of their own end the word.
func shortMessage(text string) (message string, given bool) {
	for n := 1; n < len(text); n++ {
		switch text[n] {
		case 'm':
			return text[n+1:], true
		case 'F', 'C', 'c', 't', 'u', 'S':
			return "", false
		}
	}
	return "", false
}

// motion is a program's way forward.
type motion struct {
	program string
	words   string // that follow each other among its first arguments
}

// motions are what deploys and publishes.
var motions = []motion{
	{"gh", "pr create"}, {"gh", "pr merge"}, {"gh", "release create"}, {"glab", "mr create"}, {"glab", "mr merge"},
	{"vercel", "deploy"}, {"vercel", "promote"}, {"vc", "deploy"}, {"firebase", "deploy"}, {"netlify", "deploy"},
	{"npm", "publish"}, {"pnpm", "publish"}, {"yarn", "publish"}, {"bun", "publish"}, {"lerna", "publish"},
	{"twine", "upload"}, {"xcodebuild", "archive"},
	{"cargo", "publish"}, {"poetry", "publish"}, {"uv", "publish"}, {"gem", "push"}, {"mvn", "deploy"}, {"gradle", "publish"}, {"gradlew", "publish"}, {"docker", "push"}, {"goreleaser", "release"},
}

// runners run a program that they are told the name of.
var runners = map[string]string{"npm": "exec x", "pnpm": "dlx exec", "yarn": "dlx exec run", "bun": "x"}

// local are commands of package managers whose arguments are names of packages
// and scripts.
var local = wordSet("run run-script install i add remove rm uninstall update up view info show why ls list test t ci audit outdated config init")

// forward reports why a program integrates or publishes work, or "".
func forward(name string, args []loops.ShellWord, open bool) string {
	var plain []loops.ShellWord
	for _, a := range args {
		if !strings.HasPrefix(a.Text, "-") || a.Dynamic {
			plain = append(plain, a)
		}
	}
	known := slices.ContainsFunc(motions, func(m motion) bool { return m.program == name })
	if !known {
		return ""
	}
	if name == "vercel" || name == "vc" {
		if why := bareVercel(name, args, plain); why != "" {
			return why
		}
	}
	if run, ok := runners[name]; ok && len(plain) > 1 && slices.Contains(strings.Fields(run), plain[0].Text) {
		g := guard{}
		return g.command(loops.ShellCommand{Words: plain[1:]}, 1)
	}
	if len(plain) == 0 {
		return unseen(name, open)
	}
	if _, manages := runners[name]; manages && local[plain[0].Text] {
		return ""
	}
	if plain[0].Dynamic {
		return name + " " + plain[0].Raw + ": can't tell what it does"
	}
	for _, m := range motions {
		if m.program == name && follows(plain, strings.Fields(m.words), name) {
			return name + " " + m.words + " integrates or publishes work"
		}
	}
	return ""
}

// firsts is among how many arguments the words of a motion are looked for: those
// before them may be values of options.
const firsts = 4

func follows(args []loops.ShellWord, want []string, name string) bool {
	most := firsts
	if name == "xcodebuild" || name == "mvn" || strings.HasPrefix(name, "gradle") { // goals stand anywhere
		most = len(args)
	}
	for n := 0; n < most && n < len(args); n++ {
		k := 0
		for m := n; m < len(args) && k < len(want); m++ { // gh pr -R OWNER/NAME merge
			if strings.EqualFold(args[m].Text, want[k]) {
				k++
			} else if m > n+firsts {
				break
			}
		}
		if k == len(want) && strings.EqualFold(args[n].Text, want[0]) {
			return true
		}
	}
	return false
}

// bareVercel: without a command it deploys.
func bareVercel(name string, args, plain []loops.ShellWord) string {
	for _, a := range args {
		switch a.Text {
		case "--help", "-h", "--version", "-v":
			return ""
		}
	}
	if len(plain) == 0 || slices.ContainsFunc(args, func(w loops.ShellWord) bool { return w.Text == "--prod" }) && (len(plain) == 0 || plain[0].Text != "build") {
		return name + " deploys"
	}
	return ""
}
