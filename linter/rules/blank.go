package rules

import (
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// blank reports whether a link is an example or a placeholder: its destination is a form
// to fill in, such as YYYY-MM-DD or {{slug}}, the day after that of a daily note, or, on
// a page with instructions for agents, a stand-in such as page-name or path/to/page.
func blank(page *schema.Page, l *schema.Link) bool {
	t := l.Target
	if strings.Contains(t, "YYYY") || strings.Contains(t, "{{") || strings.Contains(t, "${") ||
		strings.HasPrefix(t, "<") && strings.HasSuffix(t, ">") || strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") ||
		t == "..." || t == "…" || period().MatchString(stem(t)) && period().MatchString(stem(page.Path)) {
		return true
	}
	if !conventions(page) {
		return false
	}
	if strings.HasPrefix(t, "path/to/") || strings.ContainsAny(t, "<>{}…") {
		return true
	}
	words := strings.Split(slug(stem(t)), "-")
	return len(words) <= 3 && standIns[words[len(words)-1]]
}

// period matches the names of daily notes, and of those of a week, a month, a quarter or a year.
var period = schema.Expression(`^\d{4}(?:[-_. ]?(?:[QW]\d{1,2}|\d{2}(?:[-_. ]?\d{2}(?:[-_. ]\p{L}+)?)?))?$`)

// conventions reports whether a page contains instructions for keeping the wiki, so that
// its links may be examples.
func conventions(page *schema.Page) bool {
	switch strings.ToLower(stem(path.Base(page.Path))) {
	case "schema", "00_schema", "agents", "claude", "gemini", "instructions", "conventions", "skill", "contributing":
		return true
	}
	return template(page)
}

// standIns are words that, at the end of a name, stand for any name.
var standIns = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`concept entity file filename foo bar link links name note page pagename path slug
		source target title topic url wikilink wikilinks x y`) {
		m[w] = true
	}
	return m
}()
