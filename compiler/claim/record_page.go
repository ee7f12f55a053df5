package claim

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// pageReason says why a page as a whole is a record; empty when it is none. head are its
// first lines, lead those before the first section, opening those of that section.
func pageReason(page *schema.Page, head, lead, opening []headLine) string {
	switch {
	case decision(page):
		return "it records a decision"
	case datedName(page):
		return "its path or title has a day or a month"
	case planned(page):
		return "its path says that it is a plan"
	case historic(page, lead, opening):
		return "it says that it is history"
	case report(page, head):
		return "it is a report of one occasion"
	case anyLine(lead, evidencePage):
		return "it says what was found at the time"
	}
	return ""
}

// decision reports whether a page records a decision, which was made about the code of its
// day.
func decision(page *schema.Page) bool {
	kind := strings.ToLower(page.Meta.Type)
	file := strings.TrimSuffix(page.Path, path.Ext(page.Path))
	return kind == "decision" || kind == "adr" || decisionTitle().MatchString(page.Title) || decisionTitle().MatchString(path.Base(file)) ||
		inFolder(file, decisionFolders)
}

// inFolder reports whether a file is in a folder of one of these names, which a number may
// precede.
func inFolder(file string, names map[string]bool) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool {
		return oneOf(strings.TrimLeft(dir, "_0123456789-."), names)
	})
}

// datedName reports whether a day stands in a page's path or title, or a month in its path.
func datedName(page *schema.Page) bool {
	return holdsDay(page.Path) || month().MatchString(page.Path) || holdsDay(page.Title)
}

// planned reports whether a page's path says that it is about what is to be done. A page
// about query plans, or plans that one can buy, is not: a plan has a number or is in capitals.
func planned(page *schema.Page) bool {
	file := strings.TrimSuffix(page.Path, path.Ext(page.Path))
	if inFolder(file, planFolders) || slices.ContainsFunc(split(file), func(w string) bool { return planWords[singular(w)] }) {
		return true
	}
	base := path.Base(file)
	words := slices.Collect(wordsOf(strings.TrimRight(base, "-_. 0123456789")))
	if len(words) == 0 {
		return false
	}
	switch last := words[len(words)-1]; {
	case planCapitals[words[0]] || planCapitals[last]:
		return true
	case strings.EqualFold(last, "plan"):
		return numbered().MatchString(base)
	default:
		return strings.EqualFold(last, "proposal")
	}
}

// historic reports whether the lead of a page says that the page is history. A list or a
// table there is about other things. A page without a lead may begin with a section about
// itself.
func historic(page *schema.Page, lead, opening []headLine) bool {
	title := strings.ToLower(page.Title) // what a page about a feature is called says nothing
	lead = slices.DeleteFunc(slices.Clone(lead), func(l headLine) bool { return l.item || l.text == title })
	if len(lead) == 0 {
		return anyLine(opening, historicHere)
	}
	return slices.ContainsFunc(lead, func(l headLine) bool {
		return historicAnywhere().MatchString(l.text) || historicHere().MatchString(l.text) || historicFirst().MatchString(label().ReplaceAllString(l.text, ""))
	})
}

// report reports whether a page is one of a review, an audit or the like: its path or title
// has the word, and its head a field with a day or a reviewer. A page that is kept up to
// date says so there.
func report(page *schema.Page, head []headLine) bool {
	file, title := singulars(strings.TrimSuffix(page.Path, path.Ext(page.Path))), singulars(page.Title)
	if occasion(file) || occasion(title) {
		return true
	}
	of := func(words []string, among map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool { return among[w] })
	}
	if current(page, head) || !of(file, recordPathWords) && !of(file, recordWords) && !of(title, recordWords) {
		return false
	}
	return frontDay(page) || slices.ContainsFunc(head, func(l headLine) bool {
		return l.dated() || !l.columns && reviewerField().MatchString(l.text)
	})
}

func singulars(name string) []string {
	words := split(name)
	for i, w := range words {
		words[i] = singular(w)
	}
	return words
}

// occasion reports whether a name is that of something that is done once.
func occasion(words []string) bool {
	for i := range words[:max(len(words)-1, 0)] {
		if occasions[words[i]+" "+words[i+1]] {
			return true
		}
	}
	return false
}

// current reports whether a page says that it is kept up to date.
func current(page *schema.Page, head []headLine) bool {
	m := &page.Meta
	return !m.Updated.IsZero() || len(m.Verified) > 0 || m.Status.Class == schema.StatusStable || anyLine(head, maintained)
}

// frontDay reports whether the front matter has a date. When a page was created is none: any
// page may have that.
func frontDay(page *schema.Page) bool {
	return slices.ContainsFunc(page.Front.LookupAll(schema.FieldCreated), func(p *schema.Pair) bool {
		return schema.SameKey(p.Key, "date") && (holdsDay(p.Value.Text) || day().MatchString(strings.ToLower(p.Value.Text)))
	})
}
