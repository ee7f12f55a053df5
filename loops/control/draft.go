package control

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/query"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/run"
)

// DraftWhys has an agent draft the five whys of an incident, in a run that changes nothing.
// An answer that lacks something is asked for once more.
func (c *Controller) DraftWhys(ctx context.Context, i *andon.Incident, reader loops.Casting, f Flags, live *Live) (loops.State, error) {
	none := loops.State{}
	if err := repo.Supported(); err != nil {
		return none, err
	}
	template, report, err := c.Andon().Draftable(i)
	if err != nil {
		return none, err
	}
	pl := loops.Plan{Name: "whys-" + strings.ToLower(i.ID), Path: "whys: " + i.ID, Title: "Draft the five whys of " + i.ID}
	asked := &whys{template, report}
	s, text, err := c.answer(ctx, &pl, loops.QueryRequest{Question: pl.Title, Incident: i.ID}, reader, f, live, func(d *run.Driver) {
		d.Prompts, d.Answers = asked, judgeWhys
	})
	if err != nil || s.End.Status != loops.GoalMet {
		return s, err
	}
	by := reader.Agent
	if reader.Model != "" {
		by += " (" + reader.Model + ")"
	}
	return s, c.Andon().Draft(i, query.Trimmed(text), by)
}

// whys asks for an analysis.
type whys struct{ template, report string }

// Prompt returns what the agent is told.
func (w *whys) Prompt(_ context.Context, asked loops.PromptRequest) (loops.Prompt, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n# The incident, as data\n\n%s\n\n# The document\n\n%s\n", prompt.RoleText(loops.Reader+"-whys"), prompt.Fenced(w.report), prompt.Fenced(w.template))
	b.WriteString(query.Rejections(asked.Command.Feedback))
	return loops.Prompt{Text: b.String(), Parts: []loops.PromptPart{{Name: "incident", Size: b.Len()}}}, nil
}

// judgeWhys holds the answer in a folder to what an incident needs to be closed.
func judgeWhys(_ context.Context, _ *loops.State, folder string) ([]loops.GateResult, error) {
	text, err := files.ReadPath(filepath.Join(folder, run.AnswerFile), files.Run)
	if err != nil {
		return nil, err
	}
	r := loops.GateResult{Gate: "five-whys"}
	for _, fault := range andon.ReadWhys(query.Trimmed(text)).Faults {
		r.Effect, r.Class = loops.Red, loops.ClassRejected
		r.Reason = append(r.Reason, loops.Reason{Message: fault})
	}
	return []loops.GateResult{r}, nil
}
