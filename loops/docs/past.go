package docs

import "math"

// The bounds of what counts as having changed together.
const (
	// Window is how many commits later pages still follow code: people write
	// about a change in it, or soon after.
	Window = 5
	// bulkFiles is the number of files beyond which a commit says nothing of
	// what belongs together.
	bulkFiles = 50
	// support is how often page and file must have changed together.
	support = 2
)

// Commit is what one commit changed, by paths below the repository.
type Commit struct {
	ID    string
	Files []string // code and all else that is not a page
	Pages []string // pages of the wiki that it changed
	Born  []string // pages that it added, or that have a new path
	Gone  []string // pages that it deleted
}

// Past is what changed together, learnt commit by commit.
type Past struct {
	recent   []*learnt // at most Window
	seen     map[string]int
	together map[string]map[string]pair // by file and page
}

// learnt is a commit whose pages may still follow.
type learnt struct {
	files []string
	pages map[string]bool
}

// pair is how often, and how tellingly, a page followed a file.
type pair struct {
	times  int
	weight float64
}

// NewPast knows nothing yet.
func NewPast() *Past { return &Past{seen: map[string]int{}, together: map[string]map[string]pair{}} }

// Add learns from a commit, the oldest first.
func (p *Past) Add(c Commit) {
	l := &learnt{pages: map[string]bool{}}
	if len(c.Files) <= bulkFiles {
		l.files = c.Files
	}
	for _, f := range l.files {
		p.seen[f]++
	}
	p.recent = append(p.recent, l)
	if len(p.recent) > Window+1 {
		p.recent = p.recent[1:]
	}
	if len(c.Pages) == 0 {
		return
	}
	weight := 1 / (1 + math.Log(float64(len(c.Pages)))) // a sweep over many pages says little of each
	for _, before := range p.recent {
		for _, page := range c.Pages {
			if before.pages[page] {
				continue
			}
			before.pages[page] = true
			for _, f := range before.files {
				p.pair(f, page, weight)
			}
		}
	}
}

func (p *Past) pair(file, page string, weight float64) {
	pages := p.together[file]
	if pages == nil {
		pages = map[string]pair{}
		p.together[file] = pages
	}
	was := pages[page]
	pages[page] = pair{was.times + 1, was.weight + weight}
}

// share is how often a page followed a change of a file, from 0 to below 1, and
// the number of times.
func (p *Past) share(file, page string) (share float64, times int) {
	of, ok := p.together[file][page]
	if !ok || of.times < support {
		return 0, 0
	}
	return of.weight / float64(p.seen[file]+1), of.times
}
