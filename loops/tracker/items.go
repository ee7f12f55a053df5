package tracker

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops"
)

// The names under which trackers give the parts of an item, best first.
var (
	listNames  = []string{"issues", "items", "nodes", "results", "data"}
	idNames    = []string{"identifier", "key", "number", "id"}
	titleNames = []string{"title", "name", "summary"}
	textNames  = []string{"body", "description", "text"}
	urlNames   = []string{"url", "html_url", "web_url", "webUrl"}
)

// readItems reads the answer of a tracker: a list of objects, or an object that
// holds one under a usual name. What has no id or no title is left out.
// secrets are values that no item may hold.
func readItems(answer []byte, secrets []string) ([]loops.Item, error) {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the answer is not valid JSON: %w", err)
	}
	list, ok := v.([]any)
	if of, isObject := v.(map[string]any); isObject {
		for _, name := range listNames {
			if list, ok = of[name].([]any); ok {
				break
			}
		}
	}
	if !ok {
		return nil, errors.New("the answer contains no list of items: expected one, or one under " + strings.Join(listNames, ", "))
	}
	out := []loops.Item{}
	redactor := loops.NewRedactor(secrets)
	safe := func(s string) string { s, _ = redactor.Text(s); return s }
	for _, one := range list {
		of, _ := one.(map[string]any)
		// What nobody sees goes first: within a secret it would hide it.
		it := loops.Item{ID: line(field(of, idNames)), Title: line(safe(clean(field(of, titleNames)))), URL: address(safe(field(of, urlNames))), Labels: labels(of["labels"], safe)}
		if it.ID == "" || it.Title == "" || safe(it.ID) != it.ID {
			continue
		}
		it.Text = cut(safe(clean(field(of, textNames))), loops.MaxItemText)
		out = append(out, it)
	}
	slices.SortStableFunc(out, func(a, b loops.Item) int { return compareIDs(a.ID, b.ID) })
	out = slices.CompactFunc(out, func(a, b loops.Item) bool { return a.ID == b.ID })
	return out[:min(len(out), loops.MaxItems)], nil
}

// compareIDs orders numbers by their size: 9 is before 10.
func compareIDs(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return strings.Compare(a, b)
}

func field(of map[string]any, names []string) string {
	for _, name := range names {
		switch v := of[name].(type) {
		case string:
			return v
		case json.Number:
			return v.String()
		}
	}
	return ""
}

// labels are words, or objects with a name.
func labels(v any, safe func(string) string) []string {
	out := []string{}
	list, _ := v.([]any)
	for _, one := range list {
		name, ok := one.(string)
		if of, isObject := one.(map[string]any); isObject {
			name, ok = field(of, titleNames), true
		}
		if name = line(safe(clean(name))); ok && name != "" && len(out) < loops.MaxItems {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// line returns a text as one line of bounded length.
func line(s string) string { return cut(strings.Join(strings.Fields(clean(s)), " "), 300) }

// clean takes out what a terminal would act on, or what nobody sees.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// cut shortens a text to n bytes, between characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// address is one that a browser may follow, or nothing.
func address(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(s) > 2000 {
		return ""
	}
	return u.String()
}
