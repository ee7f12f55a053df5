package conflict

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// How likely a meeting is a contradiction, boosted regression trees say (Friedman, Greedy
// Function Approximation, 2001): each asks a few questions about the features, and what they
// answer is added. They were learnt from labelled sets, see TestTrain.

//go:embed trees.txt
var treesText string

// tree is a question about a feature, or the answer that a path of questions ends with.
type tree struct {
	feature   int     // -1 for an answer
	value     float64 // the most that leads to low; of an answer, what it adds to the log odds
	low, high *tree
}

// forest is a sum of trees.
type forest struct {
	start float64 // the log odds of any meeting
	trees []*tree
}

// likelihood says how likely two mentions contradict each other, from 0 to 1.
func (f *forest) likelihood(x *features) float64 {
	odds := f.start
	for _, t := range f.trees {
		for t.feature >= 0 {
			if x[t.feature] <= t.value {
				t = t.low
			} else {
				t = t.high
			}
		}
		odds += t.value
	}
	return 1 / (1 + math.Exp(-odds))
}

// learnt are the trees of trees.txt.
var learnt = sync.OnceValue(func() *forest {
	f, err := readForest(treesText)
	if err != nil {
		panic("trees.txt: " + err.Error()) // a fault of this package, which its tests find
	}
	return f
})

// readForest reads trees as [forest.String] writes them.
func readForest(text string) (*forest, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	start, err := strconv.ParseFloat(lines[0], 64)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	f := &forest{start: start}
	for at := 1; at < len(lines); {
		t, err := readTree(lines, &at)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", at, err)
		}
		f.trees = append(f.trees, t)
	}
	return f, nil
}

// readTree reads the tree that begins at a line, and moves behind it.
func readTree(lines []string, at *int) (t *tree, err error) {
	if *at >= len(lines) {
		return nil, fmt.Errorf("the tree ends within a question")
	}
	name, value, asks := strings.Cut(lines[*at], " ")
	*at++
	t = &tree{feature: -1}
	if !asks {
		t.value, err = strconv.ParseFloat(name, 64)
		return t, err
	}
	if t.feature = slices.Index(featureNames[:], name); t.feature < 0 {
		return nil, fmt.Errorf("there is no feature %q", name)
	}
	if t.value, err = strconv.ParseFloat(value, 64); err != nil {
		return nil, err
	}
	if t.low, err = readTree(lines, at); err != nil {
		return nil, err
	}
	t.high, err = readTree(lines, at)
	return t, err
}

// String writes the log odds of any meeting, and below it the trees: a line for each question,
// with the most that leads to its first branch, before its two branches, and one for each answer.
func (f *forest) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.3f\n", f.start)
	var write func(*tree)
	write = func(t *tree) {
		if t.feature < 0 {
			fmt.Fprintf(&b, "%.4f\n", t.value)
			return
		}
		fmt.Fprintf(&b, "%s %.3f\n", featureNames[t.feature], t.value)
		write(t.low)
		write(t.high)
	}
	for _, t := range f.trees {
		write(t)
	}
	return b.String()
}
