package conflict

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// How trees are learnt: gradient boosting of the logistic loss with Newton's steps, each tree
// from a part of the examples and each question from a part of the features (Friedman, Stochastic
// Gradient Boosting, 2002). Three such forests are averaged, since there are few examples.
const (
	forests     = 3
	treesEach   = 280
	deepestTree = 3
	rate        = 0.06
	rowShare    = 0.6
	askedShare  = 0.2
	leastInLeaf = 8
	ridge       = 1
	mostCuts    = 32 // values that a question may ask for, of one feature
	reweighed   = 3
)

// learn returns what is learnt from all examples but those of a fold. Of the meetings of one
// contradiction those count that look most like it.
func learn(all []example, without int) *forest {
	var of []*example
	for i := range all {
		if all[i].fold != without {
			of = append(of, &all[i])
		}
	}
	cuts := cutsOf(of)
	bins := binsOf(of, &cuts)
	worth, likely := make([]float64, len(of)), make([]float64, len(of))
	var f *forest
	for range reweighed {
		weigh(of, likely, worth)
		f = &forest{}
		for n := range forests {
			b := boost{of: of, cuts: cuts, bins: bins, worth: worth, random: rand.New(rand.NewPCG(1, uint64(n)))}
			b.run()
			f.start += b.start / forests
			f.trees = append(f.trees, b.trees...)
		}
		for i, e := range of {
			likely[i] = f.likelihood(&e.features)
		}
	}
	return f
}

// weigh sets how much each example counts.
func weigh(of []*example, likely, worth []float64) {
	share := map[string]float64{}
	for i, e := range of {
		if e.label != "" {
			share[e.label] += math.Exp(4 * likely[i])
		}
	}
	for i, e := range of {
		worth[i] = e.worth
		switch {
		case e.label != "":
			worth[i] *= 3 * math.Exp(4*likely[i]) / share[e.label]
		case e.tempt:
			worth[i] *= 1.5
		}
	}
}

// cutsOf returns the values of each feature that a question may ask for.
func cutsOf(of []*example) (cuts [featureCount][]float64) {
	for k := range cuts {
		var values []float64
		for _, e := range of {
			values = append(values, math.Round(1000*e.features[k])/1000)
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for n := range min(mostCuts, len(values)-1) {
			i := n * (len(values) - 1) / min(mostCuts, len(values)-1)
			cuts[k] = append(cuts[k], math.Round(500*(values[i]+values[i+1]))/1000)
		}
		cuts[k] = slices.Compact(cuts[k])
	}
	return cuts
}

// binsOf returns between which cuts each example lies, by feature.
func binsOf(of []*example, cuts *[featureCount][]float64) (bins [featureCount][]uint8) {
	for k := range cuts {
		bins[k] = make([]uint8, len(of))
		for i, e := range of {
			n, _ := slices.BinarySearch(cuts[k], e.features[k])
			bins[k][i] = uint8(n)
		}
	}
	return bins
}

// boost learns one forest.
type boost struct {
	of     []*example
	cuts   [featureCount][]float64
	bins   [featureCount][]uint8
	worth  []float64
	random *rand.Rand
	start  float64
	trees  []*tree

	odds, slope, curve []float64
}

func (b *boost) run() {
	yes, no := 0.0, 0.0
	for i, e := range b.of {
		if e.label != "" {
			yes += b.worth[i]
		} else {
			no += b.worth[i]
		}
	}
	b.start = math.Log(yes / no)
	n := len(b.of)
	b.odds, b.slope, b.curve = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range b.odds {
		b.odds[i] = b.start
	}
	for range treesEach {
		var rows []int
		for i, e := range b.of {
			p := 1 / (1 + math.Exp(-b.odds[i]))
			b.slope[i], b.curve[i] = -p*b.worth[i], p*(1-p)*b.worth[i]
			if e.label != "" {
				b.slope[i] += b.worth[i]
			}
			if b.random.Float64() < rowShare {
				rows = append(rows, i)
			}
		}
		t := b.grow(rows, deepestTree)
		one := forest{trees: []*tree{t}}
		for i, e := range b.of {
			p := one.likelihood(&e.features)
			b.odds[i] += math.Log(p / (1 - p))
		}
		divide(t)
		b.trees = append(b.trees, t)
	}
}

// divide makes a tree one of several forests.
func divide(t *tree) {
	if t.feature < 0 {
		t.value /= forests
		return
	}
	divide(t.low)
	divide(t.high)
}

// grow returns the tree that lowers the loss on some examples most.
func (b *boost) grow(rows []int, deep int) *tree {
	slope, curve := 0.0, 0.0
	for _, i := range rows {
		slope += b.slope[i]
		curve += b.curve[i]
	}
	leaf := &tree{feature: -1, value: rate * slope / (curve + ridge)}
	if deep == 0 || len(rows) < 2*leastInLeaf {
		return leaf
	}
	best, gain := tree{feature: -1}, 1e-6
	for k := range b.cuts {
		if b.random.Float64() < askedShare {
			if at, won := b.cut(rows, k, slope, curve); won > gain {
				best, gain = tree{feature: k, value: at}, won
			}
		}
	}
	if best.feature < 0 {
		return leaf
	}
	var low, high []int
	for _, i := range rows {
		if b.of[i].features[best.feature] <= best.value {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	best.low, best.high = b.grow(low, deep-1), b.grow(high, deep-1)
	return &best
}

// cut returns the best value to ask for of a feature, and what asking gains.
func (b *boost) cut(rows []int, k int, slope, curve float64) (at, gain float64) {
	type sum struct {
		slope, curve float64
		n            int
	}
	sums := make([]sum, len(b.cuts[k])+1)
	for _, i := range rows {
		s := &sums[b.bins[k][i]]
		s.slope += b.slope[i]
		s.curve += b.curve[i]
		s.n++
	}
	var low sum
	worth := func(slope, curve float64) float64 { return slope * slope / (curve + ridge) }
	for n, value := range b.cuts[k] {
		low.slope += sums[n].slope
		low.curve += sums[n].curve
		if low.n += sums[n].n; low.n < leastInLeaf || len(rows)-low.n < leastInLeaf {
			continue
		}
		if won := worth(low.slope, low.curve) + worth(slope-low.slope, curve-low.curve) - worth(slope, curve); won > gain {
			at, gain = value, won
		}
	}
	return at, gain
}

// Trees learn what no sum of features says: which of two counts, a third tells.
func TestLearn(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var all []example
	for i := range 600 {
		e := example{worth: 1, fold: i % 2}
		for _, k := range []int{featCovered, featExact, featRank} {
			e.features[k] = random.Float64()
		}
		asked := featExact
		if e.features[featCovered] > 0.5 {
			asked = featRank
		}
		if e.features[asked] > 0.5 {
			e.label = strconv.Itoa(i)
		}
		all = append(all, e)
	}
	f, right, asked := learn(all, 1), 0, 0
	for i := range all {
		if e := &all[i]; e.fold == 1 { // nothing was learnt from it
			asked++
			if (f.likelihood(&e.features) > 0.5) == (e.label != "") {
				right++
			}
		}
	}
	if right*10 < asked*9 {
		t.Errorf("%d of %d are told apart", right, asked)
	}
}
