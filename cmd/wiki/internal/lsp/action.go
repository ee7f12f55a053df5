package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	schematext "github.com/loopwiki/wiki/schema/text"
)

// codeAction offers the fixes of the findings in a range, and to suppress them.
func (v *view) codeAction(ctx context.Context, p codeActionParams) ([]codeAction, error) {
	page := v.page(p.Document.URI)
	wanted := len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(kind string) bool {
		return kind == "" || kind == "quickfix" || strings.HasPrefix("quickfix.", kind+".")
	})
	if page == nil || !wanted {
		return nil, nil
	}
	found, err := v.findings(ctx, page)
	if err != nil {
		return nil, err
	}
	at := v.text(page).bytes(p.Range)
	var out, suppressing []codeAction
	for i := range found {
		d := &found[i]
		if d.Span.End < at.Start || at.End < d.Span.Start {
			continue
		}
		for k := range d.Fixes {
			if a, ok := v.action(d, &d.Fixes[k]); ok && v.current(page, &d.Fixes[k]) {
				out = append(out, a)
			}
		}
		r := v.rule(d.Rule)
		if r == nil || r.Notice {
			continue
		}
		fix := linter.Suppressing(page, d, r.NeedsReason)
		if a, ok := v.action(d, &fix); ok {
			a.Preferred = false
			suppressing = append(suppressing, a)
		}
	}
	return append(out, suppressing...), nil
}

// current reports whether the files of a fix are as they were when it was found.
func (v *view) current(page *schema.Page, fix *schema.Fix) bool {
	v.lint.mu.Lock()
	whole := v.lint.whole
	v.lint.mu.Unlock()
	return whole == nil || !slices.ContainsFunc(fix.Edits, func(e schema.Edit) bool {
		now := v.pageAt(e.Path)
		return now != page && now != nil && whole.wiki.Page(now.ID) != now
	})
}

// action returns the code action of a fix; ok is false if it can't be made any more, or
// not by this client.
func (v *view) action(d *schema.Diagnostic, fix *schema.Fix) (a codeAction, ok bool) {
	changes := edit.New(v.wiki)
	if err := changes.Edit(fix.Edits...); err != nil {
		return a, false
	}
	if len(fix.Moves) > 0 {
		if err := changes.Move(fix.Moves...); err != nil {
			return a, false
		}
	}
	made, err := v.workspaceEdit(changes.List())
	if err != nil || len(made.Changes)+len(made.DocumentChanges) == 0 {
		return a, false
	}
	title := schematext.Line(fix.Title)
	if !fix.Safe && !strings.HasPrefix(title, "suppress ") {
		title += " (review it)"
	}
	return codeAction{Title: title, Kind: "quickfix", Diagnostics: v.diagnostics([]schema.Diagnostic{*d}), Preferred: fix.Safe, Edit: made}, true
}
