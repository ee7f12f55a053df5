package spec

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"text/template"
)

// Part is one line of an explanation: a symbol or a phase, and what of the document
// it is.
type Part struct {
	Symbol string   `json:"symbol"`
	Name   string   `json:"name"`
	What   []string `json:"what"`
}

// Explanation describes a document by the formal loop and by the five phases of
// building one.
type Explanation struct {
	Loop     []Part   `json:"loop" jsonschema:"the loop as (S, A, O, T, E, M, tau)"`
	Phases   []Part   `json:"phases" jsonschema:"Design, Diagnose, Measure, Improve, Scale"`
	Hint     Hint     `json:"hint"`
	Workload Workload `json:"workload"`
}

//go:embed explain.tmpl
var explainText string

var explainTemplate = sync.OnceValue(func() *template.Template {
	list := func(names []string) string { return strings.ReplaceAll(strings.Join(names, ", "), "*", "every worker") }
	return template.Must(template.New("explain").Funcs(template.FuncMap{"list": list}).Parse(explainText))
})

// Explain describes a valid document in words.
func (d *Document) Explain() (Explanation, error) {
	s, err := d.Spec()
	if err != nil {
		return Explanation{}, err
	}
	e := Explanation{Hint: d.SuggestLevel(), Workload: d.Workload()}
	for _, p := range [][2]string{{"S", "state"}, {"A", "actions"}, {"O", "observations"}, {"T", "transitions"}, {"E", "evaluators"}, {"M", "memory"}, {"τ", "termination"}} {
		e.Loop = append(e.Loop, Part{p[0], p[1], []string{}})
	}
	for _, name := range []string{"Design", "Diagnose", "Measure", "Improve", "Scale"} {
		e.Phases = append(e.Phases, Part{name[:1], name, []string{}})
	}
	var text bytes.Buffer
	data := struct {
		*Spec
		Diagnosis []FailureCode
	}{s, d.diagnosis(s)}
	if err := s.unwrap(); err != nil {
		return e, err
	} else if err := explainTemplate().Execute(&text, data); err != nil {
		return e, err
	}
	for line := range strings.Lines(text.String()) {
		words := strings.SplitN(strings.TrimSpace(line), "|", 3)
		for _, parts := range [][]Part{e.Loop, e.Phases} {
			if i := slices.IndexFunc(parts, func(p Part) bool { return len(words) == 3 && p.Name == words[1] }); i >= 0 {
				parts[i].What = append(parts[i].What, words[2])
			}
		}
	}
	return e, nil
}

// unwrap puts every text on one line, as the template's lines are those of the
// explanation.
func (s *Spec) unwrap() error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(strings.NewReplacer(`\\`, `\\`, `\n`, ` `, `\r`, ` `).Replace(string(text))), s)
}

// diagnosis are the failure codes that the form of a spec invites.
func (d *Document) diagnosis(s *Spec) []FailureCode {
	open := map[string]bool{
		"F1": !slices.ContainsFunc(s.Channels, func(c FeedbackChannel) bool { return strings.HasPrefix(c.Destination, "workers.") }),
		"F2": s.selfGraded(), "F7": len(s.Termination.Stall) == 0, "F8": s.Cost.OnExceed.Action != "halt", "F12": len(s.Safety) == 0,
	}
	for _, f := range d.Semantic(nil) {
		open[map[string]string{"unbounded": "F4", "dependency-cycle": "F10"}[f.ID]] = true
	}
	return slices.DeleteFunc(slices.Clone(Common().FailureCodes), func(f FailureCode) bool { return !open[f.Code] })
}

// selfGraded reports whether all that judges the loop is the model that works.
func (s *Spec) selfGraded() bool {
	return !slices.ContainsFunc(s.Evaluators, func(e Evaluator) bool {
		return e.Model == nil || !slices.ContainsFunc(s.Workers, func(w Worker) bool { return w.Model.Provider == e.Model.Provider && w.Model.Name == e.Model.Name })
	})
}
