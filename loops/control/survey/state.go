package survey

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
)

// passRecord is what was selected, kept beside the runs: with their journals it
// tells what became of a loop's items.
type passRecord struct {
	Version int          `json:"version"`
	Loop    string       `json:"loop"`
	Title   string       `json:"title"`
	Pass    string       `json:"pass"`
	Mode    string       `json:"mode"`
	Items   []passChoice `json:"items"`
}

type passChoice struct {
	ID     string      `json:"id"`
	Choice plan.Choice `json:"choice"`
	Reason string      `json:"reason"`
}

const passVersion = 1

// passFile returns where a pass is kept, relative to the repository's root.
func passFile(loop, pass, ext string) string {
	return filepath.Join(".loopwiki", "runs", ".loops", loop, pass+ext)
}

// Keep writes down what was selected, and returns the name of the pass: one that
// begins in the same second as another has a number behind it.
func (v *Surveyor) Keep(l *repo.Loop, id string, mode loops.Mode, chosen []plan.Chosen) (string, error) {
	r := passRecord{Version: passVersion, Loop: l.Spec.Name, Title: l.Spec.Title, Pass: id, Mode: string(mode), Items: []passChoice{}}
	for n := 2; ; n++ {
		if _, err := os.Lstat(filepath.Join(v.Root, passFile(r.Loop, r.Pass, ".json"))); errors.Is(err, fs.ErrNotExist) {
			break
		}
		r.Pass = fmt.Sprintf("%s-%d", id, n)
	}
	for _, c := range chosen {
		r.Items = append(r.Items, passChoice{c.Item.ID, c.Choice, c.Reason})
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", err
	}
	return r.Pass, files.Replace(v.Root, passFile(r.Loop, r.Pass, ".json"), append(text, '\n'), 0o666)
}

// WriteState writes the state of a pass beside the runs: there it is in modes, too,
// whose branches hold none.
func (v *Surveyor) WriteState(loop, pass string) (*plan.LoopState, string, error) {
	s, err := v.State(loop, pass, nil)
	if err != nil {
		return nil, "", err
	}
	name := passFile(loop, pass, ".md")
	return s, filepath.Join(v.Root, name), files.Replace(v.Root, name, s.Text(), 0o666)
}

// readPass reads what was selected.
func (v *Surveyor) readPass(loop, id string) (*passRecord, error) {
	name := passFile(loop, id, ".json")
	src, err := files.Read(v.Root, name, files.State)
	if err != nil {
		return nil, err
	}
	var r passRecord
	if err := json.Unmarshal(src, &r); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if r.Version > passVersion {
		return nil, fmt.Errorf("read %s: version %d is newer than this program supports (%d); upgrade wiki", name, r.Version, passVersion)
	}
	return &r, nil
}

// State returns the state of a loop in one of its passes. now is a run that is about
// to end, whose journal does not say it yet; it may be nil.
func (v *Surveyor) State(loop, id string, now *loops.State) (*plan.LoopState, error) {
	r, err := v.readPass(loop, id)
	if err != nil {
		return nil, err
	}
	out := &plan.LoopState{Title: r.Title, Run: r.Pass, Mode: r.Mode}
	ran, err := v.ranItems(loop, now)
	if err != nil {
		return nil, err
	}
	_, checked := v.checkedIn(loop)
	for _, it := range checked { // what earlier passes left, here or elsewhere
		if !slices.ContainsFunc(r.Items, func(c passChoice) bool { return c.ID == it.ID }) {
			out.Items = append(out.Items, it)
		}
	}
	for _, c := range r.Items {
		last, did := ran[c.ID]
		if i := slices.IndexFunc(checked, func(it plan.ItemState) bool { return it.ID == c.ID }); i >= 0 && !did {
			last = ranItem{ItemState: checked[i]} // another clone ran it
			did = c.Choice == plan.Skipped
		}
		if read, ok := ran[""]; ok && read.pass == id && c.Choice == plan.Selected { // one run reads them all
			last, did = read, true
			last.ID = c.ID
		}
		it := last.ItemState
		switch {
		case c.Choice == plan.Skipped && !did:
			continue // it is not for this loop
		case c.Choice == plan.Escalated:
			it = plan.ItemState{ID: c.ID, Status: plan.ItemEscalated, Reason: c.Reason, Attempts: it.Attempts, Failures: it.Failures, NextAction: "human review required before agent work"}
			out.Escalations++
		case c.Choice == plan.Deferred && !did, c.Choice == plan.Selected && last.pass != id:
			it = plan.ItemState{ID: c.ID, Status: plan.ItemPending, Reason: c.Reason, Attempts: it.Attempts, Failures: it.Failures, NextAction: "the next run takes it"}
		case c.Choice == plan.Selected && (it.Status == plan.ItemEscalated || it.Status == plan.ItemWaiting):
			out.Escalations++
		}
		if c.Choice == plan.Selected {
			out.Selected++
			if it.Status == plan.ItemOpened {
				out.PullRequests++
			}
		}
		out.Items = append(out.Items, it)
	}
	return out, nil
}

// checkedIn returns the items of the state that is in the checkout, and the last pass
// that it counts.
func (v *Surveyor) checkedIn(loop string) (pass string, items []plan.ItemState) {
	src, err := files.Read(v.Root, filepath.Join(filepath.FromSlash(plan.StateFolder), loop+".md"), files.State)
	if err != nil {
		return "", nil
	}
	s, faults := plan.ParseLoopState(src)
	if plan.Refused(faults) {
		return "", nil
	}
	return s.Run, s.Items
}
