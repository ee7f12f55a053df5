package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ProposalFolder is where proposals are written, below the folder of the wiki's repository.
const ProposalFolder = ".loopwiki/proposals"

// Bounds of proposals.
const (
	maxProposals    = 200
	maxProposed     = 256 << 10 // bytes of a text
	proposalMode    = 0o666
	shownFindings   = 10
	maxReason       = 500 // bytes
	maxProposalName = 60  // bytes
)

// addWriters adds the tools that write proposals. None changes a page.
func (s *Server) addWriters() {
	add := func(name, about string) *mcp.Tool {
		no := false
		return &mcp.Tool{Name: name, Description: about, Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no}}
	}
	addTool(s, add("propose_page", "Propose a new page. It is linted and written as a patch for a person; new findings are listed."), proposePage)
	addTool(s, add("propose_edit", "Propose another text below a heading, up to the next heading. Needs the hash from read_page. Written as a patch for a person."), proposeEdit)
}

type proposePageInput struct {
	Path   string `json:"path" jsonschema:"below the wiki's root, ends in .md"`
	Text   string `json:"text"`
	Reason string `json:"reason,omitempty"`
}

func proposePage(ctx context.Context, v *view, in proposePageInput) (answer, error) {
	if err := named(in.Path); err != nil {
		return answer{}, err
	}
	if !fs.ValidPath(in.Path) || path.Ext(in.Path) != ".md" || strings.ContainsFunc(in.Path, func(r rune) bool { return r == '\\' || text.Hidden(r) || r == '\n' || r == '\t' }) {
		return answer{}, &Error{"invalid_argument", fmt.Sprintf("%q is not a path of a page", clip(in.Path, 100)), "use a path below the wiki's root such as notes/limits.md"}
	}
	changes := edit.New(v.Wiki)
	if changes.Exists(in.Path) {
		return answer{}, &Error{"refused", "the page exists", "use propose_edit, or another path"}
	}
	if err := changes.Edit(schema.Edit{Path: in.Path, Text: strings.TrimRight(in.Text, "\n") + "\n"}); err != nil {
		return answer{}, err
	}
	return v.propose(ctx, changes, in.Path, in.Text, in.Reason)
}

type proposeEditInput struct {
	Page    string `json:"page"`
	Section string `json:"section" jsonschema:"full heading path or #anchor"`
	Text    string `json:"text"`
	Hash    string `json:"hash"`
	Reason  string `json:"reason,omitempty"`
}

func proposeEdit(ctx context.Context, v *view, in proposeEditInput) (answer, error) {
	page, _, err := v.find(in.Page)
	if err == nil {
		err = named(in.Section)
	}
	if err != nil {
		return answer{}, err
	}
	if in.Hash != hashOf(page) {
		return answer{}, &Error{"stale", fmt.Sprintf("%s does not have the hash %q", page.Path, clip(in.Hash, 40)), "read the page again with read_page, and use the hash that it gives"}
	}
	part, err := compiler.FindPart(page, in.Section, true)
	if err != nil {
		return answer{}, err
	}
	at := part.Span
	for _, h := range page.Headings {
		if h.Span.Start == at.Start {
			at.Start = h.Span.End
		}
	}
	body := "\n\n" + strings.Trim(in.Text, "\r\n") + "\n"
	if at.End < len(page.Source) {
		body += "\n"
	}
	if bytes.Contains(page.Source, []byte("\r\n")) {
		body = strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\n", "\r\n")
	}
	changes := edit.New(v.Wiki)
	if err := changes.Edit(schema.Edit{Path: page.Path, Span: at, Text: body}); err != nil {
		return answer{}, err
	}
	return v.propose(ctx, changes, page.Path, in.Text, in.Reason)
}

// propose compiles and lints the wiki as it would be, and writes the changes as a patch.
func (v *view) propose(ctx context.Context, changes *edit.Changes, page, proposed, reason string) (answer, error) {
	if len(proposed) > maxProposed {
		return answer{}, &Error{"too_large", fmt.Sprintf("the text has %d bytes, at most %d are taken", len(proposed), maxProposed), "propose less at once"}
	}
	next, err := v.WithOverlay(ctx, changes.Overlay())
	if err != nil {
		return answer{}, err
	}
	if !slices.ContainsFunc(next.Pages(), func(p *schema.Page) bool { return p.Path == page }) {
		return answer{}, &Error{"refused", "the file would be no page of the wiki: its folder is ignored or left out", "use another path"}
	}
	prefix := ""
	if root := v.Workspace().RootPath; root != "." {
		prefix = root + "/"
	}
	patch := changes.Diff(prefix)
	if patch == "" {
		return answer{head: "nothing to propose: the section has this text already"}, nil
	}
	before, after := v.known(ctx), v.lib.opt.Lint(ctx, next)
	added := newFindings(before.Findings, after.Findings)
	name, err := v.writeProposal(page, fmt.Sprintf("Proposal for %s: %s\n\n%s", text.Line(page), clip(reason, maxReason), patch))
	if err != nil {
		return answer{}, err
	}
	var b strings.Builder
	for i := range added[:min(len(added), shownFindings)] {
		b.WriteString(findingLine(&added[i]) + "\n")
	}
	head := fmt.Sprintf("proposed as %s; a person applies it with git apply; %s", name, text.Count(len(added), "new finding"))
	if after.Problem != "" {
		head += "; incomplete: " + clip(after.Problem, 200)
	}
	return answer{head, b.String()}, nil
}

// newFindings returns the findings that are not among those before.
func newFindings(before, after []schema.Diagnostic) []schema.Diagnostic {
	known := map[string]int{}
	for i := range before {
		known[before[i].Fingerprint]++
	}
	var out []schema.Diagnostic
	for i := range after {
		if known[after[i].Fingerprint]--; known[after[i].Fingerprint] < 0 {
			out = append(out, after[i])
		}
	}
	slices.SortStableFunc(out, func(a, b schema.Diagnostic) int { return int(b.Severity) - int(a.Severity) })
	return out
}

// writeProposal writes a proposal into a file of its own, named by the page and the text:
// the same proposal is the same file.
func (v *view) writeProposal(page, proposal string) (string, error) {
	root, err := files.Open(v.Workspace().Dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := root.MkdirAll(ProposalFolder, 0o777); err != nil {
		return "", err
	}
	there, err := root.ReadDir(ProposalFolder)
	if err != nil {
		return "", err
	}
	if len(there) >= maxProposals {
		return "", &Error{"refused", fmt.Sprintf("there are %d proposals in %s", len(there), ProposalFolder), "ask a person to apply or remove some"}
	}
	slug := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(strings.TrimSuffix(page, ".md"))), "-")
	sum := sha256.Sum256([]byte(proposal))
	name := fmt.Sprintf("%s/%s-%x.patch", ProposalFolder, slug[:min(len(slug), maxProposalName)], sum[:8])
	if err := root.Create(name, []byte(proposal), proposalMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return name, nil
}

// proposals lists the files of proposals.
func (v *view) proposals() []string {
	root, err := files.Open(v.Workspace().Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, err := root.ReadDir(ProposalFolder)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
