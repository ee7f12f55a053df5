package claim

import (
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// expression is a [schema.Expression]. Those below are asked of lines in lower case without
// marks of emphasis.
type expression = func() *regexp.Regexp

var emphasis = strings.NewReplacer("*", "", "`", "", ">", "", "#", "", "~~", "")

// decisionFolders hold pages about decisions, planWords are words of paths of pages about what is to be
// done, recordWords those of reports of one occasion, if the page also has a day.
var (
	decisionFolders = wordSet(`adr adrs decision decisions decision-records`)
	planWords       = wordSet(`prd roadmap proposal rfc plan`)
	recordWords     = wordSet(`review audit qa gate sprint signoff research spike report survey postmortem evaluation`)
)

var (
	decisionTitle = schema.Expression(`^(?i:adr)[-_ ]?\d`)
	month         = schema.Expression(`(?:^|\D)20\d\d[-_/](?:0[1-9]|1[0-2])(?:\D|$)`)
	day           = schema.Expression(`\b20\d\d[-/.]\d\d?[-/.]\d\d?\b|\b[a-z]{3,9}\.? \d\d?,? 20\d\d\b`)

	// What the head of a page says if the page is history: anywhere, at the start of a
	// line, or in a line about the page. A database has point-in-time recovery.
	historicAnywhere = schema.Expression(`\bfor historical reference\b|本(?:文|页)[^，。；]*是[^，。；]*(?:历史(?:静态)?快照|审计证据)`)
	historicFirst    = schema.Expression(`^(?:` + historicName + `|(?:deprecated|deprecation notice|superseded|archived)(?:$|[^\w ]| [^\w]| (?:by|in fav|and|since|as of)\b))`)
	historicHere     = schema.Expression(historicName + `|(?:is|was|has been) (?:now )?(?:deprecated|superseded|archived|obsolete)\b`)
	ofThisPage       = schema.Expression(`\bthis (?:document|page|file|doc|report|note|guide|audit|review|backlog|list)\b|^this is an? `)
	label            = schema.Expression(`^(?:status|note|notice|warning|important)[^:：]{0,30}[:：] *`)

	// A field that a report has, and what a page says that is kept up to date.
	datedField = schema.Expression(`(?:^|[|·•] *)(?:date|reviewer|reviewed by|audited by|conducted by|gate run|captured|generated|status)(?: \([^)]*\))? *[:|]`)
	maintained = schema.Expression(`\bupdated\b[^a-z]{0,6}\d|\blast[ -](?:updated|verified|reviewed)\b|更新日期|\bverified against\b|^status *[:|] *(?:active|stable|living|current|draft)\b`)

	// How a block of code begins that shows what was.
	pastComment = schema.Expression(`^(?:before|after|old|previous(?:ly)?)(?: [a-z]+){0,2} *[:：]?$|^(?:现有|修复前|旧)`)
	// What was so when somebody looked.
	evidence = schema.Expression(`\b(?:at (?:audit|review|gate) time|captured during|verified this gate)\b`)
	// The commit that was looked at. A whole page that was generated from a commit, or
	// verified against one, is about the present: its commit only says how old it is.
	checkedAt = schema.Expression(`\b(?:audited|verified|captured|generated)` + atCommit)
	auditedAt = schema.Expression(`\b(?:audited|captured)` + atCommit)
)

const (
	historicName = `(?:point[- ]in[- ]time|historical)(?: [^ ]+)?? (?:snapshot|reference|record|backlog|audit|review|report|document|analysis|assessment|survey)\b`
	atCommit     = ` (?:against|at|from)\b.{0,80}?\b([0-9a-f]{7,40})\b`
)
