package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// answer is what an agent may leave in the file WIKI_LOOP_RESULT, or print as
// the last JSON object of its last message. Every field is optional.
type answer struct {
	Status     string            `json:"status"`
	Summary    string            `json:"summary"`
	Assessment string            `json:"self_assessment"`
	Verdict    string            `json:"verdict"`
	Progress   *bool             `json:"progress"`
	Checks     map[string]any    `json:"checks"`
	Reasons    []json.RawMessage `json:"reasons"`
	Scores     map[string]any    `json:"scores"`
	Story      string            `json:"story"`
	Usage      *struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
		Tools  *int  `json:"tool_calls"`
	} `json:"usage"`
	Cost      *float64 `json:"cost_usd"`
	RateLimit *struct {
		ResetsAt string `json:"resets_at"`
	} `json:"rate_limit"`
	Session string `json:"session_id"`
}

// overlay adds what the result file says to what the output said. The program of the agent
// command may have written it; that of any other agent says what happened in its output,
// and the file is its model's.
func overlay(r *loops.Report, c loops.Call, src []byte, program bool) {
	if len(bytes.TrimSpace(src)) == 0 {
		return
	}
	var a answer
	if err := json.Unmarshal(src, &a); err != nil {
		if r.Outcome == loops.OK {
			r.Outcome, r.Detail = loops.BadOutput, "the result file is not valid JSON: "+err.Error()
		}
		return
	}
	if !program {
		a.byModel()
	}
	a.apply(r, c.Role)
}

// byModel takes out of an answer what a model can't know: how its vendor failed, or what a
// call costs. A maker that says "rate-limited" would have attempts without end.
func (a *answer) byModel() {
	a.Status = modelStatus(a.Status)
	a.RateLimit, a.Usage, a.Cost, a.Session = nil, nil, nil, ""
}

func modelStatus(word string) string {
	if o := outcomes[plainStatus(word)]; o.Passes() || o.Refused() || o == loops.BudgetSpent {
		return "error"
	}
	return word
}

func plainStatus(word string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.TrimSpace(word)))
}

// outcomes are the words of a status.
var outcomes = map[string]loops.Outcome{
	"ok": loops.OK, "success": loops.OK, "done": loops.OK, "error": loops.Failed, "failed": loops.Failed, "failure": loops.Failed,
	"auth": loops.NotAuthenticated, "not-logged-in": loops.NotAuthenticated, "unauthenticated": loops.NotAuthenticated,
	"payment": loops.NotPaid, "rate-limited": loops.RateLimited, "rate-limit": loops.RateLimited, "overloaded": loops.Overloaded,
	"unreachable": loops.Unreachable, "budget": loops.BudgetSpent,
	"max-turns": loops.MaxTurns, "permission-denied": loops.PermissionDenied, "no-change": loops.NoChange, "bad-output": loops.BadOutput,
}

// apply puts an answer over a report. It can make an outcome worse, and never
// better: a program that failed did not succeed because it wrote so before.
func (a *answer) apply(r *loops.Report, role loops.Role) {
	word := plainStatus(a.Status)
	o, known := outcomes[word]
	switch {
	case known && o != loops.OK && (r.Outcome == loops.OK || r.Outcome == loops.Failed):
		r.Outcome = o
	case word != "" && !known && r.Outcome == loops.OK:
		r.Outcome, r.Detail = loops.BadOutput, "unknown status "+word
	}
	if a.RateLimit != nil && (r.Outcome == loops.RateLimited || r.Outcome == loops.Failed) {
		r.Outcome = loops.RateLimited
		r.ResetsAt, _ = time.Parse(time.RFC3339, a.RateLimit.ResetsAt)
	}
	if a.Summary != "" {
		r.Summary = a.Summary
	}
	if a.Story != "" {
		r.Story = a.Story
	}
	switch s := loops.Assessment(strings.ToUpper(a.Assessment)); s {
	case loops.AssessOK, loops.AssessWarn, loops.AssessFail:
		r.Assessment = s
	}
	a.spent(r)
	if v := a.verdict(role); v != nil {
		r.Verdict = v
	}
	if role == loops.Evaluator && a.Scores != nil {
		a.scored(r)
	}
}

// scored takes the scores of an evaluator. What is no number counts for none.
func (a *answer) scored(r *loops.Report) {
	r.Scores, r.Reasons = make(map[string]float64), a.reasons()
	for name, v := range a.Scores {
		if n, ok := v.(float64); ok {
			r.Scores[name] = n
		}
	}
}

// reasons returns what an answer gives as its reasons: objects, or texts.
func (a *answer) reasons() []loops.Reason {
	var out []loops.Reason
	for _, raw := range a.Reasons {
		var reason loops.Reason
		var text string
		switch {
		case json.Unmarshal(raw, &text) == nil:
			reason.Message = text
		case json.Unmarshal(raw, &reason) != nil || reason.Message == "":
			continue
		}
		out = append(out, reason)
	}
	return out
}

// spent takes what a call consumed, and its session.
func (a *answer) spent(r *loops.Report) {
	if u := a.Usage; u != nil {
		r.Usage.InputTokens, r.Usage.OutputTokens = max(0, u.Input), max(0, u.Output)
		if u.Tools != nil {
			r.Usage.ToolCalls = max(0, *u.Tools)
		}
	}
	if a.Cost != nil && *a.Cost >= 0 {
		r.Usage.USD, r.Usage.Cost = *a.Cost, loops.CostReported
	}
	if a.Session != "" {
		r.Session = a.Session
	}
}

// verdict returns what a role that judges says, nil if it says nothing that counts.
func (a *answer) verdict(role loops.Role) *loops.Verdict {
	d, ok := loops.ReadDecision(role, strings.ToUpper(strings.TrimSpace(strings.ReplaceAll(a.Verdict, "_", " "))))
	if !ok {
		return nil
	}
	v := &loops.Verdict{Decision: d, Progress: a.Progress}
	if a.Checks != nil {
		v.Checks = make(map[string]string)
		for name, is := range a.Checks {
			v.Checks[name], v.Reasons = check(name, is, v.Reasons)
		}
	}
	v.Reasons = append(v.Reasons, a.reasons()...)
	return v
}

// check reads one check: a word, or an object with the word and a reason.
func check(name string, is any, reasons []loops.Reason) (string, []loops.Reason) {
	word := func(v any) string {
		switch v := v.(type) {
		case bool:
			if v {
				return "pass"
			}
		case string:
			if s := strings.ToLower(strings.TrimSpace(v)); s == "pass" || s == "passed" || s == "ok" {
				return "pass"
			}
		}
		return "fail"
	}
	m, ok := is.(map[string]any)
	if !ok {
		return word(is), reasons
	}
	got := "fail"
	for _, key := range []string{"status", "result", "verdict"} {
		if v, ok := m[key]; ok {
			got = word(v)
			break
		}
	}
	if text, _ := m["reason"].(string); text != "" && got == "fail" {
		r := loops.Reason{Message: name + ": " + text}
		r.Path, _ = m["path"].(string)
		if n, ok := m["line"].(float64); ok {
			r.Line = int(n)
		}
		reasons = append(reasons, r)
	}
	return got, reasons
}

// storyDone is the line by which lodeloop's agents say which story they have done.
var storyDone = schema.Expression(`(?m)^[ \t]*LODELOOP_DONE:[ \t]*([A-Za-z0-9][A-Za-z0-9._-]{0,63})[ \t]*\r?$`)

// fromText finds an answer in a last message: its last JSON object, fenced or
// not, or a last line that is nothing but a decision.
func fromText(r *loops.Report, role loops.Role, text string) {
	r.Text = text
	if r.Summary == "" {
		r.Summary = shorten(text)
	}
	if a, ok := lastObject(text); ok {
		a.Summary = "" // the message is
		a.byModel()
		a.apply(r, role)
	}
	if m := storyDone().FindAllStringSubmatch(text, -1); m != nil && role == loops.Maker {
		r.Story = m[len(m)-1][1]
	}
	if r.Verdict != nil || !role.Judges() {
		return
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := strings.ToUpper(strings.Trim(lines[len(lines)-1], " *_`.\t\r"))
	last = strings.TrimSpace(strings.TrimPrefix(last, "VERDICT:"))
	if d, ok := loops.ReadDecision(role, last); ok {
		r.Verdict = &loops.Verdict{Decision: d}
		if len(lines) > 1 && (d == loops.Reject || d == loops.NotMet) {
			r.Verdict.Reasons = []loops.Reason{{Message: shorten(strings.Join(lines[:len(lines)-1], "\n"))}}
		}
	}
}

// objectLimit is how many places of a text are tried as the start of an object.
const objectLimit = 200

// lastObject returns the last JSON object of a text that has a field of an
// answer.
func lastObject(text string) (answer, bool) {
	end := len(text)
	for range objectLimit {
		at := strings.LastIndexByte(text[:end], '{')
		if at < 0 {
			break
		}
		end = at
		var a answer
		d := json.NewDecoder(strings.NewReader(text[at:]))
		if d.Decode(&a) == nil && (a.Verdict != "" || a.Status != "" || a.Assessment != "" || a.Story != "" || a.Summary != "" || a.Scores != nil) {
			return a, true
		}
	}
	return answer{}, false
}

// shorten keeps what fits into a report.
func shorten(s string) string {
	const most = 2000
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// jsonLines calls f with every line that is a JSON object. Lines in between that
// are none are what programs print beside it.
func jsonLines(src []byte, f func(line []byte)) (any bool) {
	for line := range bytes.SplitSeq(src, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) > 1 && line[0] == '{' && json.Valid(line) {
			f(line)
			any = true
		}
	}
	return any
}

// blind takes the verdict of a judge whose commands all failed: it judged what it did not
// see.
func blind(r *loops.Report, role loops.Role) {
	if r.Verdict == nil || r.ToolsFailed == 0 || r.ToolsFailed < r.Usage.ToolCalls {
		return
	}
	r.Verdict = nil
	r.Outcome, r.Detail = loops.BadOutput, fmt.Sprintf("the %s gives no verdict: %s failed, all that it ran", role, text.Count(r.ToolsFailed, "command"))
}

// errorWord finds lines that name an error.
var errorWord = schema.Expression(`(?i)\b(error|fatal|failed|failure|panic|denied|refused|unable|cannot|can't)\b|\b[A-Za-z]+Error\b|\bE[A-Z]{3,}: `)

// errorLine returns the last line of the first source with text that names an error, or
// its last line if none does. What follows an error is where in the program it was.
func errorLine(sources ...[]byte) string {
	for _, s := range sources {
		found := ""
		for line := range bytes.Lines(s) {
			if line = bytes.TrimSpace(line); errorWord().Match(line) && !bytes.HasPrefix(line, []byte("at ")) {
				found = shorten(string(line))
			}
		}
		if found != "" {
			return found
		}
	}
	return lastLine(sources...)
}
