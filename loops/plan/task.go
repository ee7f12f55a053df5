package plan

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Task is a task file of somebody else's, as a plan and with what a plan has no
// word for.
type Task struct {
	Plan loops.Plan
	// Project and Feature are what commits and prompts are to name.
	Project, Feature, Description string
	// Branch is the branch that the file asks for, "" if it does not.
	Branch string
	// Workdir is where the work is, as a path of this machine: ~ is written out,
	// and a relative one is that of the task file's folder.
	Workdir string
	// Agent is codex or claude, "" if the file does not say.
	Agent       string
	Constraints []string
	// ContextFiles go into the prompt, relative to Workdir.
	ContextFiles []string
	// Verify are the commands that must all succeed, each within Timeout (zero
	// if the file does not say).
	Verify  []string
	Timeout time.Duration
}

// TaskPlace is where a task file lies.
type TaskPlace struct {
	// File is the file's path on this machine, Path the one below the
	// repository's root, which the plan is known by.
	File, Path string
	// Home is what ~ stands for.
	Home string
	// Contracts holds {story}.contract.md files; nil if there are none.
	Contracts fs.FS
	// Mode is that of agent-loop: implement (also when empty), explore or fix.
	Mode string
}

// The keys that the task files have.
var (
	lodeloopKeys  = []string{"project", "feature", "branch", "workdir", "agent", "constraints", "verify", "context_files", "stories", "spec_changes"}
	lodeloopStory = []string{"id", "title", "description", "acceptance", "priority", "passes", "notes"}
	verifyKeys    = []string{"commands", "timeout"}
	prdKeys       = []string{"project", "branchName", "description", "userStories", "spec_changes"}
	prdStory      = []string{"id", "title", "description", "acceptanceCriteria", "priority", "passes", "notes"}
	modes         = []string{"implement", "explore", "fix"}
)

// storyID is what an id may be: it names files and is in commit messages.
var storyID = schema.Expression(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// triage is the folder that explore mode may write.
const triage = ".loop/triage"

// taskReader reads one task file.
type taskReader struct {
	collector
	task  *Task
	place TaskPlace
}

// ReadTask reads task.json of lodeloop or prd.json of ralph and agent-loop;
// which of them it is, its keys say. The task is nil if the file is malformed or
// holds no stories. Unknown keys are warnings; all else that is wrong is an
// error at its line and column.
func ReadTask(at TaskPlace, src []byte) (*Task, []Fault) {
	r := &taskReader{collector: newCollector(src), place: at}
	if len(src) > maxTask {
		r.err("too-large", schema.Span{}, "", "the file has %d bytes, more than %d", len(src), maxTask)
		return nil, r.faults
	}
	root, off, fault := readJSON(src)
	if root == nil {
		r.err("json", schema.Span{Start: off, End: min(off+1, len(src))}, "", "malformed JSON: %s", fault)
		return nil, r.faults
	}
	if root.Kind != schema.KindMap {
		r.err("json", root.Span, "", "expected an object with stories, got %s", kind(root))
		return nil, r.faults
	}
	r.twice(root)
	r.task = &Task{Plan: loops.Plan{Path: at.Path, Hash: Hash(src), Priority: 2, Scope: []string{"**"}, Chunks: []loops.Chunk{}}}
	switch {
	case root.Get("stories") != nil && root.Get("userStories") == nil && path.Base(path.Dir(slashed(at.File))) != ".loop":
		r.lodeloop(root)
	case root.Get("userStories") != nil:
		r.prd(root)
	default:
		r.noStories(root)
	}
	if v := root.Get("spec_changes"); v != nil {
		r.task.Plan.SpecChanges = r.specChanges(v)
	}
	if faults := r.sorted(); Refused(faults) && len(r.task.Plan.Chunks) == 0 {
		return nil, faults
	}
	return r.task, r.faults
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// noStories says that there are none, and how they are called.
func (r *taskReader) noStories(root *schema.Node) {
	for _, p := range root.Pairs {
		if near, ok := schema.Nearest(p.Key, []string{"stories", "userStories", "user_stories"}); ok {
			if near != "stories" || path.Base(path.Dir(slashed(r.place.File))) == ".loop" {
				near = "userStories"
			}
			r.err("no-stories", p.KeySpan, "did you mean \""+near+"\"?", "the file has no stories, and the key %q is unknown", p.Key)
			return
		}
	}
	r.err("no-stories", schema.Span{Start: root.Span.Start, End: root.Span.Start + 1}, "write \"stories\": [{\"id\": …}] (lodeloop) or \"userStories\" (ralph, agent-loop)", "the file has no stories")
}

// twice reports keys that an object has twice: readers differ on which counts.
func (r *taskReader) twice(root *schema.Node) {
	root.Walk(func(n *schema.Node) {
		seen := map[string]bool{}
		for _, p := range n.Pairs {
			if seen[p.Key] {
				r.err("duplicate-key", p.KeySpan, "remove one", "duplicate key %q", p.Key)
			}
			seen[p.Key] = true
		}
	})
}

// known warns of keys that nobody reads.
func (r *taskReader) known(n *schema.Node, keys ...string) {
	for _, p := range n.Pairs {
		if !slices.Contains(keys, p.Key) {
			hint := "it is ignored and kept"
			if near, ok := schema.Nearest(p.Key, keys); ok {
				hint = "did you mean \"" + near + "\"?"
			}
			r.warn("unknown-key", p.KeySpan, hint, "unknown key %q", p.Key)
		}
	}
}

// wrong reports a value of a wrong kind.
func (r *taskReader) wrong(n *schema.Node, key, expected string) {
	r.err("invalid-value", n.Span, "expected "+expected, "%s is %s", key, kind(n))
}

func (r *taskReader) text(n *schema.Node, key string) string {
	v := n.Get(key)
	if v == nil || v.Kind == schema.KindNull {
		return ""
	}
	if v.Kind != schema.KindString {
		r.wrong(v, key, "text")
		return ""
	}
	return v.Text
}

func (r *taskReader) texts(n *schema.Node, key string) []string {
	v := n.Get(key)
	if v == nil || v.Kind == schema.KindNull {
		return nil
	}
	if v.Kind != schema.KindList {
		r.wrong(v, key, "a list of strings")
		return nil
	}
	var out []string
	for _, it := range v.Items {
		if it.Kind != schema.KindString {
			r.wrong(it, key, "text")
			continue
		}
		out = append(out, it.Text)
	}
	return out
}

func (r *taskReader) boolean(n *schema.Node, key string) bool {
	v := n.Get(key)
	if v == nil || v.Kind == schema.KindNull {
		return false
	}
	if v.Kind != schema.KindBool {
		r.wrong(v, key, "true or false")
		return false
	}
	return v.Text == "true"
}

// integer reads a whole number that is not below 0; none if it is not given.
func (r *taskReader) integer(n *schema.Node, key string, none int) int {
	v := n.Get(key)
	if v == nil || v.Kind == schema.KindNull {
		return none
	}
	i, err := strconv.Atoi(v.Text)
	if v.Kind != schema.KindInt || err != nil || i < 0 {
		r.wrong(v, key, "a whole number")
		return none
	}
	return i
}

// story is one of a task file.
type story struct {
	node     *schema.Node
	priority int
	chunk    loops.Chunk
	criteria []string
}

// stories reads a list of stories in the order in which they are worked on.
func (r *taskReader) stories(list *schema.Node, key, criteria string, keys ...string) []story {
	if list.Kind != schema.KindList || len(list.Items) == 0 {
		r.err("no-stories", list.Span, "write at least one", "%s is %s", key, map[bool]string{true: "empty", false: kind(list)}[list.Kind == schema.KindList])
		return nil
	}
	const last = 1 << 30 // a story without a priority comes after those that have one
	var out []story
	seen := map[string]bool{}
	for _, n := range list.Items {
		if n.Kind != schema.KindMap {
			r.wrong(n, "a story", "an object")
			continue
		}
		r.known(n, keys...)
		s := story{node: n, priority: r.integer(n, "priority", last), criteria: r.texts(n, criteria)}
		s.chunk = loops.Chunk{ID: r.id(n), Title: text.Collapse(r.text(n, "title")), Done: r.boolean(n, "passes"), Span: n.Span, Tests: loops.TestsRule{Kind: loops.TestsNew}}
		if s.chunk.ID == "" {
			continue
		}
		at := n.Get("id").Span
		if seen[s.chunk.ID] {
			r.err("duplicate-story", at, "give each story its own id", "two stories have the id %q", s.chunk.ID)
			continue
		}
		seen[s.chunk.ID] = true
		if s.chunk.Title == "" {
			r.err("empty-value", at, "write \"title\": \"…\"", "the story %q has no title", s.chunk.ID)
		}
		s.chunk.Text = storyText(r.text(n, "description"), s.criteria, r.text(n, "notes"))
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b story) int { return cmp.Compare(a.priority, b.priority) })
	return out
}

// id reads the id of a story, "" if it has none that names it.
func (r *taskReader) id(n *schema.Node) string {
	v := n.Get("id")
	switch {
	case v == nil:
		r.err("invalid-value", schema.Span{Start: n.Span.Start, End: n.Span.Start + 1}, "write \"id\": \"S1\"", "the story has no id")
	case v.Kind != schema.KindString || !storyID().MatchString(v.Text):
		r.wrong(v, "id", "letters, digits, dots, hyphens and underscores, such as US-001")
	default:
		return v.Text
	}
	return ""
}

// storyText returns what the maker is told about a story.
func storyText(description string, criteria []string, notes string) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(description))
	if len(criteria) > 0 {
		b.WriteString("\n\nAcceptance criteria:\n")
		for _, c := range criteria {
			b.WriteString("\n- " + text.Collapse(c))
		}
	}
	if notes = strings.TrimSpace(notes); notes != "" {
		b.WriteString("\n\nNotes:\n\n" + notes)
	}
	return strings.TrimSpace(b.String())
}
