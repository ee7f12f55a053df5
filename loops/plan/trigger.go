package plan

import (
	"fmt"
	"github.com/loopwiki/wiki/schema"
	"slices"
	"strconv"
	"strings"
)

// Trigger is what starts a loop: a time, a merge, or a person.
type Trigger struct {
	// Cron are the five fields minute, hour, day of the month, month and day of the
	// week, "" for what is not a time.
	Cron string
	// UTC says that the time is that of Greenwich, and not the machine's.
	UTC bool
	// Merge starts it after each merge into the default branch, Dispatch when a
	// person asks for it.
	Merge, Dispatch bool
	Text            string // as the spec says it
}

var (
	weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

	atTime      = `(?: at ([0-9]{1,2}):([0-9]{2})(?: (local time|UTC))?)?`
	everyDay    = say(`(?:daily|every day)` + atTime)
	everyWork   = say(`(?:every|each) (?:weekday|working day)` + atTime)
	everyWeek   = say(`(?:weekly on|every|each) (` + strings.Join(weekdays, "|") + `)` + atTime)
	everyMonth  = say(`monthly on the ([0-9]{1,2})(?:st|nd|rd|th)?` + atTime)
	everyHour   = say(`hourly|every hour`)
	everySome   = say(`every ([0-9]{1,2}) (minutes|hours)`)
	afterMerge  = say(`(?:after|on) (?:each|every) merge`)
	onDispatch  = say(`on (?:dispatch|demand)|by hand|manually`)
	cronWritten = schema.Expression("^(?i:cron: ?)?`?([0-9*,/-]+(?: +[0-9A-Za-z*,/-]+){4})`?(?: (local time|UTC))?$")
)

// triggerExamples are the forms of triggers, for hints.
var triggerExamples = []string{
	"every weekday at 08:00 local time", "daily at 08:00", "weekly on Monday at 06:30 UTC", "monthly on the 1st at 06:00", "every 6 hours", "after each merge", "on dispatch", "`0 8 * * 1-5`",
}

// trigger reads one line of the section Trigger.
func (d *specDocument) trigger(e specEntry) {
	t, why := ParseTrigger(e.text)
	if why != "" {
		d.fault("unknown-trigger", e, nearestPhrase(e.text, triggerExamples), "%s", why)
		return
	}
	if slices.Contains(d.spec.Triggers, t) {
		d.fault("duplicate-trigger", e, "remove one", "duplicate trigger %q", e.text)
		return
	}
	d.spec.Triggers = append(d.spec.Triggers, t)
	d.bindEntry(e, "%s", t.describe())
}

func (t Trigger) describe() string {
	switch {
	case t.Merge:
		return "the workflow from 'wiki loop schedule' runs after a push to the default branch"
	case t.Dispatch:
		return "a person starts it"
	}
	return "cron expression for 'wiki loop schedule': " + t.Cron
}

var startWord = schema.Expression(`(?i)^(?:run|runs|start|starts)\s+`)

// ParseTrigger reads what starts a loop. why says what is wrong, "" if nothing is.
func ParseTrigger(text string) (t Trigger, why string) {
	t.Text = text
	words := strings.TrimSpace(startWord().ReplaceAllString(text, ""))
	clock := func(m []string) string {
		hour, minute := 0, 0
		if m[0] != "" {
			hour, _ = strconv.Atoi(m[0])
			minute, _ = strconv.Atoi(m[1])
		}
		if hour > 23 || minute > 59 {
			why = fmt.Sprintf("%s:%s is not a time of day", m[0], m[1])
		}
		t.UTC = strings.EqualFold(m[2], "UTC")
		return fmt.Sprintf("%d %d", minute, hour)
	}
	switch {
	case afterMerge().MatchString(words):
		t.Merge = true
	case onDispatch().MatchString(words):
		t.Dispatch = true
	case everyHour().MatchString(words):
		t.Cron = "0 * * * *"
	case everyDay().MatchString(words):
		t.Cron = clock(everyDay().FindStringSubmatch(words)[1:]) + " * * *"
	case everyWork().MatchString(words):
		t.Cron = clock(everyWork().FindStringSubmatch(words)[1:]) + " * * 1-5"
	case everyWeek().MatchString(words):
		m := everyWeek().FindStringSubmatch(words)
		t.Cron = fmt.Sprintf("%s * * %d", clock(m[2:]), slices.Index(weekdays, strings.ToLower(m[1])))
	case everyMonth().MatchString(words):
		m := everyMonth().FindStringSubmatch(words)
		day, _ := strconv.Atoi(m[1])
		if t.Cron = fmt.Sprintf("%s %d * *", clock(m[2:]), day); day < 1 || day > 28 {
			why = fmt.Sprintf("day %d does not exist in every month", day)
		}
	case everySome().MatchString(words):
		t.Cron, why = every(everySome().FindStringSubmatch(words))
	case cronWritten().MatchString(words):
		m := cronWritten().FindStringSubmatch(words)
		t.UTC = strings.EqualFold(m[2], "UTC")
		t.Cron, why = readCron(m[1])
	default:
		why = fmt.Sprintf("%q is not a trigger", text)
	}
	return t, why
}

// every returns a schedule that repeats within a day.
func every(m []string) (cron, why string) {
	n, _ := strconv.Atoi(m[1])
	whole, form := 60, "*/%d * * * *"
	if strings.EqualFold(m[2], "hours") {
		whole, form = 24, "0 */%d * * *"
	}
	if n < 1 || n >= whole || whole%n != 0 {
		return "", fmt.Sprintf("%s %s don't divide evenly: intervals would differ", m[1], m[2])
	}
	return fmt.Sprintf(form, n), ""
}

// cronFields are the bounds of the fields of cron.
var cronFields = [5]struct {
	name     string
	min, max int
}{{"minute", 0, 59}, {"hour", 0, 23}, {"day of the month", 1, 31}, {"month", 1, 12}, {"day of the week", 0, 7}}

var (
	cronPart   = schema.Expression(`^(?:\*|([0-9]{1,2})(?:-([0-9]{1,2}))?)(?:/([0-9]{1,2}))?$`)
	monthNames = []string{"", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
	dayNames   = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
)

// readCron checks the five fields, and writes names as numbers.
func readCron(text string) (cron, why string) {
	fields := strings.Fields(text)
	for i, f := range fields {
		names := [5][]string{3: monthNames, 4: dayNames}[i]
		var parts []string
		for part := range strings.SplitSeq(strings.ToLower(f), ",") {
			for n := len(names) - 1; n >= 0; n-- {
				if names[n] != "" {
					part = strings.ReplaceAll(part, names[n], strconv.Itoa(n))
				}
			}
			if why := badCronPart(i, part); why != "" {
				return "", why
			}
			parts = append(parts, part)
		}
		fields[i] = strings.Join(parts, ",")
	}
	return strings.Join(fields, " "), ""
}

func badCronPart(field int, part string) string {
	at := cronFields[field]
	m := cronPart().FindStringSubmatch(part)
	if m == nil {
		return fmt.Sprintf("%s: %q is not a cron field", at.name, part)
	}
	last := at.min
	for _, n := range m[1:3] {
		v, err := strconv.Atoi(n)
		if err != nil {
			continue
		}
		if v < at.min || v > at.max || v < last {
			return fmt.Sprintf("%s: %q is not within %d-%d", at.name, part, at.min, at.max)
		}
		last = v
	}
	if step, err := strconv.Atoi(m[3]); err == nil && (step < 1 || step > at.max) {
		return fmt.Sprintf("%s: the step of %q is not within 1-%d", at.name, part, at.max)
	}
	return ""
}

// calendar writes a time as OnCalendar of systemd has it. Cron runs on a day
// that either field names; systemd asks both, so that they become two lines.
func (t Trigger) calendar() []string {
	f := strings.Fields(t.Cron)
	zone := ""
	if t.UTC {
		zone = " UTC"
	}
	clock := fmt.Sprintf("%s:%s:00", calendarField(f[1], 1), calendarField(f[0], 0))
	date := func(day string) string { return fmt.Sprintf("*-%s-%s", calendarField(f[3], 3), calendarField(day, 2)) }
	var out []string
	if f[2] != "*" || f[4] == "*" {
		out = append(out, date(f[2])+" "+clock+zone)
	}
	if f[4] != "*" {
		out = append(out, calendarDays(f[4])+" "+date("*")+" "+clock+zone)
	}
	return out
}

// calendarField writes a field of numbers: every value, or a list of them. A
// step of cron begins at the field's least value.
func calendarField(f string, field int) string {
	if f == "*" {
		return "*"
	}
	var out []string
	at := cronFields[field]
	for n, on := range cronValues(f, at.min, at.max) {
		if on {
			out = append(out, fmt.Sprintf("%02d", n))
		}
	}
	return strings.Join(out, ",")
}

// cronValues returns which values a field names.
func cronValues(f string, least, most int) []bool {
	on := make([]bool, most+1)
	for part := range strings.SplitSeq(f, ",") {
		m := cronPart().FindStringSubmatch(part)
		from, to, step := least, most, 1
		if m[1] != "" {
			from, _ = strconv.Atoi(m[1])
			to = from
		}
		if m[2] != "" {
			to, _ = strconv.Atoi(m[2])
		}
		if m[3] != "" {
			step, _ = strconv.Atoi(m[3])
			if m[1] != "" && m[2] == "" {
				to = most
			}
		}
		for n := from; n <= to; n += step {
			on[n] = true
		}
	}
	return on
}

// calendarDays writes the days of the week, from Monday.
func calendarDays(f string) string {
	names := []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
	on := cronValues(f, 0, 7)
	on[0] = on[0] || on[7]
	if strings.HasPrefix(f, "*/") {
		on[0] = true
	}
	var out []string
	for _, d := range []int{1, 2, 3, 4, 5, 6, 0} {
		if on[d] {
			out = append(out, names[d])
		}
	}
	return strings.Join(out, ",")
}
