package plan

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

const lodeloopTask = `{
"project": "myapp",
"feature": "Add user authentication",
"workdir": "~/myapp",
"agent": "codex",
"constraints": ["no new dependencies"],
"verify": {
"commands": ["npm run typecheck", "npm test # all"],
"timeout": 300
},
"context_files": ["AGENTS.md"],
"stories": [
{"id": "S2", "title": "Add login", "priority": 2},
{
"id": "S1",
"title": "Add user model",
"description": "Create User model with email and password",
"acceptance": ["User model exists", "Migration runs"],
"priority": 1,
"passes": true,
"notes": "see \u00fcber"
}
]
}
`

func TestLodeloopTask(t *testing.T) {
	t.Parallel()
	at := TaskPlace{File: filepath.FromSlash("/w/task.json"), Path: "task.json", Home: filepath.FromSlash("/home/a")}
	got, faults := ReadTask(at, []byte(lodeloopTask))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	verify := []string{"npm run typecheck", "npm test # all"}
	want := &Task{
		Plan: loops.Plan{
			Name: "add-user-authentication", Path: "task.json", Hash: Hash([]byte(lodeloopTask)), Title: "Add user authentication", Priority: 2,
			Scope: []string{"**"}, Goal: "(npm run typecheck\n) && (npm test # all\n)", Context: "Constraints:\n\n- no new dependencies", Format: loops.LodeloopTask,
			Chunks: []loops.Chunk{
				{ID: "S1", Title: "Add user model", Verify: verify, Done: true, Tests: loops.TestsRule{Kind: loops.TestsNew},
					Text: "Create User model with email and password\n\nAcceptance criteria:\n\n- User model exists\n- Migration runs\n\nNotes:\n\nsee über"},
				{ID: "S2", Title: "Add login", Verify: verify, Tests: loops.TestsRule{Kind: loops.TestsNew}},
			},
		},
		Project: "myapp", Feature: "Add user authentication", Workdir: filepath.FromSlash("/home/a/myapp"), Agent: "codex",
		Constraints: []string{"no new dependencies"}, ContextFiles: []string{"AGENTS.md"}, Verify: verify, Timeout: 300 * time.Second,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(loops.Chunk{}, "Span"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s := string(got.Plan.Chunks[1].Span.In([]byte(lodeloopTask))); s != `{"id": "S2", "title": "Add login", "priority": 2}` {
		t.Error(s)
	}
}

// A relative workdir is that of the task file, wherever somebody stands.
func TestWorkdir(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{"app": "/w/tasks/app", "": "/w/tasks", "../app": "/w/app", "/srv": "/srv", "~": "/home/a", "~/x": "/home/a/x", "~b/x": ""} {
		src := `{"workdir": "` + dir + `", "verify": {"commands": ["a"]}, "stories": [{"id": "S", "title": "t"}]}`
		got, _ := ReadTask(TaskPlace{File: filepath.FromSlash("/w/tasks/task.json"), Home: filepath.FromSlash("/home/a")}, []byte(src))
		if got == nil || filepath.ToSlash(got.Workdir) != want {
			t.Errorf("%q: %+v, want %s", dir, got, want)
		}
	}
}

func TestPRD(t *testing.T) {
	t.Parallel()
	ralph := `{"project": "A", "branchName": "ralph/task-priority", "description": "D", "userStories": [
  {"id": "US-001", "title": "T", "description": "d", "acceptanceCriteria": ["c"], "priority": 1, "passes": false, "notes": ""}]}`
	got, faults := ReadTask(TaskPlace{File: filepath.FromSlash("/w/prd.json")}, []byte(ralph))
	if len(faults) > 0 || got.Plan.Format != loops.RalphTask || got.Branch != "ralph/task-priority" || got.Plan.Name != "ralph-task-priority" || got.Plan.Chunks[0].Mode != "" {
		t.Errorf("%+v %v", got, faults)
	}
	own := strings.Replace(strings.Replace(ralph, `"notes"`, `"rejections": 2, "notes"`, 1), "ralph/", "loop/", 1)
	at := TaskPlace{File: filepath.FromSlash("/w/.loop/prd.json"), Contracts: fstest.MapFS{"US-001.contract.md": {Data: []byte("# Done when\n")}}}
	for _, mode := range []string{"", "explore", "fix"} {
		at.Mode = mode
		got, faults = ReadTask(at, []byte(own))
		if len(faults) > 0 || got.Plan.Format != loops.AgentLoop || got.Plan.Name != "task-priority" || got.Plan.Branch() != got.Branch || filepath.ToSlash(got.Workdir) != "/w" {
			t.Fatalf("%+v %v", got, faults)
		}
		c := got.Plan.Chunks[0]
		if !strings.HasSuffix(c.Text, "Contract:\n\n# Done when") {
			t.Error(c.Text)
		}
		scope := strings.Join(got.Plan.ScopeOf(&c), " ")
		switch {
		case mode == "explore" && (scope != ".loop/triage/US-001-analysis.md" || c.Tests.Kind != loops.TestsNone || c.Mode != mode):
			t.Errorf("explore: %s %+v", scope, c)
		case mode == "" && (scope != "**" || c.Mode != "implement"), mode == "fix" && c.Mode != "fix":
			t.Errorf("%s: %s %+v", mode, scope, c)
		}
	}
}

func TestTaskFaults(t *testing.T) {
	t.Parallel()
	const rest = `"verify": {"commands": ["a"]}, "stories": [{"id": "S", "title": "t"}]}`
	for _, tt := range []struct{ name, src, want string }{
		{"empty", "", `1:1: error: malformed JSON: expected a value, got the end of the file [json]`},
		{"cut off", "{\n  \"stories\": [\n", `3:1: error: malformed JSON: expected a value, got the end of the file [json]`},
		{"comma", "{\n  \"stories\": [],\n}", `2:16: error: malformed JSON: a comma before the } [json]`},
		{"quotes", "{\n  'stories': []}", `2:3: error: malformed JSON: expected a key in double quotes, got "'" [json]`},
		{"comment", "{ // a\n}", `1:3: error: malformed JSON: expected a key in double quotes, got "/" [json]`},
		{"escape", `{"a": "\q"}`, `1:7: error: malformed JSON: invalid escape in a string [json]`},
		{"number", `{"a": 01}`, `1:7: error: malformed JSON: "01" is not a number [json]`},
		{"line", "{\"a\": \"b\n\"}", `1:7: error: malformed JSON: string not closed on its line [json]`},
		{"more", `{} {}`, `1:4: error: malformed JSON: content after the end of the document [json]`},
		{"deep", strings.Repeat("[", 200), `1:102: error: malformed JSON: values are nested more than 100 deep [json]`},
		{"not UTF-8", "{\"a\": \"\xff\"}", `1:8: error: malformed JSON: the file is not UTF-8 [json]`},
		{"a list", `[]`, `1:1: error: expected an object with stories, got list [json]`},
		{"no stories", `{"project": "a"}`, `1:1: error: the file has no stories; write "stories": [{"id": …}] (lodeloop) or "userStories" (ralph, agent-loop) [no-stories]`},
		{"misspelled", `{"storys": []}`, `1:2: error: the file has no stories, and the key "storys" is unknown; did you mean "stories"? [no-stories]`},
		{"none", `{"verify": {"commands": ["a"]}, "stories": []}`, `1:44: error: stories is empty; write at least one [no-stories]`},
		{"not a list", `{"userStories": {}}`, `1:17: error: userStories is map; write at least one [no-stories]`},
		{"unknown key", `{"agnet": "codex", ` + rest, `1:2: warning: unknown key "agnet"; did you mean "agent"? [unknown-key]`},
		{"extra key", `{"owner": "x", ` + rest, `1:2: warning: unknown key "owner"; it is ignored and kept [unknown-key]`},
		{"agent", `{"agent": "cladue", ` + rest, `1:11: error: agent: invalid value "cladue"; did you mean "claude"? [invalid-value]`},
		{"home", `{"workdir": "~b", ` + rest, `1:13: error: workdir "~b": only ~ and ~/… are supported; write the full path [invalid-value]`},
		{"context", `{"context_files": ["../x"], ` + rest, `1:19: error: context_files: "../x" is outside the repository; list files below the workdir [path-unsafe]`},
		{"verify", `{"stories": [{"id": "S", "title": "t"}]}`, `1:1: error: the file has no commands to verify with; write "verify": {"commands": ["npm test"]} [no-verify]`},
		{"passes", `{"userStories": [{"id": "S", "title": "t", "passes": "no"}]}`, `1:54: error: passes is text "no"; expected true or false [invalid-value]`},
		{"id", `{"userStories": [{"id": "../S", "title": "t"}]}`, `1:25: error: id is text "../S"; expected letters, digits, dots, hyphens and underscores, such as US-001 [invalid-value]`},
		{"two ids", `{"userStories": [{"id": "S", "title": "t"}, {"id": "S", "title": "u"}]}`, `1:52: error: two stories have the id "S"; give each story its own id [duplicate-story]`},
		{"two keys", `{"userStories": [{"id": "S", "title": "t", "title": "u"}]}`, `1:44: error: duplicate key "title"; remove one [duplicate-key]`},
		{"priority", `{"userStories": [{"id": "S", "title": "t", "priority": "high"}]}`, `1:56: error: priority is text "high"; expected a whole number [invalid-value]`},
	} {
		task, faults := ReadTask(TaskPlace{File: filepath.FromSlash("/w/task.json"), Home: filepath.FromSlash("/h")}, []byte(tt.src))
		if len(faults) != 1 || faults[0].String() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.name, faults, tt.want)
		}
		if task != nil && len(task.Plan.Chunks) == 0 {
			t.Errorf("%s: a task with zero stories", tt.name)
		}
	}
}

func TestUpdateStories(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	src := "{\r\n\t\"x\" : 1.50,\r\n\t\"userStories\" : [\r\n\t\t{ \"id\" : \"A\", \"own\": [1,2],\r\n\t\t  \"passes\" : false, \"notes\" : \"a \\u00e9\" },\r\n\t\t{\"id\":\"B\"},\r\n\t\t{\r\n\t\t\t\"id\": \"C\",\r\n\t\t\t\"rejections\": 2\r\n\t\t}\r\n\t]\r\n}"
	got, err := UpdateStories([]byte(src),
		StoryUpdate{ID: "C", Passes: &no, Rejected: true, Note: "a.go:3 \"x\" <b>"}, StoryUpdate{ID: "A", Passes: &yes, Note: "done"}, StoryUpdate{ID: "B", Passes: &yes})
	want := strings.NewReplacer(
		`"passes" : false, "notes" : "a \u00e9"`, `"passes" : true, "notes" : "a é\ndone"`,
		`{"id":"B"}`, `{"id":"B", "passes":true}`,
		"\"rejections\": 2", "\"rejections\": 3,\r\n\t\t\t\"passes\": false,\r\n\t\t\t\"notes\": \"[REJECTED] a.go:3 \\\"x\\\" <b>\"").Replace(src)
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for in, want := range map[string]string{
		`{"stories": [}`:                    "1:14: malformed JSON: expected a value, got \"}\"",
		`{"stories": [{"id": "B"}]}`:        `story "A" is not in the file, or updated twice`,
		`{"stories": [{"id": "A"}, 3, {}]}`: "",
	} {
		_, err := UpdateStories([]byte(in), StoryUpdate{ID: "A", Passes: &yes})
		if got := ""; err != nil && err.Error() != want || err == nil && want != got {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

func FuzzTask(f *testing.F) {
	for _, s := range schematest.Vary(300, lodeloopTask, `{"userStories": [{"id": "A", "rejections": 1, "notes": "x", "passes": false}]}`, `{"stories":[{"id":"A"}],"verify":{"commands":["a","b"]}}`) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		task, faults := ReadTask(TaskPlace{File: "/w/task.json", Home: "/h"}, src)
		if task == nil {
			if !Refused(faults) {
				t.Error("no task, and no fault")
			}
			return
		}
		if len(task.Plan.Chunks) == 0 {
			t.Error("a task with zero stories")
		}
		if Refused(faults) {
			return
		}
		var updates []StoryUpdate
		for _, c := range task.Plan.Chunks {
			flip := !c.Done
			updates = append(updates, StoryUpdate{ID: c.ID, Passes: &flip, Note: "n\"\n", Rejected: true})
		}
		out, err := UpdateStories(src, updates...)
		if err != nil {
			t.Fatal(err)
		}
		again, faults := ReadTask(TaskPlace{File: "/w/task.json", Home: "/h"}, out)
		if again == nil || len(again.Plan.Chunks) != len(task.Plan.Chunks) {
			t.Fatalf("%q became %q: %v", src, out, faults)
		}
		for i, c := range again.Plan.Chunks {
			if c.Done == task.Plan.Chunks[i].Done || c.ID != task.Plan.Chunks[i].ID || !strings.Contains(c.Text, "[REJECTED] n\"") {
				t.Errorf("%q became %q", src, out)
			}
		}
	})
}
