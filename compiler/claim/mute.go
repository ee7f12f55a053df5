package claim

import (
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Mute reports whether a page is about the past or the future: a raw source, a log, a
// plan, a changelog, a decision not in force, a superseded page. Its text makes no
// claims about the present.
func Mute(page *schema.Page) bool { return MuteReason(page) != "" }

// MuteReason says why what a page says is not a claim about the present; empty
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
