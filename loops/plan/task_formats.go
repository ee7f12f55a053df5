package plan

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// lodeloop reads task.json.
func (r *taskReader) lodeloop(root *schema.Node) {
	r.known(root, lodeloopKeys...)
	t := r.task
	t.Plan.Format = loops.LodeloopTask
	t.Project, t.Feature, t.Branch = r.text(root, "project"), r.text(root, "feature"), r.text(root, "branch")
	t.Constraints, t.ContextFiles = r.texts(root, "constraints"), r.texts(root, "context_files")
	t.Workdir = r.workdir(root)
	if t.Agent = r.text(root, "agent"); t.Agent != "" && !slices.Contains(lodeloopAgents, t.Agent) {
		r.err("invalid-value", root.Get("agent").Span, nearest(t.Agent, lodeloopAgents), "agent: invalid value %q", t.Agent)
	}
	if v := root.Get("verify"); v != nil && v.Kind != schema.KindMap {
		r.wrong(v, "verify", "an object with commands")
	} else if v != nil {
		r.known(v, verifyKeys...)
		t.Verify = r.texts(v, "commands")
		t.Timeout = time.Duration(r.integer(v, "timeout", 0)) * time.Second
	}
	if len(t.Verify) == 0 {
		at := schema.Span{Start: root.Span.Start, End: root.Span.Start + 1}
		if v := root.Get("verify"); v != nil {
			at = v.Span
		}
		r.err("no-verify", at, "write \"verify\": {\"commands\": [\"npm test\"]}", "the file has no commands to verify with")
	}
	for _, f := range t.ContextFiles {
		if why := unsafePath(f); why != "" {
			r.err("path-unsafe", root.Get("context_files").Span, "list files below the workdir", "context_files: %q %s", f, why)
		}
	}
	r.finish(r.stories(root.Get("stories"), "stories", "acceptance", lodeloopStory...), "")
	t.Plan.Goal = all(t.Verify)
}

// workdir returns where the work is.
func (r *taskReader) workdir(root *schema.Node) string {
	dir := r.text(root, "workdir")
	folder := filepath.Dir(r.place.File)
	switch {
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		if r.place.Home == "" {
			r.err("invalid-value", root.Get("workdir").Span, "write the full path", "workdir %q: no home directory", dir)
			return ""
		}
		return filepath.Join(r.place.Home, filepath.FromSlash(strings.TrimPrefix(dir[1:], "/")))
	case strings.HasPrefix(dir, "~"):
		r.err("invalid-value", root.Get("workdir").Span, "write the full path", "workdir %q: only ~ and ~/… are supported", dir)
		return ""
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	}
	return filepath.Join(folder, filepath.FromSlash(dir))
}

// all returns a command for the shell that succeeds if all commands do.
func all(commands []string) string {
	if len(commands) == 1 {
		return commands[0]
	}
	var b strings.Builder
	for i, c := range commands {
		if i > 0 {
			b.WriteString(" && ")
		}
		b.WriteString("(" + c + "\n)") // the line end closes a comment
	}
	return b.String()
}

// prd reads prd.json of ralph and agent-loop.
func (r *taskReader) prd(root *schema.Node) {
	t := r.task
	t.Plan.Format = loops.RalphTask
	dir := slashed(r.place.File)
	own := path.Base(path.Dir(dir)) == ".loop" || r.place.Contracts != nil || r.place.Mode != ""
	if list := root.Get("userStories"); list.Kind == schema.KindList {
		own = own || slices.ContainsFunc(list.Items, func(n *schema.Node) bool { return n.Get("rejections") != nil })
	}
	storyKeys := prdStory
	mode := ""
	if own {
		t.Plan.Format = loops.AgentLoop
		storyKeys = append(slices.Clone(prdStory), "rejections")
		if mode = cmp.Or(r.place.Mode, "implement"); !slices.Contains(modes, mode) {
			r.err("invalid-value", root.Span, nearest(mode, modes), "mode: invalid value %q", mode)
		}
	}
	r.known(root, prdKeys...)
	t.Project, t.Description, t.Branch = r.text(root, "project"), r.text(root, "description"), r.text(root, "branchName")
	t.Feature = t.Description
	t.Workdir = filepath.Dir(r.place.File)
	if path.Base(path.Dir(dir)) == ".loop" {
		t.Workdir = filepath.Dir(t.Workdir)
	}
	r.finish(r.stories(root.Get("userStories"), "userStories", "acceptanceCriteria", storyKeys...), mode)
	if mode == "explore" {
		t.Plan.Scope = []string{triage + "/**"}
	}
}

// finish makes the stories the chunks of the plan.
func (r *taskReader) finish(stories []story, mode string) {
	t := r.task
	branch := strings.TrimPrefix(t.Branch, "loop/")
	t.Plan.Name = cmp.Or(Slug(branch), Slug(t.Feature), Slug(t.Project), Slug(NameOf(strings.TrimSuffix(slashed(r.place.File), ".json"))), "task")
	t.Plan.Title = cmp.Or(text.Collapse(t.Feature), text.Collapse(t.Project), t.Plan.Name)
	t.Plan.Context = strings.TrimSpace(t.Description)
	if len(t.Constraints) > 0 {
		t.Plan.Context = strings.TrimSpace(t.Plan.Context + "\n\nConstraints:\n\n- " + strings.Join(t.Constraints, "\n- "))
	}
	for _, s := range stories {
		c := s.chunk
		c.Verify, c.Mode = slices.Clone(t.Verify), mode
		if mode == "explore" {
			c.Files, c.Tests = []string{triage + "/" + c.ID + "-analysis.md"}, loops.TestsRule{Kind: loops.TestsNone}
		}
		if contract := r.contract(s); contract != "" {
			c.Text = strings.TrimSpace(c.Text + "\n\nContract:\n\n" + contract)
		}
		t.Plan.Chunks = append(t.Plan.Chunks, c)
	}
}

// maxContract is how many bytes a contract may have.
const maxContract = 64 << 10

// contract reads what defines when a story is done.
func (r *taskReader) contract(s story) string {
	if r.place.Contracts == nil {
		return ""
	}
	name := ContractName(s.chunk.ID)
	b, err := fs.ReadFile(r.place.Contracts, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.warn("no-contract", s.node.Get("id").Span, "write .loop/contracts/"+name, "the story %q has no contract", s.chunk.ID)
	case err != nil:
		r.err("no-contract", s.node.Get("id").Span, "", "can't read the contract of %q: %v", s.chunk.ID, err)
	case len(b) > maxContract:
		r.err("too-large", s.node.Get("id").Span, "shorten it", "the contract of %q has %d bytes, more than %d", s.chunk.ID, len(b), maxContract)
	default:
		return strings.TrimSpace(string(b))
	}
	return ""
}

// ContractName returns the file of a story's contract, in .loop/contracts.
func ContractName(story string) string { return story + ".contract.md" }
