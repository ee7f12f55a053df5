package ingest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// PullFields are the fields of a pull request that [ReadPull] reads, as
// `gh pr view --json` names them.
const PullFields = "number,title,body,author,state,url,createdAt,mergedAt,mergedBy,baseRefName,headRefName,additions,deletions,changedFiles,files,commits,reviews,comments"

// user is a person, or a program, as gh gives them.
type user struct {
	Login string `json:"login"`
}

// pull is the output of `gh pr view --json`.
type pull struct {
	Number       int       `json:"number"`
	Title        string    `json:"title"`
	Body         string    `json:"body"`
	Author       user      `json:"author"`
	State        string    `json:"state"`
	URL          string    `json:"url"`
	CreatedAt    time.Time `json:"createdAt"`
	MergedAt     time.Time `json:"mergedAt"`
	MergedBy     user      `json:"mergedBy"`
	Base         string    `json:"baseRefName"`
	Head         string    `json:"headRefName"`
	Additions    int       `json:"additions"`
	Deletions    int       `json:"deletions"`
	ChangedFiles int       `json:"changedFiles"`
	Files        []struct {
		Path      string `json:"path"`
		Additions int    `json:"additions"`
		Deletions int    `json:"deletions"`
	} `json:"files"`
	Commits []struct {
		OID      string `json:"oid"`
		Headline string `json:"messageHeadline"`
		Body     string `json:"messageBody"`
	} `json:"commits"`
	Reviews []struct {
		Author user      `json:"author"`
		Body   string    `json:"body"`
		State  string    `json:"state"`
		At     time.Time `json:"submittedAt"`
	} `json:"reviews"`
	Comments []struct {
		Author user      `json:"author"`
		Body   string    `json:"body"`
		At     time.Time `json:"createdAt"`
	} `json:"comments"`
}

// reviewComment is a comment on a line, as GitHub's REST API gives it.
type reviewComment struct {
	ID       int64     `json:"id"`
	ReplyTo  int64     `json:"in_reply_to_id"`
	Path     string    `json:"path"`
	Line     int       `json:"line"`
	Original int       `json:"original_line"`
	Body     string    `json:"body"`
	User     user      `json:"user"`
	At       time.Time `json:"created_at"`
}

// ReadPull converts a pull request to a source, from the output of `gh pr view --json`
// and the comments on its lines as returned by GitHub's REST API, page by page. People's
// text is quoted; mail addresses are removed. clean removes secrets from each line
// before its markup is removed.
func ReadPull(view, comments []byte, clean func(string) string) (*File, error) {
	var p pull
	if err := json.Unmarshal(view, &p); err != nil {
		return nil, fmt.Errorf("read the pull request: %w", err)
	}
	if p.Number == 0 || p.Title == "" {
		return nil, errors.New("invalid output of gh: the pull request has no number or no title")
	}
	threads, err := readThreads(comments)
	if err != nil {
		return nil, err
	}
	title := clip(clean(visible(p.Title)))
	if title == "" {
		return nil, errors.New("the title of the pull request is empty")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# #%d %s\n\n- address: %s\n- author: %s\n- state: %s\n- from `%s` into `%s`\n- opened: %s\n", p.Number, Plain(title), addressOf(p.URL), name(p.Author), strings.ToLower(Plain(p.State)), codeText(p.Head), codeText(p.Base), stampOf(p.CreatedAt))
	if !p.MergedAt.IsZero() {
		fmt.Fprintf(&b, "- merged: %s, by %s\n", stampOf(p.MergedAt), name(p.MergedBy))
	}
	fmt.Fprintf(&b, "- size: %d files, %d lines added, %d removed\n", p.ChangedFiles, p.Additions, p.Deletions)
	section(&b, "Description", quote(p.Body))
	var lines strings.Builder
	for _, c := range p.Commits {
		fmt.Fprintf(&lines, "- `%.12s` %s\n", codeText(c.OID), Plain(clean(visible(c.Headline))))
		if text := quote(c.Body); text != "" {
			lines.WriteString("\n" + indent(text, "  ") + "\n")
		}
	}
	section(&b, "Commits", lines.String())
	lines.Reset()
	for _, f := range p.Files {
		fmt.Fprintf(&lines, "- `%s` +%d -%d\n", codeText(f.Path), f.Additions, f.Deletions)
	}
	section(&b, "Files", lines.String())
	lines.Reset()
	for _, r := range p.Reviews {
		fmt.Fprintf(&lines, "### %s: %s, %s\n\n%s\n", name(r.Author), strings.ToLower(strings.ReplaceAll(Plain(r.State), "_", " ")), stampOf(r.At), quote(r.Body))
	}
	section(&b, "Reviews", lines.String())
	section(&b, "Review threads", threads)
	lines.Reset()
	for _, c := range p.Comments {
		fmt.Fprintf(&lines, "### %s, %s\n\n%s\n", name(c.Author), stampOf(c.At), quote(c.Body))
	}
	section(&b, "Comments", lines.String())
	f := &File{Name: fmt.Sprintf("pr-%d.md", p.Number), Src: []byte(b.String()), Title: fmt.Sprintf("#%d %s", p.Number, title)}
	if webAddress(p.URL) {
		f.Origin = p.URL
	}
	return f, nil
}

// readThreads reads comments on lines, one list for each page, as threads.
func readThreads(src []byte) (string, error) {
	var all []reviewComment
	for d := json.NewDecoder(bytes.NewReader(src)); ; {
		var page []reviewComment
		err := d.Decode(&page)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("read the comments on lines: %w", err)
		}
		all = append(all, page...)
	}
	first := make(map[int64]reviewComment)
	for _, c := range all {
		first[c.ID] = c
	}
	start := func(c reviewComment) reviewComment {
		if f, ok := first[c.ReplyTo]; ok {
			return f
		}
		return c
	}
	slices.SortStableFunc(all, func(x, y reviewComment) int {
		a, b := start(x), start(y)
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.at(), b.at()), cmp.Compare(a.ID, b.ID), x.At.Compare(y.At), cmp.Compare(x.ID, y.ID))
	})
	var b strings.Builder
	var thread int64
	for _, c := range all {
		if s := start(c); s.ID != thread {
			thread = s.ID
			fmt.Fprintf(&b, "### `%s` line %d\n\n", codeText(s.Path), s.at())
		}
		fmt.Fprintf(&b, "%s, %s:\n\n%s\n", name(c.User), stampOf(c.At), quote(c.Body))
	}
	return b.String(), nil
}

func (c *reviewComment) at() int { return cmp.Or(c.Line, c.Original) }

func section(b *strings.Builder, heading, text string) {
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", heading, text)
	}
}

// quote returns a text as a quote, "" for an empty one.
func quote(text string) string {
	text = strings.TrimSpace(visible(strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")))
	if text == "" {
		return ""
	}
	return indent(text, "> ") + "\n"
}

func indent(text, by string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight(by+line, " ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func name(u user) string {
	if u.Login == "" {
		return "somebody"
	}
	return "`" + codeText(u.Login) + "`"
}

// codeText can are between backticks.
func codeText(s string) string { return oneLine(strings.ReplaceAll(s, "`", "'")) }

func stampOf(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// addressOf is the address of a pull request as a page gives it.
func addressOf(s string) string {
	if webAddress(s) {
		return "<" + s + ">"
	}
	return "unknown"
}
