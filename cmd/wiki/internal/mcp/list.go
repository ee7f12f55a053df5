package mcp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/pack"
)

// Bounds of one answer, but for context_pack, whose caller sets its own.
const (
	answerTokens  = 2000
	defaultLength = 20
	maxLength     = 100
	maxItem       = 600 // bytes
)

// window is which part of a list is asked for.
type window struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"at most 100"`
	Cursor string `json:"cursor,omitempty"`
}

// bounds returns the number of the first item, and how many are wanted.
func (w window) bounds() (from, limit int, err error) {
	if w.Cursor != "" {
		if from, err = strconv.Atoi(w.Cursor); err != nil || from < 0 {
			return 0, 0, &Error{"invalid_argument", fmt.Sprintf("cursor %q is not one of this server", clip(w.Cursor, 40)), "use the cursor of the last answer, or none to begin again"}
		}
	}
	switch {
	case w.Limit < 0:
		return 0, 0, &Error{"invalid_argument", fmt.Sprintf("limit %d is below 1", w.Limit), "use a number from 1 to 100"}
	case w.Limit == 0:
		return from, defaultLength, nil
	}
	return from, min(w.Limit, maxLength), nil
}

// of answers with the wanted items of a list of total things.
func (w window) of(total int, noun string, item func(i int) string) (answer, error) {
	from, limit, err := w.bounds()
	if err != nil {
		return answer{}, err
	}
	var b strings.Builder
	room, i := answerTokens, from
	for ; i < total && i < from+limit; i++ {
		line := item(i)
		if len(line) > maxItem {
			line = strings.ToValidUTF8(line[:maxItem], "") + "…"
		}
		if room -= pack.Tokens(line) + 1; room < 0 && i > from {
			break
		}
		b.WriteString(line + "\n")
	}
	head := text.Count(total, noun)
	switch {
	case from >= total && from > 0:
		head += "; no more"
	case i < total:
		head += fmt.Sprintf("; %d to %d shown, next cursor: %d", from+1, i, i)
	}
	return answer{head, b.String()}, nil
}
