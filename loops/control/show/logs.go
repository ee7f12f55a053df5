package show

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
)

// LogOptions say what Logs prints.
type LogOptions struct {
	Follow      bool // until the run ends
	Transcripts bool // what agents printed
	Flush       func() error
}

// Logs prints what happened in a run.
func (v *Viewer) Logs(ctx context.Context, id string, o LogOptions, w io.Writer) error {
	var s loops.State
	for seen := 0; ; {
		_, events, err := v.Store.Read(id)
		if err != nil {
			return err
		}
		for _, e := range events[seen:] {
			s, _ = loops.Step(s, e)
			if line := run.Line(e, &s); line != "" {
				text.Fprintf(w, "%s\n", line)
			}
			if o.Transcripts && e.Role != nil {
				v.transcript(w, id, e.Role.Evidence)
			}
		}
		seen = len(events)
		if err := o.Flush(); err != nil {
			return err
		}
		if !o.Follow || s.Status != loops.Running || !v.Alive(s.Start.Plan.Name) && seen > 1 {
			return nil
		}
		if repo.Sleep(ctx, 200*time.Millisecond) != nil {
			return nil // who looks has seen enough; the run goes on
		}
	}
}

func (v *Viewer) transcript(w io.Writer, id, evidence string) {
	for _, name := range []string{"stdout", "stderr"} {
		said, err := files.ReadPath(filepath.Join(v.Store.Folder(id), filepath.FromSlash(evidence), name), files.Run)
		if err == nil && len(said) > 0 {
			text.Fprintf(w, "---- %s/%s\n%s\n", evidence, name, text.Block(said))
		}
	}
}
