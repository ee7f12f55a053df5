package mcp

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/pack"
)

type readInput struct {
	Page    string `json:"page" jsonschema:"path, id or title; path#anchor for a section"`
	Section string `json:"section,omitempty" jsonschema:"heading path as in Limits > Burst, or anchor"`
	Cursor  string `json:"cursor,omitempty"`
}

// openingTokens is how much of a long page comes with its outline.
const openingTokens = 500

// hashOf names the content of a page.
func hashOf(p *schema.Page) string { return fmt.Sprintf("%016x", p.Hash) }

// find returns a page, and the section that is named behind a #.
func (v *view) find(name string) (*schema.Page, string, error) {
	if err := named(name); err != nil {
		return nil, "", err
	}
	page, err := card.Find(v.Wiki, name)
	if err == nil {
		return page, "", nil
	}
	if before, anchor, ok := strings.Cut(name, "#"); ok {
		if page, err := card.Find(v.Wiki, before); err == nil {
			return page, anchor, nil
		}
	}
	return nil, "", err
}

func readPage(_ context.Context, v *view, in readInput) (answer, error) {
	page, section, err := v.find(in.Page)
	if err != nil {
		return answer{}, err
	}
	if in.Section != "" {
		section = in.Section
	}
	if err := named(section); err != nil {
		return answer{}, err
	}
	whole := schema.Span{Start: page.Body, End: len(page.Source)}
	if section != "" {
		part, err := compiler.FindPart(page, section, false)
		if err != nil {
			return answer{}, err
		}
		whole = part.Whole
	}
	span := whole
	if in.Cursor != "" {
		line, err := strconv.Atoi(in.Cursor)
		if err != nil || line < 1 || line > page.Lines.Lines() || page.Lines.Line(line).Start >= whole.End {
			return answer{}, &Error{"invalid_argument", fmt.Sprintf("cursor %q is no line of the section", clip(in.Cursor, 40)), "use the cursor of the last answer, or none to begin again"}
		}
		span.Start = max(span.Start, page.Lines.Line(line).Start)
	}
	head, about := "hash "+hashOf(page), v.about(page)
	if parts := compiler.Parts(page); section == "" && in.Cursor == "" && len(parts) > 1 && pack.Tokens(string(span.In(page.Source))) > answerTokens {
		body, _ := fitLines(page.Source, span, openingTokens)
		return answer{head + "; a long page: its sections and its beginning; read on with section", about + outline(page, parts) + "\n" + string(body.In(page.Source))}, nil
	}
	shown, uncut := fitLines(page.Source, span, answerTokens)
	from, to := page.Lines.Position(shown.Start).Line, page.Lines.Position(max(shown.Start, shown.End-1)).Line
	head += fmt.Sprintf("; lines %d to %d of %d", from, to, page.Lines.Lines())
	if shown.End < whole.End {
		head += fmt.Sprintf(", next cursor: %d", to+1)
	}
	if !uncut {
		head += "; a long line is cut"
	}
	return answer{head, about + "\n" + string(shown.In(page.Source))}, nil
}

// about returns the lines that introduce a page.
func (v *view) about(p *schema.Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "path: %s\ntitle: %s\n", text.Line(p.Path), clip(p.Title, 200))
	fresh := v.Freshness(p)
	fmt.Fprintf(&b, "freshness: %s (%s)\n", fresh.State, clip(fresh.Reason, 200))
	if v.private(p) {
		b.WriteString("visibility: private, not published\n")
	}
	return b.String()
}

// outline lists the sections of a page with their lines and sizes.
func outline(p *schema.Page, parts []compiler.Part) string {
	var b strings.Builder
	room := answerTokens - openingTokens
	for i := range parts {
		if len(parts[i].Headings) == 0 {
			continue
		}
		line := fmt.Sprintf("- line %d, %d tokens: %s\n", p.Lines.Position(parts[i].Span.Start).Line, pack.Tokens(string(parts[i].Whole.In(p.Source))), clip(parts[i].Path(), 200))
		if room -= pack.Tokens(line); room < 0 {
			fmt.Fprintf(&b, "- and %d more\n", len(parts)-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// fitLines returns the whole lines at the beginning of a span that fit into so many tokens.
// A first line that is longer is cut, and whole is false.
func fitLines(src []byte, span schema.Span, tokens int) (fit schema.Span, whole bool) {
	end := span.Start
	for end < span.End {
		next := span.End
		if i := bytes.IndexByte(src[end:span.End], '\n'); i >= 0 {
			next = end + i + 1
		}
		if tokens -= pack.Tokens(string(src[end:next])); tokens < 0 {
			break
		}
		end = next
	}
	if end > span.Start || end == span.End {
		return schema.Span{Start: span.Start, End: end}, true
	}
	// A token has a byte at least.
	if i := bytes.IndexByte(src[end:span.End], '\n'); i >= 0 {
		span.End = end + i + 1
	}
	cut := strings.ToValidUTF8(string(src[end:min(span.End, end+answerTokens)]), "")
	return schema.Span{Start: end, End: end + len(cut)}, false
}
