//go:build unix

package gate

import (
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// shop is a repository whose tests are scripts: no toolchain is needed.
const shop = `-- test.sh --
for t in tests/*.sh; do
	if sh "$t"; then echo "ok 1 - $t"; else echo "not ok 1 - $t"; red=1; fi
done
exit ${red:-0}
-- tests/add.sh --
. ./lib.sh
[ "$(add 2 3)" = 5 ]
-- lib.sh --
add() { echo $(($1 + $2)); }
-- doc.md --
# Shop
-- package.json --
{"name": "shop", "scripts": {"test": "sh test.sh", "start": "node ."}, "dependencies": {"left": "1.0.0"}, "jest": {"bail": true}}
-- pyproject.toml --
[project]
name = "shop"

[tool.pytest.ini_options]
addopts = "-q"
-- Cargo.toml --
[package]
name = "shop"

[dependencies]
-- .gitignore --
*.tmp
node_modules
-- plans/p.md --
# P
-- plans/other.md --
# Other
`

func shell(r *repo) *judged {
	j := newJudged(r)
	j.commands = loops.GateCommands{Test: []string{"sh ./test.sh"}}
	return j
}

// What an agent does to any repository, and what comes of it.
func TestChanges(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	const sub = "-- lib.sh --\nadd() { echo $(($1 + $2)); }\nsub() { echo $(($1 - $2)); }\n"
	const subTest = "-- tests/sub.sh --\n. ./lib.sh\n[ \"$(sub 3 2)\" = 1 ]\n"
	first := newRepo(t, shop)
	cases := map[string]struct {
		change string
		also   func(t *testing.T, r *repo, j *judged)
		effect loops.Effect
		gate   string
		says   string
	}{
		"a test and its code":      {sub + subTest, nil, loops.Passed, "", ""},
		"a page":                   {"-- doc.md --\n# The shop\n", nil, loops.Passed, "", ""},
		"passes on the base":       {sub + "-- tests/more.sh --\n. ./lib.sh\n[ \"$(add 1 1)\" = 2 ]\n", nil, loops.Red, "red-first", "tests/more.sh: passes on the base"},
		"one of two passes":        {sub + subTest + "-- tests/more.sh --\ntrue\n", nil, loops.Red, "red-first", "tests/more.sh: passes on the base"},
		"red":                      {"-- lib.sh --\nadd() { echo 1; }\n", nil, loops.Red, "test", "tests/add.sh"},
		"an edited test":           {"-- tests/add.sh --\ntrue\n", nil, loops.Violation, "protected", "tests/add.sh: is a test"},
		"an edited runner":         {"-- test.sh --\nexit 0\n", nil, loops.Violation, "protected", "test.sh: is a test"},
		"a runner's mode":          {"", mode("test.sh"), loops.Violation, "protected", "mode"},
		"a script of package.json": {"-- package.json --\n" + `{"name": "shop", "scripts": {"test": "true", "start": "node ."}, "dependencies": {"left": "1.0.0"}, "jest": {"bail": true}}`, nil, loops.Violation, "protected", "scripts.test"},
		"a hook of package.json":   {"-- package.json --\n" + `{"name": "shop", "scripts": {"test": "sh test.sh", "pretest": "rm -r tests", "start": "node ."}, "dependencies": {"left": "1.0.0"}, "jest": {"bail": true}}`, nil, loops.Violation, "protected", "scripts.pretest"},
		"jest in package.json":     {"-- package.json --\n" + `{"name": "shop", "scripts": {"test": "sh test.sh", "start": "node ."}, "dependencies": {"left": "1.0.0"}, "jest": {"bail": false}}`, nil, loops.Violation, "protected", "key jest"},
		"a dependency":             {"-- package.json --\n" + `{"name": "shop", "scripts": {"test": "sh test.sh", "start": "node server.js"}, "dependencies": {"left": "1.0.1", "right": "^2"}, "jest": {"bail": true}}`, nil, loops.Violation, "protected", "scripts.start"},
		"only a dependency":        {"-- package.json --\n" + `{"name": "shop", "scripts": {"test": "sh test.sh", "start": "node ."}, "dependencies": {"left": "1.0.1", "right": "^2"}, "jest": {"bail": true}}`, nil, loops.Passed, "", ""},
		"another program":          {"-- package.json --\n" + `{"name": "shop", "scripts": {"test": "sh test.sh", "start": "node ."}, "dependencies": {"left": "file:./left"}, "jest": {"bail": true}}`, nil, loops.Violation, "protected", "another program"},
		"pytest's options":         {"-- pyproject.toml --\n[project]\nname = \"shop\"\n\n[tool.pytest.ini_options]\naddopts = \"-q --deselect x\"\n", nil, loops.Violation, "protected", "[tool.pytest.ini_options]"},
		"a project's dependency":   {"-- pyproject.toml --\n[project]\nname = \"shop\"\ndependencies = [\"x\"]\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\n", nil, loops.Passed, "", ""},
		"a crate":                  {"-- Cargo.toml --\n[package]\nname = \"shop\"\n\n[dependencies]\nx = \"1\"\n", nil, loops.Passed, "", ""},
		"a crate's tests":          {"-- Cargo.toml --\n[package]\nname = \"shop\"\nautotests = false\n\n[dependencies]\n", nil, loops.Violation, "protected", "[package]"},
		"conftest":                 {"-- conftest.py --\ncollect_ignore = ['tests']\n", nil, loops.Violation, "protected", "is new"},
		"jest.config":              {"-- jest.config.js --\nmodule.exports = {}\n", nil, loops.Violation, "protected", "is new"},
		"types":                    {"-- a.d.ts --\ndeclare const a: any\n", nil, loops.Violation, "protected", "is new"},
		"gitignore":                {"-- .gitignore --\n*\n", nil, loops.Violation, "protected", ".gitignore"},
		"gitattributes":            {"-- .gitattributes --\n* -text\n", nil, loops.Violation, "protected", ".gitattributes"},
		"another plan":             {"-- plans/other.md --\n# Mine\n", scope("lib.sh", "plans"), loops.Passed, "", ""},
		"another plan, unscoped":   {"-- plans/other.md --\n# Mine\n", scope("lib.sh"), loops.Violation, "protected", "plans/other.md"},
		"state of the tool":        {"-- .loopwiki/baseline.json --\n{}\n", nil, loops.Violation, "protected", "read-only in a run"},
		"snapshots":                {"-- __snapshots__/a.snap --\n1\n", nil, loops.Passed, "", ""},
		"a listed file":            {"-- doc.md --\n# S\n", func(_ *testing.T, _ *repo, j *judged) { j.protect = []string{"*.md"} }, loops.Violation, "protected", "wiki.yaml"},

		"a script of the gate": {"-- scripts/check.sh --\nexit 0\n", gateScript, loops.Violation, "protected", "scripts/check.sh: is a gate's configuration"},
		"named in the scope":   {"-- scripts/check.sh --\necho ok; sh test.sh\n", both(scope("scripts/check.sh"), gateScript), loops.Note, "red-first", "without a new test"},
		"decides the goal":     {"-- tools/check.sh --\nexit 0\n", checkScript(goal("cd tools && sh check.sh")), loops.Violation, "protected", "tools/check.sh: is what a verify command or the goal runs to decide, and was changed; if that"},
		"decides verify":       {"-- tools/check.sh --\nexit 0\n", checkScript(verify("timeout 9 sh tools/check.sh")), loops.Violation, "protected", "tools/check.sh"},
		"decides, named":       {"-- tools/check.sh --\ntrue\n", both(scope("tools/check.sh"), checkScript(verify("sh tools/check.sh"))), loops.Note, "protected", "tools/check.sh: decides a verify command"},
		"decides, unlocked":    {"-- tools/check.sh --\ntrue\n", both(unlock("tools/check.sh"), checkScript(verify("sh tools/check.sh"))), loops.Passed, "", ""},
		"is the product":       {"-- tools/check.sh --\necho 4\n", checkScript(verify(`test "$(sh tools/check.sh)" = 4`)), loops.Note, "red-first", "without a new test"},
		"of an earlier chunk":  {"-- tools/check.sh --\ntrue\n", both(checkScript(verify("sh tools/check.sh")), earlier), loops.Note, "red-first", "without a new test"},
		"another pytest":       {"-- pytest.py --\nimport sys; sys.exit(0)\n", nil, loops.Violation, "protected", "pytest.py"},
		"modules of its own":   {"-- .gitignore --\n*.tmp\n-- node_modules/.bin/jest --\nexit 0\n", unlock(".gitignore"), loops.Violation, "protected", "node_modules/.bin/jest"},

		"out of scope":       {"-- doc.md --\n# S\n-- a.txt --\na\n", scope("lib.sh"), loops.Unscoped, "scope", "doc.md"},
		"too many files":     {"-- doc.md --\n# S\n-- a.txt --\na\n", both(scope("*"), atMost(1)), loops.Unscoped, "scope", "2 files changed, more than 1"},
		"as many as may":     {"-- doc.md --\n# S\n-- a.txt --\na\n", both(scope("*"), atMost(2)), loops.Passed, "", ""},
		"a mode":             {"", both(scope("lib.sh"), mode("doc.md")), loops.Unscoped, "scope", "its mode changed to 100755"},
		"a rename":           {"-- doc.md --\n-- docs.md --\n# Shop\n", scope("docs.md"), loops.Unscoped, "scope", "doc.md: is outside the scope docs.md, and deleted"},
		"a link":             {"", link("etc", "/etc"), loops.Unscoped, "scope", "a symbolic link to /etc"},
		"a link within":      {"", link("doc2.md", "doc.md"), loops.Unscoped, "scope", "a symbolic link to doc.md"},
		"a link for a test":  {"", link("tests/add.sh", "../lib.sh"), loops.Violation, "protected", "a symbolic link"},
		"a submodule":        {"", submodule, loops.Unscoped, "scope", "a submodule"},
		"an ignored file":    {"-- secret.tmp --\nx\n", both(scope("lib.sh"), ignored("secret.tmp")), loops.Unscoped, "scope", "ignored by git"},
		"an ignored config":  {"", ignored("conf/conftest.py"), loops.Violation, "protected", "conftest.py"},
		"what tools leave":   {"", both(scope("lib.sh"), ignored("node_modules/a/index.js")), loops.Passed, "", ""},
		"none":               {sub + subTest, tests(loops.TestsRule{Kind: loops.TestsNone}), loops.Violation, "protected", "tests/sub.sh"},
		"characterize":       {"-- tests/more.sh --\n. ./lib.sh\n[ \"$(add 1 1)\" = 2 ]\n", tests(loops.TestsRule{Kind: loops.TestsCharacterize}), loops.Passed, "", ""},
		"characterize, code": {sub + subTest, tests(loops.TestsRule{Kind: loops.TestsCharacterize}), loops.Unscoped, "scope", "lib.sh: is code"},
		"a move":             {"-- tests/add.sh --\n-- tests/sum.sh --\n. ./lib.sh\n[ \"$(add 2 3)\" = 5 ]\n", tests(loops.TestsRule{Kind: loops.TestsMove, From: "tests/add.sh", To: "tests/sum.sh"}), loops.Passed, "", ""},
		"unlocked":           {"-- tests/add.sh --\n. ./lib.sh\n[ \"$(add 2 4)\" = 6 ]\n", unlock("tests/add.sh"), loops.Passed, "", ""},
		"unlocked alone":     {"-- tests/add.sh --\ntrue\n-- test.sh --\nexit 0\n", unlock("tests/add.sh"), loops.Violation, "protected", "test.sh: is a test"},
		"unlocked, wiki":     {"-- wiki.yaml --\ntitle: Shop\n", unlock("wiki.yaml"), loops.Passed, "", ""},
		"no test command":    {"-- doc.md --\n# S\n", func(_ *testing.T, _ *repo, j *judged) { j.commands = loops.GateCommands{Build: []string{"true"}} }, loops.Note, "test", "no test command"},
		"verify":             {"-- doc.md --\n# S\n", verify("grep -q Shop doc.md"), loops.Red, "verify", "exit status 1"},
		"verify, missing":    {"-- doc.md --\n# S\n", verify("no-such-tool-here"), loops.Environment, "verify", "no-such-tool-here is not on the runner's PATH"},
		"verify, of a tree":  {"-- doc.md --\n# S\n", verify("./tools/none"), loops.Red, "verify", "exit status 127"},
	}
	for name, c := range schematest.Sample(cases, 1, 2) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := first.copied(t)
			if c.change != "" {
				r.write(c.change)
			}
			j := shell(r)
			j.cache = cache
			if c.also != nil {
				c.also(t, r, j)
			}
			j.expect(c.effect, c.gate, c.says)
		})
	}
}

type adjust = func(t *testing.T, r *repo, j *judged)

func both(a, b adjust) adjust {
	return func(t *testing.T, r *repo, j *judged) { a(t, r, j); b(t, r, j) }
}

func scope(globs ...string) adjust {
	return func(_ *testing.T, _ *repo, j *judged) { j.plan.Chunks[0].Files = globs }
}

func atMost(files int) adjust {
	return func(_ *testing.T, _ *repo, j *judged) { j.plan.MostFiles = files }
}

func tests(rule loops.TestsRule) adjust {
	return func(_ *testing.T, _ *repo, j *judged) { j.plan.Chunks[0].Tests = rule }
}

func unlock(globs ...string) adjust {
	return func(_ *testing.T, _ *repo, j *judged) {
		j.plan.SpecChanges = []loops.SpecChange{{Paths: globs, By: "Ana", Reason: "It was wrong."}}
	}
}

func verify(command string) adjust {
	return func(_ *testing.T, _ *repo, j *judged) { j.plan.Chunks[0].Verify = []string{command} }
}

func goal(command string) adjust {
	return func(_ *testing.T, _ *repo, j *judged) { j.plan.Goal = command }
}

// checkScript has the script tools/check.sh in the repository, which a command of the plan runs.
func checkScript(of adjust) adjust {
	return func(t *testing.T, r *repo, j *judged) {
		text, err := os.ReadFile(filepath.Join(r.dir, "tools/check.sh"))
		if err != nil {
			t.Fatal(err)
		}
		r.write("-- tools/check.sh --\nsh test.sh\n")
		r.git("add", "-A")
		r.git("commit", "-q", "-m", "Check")
		r.write("-- tools/check.sh --\n" + string(text))
		of(t, r, j)
	}
}

// earlier makes the last commit one of the run itself.
func earlier(_ *testing.T, r *repo, j *judged) { j.base, j.last = "HEAD~1", "HEAD" }

func ignored(paths ...string) adjust {
	return func(_ *testing.T, _ *repo, j *judged) { j.ignored = paths }
}

// gateScript has a script in the repository that the test command runs.
func gateScript(t *testing.T, r *repo, j *judged) {
	text, err := os.ReadFile(filepath.Join(r.dir, "scripts/check.sh"))
	if err != nil {
		t.Fatal(err)
	}
	r.write("-- scripts/check.sh --\nsh test.sh\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "Check")
	r.write("-- scripts/check.sh --\n" + string(text))
	j.commands.Test = []string{"sh scripts/check.sh"}
}

func mode(name string) adjust {
	return func(t *testing.T, r *repo, _ *judged) {
		if err := os.Chmod(filepath.Join(r.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func link(name, to string) adjust {
	return func(t *testing.T, r *repo, _ *judged) {
		full := filepath.Join(r.dir, name)
		os.Remove(full)
		if err := os.Symlink(to, full); err != nil {
			t.Fatal(err)
		}
	}
}

func submodule(_ *testing.T, r *repo, _ *judged) {
	head := r.git("rev-parse", "HEAD")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+head+",sub")
	if err := os.Mkdir(filepath.Join(r.dir, "sub"), 0o755); err != nil {
		r.tb.Fatal(err)
	}
}

// A script that decides and that the plan names may change; whoever approves the run is told.
func TestChangedDecidersWarn(t *testing.T) {
	t.Parallel()
	r := newRepo(t, shop)
	r.write("-- tools/check.sh --\ntrue\n")
	j := shell(r)
	both(scope("tools/check.sh"), checkScript(verify("sh tools/check.sh")))(t, r, j)
	for _, res := range j.expect(loops.Note, "protected", "tools/check.sh") {
		if res.Warn != (res.Gate == "protected") {
			t.Errorf("%s: warn is %v", res.Gate, res.Warn)
		}
	}
}

// The number of files out of scope is counted: from five on the plan itself is
// in question.
func TestUnscopedFilesAreCounted(t *testing.T) {
	t.Parallel()
	r := newRepo(t, shop)
	r.write("-- a --\n1\n-- b --\n1\n-- c --\n1\n-- d --\n1\n-- doc.md --\n1\n-- lib.sh --\nadd() { echo 5; }\n")
	j := shell(r)
	j.plan.Scope = []string{"lib.sh"}
	results := j.expect(loops.Unscoped, "scope", "doc.md")
	for _, res := range results {
		switch {
		case res.Gate == "scope" && res.Files != 5:
			t.Errorf("%d files are counted", res.Files)
		case res.Gate == "test":
			t.Error("a tree that goes beyond its scope was run")
		}
	}
}

// A role that changes nothing but files that git ignores is judged by those.
func TestIgnoredFilesAlone(t *testing.T) {
	t.Parallel()
	r := newRepo(t, shop)
	j := shell(r)
	j.last = r.tree()
	j.plan.Scope, j.ignored = []string{"lib.sh"}, []string{"hidden.tmp"}
	j.expect(loops.Unscoped, "scope", "hidden.tmp")
}

// A secret stops the line, and is nowhere in what is said about it.
func TestSecrets(t *testing.T) {
	t.Parallel()
	token := "ghp_" + "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4"
	first := newRepo(t, shop)
	for name, c := range map[string]struct {
		text   string
		secret string
		redact []string
		effect loops.Effect
	}{
		"a token":         {"token = " + token, token, nil, loops.Violation},
		"a plain token":   {"x: ghp_" + strings.Repeat("a", 36), "ghp_aaaaaaaa", nil, loops.Violation},
		"a key of AWS":    {"x: AKIAIOSFODNN7" + "EXAMPLE", "AKIAIOSFODNN7", nil, loops.Violation},
		"a passed value":  {"x: correct horse", "correct horse", []string{"correct horse"}, loops.Violation},
		"in base64":       {"x: Y29ycmVjdCBob3JzZQ", "Y29ycmVjdCBob3JzZQ", []string{"correct horse"}, loops.Violation},
		"one in base64":   {"x: " + base64.StdEncoding.EncodeToString([]byte("key="+token)), "", nil, loops.Violation},
		"one in hex":      {"x: " + hex.EncodeToString([]byte(token)), "", nil, loops.Violation},
		"one in percents": {"x: a%20" + strings.Replace(token, "_", "%5F", 1), "", nil, loops.Violation},
		"one in UTF-16":   {strings.Join(strings.Split("x: "+token, ""), "\x00"), "", nil, loops.Violation},
		"text in base64":  {"x: " + base64.StdEncoding.EncodeToString([]byte("a long text that holds no token of any vendor")), "", nil, loops.Passed},
		"a private key":   {"-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0buWPGeJ9x\n-----END RSA " + "PRIVATE KEY-----", "MIIEpAIBAAKCAQEA1c7", nil, loops.Violation},
		"an address":      {"url: postgres://admin:hunter2hunter2@db.internal/x", "hunter2hunter2", nil, loops.Violation},
		"an assignment":   {`"api_key": "9fK2mQ7xT4bV8nL1zR6wY3cH5jD0"`, "9fK2mQ7xT4bV8nL1zR6wY3cH5jD0", nil, loops.Violation},
		"a variable":      {`key := os.Getenv("API_KEY")`, "", nil, loops.Passed},
		"an example":      {"api_key=your_api_key_goes_here_please_now", "", nil, loops.Passed},
		"a placeholder":   {"Authorization: Bearer ${TOKEN_THAT_IS_GIVEN_BY_CI}", "", nil, loops.Passed},
		"the same letter": {"sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "", nil, loops.Passed},
		"a hash":          {"sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "", nil, loops.Passed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := first.copied(t)
			r.write("-- doc.md --\n# Shop\n\n" + c.text + "\n")
			j := shell(r)
			j.redact = c.redact
			gate := ""
			if c.effect == loops.Violation {
				gate = "secrets"
			}
			results := j.expect(c.effect, gate, "doc.md")
			if c.secret != "" && strings.Contains(said(results)+printed(results), c.secret) {
				t.Error("the secret is in the result")
			}
		})
	}
}

// What a command prints is without secrets in the result.
func TestOutputIsRedacted(t *testing.T) {
	t.Parallel()
	r := newRepo(t, shop)
	r.write("-- doc.md --\n# S\n")
	j := shell(r)
	j.redact = []string{"correct horse"}
	verify("echo it is correct horse; echo correct' 'horse >&2; exit 3")(t, r, j)
	results := j.expect(loops.Red, "verify", "exit status 3")
	if text := said(results) + printed(results); strings.Contains(text, "correct horse") || strings.Count(printed(results), loops.NewRedactor(j.redact).Mark()) != 2 {
		t.Errorf("%s%s", text, printed(results))
	}
}
