package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// StoryUpdate is what became of a story.
type StoryUpdate struct {
	ID string
	// Passes is nil if it stays as it is.
	Passes *bool
	// Note is added to the notes, on a line of its own.
	Note string
	// Rejected adds one to the rejections, and [REJECTED] before the note.
	Rejected bool
}

// UpdateStories returns a task file with the results of its stories. All other bytes
// stay the same: the order of keys, indentation, unknown keys. An unknown story and
// a malformed file are errors.
func UpdateStories(src []byte, updates ...StoryUpdate) ([]byte, error) {
	root, at, fault := readJSON(src)
	if root == nil {
		p := schema.NewLineIndex(src).Position(at)
		return nil, fmt.Errorf("%d:%d: malformed JSON: %s", p.Line, p.Column, fault)
	}
	list := root.Get("stories")
	if list == nil {
		list = root.Get("userStories")
	}
	stories := map[string]*schema.Node{}
	if list != nil {
		for _, n := range list.Items {
			if id := n.Get("id"); id != nil && stories[id.Text] == nil {
				stories[id.Text] = n
			}
		}
	}
	var edits []schema.Edit
	seen := map[string]bool{}
	for _, u := range updates {
		n := stories[u.ID]
		if n == nil || seen[u.ID] {
			return nil, fmt.Errorf("story %q is not in the file, or updated twice", u.ID)
		}
		seen[u.ID] = true
		edits = append(edits, storyEdits(src, n, u)...)
	}
	slices.SortStableFunc(edits, func(a, b schema.Edit) int { return cmp.Compare(b.Span.Start, a.Span.Start) })
	for _, e := range edits {
		src = slices.Concat(src[:e.Span.Start], []byte(e.Text), src[e.Span.End:])
	}
	return src, nil
}

// allowInTask returns a task file with an entry of spec_changes at the end of its list,
// which is made if there is none. All other bytes stay the same.
func allowInTask(src []byte, root *schema.Node, c loops.SpecChange) ([]byte, error) {
	if root.Kind != schema.KindMap || len(root.Pairs) == 0 {
		return nil, errors.New("the file is not a task file")
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	edit := addPairs(src, root, []string{"spec_changes", "[" + string(text) + "]"})
	if list := root.Get("spec_changes"); list != nil {
		if list.Kind != schema.KindList {
			return nil, errors.New("spec_changes is not a list")
		}
		edit = schema.Edit{Span: list.Span, Text: "[" + string(text) + "]"}
		if n := len(list.Items); n > 0 {
			at := list.Items[n-1].Span.End
			edit = schema.Edit{Span: schema.Span{Start: at, End: at}, Text: ", " + string(text)}
		}
	}
	return slices.Concat(src[:edit.Span.Start], []byte(edit.Text), src[edit.Span.End:]), nil
}

// storyEdits returns the edits of one story; those of keys that it lacks are one.
func storyEdits(src []byte, n *schema.Node, u StoryUpdate) []schema.Edit {
	var edits []schema.Edit
	var added []string // keys with their values
	set := func(key, value string) {
		if v := n.Get(key); v != nil {
			edits = append(edits, schema.Edit{Span: v.Span, Text: value})
			return
		}
		added = append(added, key, value)
	}
	if u.Passes != nil {
		set("passes", strconv.FormatBool(*u.Passes))
	}
	if note := strings.TrimSpace(u.Note); note != "" || u.Rejected {
		if u.Rejected {
			note = strings.TrimSpace("[REJECTED] " + note)
		}
		if old := n.Get("notes"); old != nil && strings.TrimSpace(old.Text) != "" && old.Kind == schema.KindString {
			note = strings.TrimRight(old.Text, "\n") + "\n" + note
		}
		set("notes", quote(note))
	}
	if u.Rejected {
		count := 0
		if v := n.Get("rejections"); v != nil {
			count, _ = strconv.Atoi(v.Text) // what is no number counts as none
		}
		set("rejections", strconv.Itoa(count+1))
	}
	if len(added) > 0 {
		edits = append(edits, addPairs(src, n, added))
	}
	return edits
}

// addPairs adds keys to an object in the style of its last one.
func addPairs(src []byte, n *schema.Node, added []string) schema.Edit {
	last := n.Pairs[len(n.Pairs)-1] // a story has an id
	before := n.Span.Start + 1
	if k := len(n.Pairs); k > 1 {
		before = n.Pairs[k-2].Value.Span.End
	}
	gap := string(bytes.TrimLeft(src[before:last.KeySpan.Start], ", \t"))
	if !strings.ContainsAny(gap, "\r\n") {
		gap = " "
	}
	colon := string(src[last.KeySpan.End:last.Value.Span.Start])
	var b strings.Builder
	for i := 0; i < len(added); i += 2 {
		b.WriteString("," + gap + quote(added[i]) + colon + added[i+1])
	}
	at := last.Value.Span.End
	return schema.Edit{Span: schema.Span{Start: at, End: at}, Text: b.String()}
}
