package plan

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Kind is what a planner is to make of a specification.
type Kind string

// The kinds.
const (
	AsPlans Kind = "plans" // plans/YYYY-MM-slug.md
	AsPRD   Kind = "prd"   // .loop/prd.json with one contract per story
)

// Kinds are all kinds.
var Kinds = []string{string(AsPlans), string(AsPRD)}

// Request is what is asked of a planner.
type Request struct {
	As Kind
	// Spec is the specification, Path its file for people.
	Spec []byte
	Path string
	// Month is what names of plans begin with: 2026-07.
	Month string
	// Commands are the ordinary commands of the repository, such as go test ./...
	Commands []string
	// Refused is why earlier answers were refused, the newest last.
	Refused []string
}

// Proposed is a file that a planner proposes.
type Proposed struct {
	Path   string // relative to the repository's root
	Src    []byte
	Faults []Fault
}

// Proposal is what a planner made. Nothing of it is written before a person
// could refuse it as a whole.
type Proposal struct {
	Files []Proposed // in order of path
	// Faults are those of no file.
	Faults []Fault
}

// Refused reports whether something in the proposal is an error.
func (p *Proposal) Refused() bool {
	return Refused(p.Faults) || slices.ContainsFunc(p.Files, func(f Proposed) bool { return Refused(f.Faults) })
}

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 4 << 20

// fencedFile is the first line of a file in an answer: a fence, a language, a path.
var fencedFile = schema.Expression("^ {0,3}(`{3,}|~{3,})[ \\t]*[A-Za-z0-9_-]*[ \\t]+`?((?:\\./)?[^\\s`]*[./][^\\s`]*)`?[ \\t]*$")

// ReadAnswer reads the files in a planner's answer: blocks of code whose first
// line names the file, or one plan and nothing else. What it says around them
// is for nobody.
func ReadAnswer(answer []byte) []Proposed {
	if len(answer) > maxAnswer {
		answer = answer[:maxAnswer]
	}
	if trimmed := bytes.TrimLeft(answer, " \t\r\n"); bytes.HasPrefix(trimmed, []byte("---")) {
		p, _ := Parse("", trimmed)
		return []Proposed{{Path: Slug(p.Title), Src: trimmed}}
	}
	var out []Proposed
	var body []byte
	mark, name := "", ""
	for line := range bytes.Lines(answer) {
		text := bytes.TrimRight(line, "\r\n")
		if mark == "" {
			if m := fencedFile().FindSubmatch(text); m != nil {
				mark, name, body = string(m[1]), strings.TrimPrefix(string(m[2]), "./"), nil
			}
			continue
		}
		end := bytes.TrimSpace(text)
		if len(end) >= len(mark) && bytes.Count(end, []byte(mark[:1])) == len(end) {
			out = append(out, Proposed{Path: name, Src: body})
			mark = ""
			continue
		}
		body = append(body, line...)
	}
	return out // a block that does not end was cut off, and is not a file
}

// ReadFolder reads the files that a planner left in a folder.
func ReadFolder(dir fs.FS) ([]Proposed, error) {
	const most = 200
	var out []Proposed
	err := fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if len(out) == most {
			return fmt.Errorf("more than %d files", most)
		}
		f, err := dir.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		src, err := io.ReadAll(io.LimitReader(f, maxTask+1))
		out = append(out, Proposed{Path: name, Src: src})
		return err
	})
	return out, err
}

// The files of agent-loop that a planner writes.
const (
	prdFile      = ".loop/prd.json"
	contractsDir = ".loop/contracts"
)

// Judge holds what a planner proposes against what it was asked for.
func (r Request) Judge(files []Proposed, in Surroundings) *Proposal {
	p := &Proposal{}
	outside := newCollector(nil)
	seen := map[string]bool{}
	for _, f := range files {
		name := r.home(f.Path)
		switch {
		case name == "":
			outside.err("unexpected-file", schema.Span{}, "the planner may only write "+r.expected(), "the planner wrote %q", f.Path)
		case seen[name]:
			outside.err("duplicate-file", schema.Span{}, "ask again", "the planner wrote %q twice", name)
		case exists(in.Repo, name):
			outside.err("file-exists", schema.Span{}, "existing files are not overwritten; move it away, or ask for another name", "%s already exists", name)
		default:
			seen[name] = true
			f.Path = name
			p.Files = append(p.Files, f)
		}
	}
	if len(p.Files) == 0 && len(outside.faults) == 0 {
		outside.err("no-files", schema.Span{}, "each file is expected in a block of code whose first line names it, such as ````markdown plans/2026-07-a.md", "the answer contains no file")
	}
	slices.SortFunc(p.Files, func(a, b Proposed) int { return strings.Compare(a.Path, b.Path) })
	if r.As == AsPRD {
		r.judgePRD(p, &outside)
	} else {
		r.judgePlans(p, in)
	}
	p.Faults = outside.faults
	return p
}

func (r Request) expected() string {
	if r.As == AsPRD {
		return prdFile + " and " + contractsDir + "/STORY.contract.md"
	}
	return "plans/" + r.Month + "-slug.md"
}

// home returns where a proposed file belongs, "" if it may not be written.
func (r Request) home(name string) string {
	base := path.Base(name)
	if r.As == AsPRD {
		story, contract := strings.CutSuffix(base, ".contract.md")
		switch {
		case base == "prd.json" && (name == base || name == prdFile):
			return prdFile
		case contract && storyID().MatchString(story) && slices.Contains([]string{base, "contracts/" + base, contractsDir + "/" + base}, name):
			return contractsDir + "/" + base
		}
		return ""
	}
	if name == base && path.Ext(name) == "" && name != "" { // a plan without a name: its title
		base, name = r.Month+"-"+name+".md", r.Month+"-"+name+".md"
	}
	if path.Ext(base) == ".md" && planName().MatchString(NameOf(base)) && (name == base || name == Folder+"/"+base) {
		return Folder + "/" + base
	}
	return ""
}

func exists(repo fs.FS, name string) bool {
	if repo == nil {
		return false
	}
	_, err := fs.Stat(repo, name)
	return err == nil
}

// judgePlans lints the plans, each beside all others.
func (r Request) judgePlans(p *Proposal, in Surroundings) {
	all := slices.Clone(in.Plans)
	for _, f := range p.Files {
		made, _ := Parse(f.Path, f.Src)
		all = append(all, Known{made, Pending})
	}
	for i := range p.Files {
		f := &p.Files[i]
		beside := in
		beside.Plans = all
		_, f.Faults = Check(f.Path, f.Src, beside)
		d := parse(f.Path, f.Src)
		d.faults = nil
		for _, key := range []string{"spec_changes", "rejected"} {
			if pair := d.frontPair(key); pair != nil {
				d.err("planner-grants", pair.KeySpan, "remove it; only people write it", "the planner wrote %s", key)
			}
		}
		for i, c := range d.chunks {
			work := d.plan.Chunks[i]
			d.tooBig(c.title, work.Title, len(work.Text), 0, len(work.Files))
			asked := d.questions(work.Span)
			for line := range strings.Lines(work.Text) {
				if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && asked == 0 {
					d.qualitative(c.title, item)
				}
			}
		}
		f.Faults = merged(d.collector, f.Faults)
	}
}

func (d *document) frontPair(key string) *schema.Pair {
	if d.root == nil {
		return nil
	}
	return d.pair(key)
}

// merged returns the faults of two looks at one file, in order of place.
func merged(c collector, more []Fault) []Fault {
	c.faults = append(c.faults, more...)
	return c.sorted()
}
