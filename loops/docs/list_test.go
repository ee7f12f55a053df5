package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
)

// before is a repository with a page for each way to be about code.
var before = map[string]string{
	"tax.go":          "package shop\n\n// Rate is in percent.\nconst Rate = 19\n\n// Name is shown.\nconst Name = \"shop\"\n",
	"gone.go":         "package shop\n\nfunc Gone() {}\n",
	"deploy.sh":       "echo one\n",
	"backup.sh":       "dump one\n",
	"NOTES.txt":       "One.\n",
	"billing/a.go":    "package billing\n\nfunc A() int { return 1 }\n",
	"wiki/index.md":   "# Index\n\n[[tax]] [[name]] [[old]] [[ops]] [[bills]] [[notes]] [[deploy]], see `tax.go`.\n",
	"wiki/tax.md":     "---\nsources: [tax.go#Rate]\n---\n# Tax\n\nThe rate is 19.\n",
	"wiki/name.md":    "---\nsources: [tax.go#Name]\n---\n# Name\n\nIt is shop.\n",
	"wiki/old.md":     "# Old\n\nIt is in `gone.go`.\n",
	"wiki/ops.md":     "# Ops\n\nRun `deploy.sh`.\n",
	"lines.go":        "package shop\n\nfunc Send() {\n\tif failed {\n\t\tretry()\n\t}\n}\n",
	"shown.sh":        "rsync --archive --delete build/ backup:/var/www\n",
	"options.sh":      "case $1 in --only-new) exit ;; esac\n",
	"call.go":         "package shop\n\nfunc SendAll(limit int) {}\n\nfunc TryOnce() {}\n",
	"wiki/call.md":    "# Call\n\nTo send, call `SendAll(limit int)`. It calls `TryOnce()`.\n",
	"state.go":        "package shop\n\ntype State struct {\n\tOpened, Paid, Closed int\n}\n",
	"limit.go":        "package shop\n\nconst MaxItems = 50\n",
	"wiki/backup.md":  "---\nsources: [backup.sh]\n---\n# Backup\n\nIt is dumped.\n",
	"wiki/lines.md":   "# Lines\n\nA failed message is sent again (`lines.go:4-6`).\n",
	"wiki/shown.md":   "# Shown\n\nAs in shown.sh:\n\n```sh\nrsync --archive --delete build/ backup:/var/www\n```\n",
	"wiki/options.md": "# Options\n\nWith `--only-new` it skips the rest.\n",
	"wiki/state.md":   "# State\n\nAn order has `Opened`, `Paid` and `Closed`.\n",
	"wiki/limit.md":   "# Limit\n\nA cart holds at most 50 items, see `MaxItems`.\n",
	"wiki/bills.md":   "---\nsources: [billing/]\n---\n# Bills\n\nBills.\n",
	"wiki/notes.md":   "# Notes\n\nSee `NOTES.txt`.\n",
	"wiki/deploy.md":  "# Deploy\n\nNothing is said of it.\n",
	"wiki/log.md":     "# Log\n\n`tax.go` was written.\n",
	"wiki/wiki.yaml":  "title: Shop\n",
}

func TestList(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	for name, c := range map[string]struct {
		change map[string]string // "" removes
		want   string
	}{
		"a comment":               {map[string]string{"tax.go": strings.Replace(before["tax.go"], "in percent", "a share", 1)}, ""},
		"formatting":              {map[string]string{"tax.go": strings.Replace(before["tax.go"], "Rate = 19", "Rate   =   19", 1)}, ""},
		"a value":                 {map[string]string{"tax.go": strings.Replace(before["tax.go"], "19", "21", 1)}, "wiki/tax.md!"},
		"a name":                  {map[string]string{"tax.go": strings.Replace(before["tax.go"], "Rate", "Tax", 2)}, "wiki/tax.md!"},
		"a file that is gone":     {map[string]string{"gone.go": ""}, "wiki/old.md"},
		"a script":                {map[string]string{"deploy.sh": "echo two\n"}, ""},
		"a script as a source":    {map[string]string{"backup.sh": "dump two\n"}, "wiki/backup.md"},
		"a source in a folder":    {map[string]string{"billing/a.go": "package billing\n\nfunc A() int { return 2 }\n"}, "wiki/bills.md"},
		"a body in a folder":      {map[string]string{"billing/a.go": "package billing\n\nfunc A() int { one := 1; return one }\n"}, ""},
		"a cited line":            {map[string]string{"lines.go": strings.Replace(before["lines.go"], "retry()", "giveUp()", 1)}, "wiki/lines.md"},
		"a cited line that moved": {map[string]string{"lines.go": strings.Replace(before["lines.go"], "func Send", "// Send is new.\n\nvar sent int\n\nfunc Send", 1)}, ""},
		"a line that is shown":    {map[string]string{"shown.sh": "rsync --archive build/ backup:/var/www\n"}, "wiki/shown.md"},
		"an option":               {map[string]string{"options.sh": "case $1 in --dry-run) exit ;; esac\n"}, "wiki/options.md!"},
		"a parameter shown":       {map[string]string{"call.go": strings.Replace(before["call.go"], "limit int", "most int64", 1)}, "wiki/call.md"},
		"a parameter not shown":   {map[string]string{"call.go": strings.Replace(before["call.go"], "func TryOnce()", "func TryOnce(again bool)", 1)}, ""},
		"a new member":            {map[string]string{"state.go": strings.Replace(before["state.go"], "Closed int", "Closed, Parked int", 1)}, "wiki/state.md"},
		"a value of a name":       {map[string]string{"limit.go": "package shop\n\nconst MaxItems = 70\n"}, "wiki/limit.md!"},
		"a new file of a folder":  {map[string]string{"billing/b.go": "package billing\n\nfunc B() {}\n"}, "wiki/bills.md"},
		"prose that is mentioned": {map[string]string{"NOTES.txt": "Two.\n"}, ""},
		"a file of a page's name": {map[string]string{"lib/deploy.go": "package lib\n\nfunc Deploy() {}\n"}, ""},
		"a page":                  {map[string]string{"wiki/ops.md": "# Ops\n\nRun `deploy.sh` twice.\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			git := func(args ...string) {
				cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v: %s", args, err, out)
				}
			}
			git("init", "-q")
			for _, files := range []map[string]string{before, c.change} {
				write(t, dir, files)
				git("add", "-A")
				git("commit", "-qm", "x")
			}
			var got []string
			for _, it := range listOf(t, dir) {
				mark := ""
				if it.Wrong {
					mark = "!"
				}
				got = append(got, it.Page+mark)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		if text == "" {
			err = os.Remove(full)
		} else if err == nil {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// listOf returns the work list of the last commit.
func listOf(t *testing.T, dir string) []Item {
	t.Helper()
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{History: true})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := history.Since(t.Context(), ws.Root, "HEAD~1")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for name := range before {
		files = append(files, name)
	}
	for name := range changes.Files {
		files = append(files, filepath.ToSlash(filepath.Join(ws.RootPath, name)))
	}
	items, err := List(t.Context(), w, Bind(t.Context(), w, files), changes, DefaultLimit, nil)
	if err != nil {
		t.Fatal(err)
	}
	return items
}
