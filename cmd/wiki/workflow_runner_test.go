package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
)

// workflowFile is what is used here of a workflow, and of an action's steps.
type workflowFile struct {
	On          any
	Permissions map[string]string
	Concurrency any
	Defaults    struct{ Run struct{ Shell string } }
	Jobs        map[string]workflowJob
}

type workflowJob struct {
	If, Needs   string
	Timeout     int `yaml:"timeout-minutes"`
	Permissions map[string]string
	Outputs     map[string]string
	Steps       []workflowStep
}

type workflowStep struct {
	ID, If, Uses, Shell, Run string
	With, Env                map[string]string
}

// workflow is: workflow FILE EVENT [vars.X=V…] [inputs.X=V…]. It runs a workflow of
// the repository $WORK/origin.git as a runner of GitHub's does: each job in a clone
// of its own, each script by bash, what actions of others do by hand, and this
// project's own action by its action.yml. It prints the jobs that ran. What happens while
// it runs is $WORK/meanwhile.sh, if that exists: before a job that needs another one.
func workflow(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: workflow FILE EVENT [CONTEXT.NAME=VALUE...]")
	}
	h := &hosted{ts: ts, dir: ts.Getenv("WORK") + "/hosted", contexts: map[string]any{
		"vars": map[string]any{}, "secrets": map[string]any{}, "inputs": map[string]any{}, "needs": map[string]any{},
		"github": map[string]any{"token": "ghs_x", "run_id": "77", "ref": "refs/heads/main", "event_name": args[1],
			"event": map[string]any{"repository": map[string]any{"default_branch": "main"}}},
	}}
	for _, a := range args[2:] {
		name, value, _ := strings.Cut(a, "=")
		context, name, _ := strings.Cut(name, ".")
		h.contexts[context].(map[string]any)[strings.ToLower(name)] = value
	}
	ts.Check(os.RemoveAll(h.dir))
	failed := h.run(ts.MkAbs(args[0]))
	if failed != neg {
		ts.Fatalf("failed is %v", failed)
	}
}

// hosted is GitHub.
type hosted struct {
	ts       *testscript.TestScript
	dir      string
	contexts map[string]any
}

func (h *hosted) run(file string) (failed bool) {
	text, err := os.ReadFile(file)
	h.ts.Check(err)
	var w workflowFile
	h.ts.Check(yaml.Unmarshal(text, &w))
	names := slices.SortedFunc(maps.Keys(w.Jobs), func(a, b string) int { return strings.Compare(w.Jobs[a].Needs, w.Jobs[b].Needs) })
	for _, name := range names {
		job := w.Jobs[name]
		needed, ran := h.contexts["needs"].(map[string]any)[job.Needs]
		if job.Needs != "" && (!ran || needed.(map[string]any)["failed"] == true && !strings.Contains(job.If, "always()")) {
			fmt.Fprintln(h.ts.Stdout(), "skipped", name)
			continue
		}
		j := &hostedJob{hosted: h, job: job, dir: filepath.Join(h.dir, name), shell: w.Defaults.Run.Shell, env: map[string]string{}}
		j.expressions = &expressions{contexts: maps.Clone(h.contexts), dir: filepath.Join(j.dir, "work", "repo")}
		if !j.holds(job.If) {
			fmt.Fprintln(h.ts.Stdout(), "skipped", name)
			continue
		}
		j.begin()
		if meanwhile := h.ts.Getenv("WORK") + "/meanwhile.sh"; job.Needs != "" && isRegular(meanwhile) {
			h.ts.Check(h.ts.Exec("sh", meanwhile))
		}
		j.steps(job.Steps)
		outputs := map[string]any{}
		for k, v := range job.Outputs {
			outputs[strings.ToLower(k)] = j.fill(v)
		}
		h.contexts["needs"].(map[string]any)[name] = map[string]any{"outputs": outputs, "failed": j.failed}
		failed = failed || j.failed
		fmt.Fprintf(h.ts.Stdout(), "ran %s, failed is %v\n", name, j.failed)
	}
	return failed
}

func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

type hostedJob struct {
	*hosted
	*expressions
	job   workflowJob
	dir   string
	shell string
	env   map[string]string
	path  []string
}

func (j *hostedJob) begin() {
	temp := filepath.Join(j.dir, "temp")
	j.ts.Check(errors.Join(os.MkdirAll(temp, 0o777), os.MkdirAll(j.expressions.dir, 0o777)))
	j.expressions.contexts["steps"] = map[string]any{}
	j.expressions.contexts["runner"] = map[string]any{"temp": temp}
	for k, v := range map[string]string{
		"GITHUB_ACTIONS": "true", "CI": "true", "RUNNER_TEMP": temp, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_REPOSITORY": "owner/name", "GITHUB_REF": "refs/heads/main",
		"GITHUB_OUTPUT": filepath.Join(temp, "output"), "GITHUB_PATH": filepath.Join(temp, "path"), "GITHUB_STEP_SUMMARY": filepath.Join(j.dir, "summary.md"),
	} {
		j.env[k] = v
	}
	for _, k := range []string{"HOME", "XDG_CACHE_HOME", "SOURCE_DATE_EPOCH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"} {
		j.env[k] = j.ts.Getenv(k)
	}
	// What stands in for GitHub's own programs; wiki is where its action puts it.
	j.path = []string{filepath.Join(j.ts.Getenv("WORK"), "hosted-bin")}
}

func (j *hostedJob) steps(steps []workflowStep) {
	for _, s := range steps {
		if !j.holds(s.If) {
			continue
		}
		outputs, err := j.step(s)
		if err != nil {
			fmt.Fprintf(j.ts.Stderr(), "step %s%s: %v\n", s.ID, s.Uses, err)
			j.failed = true
		}
		if s.ID != "" {
			j.expressions.contexts["steps"].(map[string]any)[s.ID] = map[string]any{"outputs": outputs}
		}
	}
}

// step does what a step does, and returns what it puts out.
func (j *hostedJob) step(s workflowStep) (map[string]any, error) {
	with := map[string]string{}
	for k, v := range s.With {
		with[k] = j.fill(v)
	}
	action, _, _ := strings.Cut(s.Uses, "@")
	switch artifacts := filepath.Join(j.hosted.dir, "artifacts"); action {
	case "":
		return j.script(s)
	case "actions/checkout":
		return nil, j.checkout(with)
	case "loopwiki/wiki":
		return j.own(with)
	case "actions/upload-artifact", "actions/upload-pages-artifact":
		from := with["path"]
		if !filepath.IsAbs(from) {
			from = filepath.Join(j.expressions.dir, from)
		}
		if _, err := os.Stat(from); err != nil && with["if-no-files-found"] == "ignore" {
			return nil, nil
		}
		return nil, os.CopyFS(filepath.Join(artifacts, with["name"]), os.DirFS(from))
	case "actions/download-artifact":
		return nil, os.CopyFS(with["path"], os.DirFS(filepath.Join(artifacts, with["name"])))
	case "actions/cache/restore": // the program is in the cache
		wiki, err := exec.LookPath("wiki")
		err = errors.Join(err, os.MkdirAll(with["path"], 0o777))
		return map[string]any{"cache-hit": "true"}, errors.Join(err, os.Symlink(wiki, filepath.Join(with["path"], "wiki")))
	case "actions/deploy-pages":
		return map[string]any{"page_url": "https://owner.github.io/name/"}, nil
	}
	return nil, fmt.Errorf("no stand-in for %s", s.Uses)
}

// checkout clones. A job that does not keep its credentials can't push.
func (j *hostedJob) checkout(with map[string]string) error {
	if with["fetch-depth"] != "0" {
		return errors.New("not the whole history")
	}
	origin := filepath.Join(j.ts.Getenv("WORK"), "origin.git")
	if err := j.exec(exec.Command("git", "clone", "-q", origin, "."), nil); err != nil {
		return err
	}
	if with["persist-credentials"] == "false" || j.job.Permissions["contents"] != "write" {
		return j.exec(exec.Command("git", "remote", "set-url", "--push", "origin", filepath.Join(j.dir, "forbidden")), nil)
	}
	return nil
}

// own runs this project's action.
func (j *hostedJob) own(with map[string]string) (map[string]any, error) {
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(top, "action.yml"))
	if err != nil {
		return nil, err
	}
	var a struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []workflowStep }
	}
	if err := yaml.Unmarshal(text, &a); err != nil {
		return nil, err
	}
	inputs := map[string]any{}
	for name, in := range a.Inputs {
		inputs[name] = in.Default
		if given, ok := with[name]; ok {
			inputs[name] = given
		}
	}
	inner := *j
	inner.expressions = &expressions{dir: j.expressions.dir, contexts: maps.Clone(j.expressions.contexts)}
	inner.expressions.contexts["inputs"], inner.expressions.contexts["steps"] = inputs, map[string]any{}
	inner.env = maps.Clone(j.env)
	inner.env["GITHUB_ACTION_PATH"] = top
	inner.steps(a.Runs.Steps)
	j.path = inner.path
	if inner.failed {
		return nil, errors.New("the action failed")
	}
	return nil, nil
}

// script runs a step's script.
func (j *hostedJob) script(s workflowStep) (map[string]any, error) {
	file := filepath.Join(j.env["RUNNER_TEMP"], "step.sh")
	err := os.WriteFile(file, []byte(j.fill(s.Run)), 0o666)
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_PATH"} {
		err = errors.Join(err, os.WriteFile(j.env[name], nil, 0o666))
	}
	if err != nil {
		return nil, err
	}
	argv := []string{"-e", file}
	if s.Shell == "bash" || s.Shell == "" && j.shell == "bash" {
		argv = []string{"--noprofile", "--norc", "-eo", "pipefail", file}
	}
	env := map[string]string{}
	for k, v := range s.Env {
		env[k] = j.fill(v)
	}
	err = j.exec(exec.Command("bash", argv...), env)
	outputs := map[string]any{}
	put, _ := os.ReadFile(j.env["GITHUB_OUTPUT"])
	for lines := bufio.NewScanner(bytes.NewReader(put)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), "=")
		outputs[strings.ToLower(name)] = value
	}
	put, _ = os.ReadFile(j.env["GITHUB_PATH"])
	j.path = append(strings.Fields(string(put)), j.path...)
	return outputs, err
}

func (j *hostedJob) exec(c *exec.Cmd, env map[string]string) error {
	c.Dir = j.expressions.dir
	all := maps.Clone(j.env)
	maps.Copy(all, env)
	path := slices.DeleteFunc(filepath.SplitList(j.ts.Getenv("PATH")), func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "wiki")) // is there after the action alone
		return err == nil
	})
	all["PATH"] = strings.Join(slices.Concat(j.path, path), string(filepath.ListSeparator))
	for k, v := range all {
		c.Env = append(c.Env, k+"="+v)
	}
	c.Stdout, c.Stderr = j.ts.Stdout(), j.ts.Stderr()
	return c.Run()
}
