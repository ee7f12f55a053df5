package loops

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// told returns what a worker is told by channels and, if its prompt is refined, by the
// optimisation.
func (s *State) told(worker string) []Feedback {
	var out []Feedback
	if text := s.carried(worker); text != "" {
		out = append(out, Feedback{From: "channels", Attempt: s.Rounds.N, Text: text})
	}
	if r := s.Rounds.Refinement; r != "" && slices.Contains(s.Loop().Optimise.Targets, worker) {
		out = append(out, Feedback{From: "optimisation", Attempt: s.Rounds.N, Text: r})
	}
	return out
}

// carried returns what the channels carry to a worker, or to the optimisation if that is "".
func (s *State) carried(to string) string {
	var b strings.Builder
	for i := range s.Loop().Channels {
		c := &s.Loop().Channels[i]
		if c.To != to || c.Person {
			continue
		}
		if text := s.carry(c); text != "" {
			fmt.Fprintf(&b, "%s, from %s:\n%s\n", c.ID, c.From, text)
		}
	}
	return strings.TrimSpace(b.String())
}

// tellPeople puts what the channels carry to people into the report.
func (s *State) tellPeople() {
	for i := range s.Loop().Channels {
		if c := &s.Loop().Channels[i]; c.Person {
			if text := s.carry(c); text != "" {
				s.Warnings = append(s.Warnings, fmt.Sprintf("channel %s, iteration %d: %s", c.ID, s.Rounds.N, text))
			}
		}
	}
}

// carry returns what a channel carries now, "" if nothing or if its condition does not hold.
func (s *State) carry(c *Channel) string {
	d := s.Loop()
	values := map[string]float64{"iteration": float64(s.Rounds.N)}
	var lines []string
	if e := d.Evaluator(c.From); e != nil {
		i := slices.IndexFunc(s.Rounds.Marks, func(m Mark) bool { return m.Evaluator == e.ID })
		if i < 0 {
			return ""
		}
		m := s.Rounds.Marks[i]
		values["score"], values["pass_threshold"] = m.Score, 1
		if e.Kind == ByRubric {
			values["pass_threshold"] = e.Pass
		}
		if m.Passed {
			values["passed"] = 1
		}
		lines = m.lines(c.Fields)
	} else if o := s.output(c.From); o != nil {
		values["passed"] = 1
		lines = o.lines(c.Fields)
	}
	if !c.When.holds(values) {
		return ""
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if rule := s.rule(GuardInjection, "pre_worker", ""); rule != nil && InjectionRisk(text) > rule.Risk {
		return "(withheld by safety constraint " + rule.ID + ": it reads like instructions)"
	}
	return cutText(text, c.Bytes)
}

// output returns what a worker said last, nil if nothing that others may read.
func (s *State) output(worker string) *WorkerOutput {
	for i := len(s.Rounds.Outputs) - 1; i >= 0; i-- {
		if o := &s.Rounds.Outputs[i]; o.Worker == worker {
			if o.Withheld {
				return nil
			}
			return o
		}
	}
	return nil
}

// carries reports whether a channel with these fields carries one; without any it carries all.
func carries(fields []string, name string) bool {
	return len(fields) == 0 || slices.Contains(fields, name)
}

// lines returns what a judgement says, by the fields of a channel.
func (m *Mark) lines(fields []string) []string {
	var out []string
	add := func(field, text string) {
		if text != "" && carries(fields, field) {
			out = append(out, field+": "+text)
		}
	}
	add("passed", fmt.Sprint(m.Passed))
	add("score", fmt.Sprintf("%.3g", m.Score))
	var scores []string
	for _, d := range m.Dimensions {
		scores = append(scores, fmt.Sprintf("%s %.3g", d.Name, d.Score))
	}
	add("dimension_scores", strings.Join(scores, ", "))
	if !m.Passed {
		class := m.Class
		if class == "" && m.Error != "" {
			class = string(EvaluatorError)
		}
		add("failure_codes", class)
	}
	var hints []string
	for _, r := range m.Reasons {
		hints = append(hints, r.String())
	}
	add("remediation_hints", strings.Join(hints, "; "))
	add("summary", m.Summary)
	add("raw_output", m.Output)
	return out
}

// lines returns what a worker said, as far as a channel carries it: a worker judges nothing.
func (o *WorkerOutput) lines(fields []string) []string {
	for _, f := range []string{"summary", "raw_output", "remediation_hints"} {
		if carries(fields, f) && o.Summary != "" {
			return []string{f + ": " + o.Summary}
		}
	}
	return nil
}

// cutText keeps the beginning of a text, 0 is all of it.
func cutText(text string, most int) string {
	if most <= 0 || len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "… (cut at the channel's max_tokens)"
}

// AnswerFacts is what rules of safety ask of an answer, as the runner saw it.
type AnswerFacts struct {
	Bytes int      `json:"bytes,omitempty"`
	Risk  float64  `json:"risk,omitempty"`
	JSON  bool     `json:"json,omitempty"` // it is a JSON object with Keys
	Keys  []string `json:"keys,omitempty"`
}

// FactsOf looks at an answer.
func FactsOf(answer string) AnswerFacts {
	f := AnswerFacts{Bytes: len(answer), Risk: InjectionRisk(answer)}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(fencedBody(answer)), &object) == nil && object != nil {
		f.JSON = true
		for k := range object {
			f.Keys = append(f.Keys, k)
		}
		slices.Sort(f.Keys)
	}
	return f
}

// fencedBody returns what a code fence around a whole text holds, or the text.
func fencedBody(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") {
		return text
	}
	_, body, _ := strings.Cut(strings.TrimSuffix(text, "```"), "\n")
	return body
}

// injections are what a text says that gives its reader orders, with how sure it is.
var injections = []struct {
	pattern func() *regexp.Regexp
	risk    float64
}{
	{schema.Expression(`(?i)\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all|your|system)\b.{0,30}\b(?:instructions?|rules?|prompts?|directions?)\b`), 0.9},
	{schema.Expression(`(?i)<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]`), 0.9},
	{schema.Expression(`(?i)\byou (?:are|act) (?:now|from now on)\b|\bnew instructions?:|\bdo not (?:tell|inform|mention to) the (?:user|human|person)\b`), 0.6},
	{schema.Expression(`(?i)\b(?:reveal|print|show|send|exfiltrate)\b.{0,40}\b(?:system prompt|api[ _-]?keys?|secrets?|credentials?|tokens?)\b`), 0.6},
	{schema.Expression(`[\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2064}\x{2066}-\x{2069}\x{E0000}-\x{E007F}]`), 0.5},
}

// InjectionRisk is how much a text reads like instructions to an agent, from 0 to 1. It knows
// forms of words: that it finds none proves nothing.
func InjectionRisk(text string) float64 {
	safe := 1.0
	for _, i := range injections {
		if i.pattern().MatchString(text) {
			safe *= 1 - i.risk
		}
	}
	return 1 - safe
}

// StripInjection returns a text without the lines that read like instructions.
func StripInjection(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if InjectionRisk(line) == 0 {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
