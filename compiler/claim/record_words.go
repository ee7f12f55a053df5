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

// decisionFolders hold pages about decisions, planFolders and planWords are in paths of pages
// about what is to be done. recordWords are in the path or the title of a report of one
// occasion, recordPathWords in its path: many a title is about surveys or reports.
var (
	decisionFolders = wordSet(`adr adrs decisions decision-records`)
	planFolders     = wordSet(`plans proposals rfc rfcs`)
	planWords       = wordSet(`prd roadmap`)
	planCapitals    = wordSet(`PLAN PROPOSAL`)
	recordWords     = wordSet(`review audit sprint signoff research spike postmortem`)
	recordPathWords = wordSet(`qa gate report survey evaluation`)
	occasions       = map[string]bool{"fix summary": true, "research spike": true}
	evidenceWords   = [][]byte{[]byte("audit time"), []byte("review time"), []byte("gate time"), []byte("captured during"), []byte("verified this gate")}
)

var (
	decisionTitle = schema.Expression(`^(?i:adr)[-_ ]?\d`)
	numbered      = schema.Expression(`(?:^|[-_. ])[A-Za-z]?\d+(?:$|[-_. ])`)
	month         = schema.Expression(`(?:^|\D)20\d\d[-_/](?:0[1-9]|1[0-2])(?:\D|$)`)
	day           = schema.Expression(`\b20\d\d[-/.]\d\d?[-/.]\d\d?(?:\b|t\d)|\b(?:\d\d? )?` + monthName + ` (?:\d\d?,? )?20\d\d\b`)

	// What the lead of a page says if the page is history: anywhere, of the page, or at the
	// start of a line. A database has point-in-time recovery, and old flags are deprecated.
	historicAnywhere = schema.Expression(`\bfor historical reference\b|本(?:文|页)[^，。；]*是[^，。；]*(?:历史(?:静态)?快照|审计证据)`)
	historicHere     = schema.Expression(`\b` + thisPage + `\b.*` + historicName + `|^this is an? .*` + historicName + `|\b` + thisPage + ` (?:(?:is|was|has been) (?:now )?(?:deprecated|superseded|archived|obsolete)|no longer (?:exists?|applies|holds|reflects))\b`)
	historicFirst    = schema.Expression(`^(?:` + historicName + `|(?:deprecated|deprecation notice|superseded|archived)(?:$|[:.!]| [-–—] | (?:by|in favou?r|since|as of)\b))`)
	label            = schema.Expression(`^(?:status|note|notice|warning|important)[^:：]{0,30}[:：] *`)

	// Fields that a report has, of which the second is enough without a day, and what a page
	// says that is kept up to date.
	datedField    = schema.Expression(fieldStart + `(?:date|reviewer|reviewed by|audited by|conducted by|gate run|captured|generated|status)` + fieldEnd)
	reviewerField = schema.Expression(fieldStart + `(?:reviewer|reviewed by|audited by|conducted by|gate run)` + fieldEnd)
	maintained    = schema.Expression(`\bupdated\b[^a-z]{0,6}\d|\blast[ -](?:updated|verified|reviewed)\b|更新日期|\bverified against\b|^status *[:|] *(?:active|stable|living|current|draft)\b`)

	// How a block of code begins that shows what was.
	pastComment = schema.Expression(`^(?:before|after|old|previous(?:ly)?)(?: [a-z]+){0,2} *[:：]?$|^(?:现有|修复前|旧)`)
	// What was so when somebody looked; a page about nothing else says so at the start of a
	// line.
	evidence     = schema.Expression(`(?i)\b(?:at (?:audit|review|gate) time|captured during|verified this gate)\b`)
	evidencePage = schema.Expression(`^(?:\S+ )?captured during the (?:audit|review|run|gate)\b`)
	// The commit that was looked at. A whole page that was generated from a commit, or
	// verified against one, is about the present: its commit only says how old it is.
	checkedAt = schema.Expression(`\b(?:audited|verified|captured|generated)` + atCommit)
	auditedAt = schema.Expression(`\b(?:audited|captured)` + atCommit)
)

const (
	monthName    = `(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?`
	thisPage     = `this (?:document|page|file|doc|report|note|guide|audit|review|backlog|list)`
	historicName = `(?:point[- ]in[- ]time|historical)(?: [^ ]+)?? (?:snapshot|reference|record|backlog|audit|review|report|document|analysis|assessment|survey)\b`
	fieldStart   = `(?:^|[|·•] *)`
	fieldEnd     = `(?: \([^)]*\))? *[:|]`
	atCommit     = ` (?:against|at|from)\b.{0,80}?\b([0-9a-f]{7,40})\b`
)
