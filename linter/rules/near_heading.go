package rules

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// headingIndex finds the heading of a page that a fragment most likely meant.
// A look-up does not depend on the number of headings.
type headingIndex struct {
	page   *schema.Page
	bySlug map[string][]int // indexes into Headings
	joined map[string][]int // by the slug without its hyphens
	typo   map[string][]int // by the slug with one letter left out
	slugs  []string         // sorted
}

func newHeadingIndex(page *schema.Page) *headingIndex {
	x := &headingIndex{page: page, bySlug: map[string][]int{}, joined: map[string][]int{}, typo: map[string][]int{}}
	for i := range page.Headings {
		s := slug(page.Headings[i].Text)
		if s == "" || len(s) > longestGuess {
			continue
		}
		x.bySlug[s] = append(x.bySlug[s], i)
		if len(s) < fewestGuess {
			continue
		}
		x.slugs = append(x.slugs, s)
		j := strings.ReplaceAll(s, "-", "")
		x.joined[j] = append(x.joined[j], i)
		for _, v := range shortened(s) {
			x.typo[v] = append(x.typo[v], i)
		}
	}
	slices.Sort(x.slugs)
	x.slugs = slices.Compact(x.slugs)
	return x
}

// near returns the heading whose words are those of the fragment, or that is a
// letter away, or that begins with it or it with the heading; nil when none or
// several are.
func (x *headingIndex) near(fragment string) *schema.Heading {
	if i := strings.LastIndexByte(fragment, '#'); i >= 0 {
		fragment = fragment[i+1:]
	}
	want := slug(fragment)
	if want == "" || len(want) > longestGuess {
		return nil
	}
	for _, found := range [][]int{x.bySlug[want], x.oneLetter(want), x.joined[strings.ReplaceAll(want, "-", "")], x.beginning(want)} {
		switch len(found) {
		case 0:
		case 1:
			return &x.page.Headings[found[0]]
		default:
			return nil
		}
	}
	return nil
}

// oneLetter returns the headings that differ by one letter, ignoring numbers.
func (x *headingIndex) oneLetter(want string) []int {
	var out []int
	for _, v := range shortened(want) {
		list := x.typo[v]
		for _, i := range list[:min(len(list), 16)] {
			have := slug(x.page.Headings[i].Text)
			if oneEdit(want, have) && digits(want) == digits(have) && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
	}
	return out
}

// beginning returns the headings that begin with the slug, or else the longest
// that the slug begins with, whole words of it.
func (x *headingIndex) beginning(want string) []int {
	var out []int
	if len(want) >= fewestGuess {
		at, _ := slices.BinarySearch(x.slugs, want)
		for ; at < len(x.slugs) && strings.HasPrefix(x.slugs[at], want) && len(out) < 2; at++ {
			out = append(out, x.bySlug[x.slugs[at]]...)
		}
	}
	for cut := strings.LastIndexByte(want, '-'); len(out) == 0 && cut > 0; cut = strings.LastIndexByte(want[:cut], '-') {
		out = x.bySlug[want[:cut]]
	}
	return out
}
