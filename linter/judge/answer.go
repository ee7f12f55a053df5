package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema/text"
)

// longestAnswer is the longest answer that is read, in bytes.
const longestAnswer = 1 << 20

// ruled is one verdict of an answer.
type ruled struct {
	ID     int    `json:"id"`
	Ruling string `json:"ruling"`
	QuoteA string `json:"quote_a"`
	QuoteB string `json:"quote_b"`
	Reason string `json:"reason"`
}

var rulings = map[string]linter.Ruling{
	"contradicts": linter.Contradictory, "both-hold": linter.Compatible, "not-the-same": linter.Unrelated, "cannot-tell": linter.Unclear,
}

// rulingNames lists the words for people.
const rulingNames = "contradicts, both-hold, not-the-same or cannot-tell"

// rulingName returns the word for a ruling, as answers and the file of verdicts
// write it.
func rulingName(r linter.Ruling) string {
	for name, ruling := range rulings {
		if ruling == r {
			return name
		}
	}
	return ""
}

// parseAnswer parses a judge's answer. The verdicts are in the order of the pairs; one
// that is missing, repeated, malformed, or whose quotes are not in the two claims, is
// left unjudged. It is an error if the answer is not the requested JSON object.
func parseAnswer(answer []byte, pairs [][2]side) ([]linter.Verdict, error) {
	var doc struct {
		Verdicts []json.RawMessage `json:"verdicts"`
	}
	if err := strictly(unfenced(answer), &doc); err != nil {
		return nil, fmt.Errorf("invalid answer: %w", err)
	}
	out := make([]linter.Verdict, len(pairs))
	times := make([]int, len(pairs))
	for _, raw := range doc.Verdicts {
		var r ruled
		if strictly(raw, &r) != nil || r.ID < 1 || r.ID > len(pairs) {
			continue
		}
		i := r.ID - 1
		if times[i]++; times[i] > 1 {
			out[i] = linter.Verdict{}
			continue
		}
		out[i] = r.verdict(pairs[i])
	}
	return out, nil
}

func (r *ruled) verdict(p [2]side) linter.Verdict {
	v := linter.Verdict{Ruling: rulings[r.Ruling], Quotes: [2]string{text.Collapse(r.QuoteA), text.Collapse(r.QuoteB)}, Reason: plain(r.Reason)}
	if !validVerdict(&v, p) {
		return linter.Verdict{}
	}
	return v
}

// validVerdict reports whether a verdict is one of the four, with real quotes. Equal
// quotes can't contradict each other.
func validVerdict(v *linter.Verdict, p [2]side) bool {
	return v.Ruling != linter.Unjudged && quoted(p[0].Text, v.Quotes[0]) && quoted(p[1].Text, v.Quotes[1]) &&
		(v.Ruling != linter.Contradictory || !equalFold(v.Quotes[0], v.Quotes[1]))
}

func equalFold(a, b string) bool {
	return bytes.EqualFold([]byte(text.Collapse(a)), []byte(text.Collapse(b)))
}

// strictly decodes the one JSON value that a text holds, without unknown fields.
func strictly(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("unexpected end")
		}
		return errors.New("can't be decoded") // what the decoder says may quote what was sent
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("trailing data")
	}
	return nil
}

// unfenced takes away the fence of a code block around all of an answer, which
// models add out of habit.
func unfenced(answer []byte) []byte {
	text := bytes.TrimSpace(answer)
	body, ok := bytes.CutSuffix(text, []byte("```"))
	if !ok || !bytes.HasPrefix(body, []byte("```")) {
		return text
	}
	_, body, ok = bytes.Cut(body, []byte("\n"))
	if !ok {
		return text
	}
	return bytes.TrimSpace(body)
}
