package site

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/site/theme"
)

// What hosts take: GitHub refuses a larger file, and Pages a larger site.
const (
	maxHostedFile = 100_000_000
	maxHostedSite = 1_000_000_000
)

// Problem is a fault of a built site.
type Problem struct {
	Kind    string `json:"kind" jsonschema:"broken-link, broken-anchor, absolute-link, case-collision, large-file or large-site"`
	File    string `json:"file,omitempty" jsonschema:"path in the output folder"`
	Message string `json:"message"`
}

// Checked is the result of [Check].
type Checked struct {
	Pages    int       `json:"pages" jsonschema:"HTML files"`
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`
	Links    int       `json:"links" jsonschema:"links within the site, each address once per page"`
	Problems []Problem `json:"problems"`
}

// Check reads a built site from its folder and follows every link of its pages to the
// other files and their anchors. Links to other hosts are not followed.
func Check(ctx context.Context, dir string) (*Checked, error) {
	root, err := files.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("check the site: %w", err)
	}
	defer root.Close()
	c := &checker{root: root, out: Checked{Problems: []Problem{}}, number: map[string]int32{}, folded: map[string]string{}, limits: limits{maxHostedFile, maxHostedSite}}
	if err := c.list("."); err != nil {
		return nil, err
	}
	if err := c.read(ctx); err != nil {
		return nil, err
	}
	c.join()
	return &c.out, nil
}

type limits struct{ file, site int64 }

// checker is one run of Check.
type checker struct {
	root   *files.Root
	limits limits
	files  []string
	number map[string]int32  // of the files
	folded map[string]string // paths of files and folders as systems without letter case see them
	pages  []*checkedPage    // by number of the file, nil for others
	out    Checked
}

// checkedPage is what others need of a page.
type checkedPage struct {
	ids      []uint64 // hashes of the anchors, sorted
	links    int
	jumps    []jump // links to anchors of other pages
	problems []Problem
}

type jump struct {
	to       int32
	fragment string
}

func (c *checker) problem(kind, file, format string, args ...any) {
	c.out.Problems = append(c.out.Problems, Problem{kind, file, fmt.Sprintf(format, args...)})
}

// list finds the files of a folder and those below it.
func (c *checker) list(dir string) error {
	entries, err := c.root.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("check the site: %w", err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if other, ok := c.folded[foldPath(name)]; ok {
			c.problem("case-collision", name, "differs from %s by letter case alone, and replaces it on many systems", other)
		}
		c.folded[foldPath(name)] = name
		if e.IsDir() {
			if e.Name() == ".git" {
				continue
			}
			if err := c.list(name); err != nil {
				return err
			}
			continue
		}
		info, err := e.Info()
		if err != nil {
			return fmt.Errorf("check the site: %w", err)
		}
		c.add(name, info)
	}
	return nil
}

func (c *checker) add(name string, info fs.FileInfo) {
	c.number[name] = int32(len(c.files))
	c.files = append(c.files, name)
	c.out.Files++
	c.out.Bytes += info.Size()
	if info.Size() > c.limits.file {
		c.problem("large-file", name, "has %s; GitHub refuses files above %s", theme.Size(info.Size()), theme.Size(c.limits.file))
	}
}

// read reads all pages, in parallel.
func (c *checker) read(ctx context.Context) error {
	c.pages = make([]*checkedPage, len(c.files))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range c.files {
		if ext := strings.ToLower(path.Ext(name)); ext != ".html" && ext != ".htm" {
			continue
		}
		g.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				c.pages[i], err = c.page(int32(i))
			}
			return err
		})
	}
	return g.Wait()
}

// page reads one page and looks its links up.
func (c *checker) page(number int32) (*checkedPage, error) {
	name := c.files[number]
	f, _, err := c.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("check the site: %w", err)
	}
	defer f.Close()
	ids, links, err := readPage(f)
	if err != nil {
		return nil, fmt.Errorf("check the site: read %s: %w", name, err)
	}
	p := &checkedPage{links: len(links)}
	for id := range ids {
		p.ids = append(p.ids, xxh3.HashString(id))
	}
	slices.Sort(p.ids)
	for _, l := range links {
		to, fragment, problem := c.follow(name, l)
		switch {
		case problem.Kind != "":
			problem.File = name
			p.problems = append(p.problems, problem)
		case fragment != "" && to >= 0:
			p.jumps = append(p.jumps, jump{to, fragment})
		}
	}
	return p, nil
}

// join looks up the anchors that links name, once all pages are read.
func (c *checker) join() {
	for i, p := range c.pages {
		if p == nil {
			continue
		}
		c.out.Pages++
		c.out.Links += p.links
		c.out.Problems = append(c.out.Problems, p.problems...)
		for _, j := range p.jumps {
			if to := c.pages[j.to]; to != nil && !to.has(j.fragment) {
				c.problem("broken-anchor", c.files[i], "links to #%s of %s, which has no such anchor", j.fragment, c.files[j.to])
			}
		}
	}
	if c.out.Bytes > c.limits.site {
		c.problem("large-site", "", "the site has %s; GitHub Pages publishes up to %s", theme.Size(c.out.Bytes), theme.Size(c.limits.site))
	}
	slices.SortStableFunc(c.out.Problems, func(a, b Problem) int { return cmp.Compare(a.File, b.File) })
}

func (p *checkedPage) has(fragment string) bool {
	_, ok := slices.BinarySearch(p.ids, xxh3.HashString(fragment))
	return ok || fragment == "top" // of HTML itself
}
