// Package les computes the Loop Effectiveness Score: eight categories from 0 to 1 and
// their weighted sum. Input are decoded documents and measurements, output are scores.
//
// Products are converted before they are added, so that no processor fuses the two: the
// last digit has to be the same everywhere.
//
// The standard and its tools define five computations, and their results for one loop
// differ. Each is a function of its own: [Structural] (two profiles), [Observed],
// [Trajectory], [Bench] and [Runtime].
package les

import (
	"math"
	"strconv"
)

// Categories are the eight parts of a score, or their weights, in the order in which
// they are added up.
type Categories struct {
	Effectiveness float64 `json:"effectiveness"`
	Speed         float64 `json:"speed"`
	Cost          float64 `json:"cost"`
	Robustness    float64 `json:"robustness"`
	Scalability   float64 `json:"scalability"`
	Safety        float64 `json:"safety"`
	Adaptability  float64 `json:"adaptability"`
	Autonomy      float64 `json:"autonomy"`
}

// Weights are the weights of LES 1.0.
var Weights = Categories{.20, .15, .12, .13, .10, .12, .10, .08}

// CapturedWeights are older weights: published records that were captured from replays
// are scored with them.
var CapturedWeights = Categories{.25, .15, .15, .15, .10, .10, .05, .05}

// Names are the names of the categories, in order.
var Names = []string{"effectiveness", "speed", "cost", "robustness", "scalability", "safety", "adaptability", "autonomy"}

// Values returns the categories in order.
func (c Categories) Values() [8]float64 {
	return [8]float64{c.Effectiveness, c.Speed, c.Cost, c.Robustness, c.Scalability, c.Safety, c.Adaptability, c.Autonomy}
}

func ofValues(v [8]float64) Categories {
	return Categories{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]}
}

// each applies f to every category.
func (c Categories) each(f func(i int, x float64) float64) Categories {
	v := c.Values()
	for i, x := range v {
		v[i] = f(i, x)
	}
	return ofValues(v)
}

// Total returns the sum of the categories times their weights, not rounded.
func (c Categories) Total(weights Categories) float64 {
	w, v := weights.Values(), c.Values()
	products := make([]float64, len(w))
	for i := range w {
		products[i] = w[i] * v[i]
	}
	return Sum(products...)
}

// Sum adds numbers with Neumaier's compensation. Published scores were computed so; a
// plain sum differs from one in a hundred of them in the last digit.
func Sum(values ...float64) float64 {
	var sum, lost float64
	for _, x := range values {
		t := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			lost += (sum - t) + x
		} else {
			lost += (x - t) + sum
		}
		sum = t
	}
	return sum + lost
}

// Mean returns the mean, 0 for no values.
func Mean(values ...float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return Sum(values...) / float64(len(values))
}

// Round returns the decimal number with so many digits that is nearest to the exact
// value of x. Multiplying and dividing by a power of ten would round some values wrong.
func Round(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil {
		return x // not a number
	}
	return y
}

// Display is a score from 0 to 1 as it is shown: from 0 to 100, with one digit.
func Display(score float64) float64 { return Round(score*100, 1) }

// Band is the name of the range that a displayed score lies in.
func Band(display float64) string {
	switch {
	case display >= 90:
		return "production-grade"
	case display >= 75:
		return "strong"
	case display >= 60:
		return "functional"
	case display >= 40:
		return "fragile"
	}
	return "non-viable"
}

// Range is the range of raw values that is mapped to 0 up to 1.
type Range struct {
	Floor float64 `json:"floor"`
	Ceil  float64 `json:"ceil"`
}

// of maps a raw value to 0 up to 1, and everything to 0 if the range is empty.
func (r Range) of(x float64) float64 {
	if r.Ceil <= r.Floor {
		return 0
	}
	return clamp((x - r.Floor) / (r.Ceil - r.Floor))
}

func clamp(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, 0), 1)
}

// What raw values are mapped to 0 and 1 where no suite or task says otherwise.
var (
	effectRange = Range{.5, 1}
	speedRange  = Range{.001, .05} // iterations per second
	costRange   = Range{.05, 2}    // gain of the goal score per dollar
	robustRange = Range{.3, .95}
	scaleRange  = Range{.4, .9}
	adaptRange  = Range{.2, .85}
	humanRange  = Range{.1, .95}
)

// halved is the score of a run that failed before it could iterate: all but safety
// count half.
func (c Categories) halved() Categories {
	safety := c.Safety
	c = c.each(func(_ int, x float64) float64 { return x * .5 })
	c.Safety = safety
	return c
}

func (c Categories) rounded(digits int) Categories {
	return c.each(func(_ int, x float64) float64 { return Round(x, digits) })
}
