package claim_test

import "testing"

// How much of an attribute a thing has, in words.
func TestGrades(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"of it", "# Pump\n\nAn empty reservoir is an alarm of high priority.\n", "class:attr:priorit=high", ""},
		{"with it", "# Pump\n\nThe pump reports leaks with low severity.\n", "class:attr:severit=low", ""},
		{"has it", "# Pump\n\nAn empty reservoir has a medium priority.\n", "class:attr:priorit=medium", ""},
		{"in the cell of a table", "# Pump\n\n| Alarm | Priority |\n|---|---|\n| Leak | Medium |\n", "class:attr:priorit=Medium", ""},
		{"what is denied", "# Pump\n\nAn empty reservoir is not an alarm of high priority.\n", "", "class:attr"},
		{"of something else", "# Pump\n\nThe pump stands at high altitude.\n", "", "class:attr"},
	})
}

// Where nobody says what is so, though it is put as if: which word stands for an answer, what is denied of a thing that is called
// after an opposite.
func TestWhatIsNotSaid(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"what something is", "# Store\n\nWhy the online store is what it is: see there.\n", "", "class:store"},
		{"the store", "# Store\n\nThe online store is ScyllaDB.\n", "class:store=ScyllaDB", ""},
		{"per thousand", "# Pump\n\nThe complaint rate is 0.9 per thousand infusions.\n", "ratio=0.9 per thousand", ""},
		{"people", "# Pump\n\nSix people take part in the rota.\n", "=Six people", "=Six people take part"},
		{"between two", "# Pump\n\nBetween two runs all processes are restarted.\n", "", "=Between two"},
		{"zero together", "# Pump\n\nCounters restart at zero together with the process.\n", "", "=zero together"},
		{"a host", "# Pump\n\nThe sandbox hides host paths.\n", "", "on-premis=host"},
		{"states that are participles", "# Pump\n\nThe states of an action are queued, leased, running, done and failed.\n", "[done, fail, leas, queu, run]", ""},
		{"what runs on something, before another clause", "# Pump\n\nTurnstile runs on Dex, and Foyer speaks with it.\n", "class:thing:run on=Dex", ""},
		{"what runs on two things", "# Pump\n\nTurnstile runs on Dex, Quill and Anchor.\n", "", "class:thing:run on=Dex"},
		{"a region", "# Pump\n\nThe region of the pump is Dublin.\n", "class:place=Dublin", ""},
		{"what a region is like", "# Pump\n\nThe other region is smaller, see there.\n", "", "class:place"},
		{"a label that is the name of a page", "# Pump\n\n| Decision | State |\n|---|---|\n| [[two-regions]] | Accepted |\n", "", "class:place"},
		{"what is not done from some time on", "# Pump\n\nA namespace cannot be renamed once it has been created.\n", "not renam namespac", ""},
		{"in a thousand words", "# Pump\n\nThe manual tells it in a thousand words.\n", "", "ratio"},
	})
}
