package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/schema/yaml"
)

func TestTriggers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, cron, calendar string }{
		{"Run every weekday at 08:00 local time", "0 8 * * 1-5", "Mon,Tue,Wed,Thu,Fri *-*-* 08:00:00"},
		{"daily at 08:00", "0 8 * * *", "*-*-* 08:00:00"},
		{"every day at 23:59 UTC", "59 23 * * *", "*-*-* 23:59:00 UTC"},
		{"weekly on Monday", "0 0 * * 1", "Mon *-*-* 00:00:00"},
		{"every Sunday at 6:05", "5 6 * * 0", "Sun *-*-* 06:05:00"},
		{"monthly on the 1st at 06:00", "0 6 1 * *", "*-*-01 06:00:00"},
		{"hourly", "0 * * * *", "*-*-* *:00:00"},
		{"every 20 minutes", "*/20 * * * *", "*-*-* *:00,20,40:00"},
		{"every 8 hours", "0 */8 * * *", "*-*-* 00,08,16:00:00"},
		{"`30 6 1,15 jan-mar Mon`", "30 6 1,15 1-3 1", "*-01,02,03-01,15 06:30:00\nMon *-01,02,03-* 06:30:00"},
		{"cron: `0 8 * * 5-7` UTC", "0 8 * * 5-7", "Fri,Sat,Sun *-*-* 08:00:00 UTC"},
		{"after each merge", "", ""},
		{"on dispatch", "", ""},
	} {
		got, why := ParseTrigger(c.text)
		if why != "" || got.Cron != c.cron {
			t.Errorf("%s: %q %s, want %q", c.text, got.Cron, why, c.cron)
			continue
		}
		if got.Cron != "" && strings.Join(got.calendar(), "\n") != c.calendar {
			t.Errorf("%s: %q, want %q", c.text, got.calendar(), c.calendar)
		}
	}
	for text, want := range map[string]string{
		"every 7 minutes": "7 minutes don't divide evenly", "monthly on the 31st at 06:00": "day 31 does not exist in every month", "daily at 24:00": "24:00 is not a time of day",
		"`61 * * * *`": `minute: "61" is not within 0-59`, "`* * 0 * *`": `day of the month: "0" is not within 1-31`, "`5-3 * * * *`": `minute: "5-3" is not within`,
		"`*/0 * * * *`": `minute: the step of "*/0" is not within 1-59`, "`* * * *`": "is not a trigger", "sometimes": "is not a trigger", "": "is not a trigger",
	} {
		if _, why := ParseTrigger(text); !strings.Contains(why, want) {
			t.Errorf("%s: %q, want %q", text, why, want)
		}
	}
}

func FuzzParseTrigger(f *testing.F) {
	for _, e := range schematest.Vary(400, slices.Concat(triggerExamples, []string{"`*/5 0-23/2 1,15 jan-dec mon-fri`"})...) {
		f.Add(e)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, why := ParseTrigger(text)
		if why != "" {
			return
		}
		if (got.Cron != "") == (got.Merge || got.Dispatch) {
			t.Fatalf("%q is %+v", text, got)
		}
		if got.Cron != "" {
			if again, why := readCron(got.Cron); why != "" || again != got.Cron {
				t.Fatalf("%q is not read again: %s", got.Cron, why)
			}
			for _, line := range got.calendar() {
				if strings.Contains(line, "--") || strings.HasSuffix(line, "-") || strings.Contains(line, " :") {
					t.Fatalf("%q is %q", got.Cron, line)
				}
			}
		}
	})
}

// The workflow is YAML, whatever a spec is called.
func TestTheWorkflowIsYAML(t *testing.T) {
	t.Parallel()
	for _, f := range append(Templates(), Builtin()...) {
		s, _ := ParseLoopSpec("docs/o'clock: #1 "+f.Name+".md", f.Src, nil)
		files, _, err := s.Schedule("github", ScheduleIn{Branch: `ma"in`})
		if err != nil {
			t.Fatal(err)
		}
		root, faults := yaml.Parse([]byte(files[0].Text), 0)
		if len(faults) > 0 || root.Get("on") == nil || root.Get("jobs") == nil {
			t.Errorf("%s: %v\n%s", f.Name, faults, files[0].Text)
		}
	}
}
