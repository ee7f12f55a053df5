package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"text/template"
)

//go:embed workflows
var workflowFiles embed.FS

// Actions of others, each as the commit of one of its releases: a tag can be
// moved, and workflows run with tokens.
const (
	checkoutAction    = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2"
	uploadAction      = "actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1"
	uploadAction3     = "actions/upload-artifact@a8a3f3ad30e3422c9c7b888a15615d19a852ae32 # v3.1.3"
	downloadAction3   = "actions/download-artifact@9bc31d5ccc31df68ecc42ccf4149144866c47d8a # v3.0.2"
	downloadAction    = "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1"
	uploadPagesAction = "actions/upload-pages-artifact@7b1f4a764d45c48632c6b24a0339c27f5614fb0b # v4.0.0"
	deployPagesAction = "actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e # v4.0.5"
)

// Repository is the data about a repository that workflows need.
type Repository struct {
	Branch string // that work is merged into
	Root   string // of the wiki, below the repository, slash-separated
	// Action is the version of this project's action: a tag, a commit or a branch.
	Action string
}

// Loop is a loop that a workflow starts.
type Loop struct {
	Name string
	Path string // of its spec
	Word string // what 'wiki loop run' calls it by
	// Crons are five fields each, in UTC; Merge starts it after merges, too.
	Crons   []string
	Merge   bool
	Minutes int
	Issues  bool // it reads the issues of the host
}

// Key is the name as GitLab has it as a job and an anchor.
func (l Loop) Key() string { return "loop-" + l.Name }

// Hosts are the hosts that workflows are written for; the first is the default.
var Hosts = []string{"github", "gitea", "gitlab"}

// host is what workflows of a host differ in.
type host struct {
	Host, Folder               string
	Bot, Mail                  string
	Checkout, Upload, Download string
	Prefix                     string // of this project's action
}

var hosts = map[string]host{
	"github": {
		Folder: ".github/workflows", Bot: "github-actions[bot]", Mail: "41898282+github-actions[bot]@users.noreply.github.com",
		Checkout: checkoutAction, Upload: uploadAction, Download: downloadAction,
	},
	"gitea": { // which has the artifacts of version 3
		Folder: ".gitea/workflows", Bot: "gitea-actions", Mail: "teabot@gitea.io", Prefix: "https://github.com/",
		Checkout: checkoutAction, Upload: uploadAction3, Download: downloadAction3,
	},
	"gitlab": {Folder: ".gitlab", Bot: "wiki loops", Mail: "wiki-loops@localhost"},
}

// gitlabFile is the one that GitLab reads. It includes ours, so that it can be somebody
// else's.
var gitlabFile = File{Path: ".gitlab-ci.yml", Text: "include:\n  - local: .gitlab/wiki-ci.yml\n"}

// WorkflowsFolder returns where workflows of a host lie.
func WorkflowsFolder(host string) string { return hosts[host].Folder }

// Workflows returns the workflows of a host that check a wiki, publish it, and run its
// loops. What costs money or shows pages to others is off in them until the repository
// says otherwise.
func Workflows(host string, r Repository) []File {
	if host == "gitlab" {
		return []File{gitlabFile, workflow(host, "wiki-ci.yml", "wiki-ci.yml", r, Loop{})}
	}
	entries, err := fs.ReadDir(workflowFiles, "workflows")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var out []File
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yml" || host != "github" && e.Name() == "wiki-pages.yml" {
			continue
		}
		out = append(out, workflow(host, e.Name(), e.Name(), r, Loop{}))
	}
	return out
}

// LoopWorkflow returns the workflow of a host that runs one loop.
func LoopWorkflow(host string, r Repository, l Loop) File {
	if host == "gitlab" {
		return workflow(host, "gitlab-loop", "loop-"+l.Name+".yml", r, l)
	}
	return workflow(host, "loop.tmpl", "loop-"+l.Name+".yml", r, l)
}

// workflow fills a template in.
func workflow(name, template, file string, r Repository, l Loop) File {
	h := hosts[name]
	h.Host = name
	values := struct {
		host
		Branch, Pages, Wiki, Action string
		Manual                      string
		UploadPages, DeployPages    string
		Loop                        Loop
	}{
		host: h, Branch: scalar(r.Branch), Pages: ownPages(r.Root), Wiki: h.Prefix + "loopwiki/wiki@" + r.Action, Action: r.Action,
		Manual:      "https://github.com/loopwiki/wiki/blob/main/wiki/10_DOMAIN/continuous-integration.md",
		UploadPages: uploadPagesAction, DeployPages: deployPagesAction, Loop: l,
	}
	var text bytes.Buffer
	if err := workflowTemplates().ExecuteTemplate(&text, template, values); err != nil {
		panic(err)
	}
	return File{Path: path.Join(h.Folder, file), Text: text.String()}
}

// workflowTemplates have other braces than workflows and shells.
var workflowTemplates = sync.OnceValue(func() *template.Template {
	quote := func(words ...string) string { return fmt.Sprintf("%q", strings.Join(words, "")) }
	return template.Must(template.New("").Delims("[[", "]]").Funcs(template.FuncMap{"quote": quote, "include": include}).ParseFS(workflowFiles, "workflows/*"))
})

// include returns a script as lines of a block in a list of commands. The action runs the
// same file.
func include(name string) (string, error) {
	text, err := fs.ReadFile(workflowFiles, "workflows/"+name)
	script := strings.TrimSuffix(string(text), "\n")
	return "      " + strings.ReplaceAll(strings.ReplaceAll(script, "\n", "\n      "), "\n      \n", "\n\n"), err
}

// ownPages are globs of files whose changes need no new look at the wiki, as a YAML
// list; none if the pages have no separate folder.
func ownPages(root string) string {
	if root == "" || root == "." {
		return ""
	}
	// What globs mean is escaped by a backslash, and quotes of YAML by their double.
	glob := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "+", `\+`, "!", `\!`, "'", "''").Replace(root)
	return "['" + glob + "/**', 'plans/**']"
}
