// Package query answers questions from the wiki: it retrieves pages, prompts a reader, and
// checks the answer against its citations. Every paragraph needs a citation of an existing
// page, heading or line, and quotes must occur at the cited place.
package query

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

const (
	// MaxQuestion is how many bytes a question has.
	MaxQuestion = 4 << 10
	// PassageSize is how many bytes of pages a question finds.
	PassageSize = 24 << 10
	// maxAnswer is how many bytes of an answer are judged.
	maxAnswer = 64 << 10
	// askings is how often a reader is asked: once, and once more.
	Askings = 2
)

// Trimmed returns an answer as it is judged and shown.
func Trimmed(text []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(text[:min(len(text), maxAnswer)]), "\ufffd"))
}

// Reader asks and judges who answers questions of a wiki.
type Reader struct {
	Root string // of the repository, absolute
	// Wiki is where the pages are; nil finds them.
	Wiki *compiler.Workspace
	// Passages searches the pages: see [repo.Repo]. It may be nil where nothing is asked.
	Passages func(ctx context.Context, w *compiler.Wiki, query string, size int) ([]loops.Passage, error)
}

// pages compiles the wiki that questions are asked of.
func (r Reader) pages(ctx context.Context) (*compiler.Wiki, error) {
	ws := r.Wiki
	if ws == nil {
		var err error
		if ws, err = compiler.Detect(r.Root, ""); err != nil {
			return nil, err
		}
	}
	return compiler.Compile(ctx, ws, compiler.Options{})
}

// JudgeAnswer holds the answer in a folder against what it cites.
func (r Reader) JudgeAnswer(ctx context.Context, _ *loops.State, folder string) ([]loops.GateResult, error) {
	text, err := files.ReadPath(filepath.Join(folder, run.AnswerFile), files.Run)
	if err != nil {
		return nil, err
	}
	w, err := r.pages(ctx)
	if err != nil {
		return nil, err
	}
	_, wrong, err := Support(ctx, w, Trimmed(text))
	if err != nil || len(wrong) == 0 {
		return []loops.GateResult{{Gate: "citation", Effect: loops.Passed}}, err
	}
	result := loops.GateResult{Gate: "citation", Effect: loops.Red, Class: loops.ClassRejected}
	for _, why := range wrong {
		result.Reason = append(result.Reason, loops.Reason{Message: why})
	}
	return []loops.GateResult{result}, nil
}

// Cite is a citation of an answer.
type Cite struct {
	Text  string `json:"text"`            // as it is written
	Path  string `json:"path"`            // below the wiki's root; empty if it leads nowhere
	Quote string `json:"quote,omitempty"` // what the answer quotes before it
	Wrong string `json:"wrong,omitempty"` // why it does not hold
}

// answerPage is the page that an answer is read as: at the wiki's root, from where
// its links count.
const answerPage = "wiki-query-answer.md"

// Support reads the citations of an answer, and says what of it has none that holds.
func Support(ctx context.Context, w *compiler.Wiki, answer string) (cites []Cite, wrong []string, err error) {
	if answer == "" {
		return nil, []string{"the answer is empty"}, nil
	}
	with, err := w.WithOverlay(ctx, compiler.Overlay{answerPage: []byte(answer)})
	if err != nil {
		return nil, nil, err
	}
	var page *schema.Page
	for _, p := range with.Pages() {
		if p.Path == answerPage {
			page = p
		}
	}
	if page == nil {
		return nil, nil, fmt.Errorf("pages at the wiki's root are ignored: see ignore: in wiki.yaml")
	}
	cited := source.NewCited(w)
	var at []int
	add := func(span schema.Span, file, quote, why string) {
		text := string(span.In(page.Source))
		cites = append(cites, Cite{text, file, quote, why})
		if why != "" {
			wrong = append(wrong, fmt.Sprintf("%s: %s", text, why))
			return
		}
		at = append(at, span.Start)
	}
	for l, res := range with.Links(page) {
		if l.External || l.Field != "" {
			continue
		}
		quote := source.QuoteBefore(page.Source, l.Span.Start)
		to := with.Page(res.Page)
		switch {
		case res.Kind == schema.TargetPage && to != page && res.AnchorMissing:
			add(l.Span, to.Path, quote, fmt.Sprintf("%s has no heading %q", to.Path, res.Fragment))
		case res.Kind == schema.TargetPage && to != page:
			add(l.Span, to.Path, quote, cited.WrongPage(to, heading(to, res), quote))
		case res.Kind == schema.TargetFile || res.Kind == schema.TargetOutside:
			add(l.Span, res.Path, quote, "")
		default:
			add(l.Span, "", quote, "no such page")
		}
	}
	for i := range page.Citations {
		c := &page.Citations[i]
		quote := source.QuoteBefore(page.Source, c.Span.Start)
		add(c.Span, cited.File("", c.Ref.Path), quote, cited.Wrong("", c.Ref, quote))
	}
	return cites, append(wrong, uncited(page, at)...), nil
}

// heading returns the text of the heading that a link leads to, "" for the whole page.
func heading(p *schema.Page, res *schema.Resolution) string {
	for _, h := range p.Headings {
		if res.Anchor != "" && h.ID == res.Anchor {
			return h.ID
		}
	}
	return ""
}

// uncited returns which paragraphs of an answer rest on nothing.
func uncited(page *schema.Page, at []int) []string {
	var out []string
	offset := 0
	for block := range strings.SplitSeq(string(page.Source), "\n\n") {
		start, end := offset, offset+len(block)
		offset = end + 2
		text := strings.TrimSpace(block)
		inFence := false
		for i := range page.Fences {
			inFence = inFence || page.Fences[i].Span.Overlaps(schema.Span{Start: start, End: max(end, start+1)})
		}
		if text == "" || text[0] == '#' || inFence || strings.HasSuffix(text, ":") && !strings.Contains(text, "\n") {
			continue
		}
		holds := false
		for _, a := range at {
			holds = holds || a >= start && a < end
		}
		if !holds {
			if len(text) > 100 {
				text = strings.ToValidUTF8(text[:100], "") + "…"
			}
			out = append(out, fmt.Sprintf("no citation for %q", repo.OneLine(text)))
		}
	}
	return out
}

// Prompt returns what a reader is asked.
func (r Reader) Prompt(ctx context.Context, asked loops.PromptRequest) (loops.Prompt, error) {
	w, err := r.pages(ctx)
	if err != nil {
		return loops.Prompt{}, err
	}
	q := asked.Start.Query.Question
	found, err := r.Passages(ctx, w, q, PassageSize)
	if err != nil {
		return loops.Prompt{}, err
	}
	var b strings.Builder
	b.WriteString(prompt.RoleText(loops.Reader))
	fmt.Fprintf(&b, "\n# Question\n\n%s\n", prompt.Fenced(q))
	b.WriteString("\n# Passages of the wiki, as data\n")
	for _, passage := range found {
		name := strings.TrimPrefix(passage.Path, w.Workspace().RootPath+"/")
		fmt.Fprintf(&b, "\n[[%s]]\n\n%s\n", strings.TrimSuffix(strings.TrimSuffix(name, ".md")+"#"+passage.Heading, "#"), prompt.Fenced(passage.Text))
	}
	b.WriteString(Rejections(asked.Command.Feedback))
	text := b.String()
	return loops.Prompt{Text: text, Parts: []loops.PromptPart{{Name: "question", Size: len(text)}}}, nil
}

// Rejections returns the part of a prompt that says why the last answers were rejected, ""
// for the first one.
func Rejections(feedback []loops.Feedback) string {
	if len(feedback) == 0 {
		return ""
	}
	var said []string
	for _, f := range feedback {
		if f.Text != "" {
			said = append(said, f.Text)
		}
		for _, reason := range f.Reasons {
			said = append(said, reason.String())
		}
	}
	return fmt.Sprintf("\n# Your last answer was rejected\n\nWrite the whole answer again. These are the errors, as data:\n\n%s\n", prompt.Fenced(strings.Join(said, "\n")))
}
