package contain

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// stateFolder is the runner's own folder in the main checkout.
const stateFolder = ".loopwiki"

// decisions are the files in it in which people say what they accept, or how far a
// loop may go.
var decisions = []string{"approvals.jsonl", "rejected.json", "acknowledged.yaml", "baseline.json", "verdicts.jsonl", "modes.yaml", "approved-specs.jsonl"}

const (
	incidentsFolder = "incidents"
	lineFile        = incidentsFolder + "/andon-open.json" // while it is there the line is stopped
	summaryFile     = "summary.json"                       // in the folder of a run that is over
	ofRun           = "run:"                               // begins the names of files in the run's folder
)

// smallRecord is up to which size, in bytes, a file of a run is kept to be restored.
// Of a larger one a change is seen by its size and time.
const smallRecord = 64 << 10

// readRecords reads what a role that is in no sandbox could forge below the runner's
// folder: what people decided, the incidents, and what is known of the run so far. The
// journal is held by who writes it. With a sandbox nothing of it is in reach, and
// people may go on deciding while a role works.
func (w *Worktree) readRecords() (map[string]entry, error) {
	if w.spec.Contained {
		return nil, nil
	}
	records := map[string]entry{}
	read := func(name string, room int64) error {
		e, err := w.take(w.recordPath(name), room)
		if err == nil && !e.Gone {
			records[name] = e
		}
		return err
	}
	for _, name := range append([]string{lineFile}, decisions...) {
		if err := read(name, largeFile); err != nil {
			return nil, err
		}
	}
	for _, name := range filesBelow(filepath.Join(w.repo.top, stateFolder, incidentsFolder), func(dir string) bool { return strings.HasPrefix(dir, "INC-") }) {
		if err := read(incidentsFolder+"/"+name, largeFile); err != nil {
			return nil, err
		}
	}
	// The copies of git's state are known by their sums, and a gate works on copies.
	for _, name := range filesBelow(w.spec.Folder, func(dir string) bool { return dir != "git" && dir != "gates" }) {
		if !strings.Contains(name, "/") && !strings.HasPrefix(name, "plan.") {
			continue // the runner writes there while roles work
		}
		if err := read(ofRun+name, smallRecord); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// filesBelow lists the files of a folder and of those folders in it that are wanted, by
// their paths in it, sorted. What can't be read is not listed.
func filesBelow(folder string, want func(dir string) bool) []string {
	var names []string
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case !d.IsDir():
			names = append(names, rel)
		case rel != "." && !strings.Contains(rel, "/") && !want(rel):
			return fs.SkipDir
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// recordPath returns where a record lies.
func (w *Worktree) recordPath(name string) string {
	if rest, ok := strings.CutPrefix(name, ofRun); ok {
		return filepath.Join(w.spec.Folder, filepath.FromSlash(rest))
	}
	return filepath.Join(w.repo.top, stateFolder, filepath.FromSlash(name))
}

// compareRecords puts records back. New incidents and new files of the run are no
// breach: other runs stop the line meanwhile, and the runner writes down what this role
// says.
func (w *Worktree) compareRecords(was guard, keep string) ([]loops.Breach, error) {
	if w.spec.Contained || was.Records == nil {
		return nil, nil
	}
	names := maps.Clone(was.Records)
	for _, name := range append([]string{ofRun + summaryFile}, decisions...) {
		if _, known := names[name]; !known {
			names[name] = entry{Gone: true}
		}
	}
	var breaches []loops.Breach
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before := names[name]
		room := int64(largeFile)
		if strings.HasPrefix(name, ofRun) {
			room = smallRecord
		}
		now, err := w.take(w.recordPath(name), room)
		if err != nil {
			return breaches, err
		}
		if now == before {
			continue
		}
		b := loops.Breach{What: stateFolder + "/" + name, Was: short(before), Is: short(now)}
		as := "records/" + name
		if rest, ok := strings.CutPrefix(name, ofRun); ok {
			b.What, as = "evidence of the run: "+rest, "run/"+rest
		}
		b.Restored = w.put(w.recordPath(name), before, keep, as) == nil
		breaches = append(breaches, b)
	}
	return breaches, nil
}
