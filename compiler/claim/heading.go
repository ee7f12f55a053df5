package claim

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// What a heading or a title says of what stands below it: that it tells of another time, or under which
// condition it holds. It is read as a phrase: "Changes" tells of the past, "Changes and refunds" of what people
// can do; "Night" says when, "Snowmaking night" what.

// headingPart is a part of a heading between two marks, as its words in lower case. Code is not among them.
type headingPart []string

// headingParts returns the parts of a heading, without the number that it begins with.
func headingParts(heading string) (out []headingPart) {
	var p headingPart
	next := func() {
		if len(p) > 0 {
			out = append(out, p)
		}
		p = nil
	}
	for i, field := range strings.Fields(heading) {
		word := strings.TrimLeft(field, "([{\"'*_“")
		if len(word) < len(field) && strings.ContainsAny(field[:len(field)-len(word)], "([{") {
			next()
		}
		inner := strings.TrimRight(word, ")]}\"'*_”:,;.!?…")
		behind := word[len(inner):]
		switch {
		case inner == "" || inner == "—" || inner == "–" || inner == "-" || inner == "|" || inner == "/" || inner == "·" || inner == "→":
			next()
			continue
		case i == 0 && numbering(inner, behind):
			continue
		case i == 1 && len(p) == 1 && len(out) == 0 && numberedAs[p[0]] && strings.Trim(inner, "0123456789.") == "":
			p = nil // Step 3, Stage 5
		case !codeLike(inner):
			for i, part := range alternatives(strings.ToLower(inner)) {
				if i > 0 {
					next()
				}
				p = append(p, part)
			}
		default:
			p = append(p, "")
		}
		if strings.ContainsAny(behind, ")]}:,;") {
			next()
		}
	}
	next()
	return out
}

// numbering reports whether the first word of a heading is its number: 3., 9.4.1, Q2.
func numbering(word, behind string) bool {
	digits := strings.Trim(strings.ToLower(word), "q§")
	return digits != "" && strings.Trim(digits, "0123456789.") == "" && len(digits) < 9 && !(len(digits) == 4 && digits[0] > '0' && digits[0] < '3') && !isDay(word) &&
		(behind != "" || strings.Contains(digits, ".") || len(digits) < len(word))
}

func isDay(word string) bool {
	_, _, ok := schema.ParseTime(word)
	return ok
}

// numberedAs are nouns that number what follows.
var numberedAs = wordSet(`step chapter part section stage phase tour appendix`)

// codeLike reports whether a word of a heading is a name out of code or a path.
func codeLike(word string) bool {
	if strings.ContainsAny(word, "`_()\\@=$") || strings.Contains(word, "::") {
		return true
	}
	if strings.Contains(word, "/") {
		return !slices.ContainsFunc(strings.Split(strings.ToLower(word), "/"), func(part string) bool { return conditionWords[part] }) || strings.Count(word, "/") > 1
	}
	lower := false
	for _, r := range word {
		if unicode.IsUpper(r) && lower && !conditionWords[strings.ToLower(word)] {
			return true // MsgContext
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// alternatives are the words that a stroke parts: Linux/macOS.
func alternatives(word string) []string { return strings.Split(word, "/") }

// muted reports whether a phrase says that what stands below it is no claim about the present.
func (p headingPart) muted() bool {
	if len(p) > 0 && p[0] == "before" || len(p) > 1 && p[len(p)-1] == "before" {
		return p.ofBefore()
	}
	for len(p) > 1 && leadingIn[p[0]] {
		p = p[1:]
	}
	core, tail := p, headingPart(nil)
	if i := slices.IndexFunc(p, func(w string) bool { return recapBehind[w] }); i >= 0 {
		core, tail = p[:i], p[i:]
	}
	if len(core) == 0 || wordIn(core[0], "how", "why", "what", "when", "where", "who", "which", "is", "are", "does") {
		return false
	}
	first, head := core[0], core[len(core)-1]
	switch {
	case len(core) == 1 && gone[head]:
		return true
	case gone[first]:
		return !kept(first, core[1])
	case shown[head]:
		return true
	case discarded[head]:
		return slices.ContainsFunc(core, func(w string) bool { return choices[w] })
	case recaps[head]:
		return !slices.ContainsFunc(core[:len(core)-1], func(w string) bool { return !recapping[w] && !allDigits(w) }) && tail.recapsOf(head)
	}
	return false
}

// leadingIn are words that a heading may begin with.
var leadingIn = wordSet(`the a an our some all its this that more other`)

// gone are words that say of what stands behind them that it is no more, not yet, or was not chosen; alone they say
// it of all that stands below.
var gone = wordSet(`historical previous previously past legacy deprecated former formerly rejected considered planned proposed future obsolete abandoned discontinued example sample superseded`)

// kept reports whether one of [gone] before a noun tells of something that is there nonetheless.
func kept(word, noun string) bool {
	switch word {
	case "planned":
		return wordIn(noun, "maintenance", "downtime", "outage", "outages", "work", "works", "shutdown", "shutdowns", "stop", "stops", "closure", "closures")
	case "sample":
		return sampleBehind[noun]
	case "past":
		return wordIn(noun, "due")
	case "rejected":
		return noun != "" && !choices[noun] && !recapBehind[noun] // rejected payments
	case "considered", "proposed":
		return !choices[noun] && !wordIn(noun, "change", "changes", "decision")
	}
	return false
}

// shown are nouns of what is only shown, proposed or weighed, whatever stands before them.
var shown = wordSet(`example examples alternative alternatives proposal proposals roadmap changelog retrospective retrospectives postmortem postmortems`)

// choices are what is weighed against each other, discarded what becomes of them.
var (
	choices   = wordSet(`alternative alternatives option options idea ideas approach approaches design designs proposal proposals solution solutions variant variants decision decisions`)
	discarded = wordSet(`considered rejected discarded dropped dismissed`)
)

// recaps are nouns of what was, which a heading tells only alone or behind recapping: the audit log, the log levels, how
// changes arrive and background jobs are something that is there.
var (
	recaps = wordSet(`history log changes migration background context experiment experiments benchmark benchmarks comparison trials incident incidents timeline sample future past`)

	recapping = wordSet(`change decision meeting work daily update updates revision activity release releases version edit incident gate recent past latest
	notable breaking major minor known previous early field first last short brief design page document project the our a an some old all this its
	wiki outage migration and further other more new historical test pilot discussion review problem`)
	recapBehind  = wordSet(`of in on for to from since until and or with by between so at`)
	sampleBehind = wordSet(`rate rates size sizes storage handling intake tracking shipping collection preparation prep retention return returns flow room store archive
	label labels id ids number numbers transport tube tubes types registration freezer quality`)
)

// joins reports whether what stands behind a noun names another beside it.
func (p headingPart) joins() bool { return len(p) > 1 && (p[0] == "and" || p[0] == "or") }

// recapsOf reports whether what stands behind one of [recaps] leaves it one: the history of the name, changes in version 2, and
// not changes to a booking, incidents and who is called.
func (p headingPart) recapsOf(noun string) bool {
	if len(p) < 2 {
		return len(p) == 0
	}
	if p.joins() {
		return wordIn(noun, "history", "background", "context") || p[1:].muted() || wordIn(p[1], "decisions", "fixes", "updates", "releases", "additions", "removals", "motivation", "reasons", "reason")
	}
	switch noun {
	case "changes":
		return wordIn(p[0], "in", "since", "from", "until", "between", "of", "with") && slices.ContainsFunc(p[1:], func(w string) bool {
			return isVersion(w) || w != "" && w[0] >= '0' && w[0] <= '9' || months[w] > 0 || wordIn(w, "version", "release", "last", "previous", "year", "spring", "summer", "autumn", "winter")
		})
	case "log":
		return p[0] != "in" && p[0] != "on"
	case "trials", "experiments", "comparison", "sample":
		return !wordIn(p[0], "for", "by")
	}
	return true
}

// ofBefore reports whether a phrase tells what was before something that happened. What is before a thing that recurs is
// what to do first, a week before is when.
func (p headingPart) ofBefore() bool {
	if p[len(p)-1] == "before" {
		return len(p) == 1 || wordIn(p[0], "as", "how", "the", "what")
	}
	next := p[1]
	if wordIn(next, "the", "our", "a", "this") && len(p) > 2 {
		next = p[2]
	}
	return isVersion(next) || next != "" && next[0] >= '0' && next[0] <= '9' || wordIn(next, "version") || happened[p[len(p)-1]]
}

// happened are events of which there is one.
var happened = wordSet(`migration move switch rewrite change merger split reform redesign incident outage refactoring cutover relaunch renaming reorganisation reorganization`)

// muteHints are the words of which a heading has one that mutes.
var muteHints = sync.OnceValue(func() map[string]bool {
	hints := map[string]bool{"before": true}
	for _, words := range []map[string]bool{gone, shown, discarded, recaps} {
		maps.Copy(hints, words)
	}
	return hints
})

// mutes reports whether a heading says that what stands below it is no claim about the present.
func mutes(heading string) bool {
	if !anyWord(heading, muteHints()) {
		return false // most are
	}
	for i, p := range headingParts(heading) {
		if i == 0 && p.muted() || i > 0 && len(p) == 1 && gone[p[0]] && !wordIn(p[0], "sample", "past", "future", "previous", "previously", "formerly") {
			return true
		}
	}
	return false
}

// conditioned are nouns behind a condition in a heading that leave it one: the staging environment, night rates. Behind
// others it tells which of several things something is: the winter stoppage, background and web services.
var conditioned = wordSet(`environment environments env plan plans tier tiers cluster clusters account accounts setup configuration config settings values limits limit quota
	quotas build builds release releases channel stage region customer customers tenant tenants user users season schedule schedules hours timetable rate rates price prices
	tariff tariffs mode version versions edition deployment deployments instance instances system systems installation installations network database server servers host hosts
	only profile profiles variant defaults differences operation licence license subscription behaviour behavior phase`)

// parting are the conditions that part of a name often is. A test kitchen is another one than the real one.
var parting = wordSet(`winter summer night weekend free basic pro premium enterprise trial linux windows macos android ios web mobile desktop eu us asia europe america
	preview beta alpha nightly`)

// making are nouns behind production that leave it what a factory does, and no environment.
var making = wordSet(`line lines floor floors hall halls plant plants site sites planning plan plans planner schedule schedules manager managers staff team teams crew crews
	shift shifts batch batches lot lots order orders volume volumes capacity process processes step steps cost costs date dates run runs week weeks department area areas`)

// rollouts are nouns behind canary that make it a way to release, and no environment.
var rollouts = wordSet(`release releases deployment deployments rollout rollouts delivery analysis testing process strategy`)

// ofMaking reports whether a word tells of what a factory does: the production line.
func ofMaking(word, next string) bool { return word == "production" && making[next] }

// trailing are the conditions that a phrase may end with without a preposition: the gateway, staging.
var trailing = wordSet(`dev staging prod canary linux windows macos darwin android ios arm64 amd64 x86 eu us emea apac lts`)

// titled returns the conditions that a title or a heading sets, without those that are part of a name.
func titled(text string) (out []string) {
	if !mayDate(text) && !anyWord(text, conditionWords) {
		return nil // most set none
	}
	for _, p := range headingParts(text) {
		for i, w := range p {
			if w != "" && p.sets(i) {
				out = append(out, w)
			}
		}
	}
	return out
}

// mayDate reports whether a text may have the number of a version, a year or a day in it.
func mayDate(text string) bool {
	marked := strings.ContainsAny(text, ".-/")
	for i := range len(text) {
		if c := text[i]; c < '0' || c > '9' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		if rest := text[i:]; marked || i > 0 && (text[i-1] == 'v' || text[i-1] == 'V') || strings.HasPrefix(rest, "19") || strings.HasPrefix(rest, "20") {
			return true
		}
	}
	return false
}

// mostLeading is how many words before a condition are looked at.
const mostLeading = 8

// sets reports whether a word of a phrase says when what stands below it holds.
func (p headingPart) sets(i int) bool {
	w := p[i]
	_, _, date := schema.ParseTime(w)
	year := len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")) && allDigits(w)
	switch {
	case isVersion(w), date, year:
		return true
	case !conditionWords[w]:
		return false
	}
	before := p[max(0, i-mostLeading):i]
	for len(before) > 0 && (leadingIn[before[len(before)-1]] || conditionWords[before[len(before)-1]]) {
		before = before[:len(before)-1]
	}
	placed := len(before) > 0 && (recapBehind[before[len(before)-1]] || wordIn(before[len(before)-1], "during", "under", "about", "via", "over"))
	if i+1 == len(p) {
		return len(before) == 0 || placed || trailing[w]
	}
	next := p[i+1]
	switch {
	case w == "canary" && rollouts[next]:
		return false // a way to release
	case next == "of", i > 0 && wordIn(p[i-1], "a", "an") && !conditioned[next], ofMaking(w, next):
		return false // a night of snow making
	case next == "" || conditioned[next] || conditionWords[next] || recapBehind[next] || emptyWords[next] || next[0] <= '9':
		return w != "stage" || next != "" && next[0] > '9'
	case parting[w], w == "stage":
		return false
	case w == "test", w == "testing":
		return len(before) == 0 && !tested[next]
	}
	return len(before) == 0 || placed
}

// tested are nouns of what tests are made of: how they run is told below, and nothing that holds in them only.
var tested = wordSet(`isolation coverage strategy strategies suite suites report reports result results case cases run runs harness runner framework plan plans pyramid stations bench`)
