package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
)

// manPages converts the reference pages of commands, which go generate makes from the
// commands themselves. They have what cobra's own man pages lack, such as exit statuses.
func (r *release) manPages() (tree, error) {
	dir := filepath.Join(r.source, "wiki", "commands")
	pages, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out tree
	for _, e := range pages {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		name := "wiki-" + strings.TrimSuffix(e.Name(), ".md")
		if name == "wiki-index" {
			name = "wiki"
		}
		page, err := manPage(name, string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		header := fmt.Sprintf("%% %s 1 %q %q %q\n\n", strings.ToUpper(name), r.time.UTC().Format("2006-01-02"), "wiki "+r.version, "wiki manual")
		out = append(out, file{name: "share/man/man1/" + name + ".1", data: md2man.Render([]byte(header + page))})
	}
	return out, nil
}

var (
	pageParts = regexp.MustCompile(`(?s)\A---\n.*?\nsummary: "(.*?)"\n---\n# [^\n]*\n(.*)\z`)
	pageLink  = regexp.MustCompile(`\[([^\]\n]+)\]\([^)\n]*\)`)
	wayBack   = regexp.MustCompile(`(?m)^Back to all .*\n`)
	fences    = regexp.MustCompile("(?ms)^```[^\n]*\n.*?^```$")
)

// manPage puts a reference page into the order of manuals: name, synopsis, description,
// and the rest as it comes.
func manPage(name, page string) (string, error) {
	m := pageParts.FindStringSubmatch(page)
	if m == nil {
		return "", fmt.Errorf("is no reference page: front matter with a summary, and a title")
	}
	summary, body := m[1], wayBack.ReplaceAllString(m[2], "")
	parts := sections(body)
	var out bytes.Buffer
	fmt.Fprintf(&out, "# NAME\n%s - %s\n\n", name, strings.TrimSuffix(strings.ReplaceAll(summary, `\"`, `"`), "."))
	usage := ""
	for i, p := range parts {
		if strings.HasPrefix(p, "## Usage\n") {
			usage, parts[i] = strings.Replace(p, "## Usage", "# SYNOPSIS", 1), ""
		}
	}
	out.WriteString(usage + "# DESCRIPTION\n" + prose(parts[0]))
	for _, p := range parts[1:] {
		title, rest, _ := strings.Cut(strings.TrimPrefix(p, "## "), "\n")
		if title != "" {
			fmt.Fprintf(&out, "# %s\n%s", strings.ToUpper(title), prose(rest))
		}
	}
	return out.String(), nil
}

// sections cuts a page before its headings of level two; code has none.
func sections(body string) []string {
	var out []string
	from, code := 0, fences.FindAllStringIndex(body, -1)
	for _, at := range regexp.MustCompile(`(?m)^## `).FindAllStringIndex(body, -1) {
		inside := false
		for _, c := range code {
			inside = inside || c[0] <= at[0] && at[0] < c[1]
		}
		if !inside {
			out = append(out, body[from:at[0]])
			from = at[0]
		}
	}
	return append(out, body[from:])
}

// plainly keeps characters that markdown would take for markup: pages of commands have
// the words of their help, such as loop/<plan>.
var plainly = strings.NewReplacer("<", `\<`, "_", `\_`, "*", `\*`)

// prose returns the part of a page with the words of its links, which lead nowhere in a
// manual, and with code as it is.
func prose(part string) string {
	var b strings.Builder
	at := 0
	for _, c := range fences.FindAllStringIndex(part, -1) {
		b.WriteString(plainly.Replace(pageLink.ReplaceAllString(part[at:c[0]], "$1")) + part[c[0]:c[1]])
		at = c[1]
	}
	b.WriteString(plainly.Replace(pageLink.ReplaceAllString(part[at:], "$1")))
	return b.String()
}
