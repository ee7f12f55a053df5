package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	schematext "github.com/loopwiki/wiki/schema/text"
)

// excerptRunes is how much of a page a preview shows.
const excerptRunes = 400

// hover explains the findings at a place and shows what its link leads to.
func (v *view) hover(ctx context.Context, p positionParams) (*hover, error) {
	page, offset := v.at(p)
	if page == nil {
		return nil, nil
	}
	var parts []string
	at := schema.Span{Start: offset, End: offset}
	found, err := v.findings(ctx, page)
	if err != nil {
		return nil, err
	}
	for i := range found {
		if d := &found[i]; d.Span.Len() > 0 && d.Span.Start <= offset && offset <= d.Span.End {
			parts, at = append(parts, v.explained(d)), d.Span
		}
	}
	if l, res := v.linkAt(page, offset); l != nil {
		at = l.Span
		if target := v.wiki.Page(res.Page); res.Kind == schema.TargetPage && target != nil {
			parts = append(parts, v.preview(target, res.Anchor))
		}
	} else if tag := tagAt(page, offset); tag != "" {
		parts = append(parts, escaped("#"+tag)+": "+schematext.Count(len(v.tagged(tag)), "place"))
	}
	if len(parts) == 0 {
		return nil, nil
	}
	span := v.text(page).span(at)
	return &hover{v.markup(strings.Join(parts, "\n\n---\n\n")), &span}, nil
}

// markup returns markdown as the client shows it.
func (v *view) markup(markdown string) markupContent {
	if formats := v.caps.Document.Hover.Formats; len(formats) > 0 && !slices.Contains(formats, "markdown") {
		return markupContent{"plaintext", strings.NewReplacer("**", "", `\`, "", "\n\n---\n\n", "\n\n").Replace(markdown)}
	}
	return markupContent{"markdown", markdown}
}

// escaped returns a text of a page so that markdown shows it as it is. Nothing of a page
// is rendered in an editor: an image would be fetched, and a link followed.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range schematext.Line(s) {
		if strings.ContainsRune("\\`*_[]<>&#|~$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// preview shows the beginning of a page, or of its section at an anchor.
func (v *view) preview(p *schema.Page, anchor string) string {
	fresh := v.wiki.Freshness(p)
	facts := []string{escaped(p.Path)}
	if p.Meta.Type != "" {
		facts = append(facts, escaped(p.Meta.Type))
	}
	if p.Meta.Status.Word != "" {
		facts = append(facts, "status "+escaped(p.Meta.Status.Word))
	}
	state := string(fresh.State)
	if fresh.Reason != "" && fresh.Reason != state {
		state += " (" + escaped(fresh.Reason) + ")"
	}
	facts = append(facts, state)
	if level, _ := p.Visibility.Level(false); level != schema.Public {
		facts = append(facts, level.String())
	}
	facts = append(facts, schematext.Count(len(v.wiki.Backlinks(p.ID)), "backlink"))
	out := "**" + escaped(p.Title) + "**\n\n" + strings.Join(facts, " · ")
	if text := v.excerpt(p, anchor); text != "" {
		out += "\n\n" + text
	}
	return out
}

func (v *view) excerpt(p *schema.Page, anchor string) string {
	text := p.Meta.Summary
	if block := anchorSpan(p, anchor); strings.HasPrefix(anchor, "^") {
		text = string(block.In(p.Source))
	} else if anchor != "" || text == "" {
		var b strings.Builder
		for _, s := range v.wiki.Text(p) {
			if (anchor == "" || s.ID == anchor) && b.Len() < excerptRunes {
				b.WriteString(s.Text + " ")
			}
		}
		text = b.String()
	}
	r := []rune(schematext.Collapse(text))
	if len(r) > excerptRunes {
		r = append(r[:excerptRunes], '…')
	}
	return escaped(string(r))
}

// explained shows a finding with what its rule says.
func (v *view) explained(d *schema.Diagnostic) string {
	out := fmt.Sprintf("**%s** (%s): %s", escaped(d.Rule), d.Severity, escaped(d.Message))
	if r := v.rule(d.Rule); r != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(r.Doc), "\n\n")
		if first == "" {
			first = r.Summary
		}
		out += "\n\n" + strings.ReplaceAll(first, "\n", " ")
		if r.Since != "" {
			out += "\n\n`wiki lint --explain " + r.ID + "` says more."
		}
	}
	return out
}

// rule returns a rule of the wiki, nil if there is none of that name.
func (v *view) rule(id string) *linter.Rule {
	all, err := linter.RulesOf(v.wiki.Workspace())
	if err != nil {
		all = linter.Rules()
	}
	if i := slices.IndexFunc(all, func(r *linter.Rule) bool { return r.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}
