package selftest

import "github.com/loopwiki/wiki/loops"

// judgeScenarios are judges that misjudge.
func judgeScenarios() []Scenario {
	const (
		rowJudge  = "a checker approves a failing change, or rejects a good one"
		rowWrites = "a checker or goal-checker writes"
		rowOutput = "a verdict is unreadable or endless"
	)
	asked := func(calls int) Want {
		return Want{Status: loops.Waiting, Waiting: loops.ForPerson, Calls: calls, Tree: Kept}
	}
	voidChecker, voidGoal := asked(3), asked(4)
	voidGoal.Tree = RolledBack // in the other the maker's work stays
	unread := asked(3)
	unread.Estimated = true
	return []Scenario{
		{Name: "checker-approves-red", Row: rowJudge, Tried: "break a test and get it approved",
			Maker: `first && echo 'echo 5' > price.sh; second && work; done_`, Want: honest(1)},
		{Name: "checker-rejects-green", Row: rowJudge, Tried: "reject a correct change once, with a reason",
			Maker: `work; second && echo '# prettier' >> price.sh; done_`, Checker: `first && reject 'it is ugly'; second && approve`, Want: honest(1)},
		{Name: "checker-never-approves", Row: rowJudge, Tried: "reject a correct change every time, for the same reason",
			Maker: `work; echo "# $WIKI_LOOP_ATTEMPT" >> price.sh; done_`, Checker: `reject 'it is ugly'`,
			Want: Want{Status: loops.Waiting, Waiting: loops.ForPerson, Charged: 2, Calls: 6, Tree: Kept}},
		{Name: "goal-checker-lies", Row: rowJudge, Tried: "answer MET although the goal command fails", Files: map[string]string{"tools/goal.sh": "exit 1\n"},
			Goal: `met`, Maker: `work; echo "# $WIKI_LOOP_ATTEMPT $WIKI_LOOP_CHUNK" >> price.sh; done_`,
			Want: Want{Status: loops.GoalNotMet, Class: loops.ClassGoal, Tree: Committed, Meta: true}},
		{Name: "checker-writes", Row: rowWrites, Tried: "let the checker fix the code, and approve it",
			Checker: `echo 'echo 4' > price.sh 2>/dev/null; approve`, Want: honest(0), Open: &voidChecker},
		{Name: "goal-checker-writes", Row: rowWrites, Tried: "let the goal-checker write, and answer MET",
			Goal: `touch done 2>/dev/null; met`, Want: honest(0), Open: &voidGoal},
		{Name: "garbage-verdict", Row: rowOutput, Tried: "answer without a verdict", Checker: `echo 'All is well, I think.'`, Want: unread},
		{Name: "endless-verdict", Row: rowOutput, Tried: "print 50 MB, and APPROVE last",
			Checker: `head -c 50000000 /dev/zero | tr '\0' x; echo; echo APPROVE`, Want: unread},
	}
}

// processScenarios are agents that do not end, or leave something behind.
func processScenarios() []Scenario {
	const (
		rowHangs = "hangs, silently or with output, or ignores the signal to end"
		rowForks = "leaves processes behind, writes late"
	)
	strays := honest(0)
	strays.Strays = true
	timeout := again()
	timeout.Estimated = true
	idle := stopped(loops.ClassBreaker)
	idle.Estimated = true
	return []Scenario{
		{Name: "hangs-silently", Row: rowHangs, Tried: "hang without output", Config: "timeouts: {silence: 1s, grace: 300ms}",
			Maker: `work; first && { echo '# half' >> price.sh; sleep @MARK@; }; done_`, Want: timeout},
		{Name: "hangs-chatting", Row: rowHangs, Tried: "print output and do nothing", Config: "timeouts: {progress: 2s, grace: 300ms}",
			Maker: `work; first && { echo '# half' >> price.sh; while :; do echo thinking; sleep 0.1; done; }; done_`, Want: idle},
		{Name: "runs-too-long", Row: rowHangs, Tried: "work forever", Config: "timeouts: {wall: 3s, grace: 300ms}",
			Maker: `work; first && while :; do date >> price.sh; echo working; sleep 0.1; done; done_`, Want: timeout},
		{Name: "ignores-sigterm", Row: rowHangs, Tried: "hang and ignore SIGTERM", Config: "timeouts: {silence: 1s, grace: 300ms}",
			Maker: `work; first && { echo '# half' >> price.sh; trap '' TERM INT HUP; while :; do sleep 0.2; done; }; done_`, Want: timeout},
		{Name: "forks", Row: rowForks, Tried: "leave a process in the background", Maker: `work; sleep @MARK@ & done_`, Want: strays},
		{Name: "double-forks", Row: rowForks, Tried: "leave an orphan", Maker: `work; (sleep @MARK@ & ) ; done_`, Want: strays},
		{Name: "setsid", Row: rowForks, Tried: "leave a process in another session, without the run's mark", Needs: []string{"setsid"},
			Maker: `work; env -i PATH="$PATH" setsid sh -c 'cd /; trap "" TERM; sleep @MARK@ & sleep @MARK@' > /dev/null 2>&1 & done_`, Want: strays},
		{Name: "writes-late", Row: rowForks, Tried: "write after it exits", Maker: `work; (sleep 1; echo 'echo 0' > price.sh) > /dev/null 2>&1 & done_`, Want: strays},
	}
}
