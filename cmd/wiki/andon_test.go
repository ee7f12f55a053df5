package main

import (
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/rogpeppe/go-internal/testscript"
)

// ends is: ends RUN STATUS COMMAND OUTPUT. A run of a loop ends in that status
// because the command fails with that output; met needs neither.
func ends(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 && len(args) != 4 {
		ts.Fatalf("usage: ends RUN STATUS [COMMAND OUTPUT]")
	}
	s := andon.NewStore(ts.MkAbs("."))
	s.Now = func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }
	st := &loops.State{Status: loops.Status(args[1]), Last: s.Now(), Chunk: -1}
	st.Start.Run, st.Start.Plan.Name, st.Start.Plan.Goal = args[0], "pricing", ""
	var results []loops.GateResult
	if len(args) == 4 {
		st.Start.Gates.Test = []string{args[2]}
		results = []loops.GateResult{{Gate: "test", Effect: loops.Red, Output: args[3]}}
		st.End.Why = "the gate test is red"
		class, sure, _ := loops.Classify(args[2], args[3], 1)
		st.Incidents = []loops.Incident{{ID: loops.IncidentID(s.Now(), args[0]), Class: class, Confidence: sure, At: s.Now()}}
	}
	_, err := s.End(st, results)
	ts.Check(err)
}
