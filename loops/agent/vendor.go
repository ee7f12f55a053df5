package agent

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// stream follows what a program prints as events, line by line.
type stream interface {
	line(line []byte)
	// logged takes a line of standard error.
	logged(line []byte)
	// of is what the events said of the vendor so far.
	of() *vendor
}

// vendor is what a program's events say of its vendor and of its tools. Only events of the
// program itself and what it prints when it fails are asked, never what a model or a
// tool said: a maker that prints "rate limit" would have attempts without end.
type vendor struct {
	at       time.Time // when the call ended
	open     bool      // the vendor has to answer next, if no tool runs
	answered bool      // it answered: there are tokens to pay for
	tools    map[string]bool
	used     bool // a tool ran
	// failed is the failure that stands at the end of the output. Programs ask
	// again by themselves: one that an answer follows counts no more.
	failed *failure
	// same counts results of tools in a row that are one error, as wrong tells.
	same  int
	wrong string
	// failures counts results of tools that are errors.
	failures int
}

// failure is how a vendor failed.
type failure struct {
	outcome loops.Outcome
	detail  string
	resets  time.Time
}

func (v *vendor) of() *vendor { return v }

// logged finds nothing in what most programs log.
func (v *vendor) logged([]byte) {}

func (v *vendor) answers() { v.answered, v.failed = true, nil }

func (v *vendor) begins(tool string) {
	if v.tools == nil {
		v.tools = make(map[string]bool)
	}
	v.tools[tool], v.used = true, true
}

// sameErrors is how often in a row a tool may fail with one error.
const sameErrors = 10

// unsteady is what differs between two results of the same call: times, ids, counts.
var unsteady = schema.Expression(`[0-9a-f]*[0-9][0-9a-f]*`)

// ends takes the result of a tool: its error, "" for none.
func (v *vendor) ends(tool, err string) {
	delete(v.tools, tool)
	v.used = true
	err = shorten(err)
	if err != "" {
		v.failures++
	}
	switch was := v.wrong; {
	case err == "":
		v.same, v.wrong = 0, ""
	case was != "" && unsteady().ReplaceAllString(err, "0") == unsteady().ReplaceAllString(was, "0"):
		v.same++
	default:
		v.same, v.wrong = 1, err
	}
}

// repeats says why a call has to end whose tools fail in one way again and again, or "".
func (v *vendor) repeats() string {
	if v.same < sameErrors {
		return ""
	}
	return fmt.Sprintf("%d tool calls in a row failed with the same error: %s", v.same, v.wrong)
}

// fails takes a failure that an event tells of: the status of an answer over HTTP, 0 if
// there was none, and the program's words. A status that is not the vendor's fault,
// and words that nothing is known of, count as no failure.
func (v *vendor) fails(status int, text string) {
	o := statusOutcome(status)
	if special := textOutcome(text); status == 0 || special == loops.NotPaid {
		o = special
	}
	if o != "" {
		v.failsAs(o, text)
	}
}

// failsAs takes a failure whose kind is known.
func (v *vendor) failsAs(o loops.Outcome, text string) {
	v.failed = &failure{outcome: o, detail: shorten(text)}
	if o == loops.RateLimited {
		v.failed.resets = resets(text, v.at)
	}
}

// failsOnStderr takes what a program wrote to standard error. Once a tool ran, that may
// be the tool's.
func (v *vendor) failsOnStderr(t loops.Transcript) {
	if v.used {
		return
	}
	lines := strings.Split(string(t.Stderr), "\n")
	for i := len(lines) - 1; i >= 0 && v.failed == nil; i-- {
		v.fails(statusIn(lines[i]), strings.TrimSpace(lines[i]))
	}
}

// said adds to what is missing in the output of a call that ended well what the program
// logged: some end so when their vendor fails.
func said(missing string, t loops.Transcript) string {
	if why := errorLine(t.Stderr); why != "" {
		return missing + ": " + why
	}
	return missing
}

// waits reports whether the vendor has to answer next, and no tool runs.
func (v *vendor) waits() bool { return v.open && len(v.tools) == 0 }

// settle decides a call that failed: by its vendor, if a failure stands at the end of the
// output, or if the program was silent while its vendor had to answer.
func (v *vendor) settle(r *loops.Report, t loops.Transcript) {
	switch r.Outcome {
	case loops.Failed, loops.BadOutput, loops.SilenceTimeout, loops.ProgressTimeout, loops.WallTimeout:
	default:
		return
	}
	switch f := v.failed; {
	case f != nil:
		r.Outcome, r.Detail = f.outcome, f.detail
		if r.ResetsAt.IsZero() {
			r.ResetsAt = f.resets
		}
	case r.Outcome == loops.SilenceTimeout && t.Waiting:
		r.Outcome, r.Detail = loops.Unreachable, "no answer from the vendor within the silence timeout"
		return // what was sent may be charged
	default:
		return
	}
	if !v.answered && r.Usage.Cost == "" {
		r.Usage.Cost = loops.CostReported // a refused request costs nothing
	}
}

// statusOutcome returns what a status of HTTP says of a vendor, "" if it is not the
// vendor's fault.
func statusOutcome(status int) loops.Outcome {
	switch {
	case status == 401, status == 403:
		return loops.NotAuthenticated
	case status == 402:
		return loops.NotPaid
	case status == 429:
		return loops.RateLimited
	case status >= 500 && status < 600:
		return loops.Overloaded
	}
	return ""
}

// vendorWords are what programs say when there was no status, or when it hides which
// failure it was, lower-cased.
var vendorWords = []struct {
	outcome loops.Outcome
	words   []string
}{
	{loops.NotPaid, []string{"insufficient_quota", "quota exceeded. check your plan", "credit balance is too low", "payment required", "insufficient credits"}},
	{loops.RateLimited, []string{"usage limit", "session limit", "rate limit", "rate_limit", "too many requests", "resource_exhausted", "quota"}},
	{loops.NotAuthenticated, []string{"unauthorized", "not logged in", "run /login", "please log in", "login required", "authentication", "api key", "oauth token has expired"}},
	{loops.Overloaded, []string{"overloaded", "server is busy", "at capacity", "high demand"}},
	{loops.Unreachable, []string{
		"unable to connect", "cannot connect", "could not connect", "connection error", "connection failed", "connection refused", "connection reset", "connection closed", "econnrefused", "econnreset", "enotfound", "eai_again",
		"etimedout", "fetch failed", "error sending request", "stream disconnected", "stream ended", "empty or malformed response", "socket hang up", "other side closed", "terminated", "request timed out",
		"network error", "premature close", "error when talking to",
	}},
}

// textOutcome returns which failure of a vendor the words of a program speak of, "" for
// none.
func textOutcome(text string) loops.Outcome {
	low := strings.ToLower(text)
	for _, v := range vendorWords {
		for _, w := range v.words {
			if strings.Contains(low, w) {
				return v.outcome
			}
		}
	}
	return ""
}

// statusWords find the status of HTTP in a program's own message.
var statusWords = schema.Expression(`(?i)(?:unexpected status|last status:|with status|HTTP|"code":|^API Error:|^Error:|Last error:|^)\s*([45]\d\d)\b`)

// statusIn returns the status of HTTP that a message of a program names, 0 if none.
func statusIn(text string) int {
	m := statusWords().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// readFailure reads why a program without events failed. It says so on standard error;
// a model and tools may have spoken if there is anything else.
func readFailure(r *loops.Report, t loops.Transcript) {
	spoke := len(bytes.TrimSpace(t.Stdout)) > 0
	v := vendor{at: t.At, used: spoke, answered: spoke}
	v.failsOnStderr(t)
	v.settle(r, t)
}
