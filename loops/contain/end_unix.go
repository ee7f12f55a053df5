//go:build unix

package contain

import (
	"fmt"
	"syscall"
	"time"

	"github.com/loopwiki/wiki/loops"
)

const (
	// settle is what processes that are about to end have for it, once the program
	// has: the end of a pipeline, a helper that sees its input close.
	settle = 100 * time.Millisecond
	// orphaned is all the grace there is when nobody waits anymore.
	orphaned = 500 * time.Millisecond
	// obstinate is how long killing is tried.
	obstinate = 5 * time.Second
	// beat is the pause between looking and looking again.
	beat = 5 * time.Millisecond
)

// end leaves nothing of the program alive: it asks, waits, and kills, whether
// the program ended by itself or not.
func (s *supervisor) end() error {
	defer s.drain()
	if !s.ended {
		s.terminate()
		if s.until(s.Process.Grace, true); !s.ended {
			s.kill()
			s.until(obstinate, true)
		}
	}
	if s.until(settle, false) {
		return nil
	}
	s.left()
	s.terminate()
	if s.until(s.Process.Grace, false) {
		return nil
	}
	for begin := time.Now(); time.Since(begin) < obstinate; {
		s.left()
		s.kill()
		if s.until(beat, false) {
			return nil
		}
	}
	return fmt.Errorf("can't kill processes %v", s.processes())
}

// until waits for the last process to end, or for the program alone, and reports
// whether it did. Without a runner it does not wait for long.
func (s *supervisor) until(limit time.Duration, program bool) bool {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	look := time.NewTicker(beat)
	defer look.Stop()
	gone := s.gone
	for {
		select {
		case w, ok := <-s.reaped:
			switch s.note(w); {
			case program && s.ended, !ok && adopts:
				return true
			case !ok:
				s.reaped = nil // what is left is in the group, and not ours to wait for
			}
		case <-look.C:
			if !adopts && s.ended && !groupAlive(s.main) {
				return true
			}
		case <-gone:
			gone = nil
			deadline.Reset(min(limit, orphaned))
		case <-deadline.C:
			return false
		}
	}
}

// left counts what is alive though the program is not: it has to be killed.
func (s *supervisor) left() {
	for _, pid := range s.processes() {
		s.strays[pid] = true
	}
	s.exit.Strays = len(s.strays)
}

// terminate asks everything to end, and nothing twice: programs take a second
// signal as an order to drop what they are doing.
func (s *supervisor) terminate() {
	together := s.groupIsOurs() && s.Level != loops.Bubblewrap
	asked := s.asked()
	if together {
		_ = syscall.Kill(-s.main, syscall.SIGTERM) // that it is gone already is not a fault
	}
	for _, pid := range asked {
		group, err := syscall.Getpgid(pid)
		if s.told[pid] || err != nil {
			continue
		}
		s.told[pid] = true
		if !together || group != s.main {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
}

// kill kills everything that is found.
func (s *supervisor) kill() {
	if s.groupIsOurs() {
		_ = syscall.Kill(-s.main, syscall.SIGKILL)
	}
	done := map[int]bool{syscall.Getpgrp(): true}
	for _, pid := range s.processes() {
		// A whole group dies at once: none of it can start another in between.
		if group, err := syscall.Getpgid(pid); err == nil && !done[group] {
			done[group] = true
			_ = syscall.Kill(-group, syscall.SIGKILL)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// groupIsOurs reports whether the program's process group can't be another's
// by now. Once the program is gone its number may be given away; where orphans
// are adopted, its members are found otherwise.
func (s *supervisor) groupIsOurs() bool { return !s.ended || !adopts }

// drain ends the reading. Where nothing is alive the pipes are at their end; one
// that was handed to a stranger does not keep us.
func (s *supervisor) drain() {
	for _, r := range s.readers {
		_ = r.SetReadDeadline(time.Now().Add(time.Second))
	}
	s.pumps.Wait()
	for _, r := range s.readers {
		r.Close()
	}
}

// groupAlive reports whether a process group has a member.
func groupAlive(group int) bool { return syscall.Kill(-group, 0) == nil }
