package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/scaffold"
)

// ScheduleFormats are the forms in which a schedule is written.
var ScheduleFormats = append(slices.Clone(scaffold.Hosts), "systemd", "cron", "hook")

// ScheduleError is a trigger that a form has no words for.
type ScheduleError struct{ Loop, Format string }

func (e *ScheduleError) Error() string {
	if e.Format == "hook" {
		return fmt.Sprintf("the loop %s does not start after merges, and a hook supports nothing else", e.Loop)
	}
	return fmt.Sprintf("the loop %s has no trigger with a time, and %s supports no other", e.Loop, e.Format)
}

// Hint returns what to do.
func (e *ScheduleError) Hint() string {
	if e.Format == "hook" {
		return "add \"after each merge\" to ## Trigger, or use --format systemd or cron"
	}
	return "use --format github, which supports merges and dispatch, or add a time to ## Trigger, as in daily at 08:00"
}

// ScheduleFile is a file of a schedule.
type ScheduleFile struct {
	Name string // where it belongs
	Text string
}

// ScheduleIn is where a schedule runs.
type ScheduleIn struct {
	Dir    string // of the repository, absolute; for systemd, cron and hook
	Wiki   string // the program, absolute; for systemd, cron and hook
	Branch string // the default one
	Action string // the version of this project's action, for workflows
}

// Schedule writes the triggers of a spec in a form. The same spec gives the same
// bytes. notes are what the form can't say.
func (s *LoopSpec) Schedule(format string, in ScheduleIn) (files []ScheduleFile, notes []string, err error) {
	var times []Trigger
	merge := false
	for _, t := range s.Triggers {
		if t.Cron != "" {
			times = append(times, t)
		}
		merge = merge || t.Merge
	}
	if slices.Contains(scaffold.Hosts, format) {
		files, notes = s.workflow(format, times, merge, in)
		return files, notes, nil
	}
	if format == "hook" {
		if !merge {
			return nil, nil, &ScheduleError{s.Name, format}
		}
		if len(times) > 0 {
			notes = append(notes, "a hook can't start at a time: that trigger is skipped")
		}
		return []ScheduleFile{{".git/hooks/post-merge", s.hook(in)}}, notes, nil
	}
	if len(times) == 0 {
		return nil, nil, &ScheduleError{s.Name, format}
	}
	if merge {
		notes = append(notes, "a timer can't start on merges: that trigger is skipped")
	}
	if format == "cron" {
		return []ScheduleFile{{"crontab", s.crontab(times, in)}}, notes, nil
	}
	return s.units(times, in), notes, nil
}

// workflow returns the workflow of a host.
func (s *LoopSpec) workflow(host string, times []Trigger, merge bool, in ScheduleIn) (files []ScheduleFile, notes []string) {
	l := scaffold.Loop{Name: s.Name, Path: s.Path, Word: s.word(), Merge: merge, Minutes: 60}
	for _, t := range times {
		l.Crons = append(l.Crons, t.Cron)
		if !t.UTC {
			notes = append(notes, fmt.Sprintf("schedules are in UTC: %q is read as UTC", t.Text))
		}
	}
	if r, ok := s.Budget("max runtime"); ok {
		l.Minutes = int(r.Time.Minutes()) + 15 // what is set up before, and reported after
	}
	l.Issues = slices.ContainsFunc(s.Inputs, func(in Input) bool { return in.Kind == InputTracker })
	f := scaffold.LoopWorkflow(host, scaffold.Repository{Branch: in.Branch, Action: in.Action}, l)
	return []ScheduleFile{{f.Path, f.Text}}, notes
}

// hook returns a hook of git that starts the loop after a merge into the default branch.
// It runs in the background: whoever merges does not wait for agents.
func (s *LoopSpec) hook(in ScheduleIn) string {
	return fmt.Sprintf(`#!/bin/sh
# Derived by 'wiki loop schedule %s --format hook' from %s.
# git runs it after 'git merge' and 'git pull', but not after a rebase.
[ "$(git symbolic-ref --quiet --short HEAD)" = %s ] || exit 0
cd %s && %s loop run %s --detach >/dev/null || echo 'the loop %[1]s was not started' >&2
`, s.Name, s.Path, shellWord(in.Branch), shellWord(in.Dir), shellWord(in.Wiki), s.argument())
}

// units returns a timer of systemd and what it starts.
func (s *LoopSpec) units(times []Trigger, in ScheduleIn) []ScheduleFile {
	unit := "wiki-loop-" + s.Name
	var timer strings.Builder
	fmt.Fprintf(&timer, "# Derived by 'wiki loop schedule %s' from %s.\n[Unit]\nDescription=When the loop %[1]s runs\n\n[Timer]\n", s.Name, s.Path)
	for _, t := range times {
		for _, c := range t.calendar() {
			fmt.Fprintf(&timer, "OnCalendar=%s\n", c)
		}
	}
	timer.WriteString("Persistent=true\n\n[Install]\nWantedBy=timers.target\n")
	service := fmt.Sprintf("# Derived by 'wiki loop schedule %s' from %s.\n[Unit]\nDescription=The loop %[1]s\n\n[Service]\nType=oneshot\nWorkingDirectory=%[3]s\nExecStartPre=%[4]s loop ready %[5]s\nExecStart=%[4]s loop run %[5]s\n", s.Name, s.Path, strings.ReplaceAll(in.Dir, "%", "%%"), unitWord(in.Wiki), unitWord(s.word()))
	return []ScheduleFile{{unit + ".timer", timer.String()}, {unit + ".service", service}}
}

// unitWord keeps a path from meaning anything to systemd but itself.
func unitWord(path string) string {
	return strings.NewReplacer("%", "%%", `\`, `\\`, " ", `\x20`, "\"", `\x22`, "'", `\x27`, "$", "$$").Replace(path)
}

// crontab are lines of cron.
func (s *LoopSpec) crontab(times []Trigger, in ScheduleIn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Derived by 'wiki loop schedule %s' from %s.\n", s.Name, s.Path)
	dir, wiki := shellWord(in.Dir), shellWord(in.Wiki)
	line := fmt.Sprintf("cd %s && %s loop ready %s && %[2]s loop run %[3]s", dir, wiki, s.argument())
	line = strings.ReplaceAll(line, "%", `\%`) // which ends a line of cron
	for _, utc := range []bool{false, true} {  // what CRON_TZ says holds to the end of the file
		said := false
		for _, t := range times {
			if t.UTC != utc {
				continue
			}
			if utc && !said {
				b.WriteString("CRON_TZ=UTC\n")
				said = true
			}
			fmt.Fprintf(&b, "%s %s\n", t.Cron, line)
		}
	}
	return b.String()
}

// word returns what commands call the loop by: its name, or its file where that lies
// elsewhere.
func (s *LoopSpec) word() string {
	if path.Dir(s.Path) == LoopFolder || path.Dir(s.Path) == BuiltinFolder {
		return s.Name
	}
	return s.Path
}

// argument is word for a shell.
func (s *LoopSpec) argument() string {
	if w := s.word(); w != s.Name {
		return shellWord(w)
	}
	return s.Name
}

// shellWord returns a word of a shell that means itself.
func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
