package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/pflag"
)

type baselineOptions struct {
	file                string
	none, write, accept bool
}

func (o *baselineOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.file, "baseline", "", "hide the findings in `FILE`; "+schema.BaselineFile+" next to wiki.yaml by default")
	f.BoolVar(&o.none, "no-baseline", false, "ignore the baseline; only suppressed findings stay hidden")
	f.BoolVar(&o.write, "baseline-write", false, "write all findings to a new baseline; from an existing one, only remove findings that are gone")
	f.BoolVar(&o.accept, "accept-new", false, "with --baseline-write, also add new findings to an existing baseline")
}

// baselineFile is the baseline of a run, and where it lies.
type baselineFile struct {
	open         func() (*files.Root, error)
	folder, name string // the file, within a folder that it does not leave
	shown        string
	source       []byte // as it was read, nil when there was none
	baseline     *linter.Baseline
	write        bool
	accept       bool // findings that are not in it are added
}

// openBaseline reads the baseline; nil if there is none, or it is switched off.
func (p *program) openBaseline(ws *compiler.Workspace, o baselineOptions, cfg linter.Config) (*baselineFile, error) {
	if err := p.checkBaseline(o, cfg); err != nil || o.none {
		return nil, err
	}
	d := &baselineFile{folder: home(ws), name: filepath.FromSlash(schema.BaselineFile), write: o.write}
	d.open = func() (*files.Root, error) { return ws.Open(d.folder) }
	if o.file != "" { // a link that a person names leads where it leads
		full := p.path(o.file)
		if real, err := filepath.EvalSymlinks(full); err == nil {
			full = real
		}
		d.folder, d.name = filepath.Split(full)
		d.folder = filepath.Clean(d.folder)
		d.open = func() (*files.Root, error) { return files.Open(d.folder) }
	}
	d.shown = p.shorten(filepath.Join(d.folder, d.name))
	root, err := d.open()
	if err == nil {
		d.source, err = root.ReadFile(d.name, files.State)
		root.Close()
	}
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case missing && o.write:
	case missing && o.file == "":
		return nil, nil
	case missing:
		return nil, misuse("'wiki lint --baseline "+o.file+" --baseline-write' creates it", "no such baseline: %s", o.file)
	case err != nil:
		return nil, err
	default:
		if d.baseline, err = linter.ReadBaseline(d.shown, d.source); err != nil {
			return nil, err
		}
	}
	d.accept = o.write && (d.source == nil || o.accept)
	return d, nil
}

// checkBaseline refuses options that make no sense together, and a run of a
// loop that would accept its own debt.
func (p *program) checkBaseline(o baselineOptions, cfg linter.Config) error {
	run := p.env(schema.RunVariable)
	switch {
	case o.none && (o.write || o.file != ""):
		return misuse("use one of them", "--no-baseline can't be used with --baseline or --baseline-write")
	case o.accept && !o.write:
		return misuse("write --baseline-write --accept-new", "--accept-new requires --baseline-write")
	case !o.write:
	case run != "":
		return misuse("run it yourself, outside of the loop", "--baseline-write is refused within a run (%s is %q)", schema.RunVariable, run)
	case len(cfg.Only)+len(cfg.Except)+len(cfg.Within) > 0 || cfg.Changes != nil:
		return misuse("run it without PATH, --select, --ignore and --since", "--baseline-write needs the findings of all pages and all rules")
	}
	return nil
}

// updateBaseline reports on the baseline, and writes it if requested. It is an error if
// new findings were not added.
func (p *program) updateBaseline(d *baselineFile, res *linter.Result) error {
	if d == nil {
		return nil
	}
	use := res.Baseline
	if !d.write {
		if n := total(use.Stale); n > 0 {
			p.say("%s of the baseline %s gone: %s; 'wiki lint --baseline-write' removes them", text.Count(n, "finding"), isAre(n), examples(use.Stale))
		}
		return nil
	}
	doc := use.Next.JSON()
	if string(doc) != string(d.source) {
		root, err := d.open()
		if err != nil {
			return err
		}
		defer root.Close()
		if err := root.Replace(d.name, doc, 0o666); err != nil {
			return err
		}
	}
	said := text.Count(total(use.Next.Entries), "finding")
	if d.source == nil {
		p.say("wrote %s: %s, now hidden; commit it", d.shown, said)
	} else {
		p.say("wrote %s: %s, %d of them new, %d gone", d.shown, said, use.Accepted, total(use.Stale))
	}
	refused := 0
	for i := range res.Findings {
		if !res.Notice(&res.Findings[i]) {
			refused += max(1, res.Findings[i].Count)
		}
	}
	if refused > 0 {
		return &fault{code: exitFindings, err: fmt.Errorf("%s not added to %s: a baseline only shrinks", wereNew(refused), d.shown),
			hint: "resolve the new findings, or accept them with --baseline-write --accept-new"}
	}
	return nil
}

func total(entries []linter.BaselineEntry) int {
	n := 0
	for _, e := range entries {
		n += max(1, e.Count)
	}
	return n
}

func wereNew(n int) string {
	if n == 1 {
		return "1 new finding was"
	}
	return fmt.Sprintf("%d new findings were", n)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// examples names the first few of some entries.
func examples(entries []linter.BaselineEntry) string {
	const most = 3
	var out []string
	for _, e := range entries[:min(most, len(entries))] {
		out = append(out, e.Rule+" in "+e.Path)
	}
	if len(entries) > most {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}
