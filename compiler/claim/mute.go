package claim

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Mute reports whether a page tells what was so at some time, is to be, or is no
// more: a raw source, a log, a plan, a change log, a decision that was not taken, a page
// that another took the place of. What it says is no claim about the present.
func Mute(page *schema.Page) bool { return MuteReason(page) != "" }

// MuteReason says why what a page says is no claim about the present; empty
// when it is one.
func MuteReason(page *schema.Page) string {
	switch {
	case page.Layer == schema.LayerSource:
		return "it is a raw source"
	case page.Meta.Status.Class == schema.StatusDeprecated:
		return "its status is " + page.Meta.Status.Word
	}
	switch kind := strings.ToLower(page.Meta.Type); kind {
	case "log", "plan", "changelog", "journal", "incident", "postmortem", "meeting", "session", "archive", "minutes", "retrospective", "proposal", "rfc", "news":
		return "its type is " + kind
	case "decision", "adr":
		if page.Meta.Status.Class != schema.StatusStable && page.Meta.Status.Class != schema.StatusNone {
			return "it is a decision that is not in force"
		}
	}
	for _, r := range page.Meta.Relations {
		if r.Kind == schema.RelationSupersededBy {
			return "another page took its place"
		}
	}
	file := strings.ToLower(strings.TrimSuffix(page.Path, path.Ext(page.Path)))
	if base := path.Base(file); base == "plans" || base == "archive" {
		file = path.Dir(file) // pages of those names tell what one can buy, and of what keeps things
	}
	for part := range strings.SplitSeq(file, "/") {
		switch strings.TrimLeft(part, "_0123456789-.") {
		case "log", "logs", "changelog", "changes", "history", "journal", "daily", "plans", "archive", "archived", "migrations", "release-notes",
			"incidents", "postmortems", "meetings", "minutes", "retrospectives", "news":
			return "its path says " + part
		}
	}
	return ""
}

// ofMeeting reports whether a page tells of a meeting. The dates that it gives stay true.
func ofMeeting(page *schema.Page) bool {
	kind := strings.ToLower(page.Meta.Type)
	if page.Layer == schema.LayerSource || page.Meta.Status.Class == schema.StatusDeprecated {
		return false
	}
	file := strings.ToLower(page.Path)
	return wordIn(kind, "meeting", "minutes") || slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(part string) bool { return wordIn(part, "meetings", "minutes") })
}

// intended are words of what somebody meant to do at the time, and perhaps did not.
var intended = wordSet(`plan plans planned planning proposed proposes propose proposal should would could might may will aim aims aimed target targets hope hopes hoped want wants wanted
	intend intends expected expects scheduled tentative provisional draft postponed moved delayed instead suggested suggests asked asks`)

// muteSection reports whether what stands below these headings is no claim
// about the present.
func muteSection(section []string) bool {
	for _, heading := range section {
		if mutes(heading) {
			return !(len(section) == 1 && strings.EqualFold(heading, "before")) // what to do first
		}
	}
	return false
}

// offers are headings of a decision under which stands what might have been decided.
var offers = wordSet(`option options possibility possibilities`)

// untold reports whether what stands below these headings of the page is no claim about the
// present. What a decision had to choose from is none; the options of a command are.
func (x *extraction) untold(section []string) bool {
	if muteSection(section) && !x.explains(section) {
		return true
	}
	kind := strings.ToLower(x.page.Meta.Type)
	return (kind == "decision" || kind == "adr") && slices.ContainsFunc(section, func(heading string) bool { return anyWord(heading, offers) && !anyWord(heading, taken) })
}

// explains reports whether sections are only mute because one is called background, on a page that decides nothing: it explains what
// the rest of the page takes for granted.
func (x *extraction) explains(section []string) bool {
	kind, folders := strings.ToLower(x.page.Meta.Type), strings.Split(path.Dir(strings.ToLower(x.page.Path)), "/")
	if wordIn(kind, "decision", "adr", "rfc", "proposal") || slices.ContainsFunc(folders, func(f string) bool { return wordIn(f, "decisions", "adr", "adrs", "rfc", "rfcs", "proposals") }) {
		return false
	}
	return !slices.ContainsFunc(section, func(heading string) bool { return mutes(heading) && !strings.EqualFold(heading, "background") })
}

// taken are words of headings that tell which of the options it is.
var taken = wordSet(`chosen selected taken`)

// stepSections are words of headings that mute, see [mutes], and also head what is to be done: before
// the release, migration to version 3. Who reads what is below can tell.
var stepSections = wordSet(`before migration comparison`)

// pastSection is [muteSection] for a reader that understands headings.
func pastSection(section []string) bool {
	return slices.ContainsFunc(section, func(heading string) bool { return mutes(heading) && !anyWord(heading, stepSections) })
}

// happenings are words of headings that mute below which a page tells of what happened, or of a move from one
// version to the next.
var happenings = wordSet(`history migration deprecated discontinued timeline background`)

// datedSection reports whether a section that is mute tells of what happened: the dates that it gives stay true.
func datedSection(section []string) bool {
	return !slices.ContainsFunc(section, func(heading string) bool { return mutes(heading) && !anyWord(heading, happenings) })
}
