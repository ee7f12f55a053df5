package site

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// RunChartsName is the file, next to the list of runs, that shows them over time.
const RunChartsName = "charts.html"

// The measures of charts, in units of their drawings.
const (
	chartWidth  = 720
	chartHeight = 230
	chartLeft   = 88.0
	chartRight  = 708.0
	chartTop    = 14.0
	chartBottom = 196.0
	statusRow   = 28.0
)

// window is how many runs a moving rate is about.
const window = 10

// RenderRunCharts charts runs over time, oldest first. scores are people's verdicts, by
// loop and mode.
func (s *Site) RenderRunCharts(points []schema.RunPoint, scores []schema.LoopScore) ([]byte, error) {
	w := &s.words.Runs
	v := theme.RunCharts{Frame: s.runFrame(RunChartsName, w.Charts), W: w, Points: points, Scores: scores, Summary: chartSummary(w, points)}
	v.Charts = []theme.Chart{costChart(w, points), statusChart(w, points), rejectChart(w, points)}
	if slices.ContainsFunc(points, func(p schema.RunPoint) bool { return p.LES != nil }) {
		v.Charts = append(v.Charts, s.scoreChart(points))
	}
	if len(scores) > 0 {
		v.Charts = append(v.Charts, acceptChart(w, scores))
	}
	return s.execute("runcharts", v)
}

func chartSummary(w *theme.RunWords, points []schema.RunPoint) string {
	var usd float64
	var verdicts, rejected int
	for _, p := range points {
		usd += p.USD
		verdicts += p.Verdicts
		rejected += p.Rejections
	}
	return fmt.Sprintf("%s: $%.2f; %s %d, %s %d.", w.TotalText, usd, w.Verdicts, verdicts, w.Rejected, rejected)
}

// across is the horizontal position of a run by its index.
func across(i, n int) float64 {
	return round(chartLeft + (float64(i)+.5)*(chartRight-chartLeft)/float64(max(n, 1)))
}

func round(v float64) float64 { return math.Round(v*10) / 10 }

// newChart is an empty chart with the days at which it begins and ends.
func newChart(id, title, text string, points []schema.RunPoint) theme.Chart {
	c := theme.Chart{ID: id, Title: title, Text: text, Width: chartWidth, Height: chartHeight, Left: chartLeft, Right: chartRight}
	if n := len(points); n > 0 {
		day := func(p schema.RunPoint) string { return p.Started.UTC().Format("2006-01-02") }
		c.Labels = append(c.Labels, theme.ChartLabel{X: chartLeft, Anchor: "start", Text: day(points[0])})
		if last := day(points[n-1]); last != day(points[0]) {
			c.Labels = append(c.Labels, theme.ChartLabel{X: chartRight, Anchor: "end", Text: last})
		}
	}
	return c
}

// height is the vertical position of a share.
func height(share float64) float64 { return round(chartBottom - share*(chartBottom-chartTop)) }

func runSays(p schema.RunPoint) string {
	return fmt.Sprintf("%s %s: %s, $%.2f", p.Started.UTC().Format("2006-01-02 15:04"), theme.Visible(p.Plan), p.Status, p.USD)
}

func costChart(w *theme.RunWords, points []schema.RunPoint) theme.Chart {
	c := newChart("run-cost", w.CostChart, w.CostText, points)
	most := 0.0
	for _, p := range points {
		most = max(most, p.USD)
	}
	most = roundUp(most)
	for _, share := range []float64{0, .5, 1} {
		c.Ticks = append(c.Ticks, theme.ChartTick{Y: height(share), Label: money(share*most, most)})
	}
	wide := round(min(28, .7*(chartRight-chartLeft)/float64(max(len(points), 1))))
	for i, p := range points {
		top := height(max(0, p.USD) / most)
		c.Bars = append(c.Bars, theme.ChartBar{
			X: round(across(i, len(points)) - wide/2), Y: min(top, chartBottom-1), Width: wide, Height: round(max(1, chartBottom-top)), Hollow: p.Estimated, Says: runSays(p),
		})
	}
	return c
}

// roundUp is the next of 1, 2 and 5 times a power of ten.
func roundUp(v float64) float64 {
	if v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power {
			return m * power
		}
	}
	return 10 * power
}

func money(v, most float64) string {
	switch {
	case most < .1:
		return fmt.Sprintf("$%.3f", v)
	case most < 10:
		return fmt.Sprintf("$%.2f", v)
	}
	return fmt.Sprintf("$%.0f", v)
}

// statusOrder is the order of the rows of statuses.
var statusOrder = []string{"met", "not-met", "stopped", "budget", "environment", "rejected", "interrupted", "waiting", "running"}

func statusChart(w *theme.RunWords, points []schema.RunPoint) theme.Chart {
	c := newChart("run-statuses", w.StatusChart, w.StatusText, points)
	row := map[string]float64{}
	y := chartTop
	for _, status := range statusOrder {
		n := 0
		for _, p := range points {
			if p.Status == status {
				n++
			}
		}
		if n == 0 {
			continue
		}
		row[status] = y
		c.Ticks = append(c.Ticks, theme.ChartTick{Y: y, Label: fmt.Sprintf("%s %d", status, n)})
		y += statusRow
	}
	for i, p := range points {
		if y, ok := row[p.Status]; ok {
			c.Dots = append(c.Dots, theme.ChartDot{X: across(i, len(points)), Y: y, Kind: p.Status, Says: runSays(p)})
		}
	}
	c.Height = int(y + 18)
	return c
}

func rejectChart(w *theme.RunWords, points []schema.RunPoint) theme.Chart {
	c := newChart("run-rejections", w.RejectChart, w.RejectText, points)
	for _, share := range []float64{0, .25, .5, .75, 1} {
		c.Ticks = append(c.Ticks, theme.ChartTick{Y: height(share), Label: fmt.Sprintf("%.0f %%", 100*share)})
	}
	var line []string
	var judged []schema.RunPoint
	for i, p := range points {
		if p.Verdicts == 0 {
			continue
		}
		judged = append(judged, p)
		x := across(i, len(points))
		c.Dots = append(c.Dots, theme.ChartDot{
			X: x, Y: height(float64(p.Rejections) / float64(p.Verdicts)), Kind: "rate", Says: fmt.Sprintf("%s; %d/%d", runSays(p), p.Rejections, p.Verdicts),
		})
		line = append(line, fmt.Sprintf("%v,%v", x, height(rate(judged[max(0, len(judged)-window):]))))
	}
	if len(line) > 1 {
		c.Line = strings.Join(line, " ")
	}
	return c
}

// rate is the share of rejections among the verdicts of some runs.
func rate(points []schema.RunPoint) float64 {
	var verdicts, rejected int
	for _, p := range points {
		verdicts += p.Verdicts
		rejected += p.Rejections
	}
	return float64(rejected) / float64(max(verdicts, 1))
}

// acceptChart has a bar for each loop and mode of which people judged a run.
func acceptChart(w *theme.RunWords, scores []schema.LoopScore) theme.Chart {
	c := newChart("run-accepted", w.AcceptChart, w.AcceptText, nil)
	for _, share := range []float64{0, .5, 1} {
		c.Ticks = append(c.Ticks, theme.ChartTick{Y: height(share), Label: fmt.Sprintf("%.0f %%", 100*share)})
	}
	wide := round(min(60, .5*(chartRight-chartLeft)/float64(len(scores))))
	for i, s := range scores {
		x, top := across(i, len(scores)), height(s.AcceptRate)
		name := theme.Visible(s.Loop) + " " + s.Mode
		c.Labels = append(c.Labels, theme.ChartLabel{X: x, Anchor: "middle", Text: name})
		if judged := s.Runs - s.Open; judged > 0 {
			c.Bars = append(c.Bars, theme.ChartBar{
				X: round(x - wide/2), Y: min(top, chartBottom-1), Width: wide, Height: round(max(1, chartBottom-top)),
				Says: fmt.Sprintf("%s: %d/%d, %.0f %%", name, s.Accepted, judged, 100*s.AcceptRate),
			})
		}
	}
	return c
}
