package scaffold

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"strings"
	"text/template"
)

//go:embed workflows
var workflowFiles embed.FS

// WorkflowsFolder is where GitHub looks for workflows, in the top folder of a
// repository and nowhere else.
const WorkflowsFolder = ".github/workflows"

// Actions of others, each as the commit of one of its releases: a tag can be
// moved, and workflows run with tokens.
const (
	CheckoutAction    = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2"
	UploadAction      = "actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1"
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

// Workflows returns the workflows of GitHub Actions that check a wiki, publish it,
// and run its loops. What costs money or shows pages to others is off in them
// until the repository says otherwise.
func Workflows(r Repository) []File {
	// Workflows and shells use braces themselves.
	parts := template.Must(template.New("").Delims("[[", "]]").ParseFS(workflowFiles, "workflows/*"))
	values := map[string]string{
		"Branch": scalar(r.Branch), "Pages": ownPages(r.Root), "Wiki": "loopwiki/wiki@" + r.Action,
		"Manual":   "https://github.com/loopwiki/wiki/blob/main/wiki/10_DOMAIN/continuous-integration.md",
		"Checkout": CheckoutAction, "Upload": UploadAction, "Download": downloadAction, "UploadPages": uploadPagesAction, "DeployPages": deployPagesAction,
	}
	entries, err := fs.ReadDir(workflowFiles, "workflows")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var out []File
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yml" {
			continue
		}
		var text bytes.Buffer
		if err := parts.ExecuteTemplate(&text, e.Name(), values); err != nil {
			panic(err)
		}
		out = append(out, File{Path: path.Join(WorkflowsFolder, e.Name()), Text: text.String()})
	}
	return out
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
