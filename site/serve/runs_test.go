package serve

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema"
)

const hostile = "<script>alert(1)</script>\x1b[31m\u202e"

// someRuns has one run, which is met when done is set.
func someRuns(done *atomic.Bool) Loops {
	at := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
	sum := func() schema.RunSummary {
		s := schema.RunSummary{ID: "r1", Plan: "plans/2026-07-" + hostile + ".md", Status: "running", Started: at, Chunks: []schema.RunChunk{{ID: "1", Status: "running"}}}
		if done.Load() {
			s.Status = "met"
		}
		return s
	}
	file := schema.RunFile{Path: "chunk-1/attempt-1/maker/st dout", Size: 300_000}
	return Loops{
		Runs: func() []schema.RunSummary { return []schema.RunSummary{sum()} },
		Points: func() ([]schema.RunPoint, error) {
			low, high := 41.25, 88.0
			return []schema.RunPoint{{ID: "r2", Loop: hostile, Status: "running", Started: at}, {ID: "r0", Plan: hostile, Loop: hostile, LES: &low, Status: "stopped", Started: at, USD: .3, Verdicts: 2, Rejections: 1},
				{ID: "r1", Loop: hostile, LES: &high, Status: "met", Started: at.AddDate(0, 0, 1), USD: 1.2, Estimated: true, Verdicts: 1}}, nil
		},
		Scores: func() ([]schema.LoopScore, error) {
			return []schema.LoopScore{{Loop: hostile, Mode: "shadow", Runs: 5, Accepted: 4, Rejected: 1, AcceptRate: .8, USDPerAccepted: .25}, {Loop: "execution", Mode: "draft", Open: 1, Runs: 1}}, nil
		},
		Run: func(id string) (*schema.RunDetail, error) {
			if id != "r1" {
				return nil, fmt.Errorf("run %s: %w", id, fs.ErrNotExist)
			}
			call := &schema.RunCall{Role: "checker", Agent: "codex", Outcome: "ok", Summary: hostile, Verdict: "REJECT", Files: []schema.RunFile{file},
				Reasons: []schema.RunReason{{Path: "a.go", Line: 3, Message: hostile}}, Checks: []schema.RunCheck{{Name: "scope", Result: hostile}}}
			gates := []schema.RunGate{{Name: "test", Effect: "red", Output: hostile, Reasons: call.Reasons}, {Name: "scope", Effect: "passed"}}
			return &schema.RunDetail{
				RunSummary: sum(), Name: hostile, Why: hostile, Cast: []schema.RunCast{{Role: "checker", Agent: "codex", SameVendor: true}}, Report: hostile, Warnings: []string{hostile},
				Stops: []schema.RunStop{{RunIncident: schema.RunIncident{ID: "INC-1", Class: "scope", Confidence: 1}, Why: hostile}}, Files: []schema.RunFile{{Path: "journal.jsonl", Size: 10}},
				Parts: []schema.RunPart{{ID: "1", Title: hostile, Status: "running", Attempts: []schema.RunAttempt{{Number: 1, Steps: []schema.RunStep{
					{At: at, Call: call}, {At: at, Stage: "chunk", Gates: gates}, {At: at, Note: hostile, Patch: &schema.RunFile{Path: "patches/a.patch", Size: 3}},
				}}}}},
			}, nil
		},
		Text: func(id, name string) (*schema.RunText, error) {
			if id != "r1" || name != file.Path {
				return nil, fs.ErrNotExist
			}
			return &schema.RunText{RunFile: file, Head: []byte(hostile), Tail: []byte("the end"), Cut: 299_000}, nil
		},
		Plans: func() ([]schema.LoopPlan, error) {
			return []schema.LoopPlan{{Name: "2026-07-a b", Title: hostile, Status: "blocked", Why: hostile, Priority: 1, Chunks: 2, Run: "r1"}}, nil
		},
		Plan: func(name string) (*schema.LoopPlan, error) {
			if name != "2026-07-a b" {
				return nil, fs.ErrNotExist
			}
			return &schema.LoopPlan{Name: name, Path: "plans/" + name + ".md", Title: hostile, Status: "blocked", Run: "r1", Text: hostile}, nil
		},
		Incidents: func() ([]schema.LoopIncident, error) {
			return []schema.LoopIncident{{ID: "INC-1", Status: "stops", Cause: "scope", Why: hostile, Opened: at}}, nil
		},
		Incident: func(id string) (*schema.LoopIncident, error) {
			if id != "INC-1" {
				return nil, fs.ErrNotExist
			}
			return &schema.LoopIncident{ID: id, Status: "stops", Cause: "scope", Confidence: 1, Why: hostile, Run: "r1", Opened: at,
				Parts: []schema.LoopPart{{Name: "five-whys.md", Text: hostile}}}, nil
		},
		Specs: func() schema.LoopSpecs {
			return schema.LoopSpecs{
				Specs: []schema.LoopSpec{{File: "a b.yaml", Path: "agents/loops/a b.yaml", Name: hostile, Version: "1.0.0", Objective: hostile, Pattern: hostile, Level: 2, Conforms: "Operational",
					Nodes:   []schema.LoopNode{{Kind: "worker", ID: "W", Lines: []string{hostile}}, {Kind: "end", ID: "E", Lines: []string{"Met"}}},
					Edges:   []schema.LoopEdge{{From: "W", To: "E"}, {From: "E", To: "W", Label: hostile, Back: true}},
					Diagram: "flowchart TB\n    A[\"" + hostile + "\"]", LES: 77.4, Band: "strong", Categories: []schema.LESCategory{{Name: "effectiveness", Score: .914, Weight: .2}}}},
				Board: &schema.LoopBoard{Updated: hostile, Tables: []schema.LoopRanks{
					{Rows: []schema.LoopRank{{Rank: 1, Submitter: hostile, LES: 80.1, Spec: "javascript:alert(1)"}, {Rank: 2, Submitter: "b", External: true, LES: 9.5, Suite: hostile}}},
					{ID: "LB-CR-1", Tasks: true, Rows: []schema.LoopRank{{Rank: 1, Submitter: "b", LES: 70, Success: .25}}},
				}},
			}
		},
		Fleet: func() (*schema.FleetReport, error) {
			return &schema.FleetReport{DayUSD: 20, SpentUSD: 1.25, Rows: []schema.FleetRow{
				{Repository: hostile, Name: hostile, Plan: "plans/a.md", Title: hostile, Status: "blocked", Why: hostile, Hint: hostile, Chunks: 2},
				{Name: "shop", Plan: "plans/b.md", Status: "met", Chunks: 3, Done: 3, Spend: schema.RunSpend{USD: .5}},
			}}, nil
		},
		Stamp: func(id string) string { return fmt.Sprintf("%s-%v", id, done.Load()) },
	}
}

func TestRunsAreShownAsText(t *testing.T) {
	t.Parallel()
	r := startWith(t, book, Options{Loops: someRuns(new(atomic.Bool))}, layOut)
	for address, says := range map[string]string{
		"/loops/":            `href="r1/"`,
		"/loops/charts.html": "<polyline",
		"/loops/r1/":         `href="files/chunk-1/attempt-1/maker/st%20dout"`,
		"/loops/r1/files/chunk-1/attempt-1/maker/st%20dout": "299000 bytes are not shown here",
		"/loops/plans/2026-07-a%20b/":                       `<a href="../../r1/">r1</a>`,
		"/loops/incidents/INC-1/":                           "five-whys.md",
		"/loops/specs/a%20b.yaml/":                          `<text class="axis" x="88" y="14"`,
		"/loops/leaderboard.html":                           "LB-CR-1",
		"/loops/fleet.html":                                 `<td>3/3</td><td>$0.50</td>`,
		"/_wiki/tree/top.js":                                `"loops/index.html"]`,
	} {
		res, body := r.do("GET", address)
		if res.StatusCode != http.StatusOK || !strings.Contains(body, says) {
			t.Errorf("%s: status %d, without %s:\n%s", address, res.StatusCode, says, body)
		}
		if strings.Contains(body, "<script>alert") || strings.ContainsAny(body, "\x1b\u202e") {
			t.Errorf("%s: what an agent wrote is more than text", address)
		}
		if strings.HasSuffix(address, ".js") {
			continue
		}
		if !strings.Contains(body, "script-src 'self'") {
			t.Errorf("%s: no policy", address)
		}
	}
	if _, body := r.do("GET", "/loops/"); !strings.Contains(body, "0/1 chunk ·") || !strings.Contains(body, "P1 · 2 chunks ·") {
		t.Errorf("one is not told from several:\n%s", body)
	}
	if _, body := r.do("GET", "/loops/charts.html"); !strings.Contains(body, `id="run-accepted"`) || !strings.Contains(body, "<td>80 %</td><td>$0.25</td>") || strings.Count(body, "4/5, 80 %") != 1 {
		t.Errorf("the charts do not show what people made of runs:\n%s", body)
	}
	for address, want := range map[string]int{
		"/loops": 307, "/loops/r1": 307, "/loops/r2/": 404, "/loops/r1/files/": 404, "/loops/r1/files/../../wiki.yaml": 404, "/loops//files/x": 404, "/loops/r1/x": 404,
		"/loops/plans/": 307, "/loops/plans": 307, "/loops/plans/x/": 404, "/loops/plans/x": 307, "/loops/incidents/INC-1": 307, "/loops/incidents/INC-2/": 404, "/loops/incidents/a/b/": 404,
		"/loops/specs/": 307, "/loops/specs/a%20b.yaml": 307, "/loops/specs/a%20b.yaml/x": 404, "/loops/specs/b.yaml/": 404,
	} {
		if res, _ := r.do("GET", address); res.StatusCode != want {
			t.Errorf("%s: status %d, want %d", address, res.StatusCode, want)
		}
	}
}

func TestSpecsAreShownWithTheirRuns(t *testing.T) {
	t.Parallel()
	r := startWith(t, book, Options{Loops: someRuns(new(atomic.Bool))}, layOut)
	for address, says := range map[string][]string{
		"/loops/":                  {`href="specs/a%20b.yaml/"`, `href="leaderboard.html"`, "LES 77.4"},
		"/loops/charts.html":       {`id="run-scores"`, "LES 41.2"},
		"/loops/specs/a%20b.yaml/": {`<rect class="value" width="0.914"`, "<td>0.91</td>", "LES 77.4, strong", `<path class="edge back"`, `<li>Met → &lt;script&gt;`, `<a href="../../r0/">r0</a>`, "<td>88.0</td>", "<td>running</td><td>–</td>", "<polyline"},
		"/loops/leaderboard.html":  {"<td>80.1</td>", "(external)", "<td>0.25</td>", "<code>javascript:alert(1)</code>"},
	} {
		_, body := r.do("GET", address)
		for _, want := range says {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %s:\n%s", address, want, body)
			}
		}
	}
}

func TestRunsAreServedToLocalhostOnly(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]bool{"127.0.0.1:5": true, "[::1]:5": true, "[::ffff:127.0.0.1]:5": true, "192.0.2.7:5": false, "[2001:db8::1]:5": false, "": false} {
		if local(remote) != want {
			t.Errorf("%q: local is %v", remote, !want)
		}
	}
}

func TestFolderNamedLoopsIsServed(t *testing.T) {
	t.Parallel()
	r := startWith(t, map[string]string{"wiki/loops/index.md": "# Our loops\n"}, Options{Loops: someRuns(new(atomic.Bool))}, layOut)
	if _, body := r.do("GET", "/loops/"); !strings.Contains(body, "Our loops") {
		t.Error("the page of the wiki is gone")
	}
	if _, body := r.do("GET", "/_wiki/loops/"); !strings.Contains(body, "Runs of loops") {
		t.Errorf("the runs are nowhere:\n%s", body)
	}
}

func TestNoLoopsPageWithoutRuns(t *testing.T) {
	t.Parallel()
	r := startWith(t, book, Options{}, layOut)
	if res, _ := r.do("GET", "/loops/"); res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", res.StatusCode)
	}
	if _, body := r.do("GET", "/"); strings.Contains(body, "Runs of loops") {
		t.Error("the menu leads to runs that are not there")
	}
}

// browseRuns reads a run while it goes on.
func browseRuns(t *testing.T, browser context.Context) {
	var done atomic.Bool
	r := startWith(t, book, Options{Loops: someRuns(&done)}, layOut)
	v := newView(t, browser)
	for _, scheme := range []string{"light", "dark"} {
		v.prefers(scheme)
		for _, width := range []int64{1280, phone} {
			v.size(width, 800)
			for _, page := range []string{"loops/", "loops/charts.html", "loops/r1/", "loops/r1/files/chunk-1/attempt-1/maker/st%20dout", "loops/plans/2026-07-a%20b/", "loops/incidents/INC-1/", "loops/specs/a%20b.yaml/", "loops/leaderboard.html", "loops/fleet.html"} {
				v.open(r.url + page)
				v.until("the whole page", `document.readyState === "complete" && document.querySelector("h1")`)
				if bad := eval[[]string](v, scriptContrast); len(bad) > 0 {
					t.Errorf("%s, %s: too little contrast: %q", page, scheme, bad)
				}
				if skips := eval[[]string](v, scriptOutline); len(skips) > 0 {
					t.Errorf("%s: headings skip a level: %q", page, skips)
				}
				if !eval[bool](v, `document.documentElement.scrollWidth <= innerWidth`) {
					t.Errorf("%s is wider than a window of %d", page, width)
				}
			}
		}
	}
	ranks := `[...document.querySelectorAll(".sorts")[0].tBodies[0].rows].map((r) => r.cells[2].innerText).join(" ")`
	v.open(r.url + "loops/leaderboard.html")
	v.until("ranks as given", ranks+` === "80.1 9.5" && document.querySelector("th:nth-child(3) > .sort")`)
	v.follow("th:nth-child(3) > .sort")
	v.until("ranks by score", ranks+` === "9.5 80.1" && document.querySelectorAll("th")[2].ariaSort === "ascending"`)
	v.follow("th:nth-child(3) > .sort")
	v.until("ranks by score, the best first", ranks+` === "80.1 9.5" && document.querySelectorAll("[aria-sort=descending]").length === 1`)
	v.open(r.url + "loops/r1/")
	v.until("the run", `document.querySelector(".chip.run.running") && document.readyState === "complete"`)
	eval[bool](v, `document.querySelectorAll("main details").forEach((e) => { e.open = true; }) ?? true`)
	done.Store(true)
	v.until("what became of it", `document.querySelector(".facts .chip.run.met")`)
	v.until("what was open", `document.querySelectorAll("main details[open]").length > 1`)
	v.quiet("runs")
}
