package agent

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/loops"
)

// vendorExits are how the programs ended that printed testdata/vendors: 1 if not said.
var vendorExits = map[string]int{
	"gemini/401": 145, "gemini/402": 146, "gemini/429": 173, "gemini/429-with-reset": 173, "gemini/503": 247, "gemini/529": 17, "gemini/cut": 0, "gemini/cut-after-a-tool": 0,
}

// endless are calls that had to be ended: the program asks its vendor again and again.
var endless = map[string]bool{"codex/refused": true, "opencode/cut": true, "opencode/cut-after-a-tool": true, "gemini/503-after-a-tool": true, "gemini/429-after-a-tool": true}

// vendorFailures say what is made of each failure; tool is set if a tool ran before.
var vendorFailures = []struct {
	name   string
	want   loops.Outcome
	resets string
	tool   bool
}{
	{name: "401", want: loops.NotAuthenticated},
	{name: "402", want: loops.NotPaid},
	{name: "429", want: loops.RateLimited},
	{name: "429-with-reset", want: loops.RateLimited, resets: "2026-07-04T12:00:20Z"},
	{name: "503", want: loops.Overloaded},
	{name: "529", want: loops.Overloaded},
	{name: "cut", want: loops.Unreachable},
	{name: "refused", want: loops.Unreachable},
	{name: "hang", want: loops.Unreachable},
	{name: "503-after-a-tool", want: loops.Overloaded, tool: true},
	{name: "429-after-a-tool", want: loops.RateLimited, tool: true},
	{name: "cut-after-a-tool", want: loops.Unreachable, tool: true},
	{name: "hang-after-a-tool", want: loops.Unreachable, tool: true},
	{name: "hang-of-a-tool", want: loops.SilenceTimeout, tool: true},
}

// noResets are programs that don't say when a limit is over.
var noResets = map[string]bool{"codex": true}

// vendorOutput returns what a program printed, by the name of the case.
func vendorOutput(t *testing.T, id string) func(name string) (out, log []byte) {
	t.Helper()
	a, err := txtar.ParseFile("testdata/vendors/" + id + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	return func(name string) (out, log []byte) {
		t.Helper()
		found := false
		for _, f := range a.Files {
			switch f.Name {
			case name:
				out, found = f.Data, true
			case name + "/stderr":
				log = f.Data
			}
		}
		if !found {
			t.Fatalf("no output of %s", name)
		}
		return out, log
	}
}

// waits reports whether the vendor has to answer after what a program printed.
func waits(t *testing.T, id string, out []byte) bool {
	t.Helper()
	a, err := Find(loops.Casting{Agent: id}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := a.Follow()
	for line := range bytes.Lines(out) {
		f.Line(bytes.TrimSpace(line), false)
	}
	return f.Waiting()
}

func readAs(t *testing.T, id string, tr loops.Transcript) loops.Report {
	t.Helper()
	a, err := Find(loops.Casting{Agent: id}, DefaultPrices())
	if err != nil {
		t.Fatal(err)
	}
	tr.At = noon
	return a.Read(loops.Call{Role: loops.Maker, ResultFile: "/tmp/result.json"}, tr)
}

// TestVendorFailures reads what the five programs of npm printed when their vendor failed.
func TestVendorFailures(t *testing.T) {
	t.Parallel()
	for _, id := range answerers {
		output := vendorOutput(t, id)
		for _, f := range vendorFailures {
			t.Run(id+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				out, log := output(f.name)
				code, said := vendorExits[id+"/"+f.name]
				if !said {
					code = 1
				}
				exit := exited(code)
				if strings.HasPrefix(f.name, "hang") || endless[id+"/"+f.name] {
					exit = loops.Exit{Why: loops.EndedSilence, Code: 143}
				}
				r := readAs(t, id, loops.Transcript{Stdout: out, Stderr: log, Exit: exit, Waiting: waits(t, id, out)})
				want := f.want
				if id == "gemini" && f.name == "cut-after-a-tool" { // it says that it succeeded
					want = loops.OK
				}
				if id == "gemini" && endless[id+"/"+f.name] { // it asks again, and does not say in an event why
					want = loops.Unreachable
				}
				if r.Outcome != want || r.Detail == "" && want.Passes() {
					t.Errorf("%s (%s), want %s", r.Outcome, r.Detail, want)
				}
				var resets string
				if !r.ResetsAt.IsZero() {
					resets = r.ResetsAt.Format(time.RFC3339)
				}
				if resets != f.resets && !(resets == "" && noResets[id]) {
					t.Errorf("resets %q, want %q", resets, f.resets)
				}
				began := strings.HasPrefix(f.name, "hang") || id == "gemini" && f.name == "cut" || endless[id+"/"+f.name] && f.name == "cut"
				if free := r.Usage.Cost == loops.CostReported && r.Usage.USD == 0; !f.tool && !began && !free {
					t.Errorf("a refused call costs %+v", r.Usage)
				}
			})
		}
	}
}

// TestKilledCallIsPaidFor sums what the events of a call say that was ended before it could.
func TestKilledCallIsPaidFor(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]loops.Usage{
		"claude":   {InputTokens: 1500, OutputTokens: 1, ToolCalls: 1, USD: 0.022575, Cost: loops.CostPriced},
		"opencode": {InputTokens: 1000, OutputTokens: 50, ToolCalls: 1, Cost: loops.CostReported},
	} {
		out, log := vendorOutput(t, id)("hang-after-a-tool")
		r := readAs(t, id, loops.Transcript{Stdout: out, Stderr: log, Exit: loops.Exit{Why: loops.EndedWall, Code: -1}})
		if r.Outcome != loops.WallTimeout || r.Usage != want {
			t.Errorf("%s: %s, %+v, want %+v", id, r.Outcome, r.Usage, want)
		}
	}
}

// TestWordsOfAModelAreNoVendorFailure fails calls in which a model, a tool and the result
// file speak of limits, and no event of the program does: they cost an attempt.
func TestWordsOfAModelAreNoVendorFailure(t *testing.T) {
	t.Parallel()
	const words = "429 rate limit exceeded, overloaded, usage limit reached, connection refused, please run /login\n"
	for _, id := range answerers {
		out, log := vendorOutput(t, id)("words")
		if !bytes.Contains(out, []byte("usage limit reached")) || !bytes.Contains(out, []byte("rate limit exceeded")) {
			t.Fatalf("%s: neither its model nor its tool says it:\n%s", id, out)
		}
		for _, row := range []struct {
			name string
			tr   loops.Transcript
			want loops.Outcome
		}{
			{"it ends well", loops.Transcript{Exit: exited(0)}, loops.OK},
			{"it fails", loops.Transcript{Exit: exited(1)}, loops.Failed},
			{"it fails and its tools wrote to standard error", loops.Transcript{Exit: exited(1), Stderr: []byte(words)}, loops.Failed},
			{"it is ended", loops.Transcript{Exit: loops.Exit{Why: loops.EndedProgress, Code: -1}, Stderr: []byte(words)}, loops.ProgressTimeout},
			{"it was silent at the end", loops.Transcript{Exit: loops.Exit{Why: loops.EndedSilence, Code: -1}}, loops.SilenceTimeout},
			{"its model wrote a result", loops.Transcript{Exit: exited(0), Result: []byte(`{"status": "rate-limited", "rate_limit": {"resets_at": "2026-07-04T20:00:00Z"}, "cost_usd": 0}`)}, loops.Failed},
			{"its model says that it is not logged in", loops.Transcript{Exit: exited(0), Result: []byte(`{"status": "auth"}`)}, loops.Failed},
		} {
			row.tr.Stdout, row.tr.Stderr = out, append(log[:len(log):len(log)], row.tr.Stderr...)
			row.tr.Waiting = waits(t, id, out)
			r := readAs(t, id, row.tr)
			if r.Outcome != row.want || !r.ResetsAt.IsZero() {
				t.Errorf("%s: %s: %s (%s), want %s", id, row.name, r.Outcome, r.Detail, row.want)
			}
			if r.Outcome == loops.Failed && r.Usage.Cost == loops.CostReported && r.Usage.USD == 0 && id == "claude" {
				t.Errorf("%s: %s: its cost is gone", id, row.name)
			}
		}
	}
	// A last message may be JSON as well.
	r := readAs(t, "copilot", loops.Transcript{Exit: exited(0), Stdout: []byte(`{"status": "overloaded"}`)})
	if r.Outcome != loops.Failed {
		t.Errorf("a message that is JSON: %s", r.Outcome)
	}
}

// TestLastFailureCounts holds what programs print of failures that were over, or were another
// in the end.
func TestLastFailureCounts(t *testing.T) {
	t.Parallel()
	const retry = `{"type":"system","subtype":"api_retry","error_status":503,"error":"overloaded"}` + "\n"
	for _, row := range []struct {
		name, id, out string
		code          int
		want          loops.Outcome
	}{
		{"claude was answered, and failed", "claude", retry + `{"type":"assistant","message":{"id":"m","model":"m","content":[]}}`, 1, loops.Failed},
		{"claude's prompt is too long", "claude", retry + `{"type":"result","is_error":true,"api_error_status":400,"result":"API Error: 400 prompt is too long"}`, 1, loops.Failed},
		{"claude was ended while it asked again", "claude", retry, 143, loops.Killed},
		{"codex was answered, and failed", "codex", `{"type":"error","message":"Reconnecting... 1/5 (unexpected status 503 Service Unavailable)"}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"ok"}}`, 1, loops.Failed},
		{"codex's turn failed by another", "codex", `{"type":"error","message":"unexpected status 503 Service Unavailable"}` + "\n" + `{"type":"turn.failed","error":{"message":"unexpected status 400 Bad Request"}}`, 1, loops.Failed},
		{"gemini says it by its exit status alone", "gemini", `{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: no]"}}`, 529 & 0xff, loops.Overloaded},
		{"copilot was answered, and failed", "copilot", `{"type":"model.call_failure","data":{"statusCode":503}}` + "\n" + `{"type":"model.call_finished","data":{"outcome":"success"}}`, 1, loops.Failed},
	} {
		if r := readAs(t, row.id, loops.Transcript{Stdout: []byte(row.out), Exit: exited(row.code)}); r.Outcome != row.want {
			t.Errorf("%s: %s (%s), want %s", row.name, r.Outcome, r.Detail, row.want)
		}
	}
}

// TestRepeatedToolErrorsEndACall follows calls whose tool fails in one way.
func TestRepeatedToolErrorsEndACall(t *testing.T) {
	t.Parallel()
	for _, id := range answerers {
		output := vendorOutput(t, id)
		for name, says := range map[string]string{"unknown-tool": "no_such_tool", "malformed-call": "", "failing-command": "nosuch"} {
			if id == "gemini" && name == "failing-command" {
				continue // it does not say that a command failed
			}
			out, log := output(name)
			good, _ := output("hang-after-a-tool") // a call of a tool that ends well
			a, err := Find(loops.Casting{Agent: id}, nil)
			if err != nil {
				t.Fatal(err)
			}
			f := a.Follow()
			feed := func(out, log []byte) {
				for line := range bytes.Lines(out) {
					f.Line(bytes.TrimSpace(line), false)
				}
				for line := range bytes.Lines(log) {
					f.Line(bytes.TrimSpace(line), true)
				}
			}
			again := func(times int) {
				for n := range times {
					feed(bytes.ReplaceAll(out, []byte("call_0"), fmt.Appendf(nil, "call_%d", n)), log)
				}
			}
			again(9)
			if why := f.Ends(); why != "" {
				t.Errorf("%s: %s: nine times: %s", id, name, why)
			}
			feed(good, nil)
			again(9)
			if why := f.Ends(); why != "" {
				t.Errorf("%s: %s: nine times after a success: %s", id, name, why)
			}
			again(1)
			if why := f.Ends(); !strings.HasPrefix(why, "10 tool calls in a row failed with the same error: ") || !strings.Contains(why, says) {
				t.Errorf("%s: %s: ten times: %q", id, name, why)
			}
		}
	}
}

// TestErrorsOfDifferentFilesAreNotTheSame lets an agent look for a file in many places.
func TestErrorsOfDifferentFilesAreNotTheSame(t *testing.T) {
	t.Parallel()
	var v vendor
	for _, name := range strings.Fields("main.go cmd/main.go src/main.go lib/main.go app/main.go x/main.go y/main.go z/main.go v/main.go w/main.go u/main.go") {
		v.ends("", "cat: "+name+": No such file or directory")
	}
	if why := v.repeats(); why != "" {
		t.Error(why)
	}
}

// OpenCode tells of a tool when it has ended; its log tells a stalled answer from a tool
// that runs. The lines are those of version 1.18.
func TestStallWithinAStepOfOpenCodeIsItsVendors(t *testing.T) {
	t.Parallel()
	const (
		start   = `{"type":"step_start","sessionID":"s","part":{"type":"step-start"}}`
		tool    = `{"type":"tool_use","sessionID":"s","part":{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","output":"x"}}}`
		end     = `{"type":"step_finish","sessionID":"s","part":{"reason":"tool-calls","cost":0.01,"tokens":{"input":100,"output":5}}}`
		models  = `timestamp=2026-11-26T17:04:00.980Z level=ERROR run=df2995d9 message="Failed to fetch models.dev" cause="Unable to connect. HTTP 503"`
		request = `timestamp=2026-11-26T17:04:02.841Z level=INFO run=df2995d9 message=stream providerID=mock modelID=m session.id=s small=false agent=build mode=primary`
		allowed = `timestamp=2026-11-26T17:04:03.922Z level=INFO run=df2995d9 message=evaluated permission=bash pattern="echo 'x\ntimestamp=2026-11-26T17:02:58.747Z level=INFO run=e8 message=stream '" action.action=allow`
	)
	for name, c := range map[string]struct {
		printed []string // in order; those of the log begin with timestamp
		want    loops.Outcome
	}{
		"an answer that stalls":                 {[]string{models, request, start}, loops.Unreachable},
		"the second answer stalls":              {[]string{request, start, allowed, tool, end, request, start}, loops.Unreachable},
		"a request without an answer":           {[]string{request, start, allowed, tool, end, request}, loops.Unreachable},
		"a tool that hangs":                     {[]string{request, start, allowed}, loops.SilenceTimeout},
		"the second tool hangs":                 {[]string{request, start, allowed, tool, end, request, start, allowed}, loops.SilenceTimeout},
		"a step of a program that does not log": {[]string{start}, loops.SilenceTimeout},
	} {
		a, err := Find(loops.Casting{Agent: "opencode"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := a.Follow()
		var out, log []string
		for _, line := range c.printed {
			if isLog := strings.HasPrefix(line, "timestamp="); isLog {
				f.Line([]byte(line), true)
				log = append(log, line)
			} else {
				f.Line([]byte(line), false)
				out = append(out, line)
			}
		}
		r := readAs(t, "opencode", loops.Transcript{
			Stdout: []byte(strings.Join(out, "\n")), Stderr: []byte(strings.Join(log, "\n")), Exit: loops.Exit{Why: loops.EndedSilence, Code: 143}, Waiting: f.Waiting(),
		})
		if r.Outcome != c.want || strings.ContainsAny(r.Detail, "{=") {
			t.Errorf("%s: %s (%s), want %s", name, r.Outcome, r.Detail, c.want)
		}
	}
	failed := readAs(t, "opencode", loops.Transcript{Stdout: []byte(start), Stderr: []byte(models + "\nError: no such model\n"), Exit: exited(1)})
	if failed.Outcome != loops.Failed || failed.Detail != "Error: no such model" {
		t.Errorf("what the log says is taken for the failure: %s (%s)", failed.Outcome, failed.Detail)
	}
}

// Programs end well though their vendor failed, and print nothing: why stands on standard
// error.
func TestCallsWithoutOutputThatEndWell(t *testing.T) {
	t.Parallel()
	ids := append([]string{"aider", "amp", "cursor", "goose"}, answerers...)
	for _, id := range ids {
		for _, c := range []struct {
			log    string
			want   loops.Outcome
			detail string
		}{
			{"Error when talking to Gemini API Full report available at: /tmp/error.json", loops.Unreachable, "Error when talking to"},
			{"Error: 503 Service Unavailable", loops.Overloaded, "503"},
			{"Error: the configuration names no model", loops.BadOutput, "Error: the configuration names no model"},
			{"", loops.BadOutput, "it printed no"},
		} {
			r := readAs(t, id, loops.Transcript{Stderr: []byte(c.log), Exit: exited(0)})
			if r.Outcome != c.want || !strings.Contains(r.Detail, c.detail) {
				t.Errorf("%s, %q: %s (%s), want %s", id, c.log, r.Outcome, r.Detail, c.want)
			}
		}
	}
}
