package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
)

// gitlabJob is what is used here of a job of GitLab's.
type gitlabJob struct {
	Extends   string
	Script    []string
	Variables map[string]string
}

// gitlab is: gitlab FILE JOB [VARIABLE=VALUE…]. It runs the script of a job as a runner of
// GitLab's does: in a clone of $WORK/origin.git, detached, with the artifacts of jobs before.
func gitlab(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: gitlab FILE JOB [VARIABLE=VALUE...]")
	}
	text, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var file map[string]gitlabJob
	ts.Check(yaml.Unmarshal(text, &file))
	job, ok := file[args[1]]
	if !ok {
		ts.Fatalf("no job %s", args[1])
	}
	work := ts.Getenv("WORK")
	dir, artifacts := filepath.Join(work, "gitlab", args[1]), filepath.Join(work, "gitlab", "artifacts")
	ts.Check(os.RemoveAll(dir))
	ts.Check(os.MkdirAll(filepath.Dir(dir), 0o777))
	ts.Check(ts.Exec("git", "clone", "-q", filepath.Join(work, "origin.git"), dir))
	ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "--detach"))
	if len(job.Script) == 0 {
		job.Script = file[job.Extends].Script
		ts.Check(os.CopyFS(filepath.Join(dir, ".wiki-handover"), os.DirFS(artifacts)))
	}
	c := exec.Command("bash", "-eo", "pipefail", "-c", strings.Join(job.Script, "\n"))
	c.Dir, c.Stdout, c.Stderr = dir, ts.Stdout(), ts.Stderr()
	for _, k := range []string{"HOME", "XDG_CACHE_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "TMPDIR"} {
		c.Env = append(c.Env, k+"="+ts.Getenv(k))
	}
	c.Env = append(c.Env, "PATH="+filepath.Join(work, "hosted-bin")+string(filepath.ListSeparator)+ts.Getenv("PATH"), "CI=true", "GITLAB_CI=true",
		"CI_PROJECT_URL=https://gitlab.test/owner/name", "CI_SERVER_PROTOCOL=https", "CI_SERVER_URL=https://gitlab.test", "CI_PROJECT_PATH=owner/name", "CI_PROJECT_ID=5",
		"CI_API_V4_URL=https://gitlab.test/api/v4", "CI_DEFAULT_BRANCH=main", "CI_COMMIT_BRANCH=main", "CI_JOB_NAME_SLUG="+args[1], "CI_PIPELINE_ID=77")
	for k, v := range job.Variables {
		c.Env = append(c.Env, k+"="+v)
	}
	c.Env = append(c.Env, args[2:]...)
	failed := c.Run()
	if exit := (*exec.ExitError)(nil); failed != nil && !errors.As(failed, &exit) {
		ts.Fatalf("%v", failed)
	}
	ts.Check(os.RemoveAll(artifacts))
	if _, err := os.Stat(filepath.Join(dir, ".wiki-handover")); err == nil {
		ts.Check(os.CopyFS(artifacts, os.DirFS(filepath.Join(dir, ".wiki-handover"))))
	}
	fmt.Fprintf(ts.Stdout(), "ran %s, failed is %v\n", args[1], failed != nil)
	if (failed != nil) != neg {
		ts.Fatalf("failed is %v", failed)
	}
}
