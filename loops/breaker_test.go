package loops

import (
	"strings"
	"testing"
)

// Progress in between is progress: two chunks that take three attempts each, two of
// them without a change, do not add up to a breaker that opens.
func TestACommitIsProgress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start := oneChunk()
	start.Plan.Chunks = []Chunk{{ID: "1"}, {ID: "2"}}
	start.Limits.Attempts = 10
	idle := said(OK)
	b.roles = map[Role][]RoleResult{Maker: {idle, idle, changed("t1"), idle, idle, changed("t2")}}
	b.run(start)
	if b.s.Status != GoalMet || b.s.Breaker.State != Closed || b.s.Breaker.LastProgress != 6 {
		t.Errorf("%s, %+v", b.s.Status, b.s.Breaker)
	}
}

// A run that goes on with the work of another begins with its breaker.
func TestARunBeginsWithABreaker(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start := oneChunk()
	start.Limits.Attempts = 10
	start.Breaker = Breaker{State: HalfOpen, NoProgress: 2}
	b.roles = map[Role][]RoleResult{Maker: {said(OK)}}
	b.run(start)
	if b.s.Status != Stopped || b.s.Breaker.State != Open || b.s.Iterations != 1 {
		t.Errorf("%s after %d iterations, %+v", b.s.Status, b.s.Iterations, b.s.Breaker)
	}
}

// Each iteration is written as + or - for progress or none, and the letter of its
// error; each state as its first letter.
func TestBreaker(t *testing.T) {
	t.Parallel()
	limits := Limits{HalfOpen: 2, NoProgress: 4, SameError: 3}
	for iterations, want := range map[string]string{
		"+ + + + +":         "C C C C C",
		"- - - - +":         "C H H O O",
		"- - + - - -":       "C H C C H H",
		"+a +a +a +":        "C C O O",
		"-a -a -a":          "C H O",
		"+a +a +b +a +a":    "C C C C C",
		"+a +a + +a +a +a":  "C C C C C O",
		"+a -b +b -b +c -c": "C C C O O O",
	} {
		var b Breaker
		var got []string
		for i, step := range strings.Fields(iterations) {
			b = b.Next(limits, i+1, step[0] == '+', step[1:])
			got = append(got, string(b.State[:1]))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %s, want %s", iterations, got, want)
		}
	}
}
