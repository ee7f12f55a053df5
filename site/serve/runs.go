package serve

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site"
)

// Loops tell of runs of loops, of plans and of incidents. Without Runs nothing is
// shown; with it the others are there, too.
type Loops struct {
	// Runs are all runs, the oldest first.
	Runs func() []schema.RunSummary
	// Points are the latest runs as charts show them.
	Points func() ([]schema.RunPoint, error)
	// Scores are people's verdicts on runs, by loop and mode.
	Scores func() ([]schema.LoopScore, error)
	// Run returns one run. The error is fs.ErrNotExist for an unknown id.
	Run func(id string) (*schema.RunDetail, error)
	// Text returns a file of a run for display; the error is as above.
	Text func(id, name string) (*schema.RunText, error)
	// Plans and Incidents are lists; Plan and Incident are one with its texts, with
	// an error as above.
	Plans     func() ([]schema.LoopPlan, error)
	Plan      func(name string) (*schema.LoopPlan, error)
	Incidents func() ([]schema.LoopIncident, error)
	Incident  func(id string) (*schema.LoopIncident, error)
	// Specs are the loop specifications and the leaderboard.
	Specs func() schema.LoopSpecs
	// Fleet tells how the plans of many repositories stand; it may be nil, and be called by many
	// goroutines.
	Fleet func() (*schema.FleetReport, error)
	// Stamp changes when something is written to the run, or to any if id is "".
	Stamp func(id string) string
}

// How often runs are looked at, by those who see one and for the menu.
const (
	runsPeriod  = 500 * time.Millisecond
	firstPeriod = 2 * time.Second
)

// hasRuns reports whether there is anything to show of loops.
func (s *Server) hasRuns() bool {
	l := s.opt.Loops
	if l.Runs == nil {
		return false
	}
	if l.Fleet != nil || len(l.Runs()) > 0 {
		return true
	}
	incidents, _ := l.Incidents()
	plans, _ := l.Plans()
	if len(incidents)+len(plans) > 0 {
		return true
	}
	specs := l.Specs()
	return len(specs.Specs) > 0 || specs.Board != nil
}

// awaitRuns makes the menu lead to runs when the first of them is there.
func (s *Server) awaitRuns(ctx context.Context) {
	if s.opt.Loops.Runs == nil {
		return
	}
	look := time.NewTicker(firstPeriod)
	defer look.Stop()
	for !s.ran.Load() {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			if s.hasRuns() {
				s.ran.Store(true)
				if err := s.publish(s.again, nil); err != nil {
					s.fail(err)
				}
			}
		}
	}
}

// again is the present generation laid out anew.
func (s *Server) again(g *generation) (*generation, error) {
	p, err := s.layOut(g.wiki, g.known)
	return &generation{wiki: g.wiki, known: g.known, linted: g.linted, pages: p, problem: g.problem}, err
}

// runPath returns the part of an address below the folder of runs; ok is false for a
// site that can't show runs.
func (s *Server) runPath(g *generation, name string) (p runPages, rest string, ok bool) {
	p, can := g.pages.(runPages)
	if !can || s.opt.Loops.Runs == nil {
		return nil, "", false
	}
	rest, ok = strings.CutPrefix(name, p.RunsAt())
	return p, rest, ok || name+"/" == p.RunsAt()
}

// serveLoops answers with a page about runs of loops, if one is asked for. What an
// address names is looked up by those who keep the runs.
func (s *Server) serveLoops(w http.ResponseWriter, r *http.Request) bool {
	g := s.now.Load()
	name := strings.TrimPrefix(r.URL.Path, "/")
	p, rest, ok := s.runPath(g, name)
	if !ok {
		return false
	}
	if s.listensBeyondLoopback() && !local(r.RemoteAddr) {
		refuse(w, http.StatusForbidden, "runs are shown on the local machine only: transcripts may contain private text")
		return true
	}
	id, below, _ := strings.Cut(rest, "/")
	if to := elsewhere(p, name, rest); to != "" {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
	stamp := s.opt.Loops.Stamp(stampOfRun(rest))
	body, err := s.renderRuns(p, rest, id, below)
	switch {
	case missing(err):
		s.serveMissing(w, r, g)
	case err != nil:
		s.log.Error("can't show", "runs", rest, "err", err)
		s.serveNotice(w, r, g, http.StatusInternalServerError, g.words().CanNotShow, err.Error())
	default:
		if !strings.HasPrefix(below, "files/") {
			w.Header().Add("Server-Timing", `runs;desc="`+stamp+`"`)
		}
		// Sent like the site's own pages, whatever the wiki calls its files.
		s.send(w, r, g, "404.html", &file{body: body, etag: fmt.Sprintf(`"%016x"`, xxh3.Hash(body))}, http.StatusOK)
	}
	return true
}

// elsewhere is the target of a redirect for a page about loops that is requested without
// its slash, or by a folder without a page; "" if there is none.
func elsewhere(p runPages, name, rest string) string {
	id, below, _ := strings.Cut(rest, "/")
	note := aboutFiles(id)
	switch {
	case note && below == "" && strings.HasSuffix(rest, "/"):
		return "../"
	case name+"/" == p.RunsAt(), rest != "" && below == "" && !strings.HasSuffix(rest, "/") && path.Ext(rest) != ".html",
		note && below != "" && !strings.Contains(below, "/"):
		return "./" + path.Base(name) + "/"
	}
	return ""
}

// renderRuns renders the page that rest, which is id/below, names.
func (s *Server) renderRuns(p runPages, rest, id, below string) ([]byte, error) {
	loops := s.opt.Loops
	switch {
	case rest == "", rest == "index.html":
		return s.renderLoops(p)
	case aboutFiles(id):
		return s.renderNote(p, id+"/", below)
	case rest == site.BoardName:
		if b := loops.Specs().Board; b != nil {
			return p.RenderBoard(b)
		}
		return nil, fs.ErrNotExist
	case rest == site.FleetName && loops.Fleet != nil:
		report, err := loops.Fleet()
		if err != nil {
			return nil, err
		}
		return p.RenderFleet(report)
	case rest == site.RunChartsName:
		points, err := loops.Points()
		if err != nil {
			return nil, err
		}
		scores, err := loops.Scores()
		if err != nil {
			return nil, err
		}
		return p.RenderRunCharts(points, scores)
	case below == "", below == "index.html":
		d, err := loops.Run(id)
		if err != nil {
			return nil, err
		}
		return p.RenderRun(d)
	}
	name, ok := strings.CutPrefix(below, "files/")
	if !ok {
		return nil, fs.ErrNotExist
	}
	t, err := loops.Text(id, name)
	if err != nil {
		return nil, err
	}
	return p.RenderRunText(id, t)
}

// renderLoops renders what there is of loops.
func (s *Server) renderLoops(p runPages) ([]byte, error) {
	plans, err := s.opt.Loops.Plans()
	if err != nil {
		return nil, err
	}
	incidents, err := s.opt.Loops.Incidents()
	if err != nil {
		return nil, err
	}
	return p.RenderRuns(s.opt.Loops.Runs(), plans, incidents, s.opt.Loops.Specs())
}

// aboutFiles reports whether pages below a folder are about files of the repository
// instead of a run.
func aboutFiles(folder string) bool {
	return slices.Contains([]string{site.PlansAt, site.IncidentsAt, site.SpecsAt}, folder+"/")
}

// renderNote renders a plan, an incident or a loop specification.
func (s *Server) renderNote(p runPages, folder, below string) ([]byte, error) {
	name := strings.TrimSuffix(strings.TrimSuffix(below, "index.html"), "/")
	if name == "" || strings.Contains(name, "/") {
		return nil, fs.ErrNotExist
	}
	switch folder {
	case site.SpecsAt:
		of, err := site.FindSpec(s.opt.Loops.Specs(), name)
		if err != nil {
			return nil, err
		}
		points, err := s.opt.Loops.Points()
		if err != nil {
			return nil, err
		}
		return p.RenderSpec(of, points)
	case site.PlansAt:
		plan, err := s.opt.Loops.Plan(name)
		if err != nil {
			return nil, err
		}
		return p.RenderLoopPlan(plan)
	}
	incident, err := s.opt.Loops.Incident(name)
	if err != nil {
		return nil, err
	}
	return p.RenderIncident(incident)
}

// stampOfRun is the id of the run that a page below the folder of runs is about,
// "" if it is about all.
func stampOfRun(rest string) string {
	id, _, of := strings.Cut(rest, "/")
	if !of || aboutFiles(id) {
		return ""
	}
	return id
}

// local reports whether a request comes from this machine.
func local(remote string) bool {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// followRuns sends a stamp for the stream of a page about runs whenever its data
// changes, and nothing for other streams.
func (s *Server) followRuns(r *http.Request) (stamps <-chan string, leave func()) {
	page := r.URL.Query().Get("page")
	_, rest, ok := s.runPath(s.now.Load(), page)
	if page == "" || !ok {
		return nil, func() {}
	}
	ctx, cancel := context.WithCancel(r.Context())
	out := make(chan string)
	go func() {
		look := time.NewTicker(runsPeriod)
		defer look.Stop()
		for said := ""; ; {
			if stamp := s.opt.Loops.Stamp(stampOfRun(rest)); stamp != said {
				select {
				case out <- stamp:
					said = stamp
				case <-ctx.Done():
					return
				}
			}
			select {
			case <-look.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, cancel
}
