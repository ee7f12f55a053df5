package plan

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema/text"
)

// Template returns a plan that is to be filled in. It is not a plan yet: its goal
// is empty, and so is its scope.
func Template() []byte { return []byte(template) }

const template = `---
title: 
priority: P2            # P1–P3
effort: M               # S M L
risk: MED               # LOW MED HIGH
scope: []               # globs of what may change: [src/pricing.ts, src/pricing/**]
goal: ""                # a command: exit status 0 says that the plan is done
checks: []              # more commands that must succeed at the end
depends_on: []          # plans that must be done before: [2026-07-other-plan]
decision: false         # true: leaves a decision page
---
# 
## Context

Why, and what there is today.

## Chunks
### 1. 
- skill: none
- files: none             # of the scope; none is all of it
- depends on: none        # numbers of chunks
- verify: none            # a command that the maker is told
- tests: new              # new | characterize | move FROM -> TO | none

What and why, for the maker.

## Risks
## Notes
`

// New returns a plan made from the template, and the path of its file, relative
// to the repository's root.
func New(title string, day time.Time) (path string, src []byte) {
	title = text.Collapse(title)
	text := template
	text = strings.Replace(text, "title: \n", "title: "+quote(title)+"\n", 1)
	text = strings.Replace(text, "# \n## Context", "# "+title+"\n## Context", 1)
	return Folder + "/" + day.Format("2006-01") + "-" + Slug(title) + ".md", []byte(text)
}

// Slug makes a name of a file or a branch of a title: lower-case words of
// letters and digits of ASCII, joined by hyphens, at most 60 bytes; "" if the
// title has none.
func Slug(title string) string {
	const most = 60
	var b strings.Builder
	gap := false
	for _, r := range norm.NFD.String(strings.ToLower(title)) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			gap = false
		default:
			gap = true
		}
	}
	slug := b.String()
	if len(slug) <= most {
		return slug
	}
	if i := strings.LastIndexByte(slug[:most+1], '-'); i > 0 {
		return slug[:i]
	}
	return slug[:most]
}
