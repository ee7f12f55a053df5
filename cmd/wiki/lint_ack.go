package main

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/pflag"
)

// ackOptions are those of an acknowledgement.
type ackOptions struct{ what, reason, by, until string }

func (o *ackOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.what, "ack", "", "acknowledge the contradiction `FINGERPRINT|PATH:LINE` in "+schema.AcknowledgedFile+"; it is hidden until a side changes")
	f.StringVar(&o.reason, "reason", "", "with --ack, the reason why it stays, as `TEXT`")
	f.StringVar(&o.by, "by", "", "with --ack, the `NAME` of the person responsible; git's user.name by default")
	f.StringVar(&o.until, "until", "", "with --ack, the last `DAY` it is valid")
}

// check refuses options that make no sense together, and a run of a loop that
// would acknowledge what it wrote itself.
func (o *ackOptions) check(p *program, lint *lintOptions, paths []string) error {
	switch run := p.env(schema.RunVariable); {
	case o.what == "" && o.reason+o.by+o.until != "":
		return misuse("write --ack PATH:LINE --reason TEXT", "--reason, --by and --until require --ack")
	case o.what == "":
		return nil
	case run != "":
		return misuse("run it yourself, outside of the loop", "--ack is refused within a run (%s is %q)", schema.RunVariable, run)
	case len(paths)+len(lint.rules)+len(lint.except) > 0 || lint.since != "" || lint.baseline.write || lint.fix.asked():
		return misuse("run it without PATH, --select, --ignore, --since, --fix and --baseline-write", "--ack checks all pages with all rules")
	case strings.TrimSpace(o.reason) == "":
		return misuse("for example --reason \"the gateway moves in June\"", "--reason TEXT is required")
	}
	if _, err := time.Parse(time.DateOnly, o.until); o.until != "" && err != nil {
		return misuse("write it as 2006-01-02", "--until: %q is not a date", o.until)
	}
	return nil
}

// acknowledge records that a person knows of a contradiction.
func (p *program) acknowledge(ctx context.Context, w *compiler.Wiki, o ackOptions, cfg linter.Config) error {
	ws := w.Workspace()
	today := cfg.Today.Format(time.DateOnly)
	if o.until != "" && o.until < today {
		return misuse("use a future date", "--until %s is in the past", o.until)
	}
	cfg.Baseline = nil
	res, err := linter.Run(ctx, w, cfg)
	switch {
	case res == nil:
		return inConfig(ws, err)
	case err != nil: // not all is known, so nothing is taken for resolved
		return err
	}
	d, err := p.contradictionAt(ws, res, o.what)
	if err != nil {
		return err
	}
	by := text.Collapse(o.by)
	if by == "" {
		by = history.User(ctx, ws.Dir)
	}
	if by == "" {
		return misuse("or set git's user.name", "--by NAME is required")
	}
	e, _ := linter.Acknowledge(d, schema.Acknowledgement{Reason: text.Collapse(o.reason), By: by, Since: today, Until: o.until})
	name := filepath.FromSlash(schema.AcknowledgedFile)
	if err := ws.Replace(home(ws), name, withEntry(cfg.Acknowledged, e, d, res.Acknowledged).YAML()); err != nil {
		return err
	}
	p.say("acknowledged %s", about(d))
	dropped := ""
	if use := res.Acknowledged; use != nil && len(use.Resolved) > 0 {
		dropped = "; " + resolved(use.Resolved) + " and dropped"
	}
	p.say("wrote %s%s; commit it", p.shorten(filepath.Join(home(ws), name)), dropped)
	return nil
}

// withEntry adds the entry for a contradiction, instead of one that is void, and
// drops those that are resolved.
func withEntry(old *linter.Acknowledgements, e linter.AcknowledgedEntry, d *schema.Diagnostic, use *linter.AcknowledgedUse) *linter.Acknowledgements {
	if old == nil {
		return (&linter.Acknowledgements{}).With(e, nil)
	}
	gone := map[schema.Span]bool{}
	for _, r := range use.Resolved {
		gone[r.Span] = true
	}
	for _, v := range use.Void {
		if v.Finding.Rule == d.Rule && v.Finding.Path == d.Path && v.Finding.Span == d.Span {
			gone[v.Entry.Span] = true
		}
	}
	return old.With(e, func(e *linter.AcknowledgedEntry) bool { return gone[e.Span] })
}

// about says in short what a contradiction is about, and where.
func about(d *schema.Diagnostic) string {
	said := d.Path + ":" + strconv.Itoa(d.From.Line)
	if d.About != "" {
		said = d.About + " (" + said + ")"
	}
	return said
}

func resolved(list []linter.AcknowledgedEntry) string {
	return text.Count(len(list), "acknowledged contradiction") + " " + isAre(len(list)) + " resolved"
}

// sayResolved lists acknowledgements without a contradiction.
func (p *program) sayResolved(use *linter.AcknowledgedUse) {
	if use == nil || len(use.Resolved) == 0 {
		return
	}
	var pages []string
	for _, e := range use.Resolved {
		pages = append(pages, e.Sides[0].Page)
	}
	if len(pages) > 3 {
		pages = append(pages[:3], "…")
	}
	p.say("%s: %s; the next 'wiki lint --ack' removes it", resolved(use.Resolved), strings.Join(pages, ", "))
}
