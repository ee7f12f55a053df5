package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// WorkItem is something that a loop could do.
type WorkItem struct {
	// ID names it for good: state files and later runs know it by that.
	ID     string
	Source InputKind
	Title  string
	Text   string
	Labels []string
	// Files are globs of what is expected to change, Count how many files that
	// are; negative is unknown.
	Files []string
	Count int
	// Allowed are globs of labels that say within which files an item of a tracker stays,
	// Refused is why what it says of that can't be held.
	Allowed []string
	Refused string
	// Acceptance says when it is done, Verify are commands that find out.
	Acceptance []string
	Verify     []string
	Risk       string // of a plan
	Rule       string // of a finding
	Path       string // where it stands, relative to the repository's root
	Line       int
}

// The bounds of a list of items. What is beyond them was not written by hand.
const (
	mostItems    = 2000
	maxItemsFile = 4 << 20
	maxItemText  = 64 << 10
)

// TrackedItems returns the items of a tracker, as a loop takes them. What they say was
// written by others: no command is read from it, and a path only narrows what may
// change. Those whose id can't be part of a branch's name are left out.
func TrackedItems(tracker string, items []loops.Item) []WorkItem {
	var out []WorkItem
	for _, it := range items {
		if itemID().MatchString(it.ID) {
			w := WorkItem{ID: it.ID, Source: InputTracker, Title: it.Title, Text: it.Text, Labels: it.Labels, Path: tracker, Acceptance: acceptance(it.Text)}
			w.limit()
			out = append(out, w)
		}
	}
	return out
}

var (
	acceptanceHead = schema.Expression(`(?i)^[#*_\s]*(?:acceptance(?: criteria)?|definition of done|(?:it is )?done when)[*_:\s]*$`)
	acceptanceLine = schema.Expression(`^\s{0,3}(?:[-*+]|[0-9]{1,2}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*?)\s*$`)
)

// mostAcceptance is how many lines of an item's text may say when it is done.
const mostAcceptance = 20

// acceptance returns the list below the heading of a text that says when it is done.
func acceptance(text string) []string {
	var out []string
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch m := acceptanceLine().FindStringSubmatch(line); {
		case acceptanceHead().MatchString(line):
			in = true
		case in && m != nil && len(out) < mostAcceptance:
			out = append(out, m[1])
		case strings.TrimSpace(line) != "" && m == nil:
			in = false
		}
	}
	return out
}

// itemID is what an item may be called: it becomes part of a branch's name.
var itemID = schema.Expression(`^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`)

// listedItem is an item in JSON: as trackers export it, or as a person writes it.
type listedItem struct {
	ID         any             `json:"id"`
	Number     any             `json:"number"`
	Title      string          `json:"title"`
	Body       string          `json:"body"`
	Text       string          `json:"text"`
	RawLabels  json.RawMessage `json:"labels"`
	Files      []string        `json:"files"`
	Acceptance []string        `json:"acceptance"`
	Verify     []string        `json:"verify"`
	State      string          `json:"state"`
}

// ReadItems reads a list of items: JSON, a list or an object whose items or
// issues are one, as 'gh issue list --json number,title,body,labels' prints it;
// or markdown, with a heading "## ID Title" for each. A state file of a loop gives
// those of its items that are not done.
func ReadItems(file string, src []byte) ([]WorkItem, []Fault) {
	d := &document{collector: newCollector(src), src: src}
	switch {
	case len(src) > maxItemsFile:
		d.err("too-large", schema.Span{}, "use a smaller list", "the list has %d bytes, more than %d", len(src), maxItemsFile)
		return nil, d.faults
	case !utf8.Valid(src):
		at := invalidAt(src)
		d.err("encoding", schema.Span{Start: at, End: at + 1}, "save the file as UTF-8", "the file is not UTF-8")
		return nil, d.faults
	}
	var out []WorkItem
	switch {
	case strings.HasSuffix(file, ".json"):
		out = d.jsonItems()
	case isLoopState(src):
		return stateItems(file, src)
	default:
		out = d.markdownItems()
	}
	seen := map[string]bool{}
	for i := range out {
		it := &out[i]
		it.Source, it.Path, it.Count = InputFile, file, len(it.Files)
		if len(it.Files) == 0 {
			it.Count = -1
		}
		if slices.ContainsFunc(it.Files, wild) {
			it.Count = -1
		}
		at := schema.Span{}
		if it.Line > 0 {
			at = d.lines.Line(it.Line)
		}
		switch {
		case it.ID == "": // said already
		case !itemID().MatchString(it.ID):
			d.err("invalid-id", at, "rename it with letters, digits, dots and hyphens, as in MT-104", "the item id %q is not a valid branch name", it.ID)
		case seen[it.slug()]:
			d.err("duplicate-id", at, "give each item its own id", "duplicate item %s", it.ID)
		}
		seen[it.slug()] = true
		for _, f := range it.Files {
			if why := unsafePath(f); why != "" || everything(f) {
				d.err("invalid-path", at, "list files below the repository's root", "the file %q of %s %s", f, it.ID, why)
			}
		}
		if len(it.Text) > maxItemText {
			it.Text = strings.ToValidUTF8(it.Text[:maxItemText], "") + "…"
		}
	}
	if len(out) > mostItems {
		d.err("too-many", schema.Span{}, "use a shorter list", "there are %d items, more than %d", len(out), mostItems)
	}
	return out, d.sorted()
}

// slug returns the item's part of a branch's name. One that does not fit ends in what
// tells it from others with the same beginning.
func (it *WorkItem) slug() string { return shortSlug(it.ID) }

// FindingID names what a rule finds on a page.
func FindingID(rule, page string) string {
	return rule + "-" + shortSlug(strings.TrimSuffix(page, path.Ext(page)))
}

func shortSlug(s string) string {
	const most = 44
	if slug := Slug(s); len(s) <= most {
		return slug
	}
	return strings.TrimRight(Slug(s[:most]), "-") + "-" + Hash([]byte(s))[:8]
}

// CountFiles finds out how many files items with globs are about: those of the
// repository that the globs name, and those that must be made.
func CountFiles(items []WorkItem, tracked []string) {
	for i := range items {
		it := &items[i]
		if len(it.Files) == 0 || it.Count >= 0 {
			continue
		}
		it.Count = 0
		for _, f := range tracked {
			if slices.ContainsFunc(it.Files, func(g string) bool { ok, err := doublestar.Match(g, f); return ok && err == nil }) {
				it.Count++
			}
		}
		for _, g := range it.Files {
			if !wild(g) && !slices.Contains(tracked, g) {
				it.Count++
			}
		}
	}
}

// jsonItems reads the list of a tracker.
func (d *document) jsonItems() []WorkItem {
	list := json.RawMessage(d.src)
	if text := bytes.TrimSpace(d.src); len(text) > 0 && text[0] == '{' {
		var whole struct {
			Items  json.RawMessage `json:"items"`
			Issues json.RawMessage `json:"issues"`
		}
		if err := json.Unmarshal(d.src, &whole); err != nil {
			d.jsonFault(err)
			return nil
		}
		if list = whole.Items; list == nil {
			list = whole.Issues
		}
		if list == nil {
			d.err("no-items", schema.Span{}, `write {"items": [...]}`, "the object has neither items nor issues")
			return nil
		}
	}
	var all []listedItem
	if err := json.Unmarshal(list, &all); err != nil {
		d.jsonFault(err)
		return nil
	}
	var out []WorkItem
	for i, l := range all {
		if strings.EqualFold(l.State, "closed") {
			continue
		}
		it := WorkItem{Title: text.Collapse(l.Title), Text: l.Body, Files: l.Files, Acceptance: l.Acceptance, Verify: l.Verify}
		if it.Text == "" {
			it.Text = l.Text
		}
		if len(it.Acceptance) == 0 {
			it.Acceptance = acceptance(it.Text)
		}
		it.ID = wordOf(l.ID)
		if it.ID == "" {
			it.ID = wordOf(l.Number)
		}
		labels, err := labelsOf(l.RawLabels)
		if err != nil || it.ID == "" || it.Title == "" {
			d.err("invalid-item", schema.Span{}, `an item needs an id (or number) and a title; labels are strings: ["maintenance"]`, "item %d has no id or title, or its labels are not a list", i+1)
			continue
		}
		it.Labels = labels
		out = append(out, it)
	}
	return out
}

// jsonFault places an error of the decoder.
func (d *document) jsonFault(err error) {
	at := 0
	switch e := err.(type) {
	case *json.SyntaxError:
		at = max(0, min(int(e.Offset)-1, len(d.src)))
	case *json.UnmarshalTypeError:
		at = max(0, min(int(e.Offset)-1, len(d.src)))
	}
	d.err("invalid-json", schema.Span{Start: at, End: min(at+1, len(d.src))}, "fix it, or export it again", "can't read the list: %v", err)
}

func wordOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return fmt.Sprintf("%.0f", v)
	}
	return ""
}

// labelsOf reads labels as words, or as objects with a name.
func labelsOf(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var words []string
	if json.Unmarshal(raw, &words) == nil {
		return words, nil
	}
	var objects []struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(raw, &objects); err != nil {
		return nil, err
	}
	words = nil // what the first attempt left
	for _, o := range objects {
		words = append(words, o.Name)
	}
	return words, nil
}

var itemHeading = schema.Expression(`^([A-Za-z0-9][A-Za-z0-9._-]*)[:.]?[ \t]+(\S.*)$`)

// markdownItems reads a heading and a list of keys for each item.
func (d *document) markdownItems() []WorkItem {
	var out []WorkItem
	keys := []string{"labels", "files", "acceptance", "verify", "state"}
	closed := map[int]bool{}
	for _, line := range d.textLines() {
		text := string(line.In(d.src))
		if line.level == 2 || line.level == 3 {
			m := itemHeading().FindStringSubmatch(string(line.text.In(d.src)))
			if m == nil {
				d.err("invalid-item", line.text, "write ## ID Title, as in ## MT-104 Repair the links", "heading without an item id")
				m = []string{"", "", ""}
			}
			out = append(out, WorkItem{ID: m[1], Title: m[2], Line: d.lines.Position(line.Start).Line})
			continue
		}
		if len(out) == 0 {
			continue // what the list is about
		}
		it := &out[len(out)-1]
		m := itemLine().FindStringSubmatch(text)
		if m == nil || line.code || !slices.Contains(keys, m[1]) {
			it.Text += text + "\n"
			continue
		}
		switch m[1] {
		case "labels":
			it.Labels = listed(m[2])
		case "files":
			it.Files = listed(m[2])
		case "acceptance":
			it.Acceptance = append(it.Acceptance, m[2])
		case "verify":
			it.Verify = append(it.Verify, strings.Trim(m[2], "`"))
		case "state":
			closed[len(out)-1] = strings.EqualFold(m[2], "closed") || strings.EqualFold(m[2], "done")
		}
	}
	if len(out) == 0 {
		d.err("no-items", schema.Span{}, "write a heading for each item, as in ## MT-104 Repair the links", "the file lists no items")
	}
	var open []WorkItem
	for i := range out {
		out[i].Text = strings.TrimSpace(out[i].Text)
		if !closed[i] {
			open = append(open, out[i])
		}
	}
	return open
}
