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

// muteSections are headings under which a page tells of another time, or of
// what might be, as their stems.
var muteSections = wordSet(`history historical changelog changes alternative alternatives rejected before previously previous past
	deprecated legacy example examples sample proposal proposals future roadmap planned benchmark benchmarks migration background
	experiment experiments comparison log timeline context considered incident incidents retrospective postmortem trial trials`)

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
	if muteSection(section) {
		return true
	}
	kind := strings.ToLower(x.page.Meta.Type)
	return (kind == "decision" || kind == "adr") && slices.ContainsFunc(section, func(heading string) bool { return anyWord(heading, offers) && !anyWord(heading, taken) })
}

// taken are words of headings that tell which of the options it is.
var taken = wordSet(`chosen selected taken`)

// mutes reports whether a heading says that what stands below it is no claim about the present.
func mutes(heading string) bool {
	if !muteWord(heading) {
		return false
	}
	words := split(heading)
	for i, w := range words {
		if muteSections[w] && !(w == "before" && preparing(heading)) && recaps(heading, words, i) {
			return true
		}
	}
	return false
}

// muteWord reports whether one of [muteSections] is among the words of a heading.
func muteWord(heading string) bool {
	for w := range wordsOf(heading) {
		if oneOf(w, muteSections) {
			return true
		}
	}
	return false
}

// Of muteNouns a heading tells only as its noun, on its own or behind recapping: the audit log, the log levels, how changes
// arrive and background jobs are something that is there. Samples are shown, unless they are handled as sampleBehind says.
var (
	muteNouns = wordSet(`history log changes migration background experiment experiments benchmark benchmarks comparison
	trial trials incident incidents retrospective postmortem timeline`)
	recapping = wordSet(`change decision meeting work daily update updates revision activity release releases version edit incident gate recent past latest
	notable breaking major minor known previous early field first last short brief design page document project the our a an some old all this its
	wiki outage migration and further other more new historical test pilot discussion review`)
	recapBehind  = wordSet(`of in on for to from since until and or with by between so at`)
	sampleBehind = wordSet(`rate rates size sizes storage handling intake tracking shipping collection preparation prep retention return returns flow room store archive
	label labels id ids number numbers transport tube tubes types registration freezer quality`)
)

// recaps reports whether the one of [muteSections] at a word tells of which time the heading is.
func recaps(heading string, words []string, i int) bool {
	next := ""
	if i+1 < len(words) {
		next = words[i+1]
	}
	switch w := words[i]; {
	case w == "sample":
		return !sampleBehind[next]
	case w == "planned":
		return !wordIn(next, "maintenance", "downtime", "outage", "outages", "work", "works")
	case !muteNouns[w]:
		return true
	case i > 0 && !recapping[words[i-1]] && !allDigits(words[i-1]):
		return false
	default:
		at := strings.Index(strings.ToLower(heading), w) + len(w)
		return next == "" || recapBehind[next] || allDigits(next) || at < len(heading) && strings.IndexByte(":(–,/", heading[at]) >= 0
	}
}

// preparing reports whether a heading announces what the reader does or knows first: before you
// start, read before installing.
func preparing(heading string) bool {
	words := strings.Fields(strings.ToLower(heading))
	i := slices.Index(words, "before") + 1
	if i == 0 || i == len(words) {
		return false
	}
	meeting := len(words) > i+1 && wordIn(words[i], "the", "a", "an", "each", "every") && meetings[strings.Trim(words[len(words)-1], ".:")]
	return meeting || wordIn(words[i], "you", "we", "your") || strings.HasSuffix(words[i], "ing")
}

// meetings are what people prepare for; what was before anything else is past.
var meetings = wordSet(`call meeting visit interview appointment audit inspection lesson class exam course shift trip journey departure flight sailing
	session workshop start first day event show game match race season harvest delivery handover`)

// stepSections are those of [muteSections] that also head what is to be done: before
// the release, migration to version 3. Who reads what is below can tell.
var stepSections = wordSet(`before migration comparison`)

// pastSection is [muteSection] for a reader that understands headings.
func pastSection(section []string) bool {
	return headed(section, func(word string) bool { return oneOf(word, muteSections) && !oneOf(word, stepSections) })
}

func headed(section []string, by func(word string) bool) bool {
	for _, heading := range section {
		for w := range wordsOf(heading) {
			if by(w) {
				return true
			}
		}
	}
	return false
}

// datedSection reports whether a section that is mute tells of what happened, or of a
// move from one version to the next: the dates that it gives stay true.
func datedSection(section []string) bool {
	for _, heading := range section {
		for _, w := range split(heading) {
			if muteSections[w] && !wordIn(w, "history", "migration", "migrations", "deprecated", "timeline", "background") {
				return false
			}
		}
	}
	return true
}
