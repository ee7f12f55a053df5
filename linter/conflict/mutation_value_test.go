package conflict

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

var (
	figures   = regexp.MustCompile(`\d[\d,_]*(?:\.\d+)?`)
	isoDate   = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
	anyYear   = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
	smallWord = regexp.MustCompile(`(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen|twenty)\b`)
	versions  = regexp.MustCompile(`\d+((?:\.\d+)*)`)
	auxiliary = regexp.MustCompile(`\b(is|are|can|must|may|does|do|has|will)( not)? `)
	thirdVerb = regexp.MustCompile("^((?:The |A |An |Each |Every )?(?:[A-Z][\\w-]+|`[^`]+`|\\w+)) (keeps|uses|runs|reads|writes|sends|stores|returns|accepts|supports|contains|shows|deletes|needs|requires) ")
)

var digitsOf = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"twelve": "12", "sixteen": "16", "twenty": "20"}

// otherWord is a number word for another number.
var otherWord = map[string]string{"one": "four", "two": "five", "three": "seven", "four": "nine", "five": "eight", "six": "ten", "seven": "three", "eight": "three",
	"nine": "four", "ten": "six", "twelve": "seven", "sixteen": "nine", "twenty": "eight"}

// otherName is a value of the same attribute that means something else.
func (c *taken) otherName(all []*taken) string {
	for _, o := range all {
		if c.attr != "" && c.attr != "status" && o != c && o.kind == "name" && o.attr == c.attr && compareNames(o.Value.Words, c.Value.Words) == Apart {
			return o.text
		}
	}
	switch {
	case c.attr == "status" && schema.StatusWord(c.text) == schema.StatusDraft:
		return "stable"
	case c.attr == "status":
		return "draft"
	case c.Slot != "":
		return "Zanthoria"
	}
	return "zanthoria"
}

// mutated returns another value, empty when none can be made.
func (c *taken) mutated(all []*taken) string {
	switch c.Value.Kind {
	case schema.ValueFact:
		return negated(c.head)
	case schema.ValueQuantity:
		if figures.MatchString(c.text) {
			return figures.ReplaceAllStringFunc(c.text, func(n string) string {
				v, _ := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(n), 64)
				_, decimals, _ := strings.Cut(n, ".")
				return strconv.FormatFloat(3*v+1, 'f', len(decimals), 64)
			})
		}
		if smallWord.MatchString(c.text) {
			return smallWord.ReplaceAllStringFunc(c.text, func(w string) string { return otherWord[strings.ToLower(w)] })
		}
	case schema.ValueVersion:
		done := false
		return versions.ReplaceAllStringFunc(c.text, func(v string) string {
			if done {
				return v
			}
			done = true
			major, rest, _ := strings.Cut(v, ".")
			n, _ := strconv.Atoi(major)
			return strings.TrimSuffix(fmt.Sprintf("%d.%s", n+3, rest), ".")
		})
	case schema.ValueDate:
		return anyYear.ReplaceAllStringFunc(c.text, func(y string) string { n, _ := strconv.Atoi(y); return strconv.Itoa(n - 3) })
	case schema.ValueName:
		return c.otherName(all)
	case schema.ValueBool:
		return map[string]string{"yes": "no", "no": "yes", "true": "false", "false": "true", "on": "off", "off": "on", "enabled": "disabled", "disabled": "enabled",
			"✓": "✗", "✗": "✓", "✅": "❌", "❌": "✅"}[strings.ToLower(c.text)]
	case schema.ValueSet:
		items := regexp.MustCompile(`,? and |, `).Split(c.text, -1)
		items[0] = "zanthoria"
		return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
	}
	return ""
}

// negated returns the denial of a sentence, empty when none can be made by rule.
func negated(s string) string {
	if m := auxiliary.FindStringSubmatchIndex(s); m != nil {
		if m[4] >= 0 {
			return s[:m[4]] + s[m[5]:]
		}
		return s[:m[3]] + " not" + s[m[3]:]
	}
	if m := thirdVerb.FindStringSubmatchIndex(s); m != nil {
		return s[:m[3]] + " does not " + strings.TrimSuffix(s[m[4]:m[5]], "s") + s[m[5]:]
	}
	return ""
}

// respelled returns the same value in another unit or spelling, empty when none
// is known.
func (c *taken) respelled() string {
	switch c.Value.Kind {
	case schema.ValueFact:
		return strings.Replace(c.head, " is not ", " isn't ", 1)
	case schema.ValueQuantity:
		return respelledQuantity(c.text)
	case schema.ValueVersion:
		if v, ok := strings.CutPrefix(c.text, "v"); ok {
			return v
		}
		if c.From != schema.OriginSentence && strings.Count(c.text, ".") > 1 {
			return "v" + c.text
		}
	case schema.ValueDate:
		if at, err := time.Parse(time.DateOnly, isoDate.FindString(c.text)); err == nil && isoDate.FindString(c.text) == c.text {
			return at.Format("2 January 2006")
		}
	case schema.ValueName:
		if c.Slot == "" {
			return strings.ToUpper(c.text[:1]) + c.text[1:]
		}
	case schema.ValueBool:
		return map[string]string{"yes": "true", "no": "false", "true": "yes", "false": "no", "on": "enabled", "off": "disabled", "✓": "yes", "✗": "no", "✅": "✓",
			"enabled": "on", "disabled": "off", "❌": "no"}[strings.ToLower(c.text)]
	case schema.ValueSet:
		items := regexp.MustCompile(`,? and |, `).Split(c.text, -1)
		items = append(items[1:], items[0])
		return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
	}
	return ""
}

// smaller is how much of the next smaller unit a unit has.
var smaller = map[string]struct {
	n    float64
	unit string
}{"s": {1000, "ms"}, "sec": {1000, "ms"}, "second": {1000, "ms"}, "seconds": {1000, "ms"}, "minute": {60, "seconds"}, "minutes": {60, "seconds"}, "min": {60, "s"}, "h": {60, "min"},
	"hour": {60, "minutes"}, "hours": {60, "minutes"}, "day": {24, "hours"}, "days": {24, "hours"}, "week": {7, "days"}, "weeks": {7, "days"}, "ms": {1000, "µs"},
	"GiB": {1024, "MiB"}, "MiB": {1024, "KiB"}, "KiB": {1024, "bytes"}, "GB": {1000, "MB"}, "MB": {1000, "KB"}, "KB": {1000, "bytes"}, "kg": {1000, "g"}, "km": {1000, "m"}}

func respelledQuantity(text string) string {
	at := figures.FindStringIndex(text)
	if at == nil {
		if w := smallWord.FindStringIndex(text); w != nil {
			return text[:w[0]] + digitsOf[strings.ToLower(text[w[0]:w[1]])] + text[w[1]:]
		}
		return ""
	}
	number, rest := text[at[0]:at[1]], text[at[1]:]
	v, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(number), 64)
	if err != nil || figures.MatchString(rest) {
		return ""
	}
	unit, more, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if s, ok := smaller[unit]; ok {
		return strings.TrimSpace(text[:at[0]] + strconv.FormatFloat(v*s.n, 'f', -1, 64) + " " + s.unit + " " + more)
	}
	if w, ok := strings.CutPrefix(strings.TrimSpace(rest), "%"); ok {
		return text[:at[0]] + number + " percent" + w
	}
	if strings.ContainsAny(number, ",_") {
		return text[:at[0]] + strings.NewReplacer(",", "", "_", "").Replace(number) + rest
	}
	if v >= 1000 && len(number) < 7 && !strings.Contains(number, ".") {
		return text[:at[0]] + number[:len(number)-3] + "," + number[len(number)-3:] + rest
	}
	for word, digits := range digitsOf {
		if digits == number && rest != "" && rest[0] == ' ' {
			return text[:at[0]] + word + rest
		}
	}
	return ""
}
