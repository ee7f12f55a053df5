package declared

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/run"
)

// Told returns the request with the work of the one who is called: a worker is told its part,
// an evaluator its questions. A person approved the file that says so; what agents said and
// the inputs are data, see [Sections].
func Told(r loops.PromptRequest) loops.PromptRequest {
	start := *r.Start
	start.Plan.Chunks = slices.Clone(start.Plan.Chunks)
	work := &start.Plan.Chunks[r.Command.Chunk]
	d := start.Declared
	if of, _ := d.Of(r.Command.Part); of.Objective != "" {
		work.Text = of.Objective
	}
	var b strings.Builder
	if w := d.Worker(r.Command.Part); w != nil && r.Command.Role == loops.Worker {
		fmt.Fprintf(&b, "%s\n\nYour part: %s\n\nYour output: %s, as %s.\n", work.Text, w.Role, w.Output, w.Format)
	}
	if e := d.Evaluator(r.Command.Part); e != nil && r.Command.Role == loops.Evaluator {
		fmt.Fprintf(&b, "%s\n\nScore each question:\n\n", work.Text)
		for _, q := range e.Rubric {
			fmt.Fprintf(&b, "- %s, from %s to %s: %s\n", q.Name, number(q.Low), number(q.High), q.Criteria)
		}
	}
	work.Text = b.String()
	r.Start = &start
	return r
}

// mostOutput is how many bytes of an output a prompt holds.
const mostOutput = 24 << 10

// Sections returns what workers and evaluators read: inputs, outputs and memory. folder is
// that of the run.
func Sections(folder string, redact []string) func(context.Context, loops.PromptRequest) ([]prompt.Section, error) {
	clean := loops.NewRedactor(redact)
	return func(_ context.Context, r loops.PromptRequest) ([]prompt.Section, error) {
		d, id := r.Start.Declared.Of(r.Command.Part)
		var reads []string
		if w := d.Worker(id); w != nil && r.Command.Role == loops.Worker {
			reads = w.Reads
		} else {
			for _, w := range d.Workers {
				reads = append(reads, "workers."+w.ID)
			}
			for _, in := range d.Inputs {
				reads = append(reads, "inputs."+in.Name)
			}
		}
		s := reader{folder, r, d, clean}
		out, err := s.children()
		if err != nil {
			return nil, err
		}
		for _, from := range reads {
			text, err := s.read(from)
			if err != nil {
				return nil, err
			}
			out = append(out, prompt.Section{Name: from, Title: from, Text: text, Limit: mostOutput, Newest: strings.HasPrefix(from, "memory.")})
		}
		return out, nil
	}
}

type reader struct {
	folder string
	loops.PromptRequest
	loop  *loops.Declared
	clean *loops.Redactor
}

// read returns what a source holds now.
func (s *reader) read(from string) (string, error) {
	kind, name, _ := strings.Cut(from, ".")
	switch kind {
	case "inputs":
		if s.Rounds != nil {
			for _, g := range s.Rounds.Given {
				if g.Input == name {
					return s.output(g.Output)
				}
			}
		}
		for _, in := range s.loop.Inputs {
			if in.Name == name {
				text, _ := s.clean.Text(in.Text)
				return text, nil
			}
		}
		return "", nil
	case "memory":
		var b strings.Builder
		for _, o := range s.Memory {
			text, err := s.output(o)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "### %s, iteration %d\n\n%s\n\n", o.Worker, o.Iteration, text)
		}
		return b.String(), nil
	}
	if s.Rounds == nil {
		return "", nil
	}
	for _, o := range slices.Backward(s.Rounds.Outputs) {
		if o.Worker == name {
			return s.output(o)
		}
	}
	return "", nil
}

// children returns what the loops within the loop came to in this iteration.
func (s *reader) children() ([]prompt.Section, error) {
	if s.Rounds == nil {
		return nil, nil
	}
	var out []prompt.Section
	for _, c := range s.Rounds.Children {
		var b strings.Builder
		fmt.Fprintf(&b, "ended as %s", c.Status)
		if c.Why != "" {
			fmt.Fprintf(&b, ": %s", c.Why)
		}
		for _, o := range c.Outputs {
			text, err := s.output(o)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n\n### %s\n\n%s", o.Worker, text)
		}
		out = append(out, prompt.Section{Name: "children." + c.ID, Title: "children." + c.ID, Text: b.String(), Limit: mostOutput})
	}
	return out, nil
}

// output returns what a worker said, as far as a rule of safety lets others read it.
func (s *reader) output(o loops.WorkerOutput) (string, error) {
	switch {
	case o.Withheld:
		return "(withheld by a safety constraint)", nil
	case o.Folder == "":
		return o.Summary, nil
	}
	src, err := files.ReadPath(filepath.Join(s.folder, filepath.FromSlash(o.Folder), run.AnswerFile), files.Run)
	if err != nil {
		return "", fmt.Errorf("read the output of worker %s: %w", o.Worker, err)
	}
	text := string(src)
	if o.Stripped {
		text = loops.StripInjection(text)
	}
	return text, nil
}
