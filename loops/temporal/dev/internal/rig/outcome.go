//go:build linux

package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Outcome is how a run ended, without what differs from run to run: its id, times,
// folders and hosts.
type Outcome struct {
	Plan   string  `json:"plan"`
	Status string  `json:"status"`
	Exit   int     `json:"exit"`
	Branch string  `json:"branch"`
	Chunks []Chunk `json:"chunks"`
	Spend  struct {
		USD   float64 `json:"usd"`
		Calls int     `json:"calls"`
	} `json:"spend"`
	WaitingFor string `json:"waiting_for"`
}

// Chunk is how a part of a plan ended.
type Chunk struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Attempts int    `json:"attempts"`
}

// String is the outcome on one line.
func (o Outcome) String() string {
	text, _ := json.Marshal(o)
	return string(text)
}

// Of is the outcome of another plan that differs only by its number.
func (o Outcome) Of(n int) string {
	name := o.Plan[strings.LastIndexByte(o.Plan, '/')+1 : len(o.Plan)-len(".md")]
	return strings.ReplaceAll(o.String(), name, PlanName(n))
}

// Run runs a program in a folder and returns its exit code and output, with what it says
// on standard error if it fails.
func (s *Shops) Run(dir string, patience time.Duration, argv ...string) (code int, out string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Dir, c.Env, c.WaitDelay = dir, s.Env, time.Second
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	err = c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 0 {
		err = nil
	}
	if err != nil {
		return -1, o.String(), fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, e.String())
	}
	if c.ProcessState.Success() {
		return 0, o.String(), nil
	}
	return c.ProcessState.ExitCode(), o.String() + e.String(), nil
}

// Outcome reads how a run of a repository ended, as wiki loop show has it.
func (s *Shops) Outcome(repository, run string, wiki ...string) (Outcome, error) {
	var o Outcome
	code, out, err := s.Run(s.Home(repository), time.Minute, append(wiki, "loop", "show", run, "--json")...)
	if err != nil {
		return o, err
	}
	if code != 0 {
		return o, fmt.Errorf("wiki loop show %s: exit status %d: %s", run, code, out)
	}
	return o, json.Unmarshal([]byte(out), &o)
}

// Embedded carries out a plan with the embedded driver and returns how it ended.
func (s *Shops) Embedded(wiki, repository string, plan int) (Outcome, error) {
	if _, out, err := s.Run(s.Home(repository), 5*time.Minute, wiki, "loop", "run", PlanName(plan)); err != nil {
		return Outcome{}, fmt.Errorf("%w\n%s", err, out)
	}
	return s.Outcome(repository, "latest", wiki)
}
