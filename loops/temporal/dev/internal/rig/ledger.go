//go:build linux

package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Call is one call of an agent, as the agent itself wrote it down.
type Call struct {
	Run, Plan, Chunk, Attempt, Role string
	PID                             int
	Began                           time.Time
	Ended                           time.Time // zero if it was cut off
}

// key is what the kernel calls once: chunk and attempt of a role, in one run.
func (c Call) key() string {
	return strings.Join([]string{c.Run, c.Chunk, c.Attempt, c.Role}, "/")
}

// Calls are those of all agents, in the order in which they began.
func (s *Shops) Calls() ([]Call, error) {
	text, err := os.ReadFile(filepath.Join(s.Dir, "beside", "calls"))
	if err != nil {
		return nil, err
	}
	var calls []Call
	open := map[string]int{} // by run and process
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), " ")
		if len(f) != 8 {
			return nil, fmt.Errorf("the agents' list of calls has a line that is none: %q", line)
		}
		pid, _ := strconv.Atoi(f[6])
		ms, err := strconv.ParseInt(f[7], 10, 64)
		if err != nil {
			return nil, err
		}
		at := f[1] + " " + f[6]
		if f[0] == "begin" {
			open[at] = len(calls)
			calls = append(calls, Call{Run: f[1], Plan: f[2], Chunk: f[3], Attempt: f[4], Role: f[5], PID: pid, Began: time.UnixMilli(ms)})
		} else if i, ok := open[at]; ok {
			calls[i].Ended = time.UnixMilli(ms)
			delete(open, at)
		}
	}
	return calls, nil
}

// Repeated are calls that were made again although nothing had been killed since the
// same call began before, and calls that ran while the same one did. What a kill cut
// off, or what had ended without its runner's knowing, is made again with right.
func Repeated(calls []Call, kills []time.Time) []string {
	var out []string
	last := map[string]Call{}
	for _, c := range calls {
		if before, again := last[c.key()]; again {
			killed := slices.ContainsFunc(kills, func(k time.Time) bool {
				return !k.Before(before.Began) && !k.After(c.Began)
			})
			switch {
			case !killed:
				out = append(out, fmt.Sprintf("%s: called at %s and at %s, and nothing was killed between", c.key(), stamp(before.Began), stamp(c.Began)))
			case before.Ended.After(c.Began):
				out = append(out, fmt.Sprintf("%s: called at %s, while the call of %s still ran", c.key(), stamp(c.Began), stamp(before.Began)))
			}
		}
		last[c.key()] = c
	}
	return out
}

func stamp(t time.Time) string { return t.UTC().Format("15:04:05.000") }

// Again counts the calls that were made more than once.
func Again(calls []Call) int {
	keys := map[string]bool{}
	for _, c := range calls {
		keys[c.key()] = true
	}
	return len(calls) - len(keys)
}

// Commits counts the commits of chunks on the plans' branches of an origin, by branch and
// subject: of each there must be one.
func (s *Shops) Commits(repository string) (map[string]int, error) {
	out, err := s.Git(s.Origin(repository), "for-each-ref", "--format=%(refname:short)", "refs/heads/loop/")
	if err != nil {
		return nil, err
	}
	n := map[string]int{}
	for branch := range strings.FieldsSeq(out) {
		log, err := s.Git(s.Origin(repository), "log", "--format=%s%x00%(trailers:key=Loop-Run,valueonly,separator=%x2C)", "main.."+branch)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(log) {
			subject, run, _ := strings.Cut(strings.TrimSpace(line), "\x00")
			if run != "" && strings.HasPrefix(subject, "feat(") {
				n[branch+": "+subject]++
			}
		}
	}
	return n, nil
}
