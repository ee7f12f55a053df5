package site

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/theme"
)

// SpecsAt is the folder, below that of runs, in which loop specifications are shown.
// BoardName is the file next to it with the leaderboard.
const (
	SpecsAt   = "specs/"
	BoardName = "leaderboard.html"
)

// Outputs about loops in a build, which has no runs.
type (
	loopsOutput struct{}
	specOutput  struct{ spec *schema.LoopSpec }
	boardOutput struct{}
)

// putLoops puts the pages about loop specifications of a build. A preview renders them
// on demand, with the runs. s.files has all others.
func (s *Site) putLoops(n *names) {
	if s.opt.Live || len(s.opt.Loops.Specs) == 0 && s.opt.Loops.Board == nil {
		return
	}
	at := s.RunsAt()
	put := func(name string, out output) {
		if n.take(name) { // two names that differ by letter case alone are one file
			s.outputs[name] = out
			s.files = append(s.files, name)
		}
	}
	put(at+homeName, loopsOutput{})
	for i := range s.opt.Loops.Specs {
		of := &s.opt.Loops.Specs[i]
		put(at+specFile(of.File), specOutput{of})
	}
	if s.opt.Loops.Board != nil {
		put(at+BoardName, boardOutput{})
	}
}

// specFile is the file of a specification below the folder of runs.
func specFile(file string) string { return SpecsAt + safePath(file) + "/" + homeName }

func (loopsOutput) render(s *Site, _ string) ([]byte, error) {
	v := theme.Runs{Frame: s.runFrame(homeName, s.words.Specs.Title), W: &s.words.Runs, Intro: s.words.Specs.Intro}
	s.listSpecs(&v, s.opt.Loops)
	return s.execute("runs", v)
}

func (o specOutput) render(s *Site, _ string) ([]byte, error) { return s.RenderSpec(o.spec, nil) }

func (boardOutput) render(s *Site, _ string) ([]byte, error) {
	return s.RenderBoard(s.opt.Loops.Board)
}

// listSpecs adds specifications and the way to the leaderboard to the list of runs.
func (s *Site) listSpecs(v *theme.Runs, specs schema.LoopSpecs) {
	for i, of := range specs.Specs {
		href := SpecsAt + escapePath(safePath(of.File)) + "/"
		if !s.opt.Live {
			href += homeName
			if s.outputs[s.RunsAt()+specFile(of.File)] != (specOutput{&specs.Specs[i]}) {
				continue // another one has its address
			}
		}
		of.Objective = clip(text.Collapse(of.Objective), 160)
		v.Specs = append(v.Specs, theme.SpecRow{LoopSpec: of, Href: href})
	}
	if specs.Board != nil {
		v.BoardHref = BoardName
	}
}

// FindSpec returns the specification at an address below [SpecsAt]; the error is
// fs.ErrNotExist.
func FindSpec(specs schema.LoopSpecs, name string) (*schema.LoopSpec, error) {
	i := slices.IndexFunc(specs.Specs, func(of schema.LoopSpec) bool { return safePath(of.File) == name })
	if i < 0 {
		return nil, fmt.Errorf("loop specification %s: %w", name, fs.ErrNotExist)
	}
	return &specs.Specs[i], nil
}

// RenderSpec shows a loop specification, with its runs among points.
func (s *Site) RenderSpec(of *schema.LoopSpec, points []schema.RunPoint) ([]byte, error) {
	file := specFile(of.File)
	v := theme.Spec{
		Frame: s.runFrame(file, theme.Visible(of.Name)), W: &s.words.Specs, LoopSpec: *of, Flow: drawFlow(of.Nodes, of.Edges), Runs: strings.Repeat("../", strings.Count(file, "/")),
	}
	var scored []schema.RunPoint
	for _, p := range points {
		if p.Loop != of.Name {
			continue
		}
		run := theme.ScoredRun{RunPoint: p}
		if p.LES != nil {
			scored, run.Score = append(scored, p), fmt.Sprintf("%.1f", *p.LES)
		}
		v.Ran = append(v.Ran, run)
	}
	if len(scored) > 0 {
		v.Charts = append(v.Charts, s.scoreChart(scored))
	}
	return s.execute("spec", v)
}

// scoreChart shows the LES of runs, oldest first. Runs without one leave a gap.
func (s *Site) scoreChart(points []schema.RunPoint) theme.Chart {
	c := newChart("run-scores", s.words.Specs.ScoreChart, s.words.Specs.ScoreText, points)
	for _, share := range []float64{0, .25, .5, .75, 1} {
		c.Ticks = append(c.Ticks, theme.ChartTick{Y: height(share), Label: fmt.Sprintf("%.0f", 100*share)})
	}
	var line []string
	for i, p := range points {
		if p.LES == nil {
			continue
		}
		dot := theme.ChartDot{X: across(i, len(points)), Y: height(*p.LES / 100), Kind: p.Status, Says: fmt.Sprintf("%s; LES %.1f", runSays(p), *p.LES)}
		c.Dots = append(c.Dots, dot)
		line = append(line, fmt.Sprintf("%v,%v", dot.X, dot.Y))
	}
	if len(line) > 1 {
		c.Line = strings.Join(line, " ")
	}
	return c
}

// RenderBoard shows a leaderboard.
func (s *Site) RenderBoard(b *schema.LoopBoard) ([]byte, error) {
	return s.execute("leaderboard", theme.Board{Frame: s.runFrame(BoardName, s.words.Specs.Board), W: &s.words.Specs, LoopBoard: *b})
}
