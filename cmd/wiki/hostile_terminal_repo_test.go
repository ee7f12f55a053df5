//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/schema/schematest"
)

// What steers a terminal, between words that show whether it is printed at all: the
// clipboard, a link, a colour, device control, C1 in UTF-8, DEL, characters that go back, text
// that is turned around, separators of lines, and lines that look like somebody else's.
const (
	terminalInline  = "zqx\x1b]52;c;QQ==\x07\x1b]8;;x:y\x1b\\\x1b[38;2;66;66;66m\x1bPq\x1b\\\u009b31m\u009d0;x\u009c\x7f\x08\x0c\x0b\u202e\u2066\u2028\u2029\u0085zqy"
	terminalPayload = terminalInline + "\r\n::add-mask::FAKED\n##[group]FAKED\nFAKED x\nfake.md:1:1: error: FAKED [faked]\n"
	terminalName    = "zqx\x1b]52;c;QQ==\x07\x1b[38;2;66;66;66m\u009b31m\x7f\r\x08\u202e\u2066\u2028\n::add-mask::FAKED\nFAKED"
	terminalRaw     = "zqx\x9b31m\x9d0;x\x9czqy"
)

// terminalHook is what a command gets on its standard input.
var terminalHook = `{"tool_name": "Bash", "tool_input": {"command": ` + terminalQuoted(terminalPayload+"'") + `}}`

// terminalQuoted is a string of JSON and of YAML in which everything unusual is escaped.
func terminalQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r < 0x20 || r > 0x7e || r == '"' || r == '\\' {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// terminalShell is a word of a shell.
func terminalShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func terminalPlan(title, maker string) string {
	return "---\ntitle: " + title + "\npriority: P1\neffort: S\nrisk: LOW\nscope: [price.sh]\ngoal: sh goal.sh\n---\n# " + maker + "\n\n## Context\n\nWhy " + terminalInline + ".\n\n## Chunks\n\n### 1. Think " + terminalInline + "\n\n- files: price.sh\n- tests: none\n\nThink " + terminalInline + ".\n\n## Risks\n\nNone.\n"
}

const terminalAgent = `printf '%s\n' "$P"
printf '%s\n' "$P" >&2
`

// terminalTracker speaks the Model Context Protocol, as far as it is asked for.
const terminalTracker = `#!/bin/sh
echo "$P" >&2
while read -r line; do
	id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	case $line in
	*'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":%s,"version":"1"}}}\n' "$id" "$Q" ;;
	*'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"list","description":%s,"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}},{"name":"add","description":%s,"inputSchema":{"type":"object","properties":{"body":{"type":"string"}}}}]}}\n' "$id" "$Q" "$Q" ;;
	*'"name":"list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":{"issues":[{"id":%s,"title":%s,"description":%s,"url":"https://example.org/x","labels":[%s]}]}}}\n' "$id" "$Q" "$Q" "$Q" "$Q" ;;
	*'"name":"add"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}\n' "$id" "$Q" ;;
	*'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":%s}}\n' "$id" "$Q" ;;
	esac
done
`

// terminalFiles is the repository, but for files that are made by the program.
func terminalFiles() map[string]string {
	p, q, in := terminalPayload, terminalQuoted(terminalPayload), terminalInline
	line := terminalQuoted(in)
	glob := terminalQuoted(strings.NewReplacer("[", "", "\\", "").Replace(in))
	vars := "P=" + terminalShell(p) + "\nQ=" + terminalShell(terminalQuoted(p)) + "\n"
	files := map[string]string{
		"wiki.yaml": "version: 1\nroot: wiki\ntitle: " + q + "\ndescription: " + q + "\nignore: [" + glob + "]\nsources: [" + glob + "]\ntags: [" + q + ", known]\nterms: {" + line + ": " + line + ", needle: " + line + "}\n" +
			"frontmatter: {fields: {" + line + ": {type: date}, state: {type: text, values: [" + line + "]}}, types: {" + line + ": {required: [" + line + "], sections: [" + line + "]}, concept: {required: [" + line + "], sections: [" + line + "]}}}\n" +
			"rules:\n  - {id: my-rule, message: " + line + ", severity: warning, forbid: {pattern: needle}}\n  - {id: my-field, message: '{field} {value} {page} {match}', severity: error, forbid: {field: {name: odd}}}\n" +
			"site: {repo: " + line + ", edit_url: " + line + "}\njudge: {command: [sh, agents/judge.sh]}\n" +
			"loops:\n  roles:\n    maker: {agent: command, argv: [sh, agents/maker.sh, " + q + "]}\n    checker: {agent: command, argv: [sh, agents/checker.sh]}\n    reader: {agent: command, argv: [sh, agents/maker.sh]}\n    writer: {agent: command, argv: [sh, agents/maker.sh]}\n    planner: {agent: command, argv: [sh, agents/maker.sh]}\n    auditor: {agent: command, argv: [sh, agents/maker.sh]}\n" +
			"  gates: {test: [" + terminalQuoted("sh agents/gate.sh "+terminalShell(in)) + "]}\n  timeouts: {backoff: 1s}\n" +
			"  connectors:\n    board: {kind: mcp, argv: [sh, agents/board.sh, " + line + "], tools: [list], writes: [add], items: {tool: list}}\n    issues: {kind: github, repository: owner/name, labels: [" + line + "]}\n    odd: {kind: mcp, argv: [" + line + "], tools: [" + line + "], items: {tool: " + line + "}}\n",
		"agents/maker.sh":   vars + terminalAgent + "echo 2 >> price.sh\nprintf '{\"status\": \"ok\", \"summary\": %s, \"self_assessment\": %s, \"cost_usd\": 0.01}' \"$Q\" \"$Q\" > \"$WIKI_LOOP_RESULT\"\n",
		"agents/checker.sh": vars + terminalAgent + "printf '{\"verdict\": \"REJECT\", \"reasons\": [{\"path\": %s, \"line\": 1, \"message\": %s}], \"cost_usd\": 0.01}' \"$Q\" \"$Q\" > \"$WIKI_LOOP_RESULT\"\n",
		"agents/gate.sh":    vars + terminalAgent + "test ! -e red.txt\n",
		"agents/judge.sh":   vars + terminalAgent,
		"agents/board.sh":   vars + terminalTracker,
		"bin/gh":            "#!/bin/sh\n" + vars + "echo \"$P\" >&2\ncase $1 in issue) printf '[{\"number\": 12, \"title\": %s, \"body\": %s, \"url\": \"https://github.com/owner/name/issues/12\", \"labels\": [{\"name\": %s}]}]\\n' \"$Q\" \"$Q\" \"$Q\" ;; *) exit 1 ;; esac\n",
		"goal.sh":           vars + terminalAgent + "exit 1\n", "price.sh": "echo 1\n", "needs.md": "# Needs " + in + "\n\nA price.\n",
		"wiki/index.md":                "# Index " + in + "\n\n- [[p]] " + in + "\n- [" + in + "](gone" + in + ".md)\n- [[" + in + "]]\n",
		"wiki/log.md":                  "# Log\n\n## [2026-13-99] " + in + " | " + in + "\n\n## [2026-03-01] ingest | " + in + "\n",
		"wiki/p.md":                    "---\ntitle: " + q + "\nid: " + line + "\naliases: [" + q + ", " + line + "]\ntags: [" + q + ", " + line + "]\ntype: " + line + "\nodd: " + q + "\n" + line + ": " + line + "\nstate: " + line + "\ndate: " + line + "\nsources: [" + line + ", src/a.go#" + "Gone, " + terminalQuoted("src/a.go#"+in) + "]\nredirect_from: [" + line + "]\nexpires: " + line + "\ndraft: " + line + "\n---\n# H " + in + "\n\n## " + in + "\n\nneedle word port [[index]] [x](Index.md) ![[" + in + "]] [[p#" + in + "]] [a](p.md#" + in + ") ![" + in + "](" + in + ".png)\n\nThe port of " + in + "gateway is 80. The port of the gateway is 80 " + in + ". `" + in + "` #" + in + "\n\n| a" + in + " |\n|-|-|\n\n[^" + in + "]\n\n```" + in + "\n" + in + "\n```\n\n<!-- wiki-lint-disable-next-line " + in + " -- " + in + " -->\n<!-- wiki:src src/a.go#" + in + " -->\n",
		"wiki/q.md":                    "---\ntitle: " + q + "\nid: " + line + "\ntype: concept\n---\n# H " + in + "\n\nneedle\n\nThe port of the gateway is 90 " + in + ". The port of " + in + "gateway is 90.\n",
		"wiki/raw1.md":                 "---\ntitle: T" + terminalRaw + "\ntags: [" + terminalRaw + "]\n---\n# " + terminalRaw + "\n\nneedle word port " + terminalRaw + " [[" + terminalRaw + "]] [x](" + terminalRaw + ".md) The port of the gateway is 70.\n",
		"wiki/broken.md":               "---\ntitle: [" + in + "\n" + in + ": {\nk: 1\nk: 2\n---\n# B\n",
		"wiki/verified.md":             "---\nsources: [src/a.go#Max]\ncovers: [" + line + "]\n---\n# Verified " + in + "\n\nMax is 7.\n\n<<<<<<< " + in + "\n",
		"wiki/" + terminalName + ".md": "# N\n\nneedle word port\n\n[[p]] The port of the gateway is 60.\n",
		"wiki/d" + terminalName + "/x" + terminalRaw + ".md": "# In a folder\n\nneedle [[nowhere]]\n",
		"wiki/" + terminalName + ".png":                      "x",
		"wiki/raw/sources.lock":                              "raw/" + in + " | sha256:00 | 1 | 2026-01-01 | " + in + " | " + in + " | -\n" + in + "\n",
		"wiki/LANGUAGE.md":                                   "# Language\n\n| Term | Meaning |\n|---|---|\n| " + in + " | " + in + " |\n\n- **" + in + "**: not " + in + "\n",
		"wiki/00_SCHEMA.md":                                  "# Schema " + in + "\n\n## Required fields\n\n- `" + in + "`\n",
		"src/a.go":                                           "package src\n\n// Max is " + in + "\nconst Max = 7\n",
		"src/" + terminalName + ".go":                        "package src\n\nconst Other = 7\n",
		"wiki.lock":                                          "",
		"fleet.yaml":                                         "repositories: [{path: .}, {path: " + line + "}, {path: wiki, plans: [" + line + "]}]\n",
		"odd-fleet.yaml":                                     line + ": 1\nrepositories: [{path: " + line + ", " + line + ": 1}]\n",
		"in/" + terminalName + ".md":                         "# " + in + "\n\nnew\n", "in/b.html": "<title>" + in + "</title><p>" + in + "<base href='" + in + "'>",
		"plans/2026-01-x.md": terminalPlan(line, in), "plans/2026-01-y.md": terminalPlan(line, in), "plans/2026-02-bad.md": strings.Replace(terminalPlan(line, in), "scope: [price.sh]", "scope: [../"+"x, "+line+"]\n"+line+": 1\nneeds: ["+line+"]", 1),
		"plans/2026-03-" + terminalName + ".md": terminalPlan(line, in),
		"skills/x/SKILL.md":                     "---\nname: " + line + "\ndescription: " + line + "\n" + line + ": x\n---\n# X " + in + "\n\n[x](" + in + ".md) /home/" + in + "/x\n",
		"skills/" + terminalName + "/SKILL.md":  "---\nname: y\ndescription: Use it for " + in + "\n---\n# Y\n",
		"agents/loops/mine.md":                  "# Loop Spec: " + in + "\n\n## Purpose\n\n" + in + "\n\n## Trigger\n\n- every weekday at " + in + "\n- " + in + "\n\n## Inputs\n\n- `" + in + "`\n\n## Work Selection Rules\n\n- " + in + "\n\n## Roles\n\n- " + in + "\n\n## Budgets\n\n- " + in + ": 1\n\n## Mode\n\n" + in + "\n",
		"task.json":                             `{"project": ` + q + `, "feature": ` + q + `, "workdir": ".", "agent": ` + q + `, "verify": {"commands": ["true", ` + q + `]}, "stories": [{"id": ` + q + `, "title": ` + q + `, "description": ` + q + `}]}`,
		"ok.json":                               `{"project": ` + q + `, "feature": ` + q + `, "workdir": ".", "agent": "claude", "verify": {"commands": ["true"]}, "stories": [{"id": "S1", "title": ` + q + `, "description": ` + q + `, "acceptance": [` + q + `], "priority": 1, "passes": false, "notes": ` + q + `}]}`,
		"spec.yaml":                             terminalSpec(q, line),
		"bad.yaml":                              terminalSpec(q, line) + line + ": " + q + "\nworkers: [{" + line + ": 1}]\nevaluators: [{type: " + line + "}]\n",
		"record.json":                           `{"record_id": "ln-00000000-0000-4000-8000-00000000000a", "schema_version": "ln/record-v1", "spec_pins": {"lss": "lss@1.0.0", "les": "les@1.0.0"}, "created_at": "2026-03-01T08:00:00Z", "source": "community", "split": "val", "patterns": ["debate-loop"], "loop_name": "odd-loop", "objective": ` + q + `, "outcome": "success", "termination_reason": "goal_met", "trajectory": [{"iteration": 1, "goal_score": 0.5, "cost_usd": 0.2, "latency_seconds": 10}], "les_observed": {"les_normalized": 0.5, "categories": {"effectiveness": 0, "speed": 0, "cost": 0, "robustness": 0, "scalability": 0, "safety": 0, "adaptability": 0, "autonomy": 0}}, "metadata": {"iteration_count": 1, "cost_total_usd": 0.2, "goal_target": 0.4, "goal_final": 0.5, "tags": [` + q + `]}}`,
		"trace.json":                            `{"trace_version": "1.0", "loop_id": ` + q + `, "loop_name": ` + q + `, "started_at": ` + q + `, "iterations": [{"iteration": 0, "timestamp": ` + q + `, "evaluator_scores": {` + q + `: ` + q + `}}]}`,
		"measured.json":                         `{"loop_name": ` + q + `, "goal_target": 0.8, "iteration_budget": 4, "termination_reason": "goal_met", "iterations": [{"goal_score": 0.6, "cost_usd": 0.5, "latency_seconds": 40}]}`,
		"entries.json":                          `{"version": ` + q + `, "updated": ` + q + `, "entries": [{"submitter": ` + q + `, "spec_path": ` + q + `, "spec_hash": ` + q + `, "primary_suite": ` + q + `, "composite": {"les_observed": 0.8, "les_display": 80, "rank_score": 0.8}, "suite_scores": {` + q + `: {"les_observed": 0.5, "les_display": 50, "rank_score": 0.5, "tasks": []}}, "results": [{"task_id": ` + q + `, "runs": []}]}]}`,
		"set/labels.json":                       `[{"id": ` + q + `, "kind": ` + q + `, "difficulty": 1, "reach": "deterministic", "contradiction": true, "pages": ["p.md", "q.md"], "lines": [[3, 3], [5, 5]]}]`,
		"set/wiki/p.md":                         "# P " + in + "\n\nThe port of the gateway is 80 " + in + ".\n", "set/wiki/q.md": "# Q\n\nThe port of the gateway is 90 " + in + ".\n",
		".loopwiki/modes.yaml":        "version: 1\nrecords:\n  - {loop: execution, mode: draft, by: " + q + ", reason: " + q + ", at: 2026-03-01T08:00:00Z}\n  - {loop: " + line + ", mode: draft, by: " + q + ", reason: " + q + ", at: 2026-03-01T08:00:00Z}\n",
		".loopwiki/verdicts.jsonl":    `{"version": 1, "key": ` + q + `, "verdict": ` + q + `, "reason": ` + q + `}` + "\n",
		".loopwiki/acknowledged.yaml": "version: 1\nacknowledged:\n  - about: " + q + "\n    rule: numeric-conflict\n    sides: [{page: " + line + ", text: " + q + ", hash: 4f0e09101292e732}, {page: q.md, text: " + q + ", hash: 4f0e09101292e733}]\n    reason: " + q + "\n    by: " + q + "\n    since: 2026-03-01\n",
	}
	return files
}

// terminalSpec is a valid spec of a loop; bad.yaml gives some of its keys again.
func terminalSpec(q, line string) string {
	model := "{provider: " + q + ", name: " + line + "}"
	return "loop_name: odd-loop\nversion: 1.0.0\nobjective: " + q + "\ninputs: {schema: {" + line + ": {type: string, description: " + q + "}}}\nmemory: {type: ephemeral}\n" +
		"metadata: {patterns: [" + q + "]}\nfeedback_channels: [{id: a, source: evaluators.e, destination: workers.w, format: structured, when: " + q + "}]\n" +
		"optimization_strategy: {type: manual, max_steps: 1}\ntermination_conditions: {success: [{metric: " + q + ", operator: gte, value: 1}], stall: [{metric: q, window_iterations: 1, min_improvement: 1, action: " + line + "}]}\n" +
		"metrics: [{name: q, definition: " + q + ", source: evaluators.e, unit: ratio}]\nsafety_constraints: [{id: " + q + ", type: rate_limit, scope: pre_worker, action: halt, rule: " + line + "}]\n" +
		"cost_limits: {per_iteration_usd: 1, cumulative_usd: 1, on_exceed: {action: halt}}\ncomposition: {type: nested, children: [{id: a, ref: " + q + "}, {id: b, ref: " + line + "}], adapters: [{from: children." + "x, to: " + line + "}]}\n" +
		"extensions: {runbook: " + q + "}\nworkers: [{id: w, role: " + q + ", model: " + model + ", inputs: [{from: inputs.a}], outputs: {name: " + line + ", format: text}}]\n" +
		"evaluators: [{id: e, type: deterministic, runs_after: [w], implementation: " + q + "}]\n"
}

// terminalRepository makes the repository: commits by an odd author, an incident, and a run of
// a loop whose agents print what steers a terminal.
func terminalRepository(t *testing.T) string {
	t.Helper()
	schematest.NeedGit(t)
	dir := filepath.Join(t.TempDir(), "r")
	for name, text := range terminalFiles() {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"config", "user.name", "zqx\x1b]52;c;QQ==\x07\u202e\u009b31m\x7f\x1b[38;2;66;66;66m"}, {"config", "user.email", "zqx\x1b]0;x\x07@example.org"},
		{"add", "-A"}, {"commit", "-qm", "zqx " + terminalInline + "\n\nLoop-Plan: plans/" + terminalInline}, {"branch", "zqx\u202e\u009b31m\u2028"}, {"tag", "zqx\u202e\u2066"},
	} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=2026-03-01T12:00:00Z")
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args[0], err, out)
		}
	}
	for _, args := range [][]string{{"verify", "verified"}, {"loop", "run", "2026-01-x", "-n", "2"}, {"connector", "approve", "board", "add", "--any", "body", "--calls", "9", "--by", terminalPayload, "--reason", terminalPayload}} {
		if _, _, err := terminalPipe(dir, nil, args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "a.go"), []byte("package src\n\n// Max is "+terminalInline+"\nconst Max = 8 // "+terminalInline+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	failed := andon.Failure{Run: "2026-03-01T000000Z-zqx", Command: "go test " + terminalPayload, ExitCode: 1, Output: "--- FAIL: Test" + terminalPayload, Loop: terminalInline, Plan: terminalInline, Workspace: terminalInline}
	if _, err := andon.NewStore(dir).Open(failed); err != nil {
		t.Fatal(err)
	}
	return dir
}

// terminalRuns are the ways to run each command.
var terminalRuns = map[string][][]string{
	"init":         {{}, {"--root", "wiki", "--dry-run"}, {"zqx" + terminalName, "--title", terminalPayload}, {"--agents", "--ci", "--dry-run"}},
	"new":          {{"concept", terminalPayload}, {terminalPayload, "x"}, {"concept", terminalInline, "--diff"}},
	"ingest":       {{"in", "--agent", "none"}, {"in", "--agent", "none", "--json"}, {"in", "--dry-run"}, {"in/b.html", "--title", terminalPayload, "--origin", terminalPayload, "--agent", "none"}, {"in/b.html"}, {"in/" + terminalName + ".md"}, {"pr:1", "--agent", "none"}},
	"mv":           {{"wiki/" + terminalName + ".md", "wiki/new.md"}, {"p.md", "zqx" + terminalName + "2.md", "--json"}, {"wiki/d" + terminalName, "wiki/e", "--diff"}, {"p.md", "q.md"}, {"p.md", "zqx" + terminalPayload, "-n"}},
	"build":        {{"-o", "_site"}, {"-o", "_site", "-v"}, {"-o", "zqx" + terminalName}, {"-o", "src"}},
	"serve":        {{"--port", "0", "--host", terminalPayload}},
	"export":       {{"okf", "-o", "out"}, {"json", "-o", "out.json", "--json"}, {"llms", "-o", terminalName}, {terminalPayload}},
	"import":       {{"obsidian", "wiki", "--into", "taken", "--json"}, {"okf", "wiki", "--into", terminalName, "-n"}, {terminalPayload, terminalPayload}},
	"lsp":          {{}, {terminalPayload}},
	"lint":         {{}, {"--severity", "info"}, {"--json"}, {"--diff"}, {"--fix-unsafe", "--diff"}, {"--fix-unsafe"}, {"--stats"}, {"-v"}, {"--list-rules"}, {"--list-rules", "--json"}, {"--explain", "my-rule"}, {"--explain", terminalPayload}, {"--since", "HEAD"}, {"--since", terminalPayload}, {"--judge=cached"}, {"--judge=on"}, {"--baseline-write"}, {"wiki/d" + terminalName}, {"--ack", "wiki/p.md:1", "--reason", terminalPayload, "--by", terminalPayload}, {"--rule", terminalPayload}, {"-o", "json=" + terminalName}},
	"verify":       {{"--all"}, {"--all", "--json"}, {"verified"}, {"--all", "--still-accurate"}},
	"search":       {{"needle"}, {"needle", "--json"}, {"word", "port"}, {terminalPayload}, {"tag:" + terminalInline}, {"nedle"}},
	"context":      {{"needle"}, {"needle", "--json", "--private"}, {"word", "port"}, {terminalPayload}},
	"mcp":          {{"--token-file", terminalPayload}, {"--http", terminalPayload}, {"--http", "127.0.0.1:0", "--token-file", terminalPayload}},
	"mcp install":  {{"claude"}, {"codex"}, {terminalPayload}},
	"query":        {{"word port", "--agent", "none"}, {"word port", "--agent", "none", "--json"}, {"word port"}, {terminalPayload, "--agent", "none"}},
	"show":         {{"p"}, {"p", "--json"}, {"q"}, {"raw1"}, {terminalPayload}, {terminalName}, {"x" + terminalRaw}, {"broken"}, {terminalInline}},
	"diff":         {{"HEAD"}, {"HEAD", "--json"}, {"HEAD", "--format", "markdown"}, {terminalPayload}},
	"log":          {{"ingest", terminalPayload, "--diff"}, {terminalPayload, "x", "-m", terminalPayload, "--diff"}},
	"merge":        {{}, {"--json"}},
	"merge-driver": {{"index.md", terminalName, "index.md", terminalPayload}},
	"blame":        {{"index"}, {"index", "--json"}, {terminalPayload}},
	"stale":        {{}, {"--json"}, {"--since", "HEAD"}, {"--since", terminalPayload}},
	"claims":       {{}, {"--json"}, {"p"}, {"--entity", "gateway"}, {"--entity", terminalPayload}},
	"graph":        {{}, {"-f", "dot"}, {"-f", "mermaid"}, {"-f", "graphml"}},
	"graph hubs":   {{}, {"-n", "99"}}, "graph orphans": {{}, {"--all"}}, "graph path": {{"p", "index"}, {"index", "p", "--json"}, {terminalPayload, terminalPayload}},
	"stats":                  {{}, {"--json"}, {"-v"}},
	"loop run":               {{"2026-01-y", "-n", "1"}, {"2026-01-y", "--dry-run"}, {"2026-01-y", "--json", "-n", "1"}, {"-v", "2026-01-y", "-n", "1"}, {}, {"mine", "--dry-run"}, {"ok.json", "--status"}, {"ok.json", "--status", "--json"}, {"ok.json", "--dry-run"}, {"task.json", "--status"}, {"audit", "--dry-run"}, {"audit"}, {"documentation", "--since", "1w", "--dry-run"}, {"2026-02-bad"}, {terminalPayload}},
	"loop list":              {{}, {"--json"}, {"--loops"}, {"--loops", "--json"}},
	"loop show":              {{}, {"--json"}, {terminalPayload}},
	"loop status":            {{}, {"--json"}},
	"loop logs":              {{}, {"--transcripts"}},
	"loop replay":            {{}, {"record.json"}, {"record.json", "--task", terminalPayload, "--json"}, {"spec.yaml", "--simulate", "--output", terminalPayload}, {"spec.yaml", "--simulate", "--perturb", terminalPayload}},
	"loop export":            {{}, {"--format", "record"}, {"--format", terminalPayload}},
	"loop checkin":           {{"--skip", "selftest"}, {"--skip", terminalPayload}, {"--skip", "selftest", "--output", "zqx" + terminalName}},
	"loop fleet":             {{"fleet.yaml", "--status"}, {"fleet.yaml", "--status", "--json"}, {"fleet.yaml"}, {"odd-fleet.yaml"}, {"wiki.yaml"}, {terminalPayload}},
	"loop bench":             {{terminalPayload}},
	"loop bench suites":      {{}, {"--json"}},
	"loop bench run":         {{"spec.yaml", "--task", "LB-CR-1", "--by", terminalPayload}, {"spec.yaml", "--suite", terminalPayload}, {"bad.yaml"}},
	"loop bench verify":      {{"entries.json"}, {"entries.json", "--json"}, {"record.json"}, {"trace.json"}, {"trace.json", "--json"}, {terminalName}},
	"loop bench stats":       {{"record.json"}, {"record.json", "--json"}, {"entries.json"}},
	"loop bench leaderboard": {{"entries.json"}, {"entries.json", "--json"}, {"spec.yaml"}},
	"loop spec score":        {{"spec.yaml"}, {"spec.yaml", "--json"}, {"bad.yaml"}, {"spec.yaml", "--profile", terminalPayload}},
	"loop spec observed":     {{"record.json"}, {"record.json", "--json"}, {"trace.json"}, {"measured.json"}, {"measured.json", "--json"}},
	"loop report":            {{}, {"--json"}},
	"loop mode":              {{}, {"--json"}},
	"loop grant":             {{"execution", "shadow", "--by", terminalPayload, "--reason", terminalPayload}, {terminalPayload, "shadow", "--by", "a", "--reason", "b"}},
	"loop new":               {{"links", "--template", "link-repair"}, {"mine"}, {terminalPayload}},
	"loop agents":            {{}, {"--json"}, {terminalPayload}},
	"loop agents map":        {{"--harness", terminalPayload}, {"--harness", "claude", "--intent", terminalPayload}, {"--harness", "aider", "--intent", terminalPayload, "-o", "zqx" + terminalName + "2", "--json"}},
	"loop intent":            {{terminalPayload}, {terminalPayload, "--json"}, {"fix", "-o", "zqx" + terminalName, "--suggest-level"}},
	"loop spec":              {{terminalPayload}},
	"loop spec validate":     {{"spec.yaml"}, {"spec.yaml", "--json"}, {"bad.yaml"}, {"bad.yaml", "--json"}, {terminalName}},
	"loop spec explain":      {{"spec.yaml"}, {"spec.yaml", "--json"}, {"bad.yaml"}},
	"loop spec diagram":      {{"spec.yaml"}, {"spec.yaml", "--profile", "loopctl"}, {"bad.yaml"}, {"spec.yaml", "--profile", terminalPayload}},
	"loop spec level":        {{"spec.yaml"}, {"spec.yaml", "--json"}, {"bad.yaml"}, {"--pattern", terminalPayload}},
	"loop spec pattern":      {{"spec.yaml"}, {"spec.yaml", "--json"}, {"bad.yaml"}},
	"loop spec minify":       {{"spec.yaml"}, {"spec.yaml", "--json", "-o", "zqx" + terminalName}, {"bad.yaml", "-o", "-"}},
	"loop spec convert":      {{"spec.yaml"}, {"spec.yaml", "--to", "json"}, {"spec.yaml", "--to", "markdown"}, {"bad.yaml"}, {"bad.yaml", "--from", "short"}, {"agents/loops/mine.md"}, {"spec.yaml", "--to", terminalPayload}},
	"loop spec fork":         {{"spec.yaml", "-n", "other-loop"}, {"spec.yaml", "-n", terminalPayload}, {terminalPayload, "-n", "other-loop"}},
	"loop spec compose":      {{"-n", "both-loops", "--objective", terminalPayload, "--children", "a:spec.yaml:" + terminalPayload, "--children", "b:bad.yaml"}, {"--list"}, {"-n", "x", "--objective", "y", "--recipe", terminalPayload}},
	"loop spec new":          {{"-n", "own-loop", "--objective", terminalPayload, "--input-example", terminalPayload}, {"-n", terminalPayload, "--objective", terminalPayload}, {"-p", terminalPayload, "-n", "a", "--objective", "b"}},
	"loop spec intent":       {{terminalPayload}},
	"loop spec library":      {{}, {"--json"}, {"coding-agent"}, {terminalPayload}},
	"loop ready":             {{"mine"}, {"mine", "--json"}, {"agents/loops/mine.md"}, {terminalPayload}},
	"loop schedule":          {{"mine"}, {"execution"}, {"mine", "--format", "systemd"}, {"mine", "--format", "cron"}},
	"loop resume":            {{}, {"--json"}},
	"loop approve":           {{"latest", "--by", terminalPayload, "--reason", terminalPayload}, {"--json"}},
	"loop reject":            {{"latest", "--by", terminalPayload, "--reason", terminalPayload}, {"--json"}},
	"loop stop":              {{}},
	"loop step":              {{}, {terminalPayload}},
	"loop gc":                {{"--dry-run"}, {}},
	"loop selftest":          {{"--list"}, {terminalPayload}},
	"plan new":               {{terminalPayload}, {"zqx " + terminalInline}},
	"plan from":              {{"needs.md", "--prompt"}, {"needs.md"}, {"needs.md", "--result", "needs.md"}, {terminalName}},
	"plan lint":              {{}, {"--json"}, {"2026-02-bad"}, {terminalPayload}},
	"plan list":              {{}, {"--json"}},
	"plan allow":             {{"2026-01-x", terminalPayload, "--by", terminalPayload, "--reason", terminalPayload}, {terminalPayload, "a", "--by", "b", "--reason", "c"}},
	"skill lint":             {{}, {"--json"}, {"-f", "github"}, {"-f", "junit"}, {"-f", "sarif"}, {"skills/" + terminalName}, {terminalPayload}},
	"skill list":             {{}, {"--json"}},
	"connector list":         {{}},
	"connector items":        {{"board"}, {"board", "--json"}, {"issues"}, {"issues", "--json"}, {"odd"}, {terminalPayload}},
	"connector call":         {{"board", "add", "--arg", "body=" + terminalInline, "--by", terminalPayload}, {"board", "add", "--arg", "body=x", "--json"}, {"board", terminalPayload}, {"board", "add", "--arg", terminalPayload + "=x"}},
	"connector approve":      {{"board", "add", "--any", "body", "--by", terminalPayload, "--reason", terminalPayload}, {"board", "add", "--any", "body"}, {"board"}, {"issues"}, {"board", "add", "--arg", terminalPayload + "=" + terminalPayload}},
	"andon status":           {{}, {"--json"}}, "andon show": {{}, {"--json"}, {terminalPayload}},
	"andon why":           {{}, {"2026-03-01T000000Z-zqx", "--hypothesis", terminalPayload}, {terminalPayload}},
	"andon close":         {{"--reason", terminalPayload, "--by", terminalPayload}, {"--reason", "x", "--standard", terminalPayload}},
	"andon draft":         {{"--agent", "command"}, {terminalPayload}},
	"andon acknowledge":   {{"--by", terminalPayload}},
	"andon rollback":      {{}, {"--by", terminalPayload}},
	"andon guard":         {{}},
	"doctor":              {{}, {"--json"}, {"--agents"}, {"--agents", "--json"}, {"-v"}},
	"schema":              {{"config"}, {terminalPayload}},
	"eval contradictions": {{"set"}, {"set", "--json"}, {terminalName}},
	"eval staleness":      {{"."}, {".", "--json"}, {terminalName}},
	"eval documentation":  {{"."}, {".", "--json"}, {terminalName}},
	"completion":          {{"bash"}, {"zsh"}, {"fish"}, {"powershell"}, {terminalPayload}},
	"version":             {{}, {"--json"}, {"zqx" + terminalPayload}},
	"help":                {{"lint"}, {terminalPayload}},
	"gen":                 {{"out"}, {"wiki.yaml/" + terminalName}},
	"__supervise":         {{}, {terminalPayload}},
	"andon":               {{terminalPayload}}, "loop": {{}, {terminalPayload}}, "plan": {{terminalPayload}}, "skill": {{terminalPayload}}, "connector": {{terminalPayload}}, "eval": {{terminalPayload}},
}

// terminalReaches are the commands that print something of the repository in the first of
// their runs, so that a repository that became harmless is noticed.
var terminalReaches = map[string]bool{
	"andon show": true, "andon status": true, "claims": true, "connector items": true, "connector list": true, "eval contradictions": true, "graph": true, "lint": true, "loop mode": true, "loop fleet": true, "loop spec validate": true, "loop spec explain": true, "loop bench verify": true, "loop bench leaderboard": true,
	"loop run": true, "loop show": true, "plan lint": true, "plan list": true, "query": true, "search": true, "show": true, "skill list": true, "stale": true, "verify": true,
}
