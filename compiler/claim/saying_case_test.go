package claim_test

import "testing"

// Times that are half or a quarter of an hour from a full one.
func TestPartsOfAnHour(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"half past in the morning", "# Oven\n\nThe oven starts at half past two in the morning.\n", "clock=half past two in the morning", ""},
		{"a quarter to in the evening", "# Oven\n\nThe doors shut at quarter to six in the evening.\n", "clock=quarter to six in the evening", ""},
		{"a quarter past by figures", "# Oven\n\nThe doors shut at quarter past 7 pm.\n", "clock=quarter past 7 pm", ""},
		{"at night", "# Oven\n\nThe last call is at half past nine at night.\n", "clock=half past nine at night", ""},
		{"nobody knows which half of the day", "# Oven\n\nThe oven starts at half past two.\n", "", "clock="},
		{"once a week, and when", "# Oven\n\nThe oven is swept once a week, on Sunday, and takes an hour.\n", "time=once a week", ""},
		{"once something is done", "# Oven\n\nThe oven is swept once a week has passed.\n", "", "time=once"},
		{"half of them", "# Oven\n\nHalf of the ovens run at night.\n", "ratio=Half", "clock="},
	})
}

// Numbers and areas in words.
func TestSinglesAndAreas(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a single one", "# Ear\n\nThe ear has a single microphone.\n", "=single microphone", ""},
		{"a way to sign on", "# Ear\n\nThe ear uses single sign-on.\n", "", "=single"},
		{"an area", "# Hall\n\nThe hall measures 120 square metres.\n", "area=120 square metres", ""},
		{"a volume", "# Hall\n\nThe tank holds 3 cubic meters.\n", "volume=3 cubic meters", ""},
		{"a square", "# Hall\n\nThe hall has 4 square tables.\n", "", "area="},
		{"each its own", "# Tank\n\nEach tank has its own stone.\n", "pole:share=own", ""},
		{"one for all", "# Tank\n\nAll tanks share one stone.\n", "pole:share=share", ""},
		{"a part", "# Tank\n\nThe share of the tanks is 15 %.\n", "", "pole:share"},
		{"on its own", "# Tank\n\nThe tank runs on its own.\n", "", "pole:share"},
		{"a share that begins a sentence", "# Ale\n\nAlcohol 4.6 % by volume.\n", "", "version="},
		{"lead time", "# Desk\n\nA visit can be cancelled up to 24 hours before it begins.\n", "time=up to 24 hours", ""},
	})
}

// Comments, constants and objects in blocks of code.
func TestMoreOfCode(t *testing.T) {
	t.Parallel()
	page := func(language, text string) string {
		return "# Kiln\n\nThe kiln works so.\n\n```" + language + "\n" + text + "\n```\n"
	}
	reads(t, []reading{
		{"a comment of commands", page("shell", "# samples of a firing are kept for two weeks\nfind /data -mtime +14 -delete"), "sampl ^fire keep; time=two weeks", ""},
		{"a comment that says what a command does", page("shell", "# delete the samples of two weeks\nfind /data -mtime +14 -delete"), "", "two weeks"},
		{"a comment of a query", page("sql", "-- old firings are kept for 7 years\nDELETE FROM firing"), "time=7 years", ""},
		{"a comment of a program", page("rust", "// the kiln is fired every 3 days\nfn fire() {}"), "^kiln fire; time=3 days", ""},
		{"a definition", page("c", "/* how often the kiln tries */\n#define MAX_RETRIES 16"), "|max |retr", "compressor"},
		{"a constant", page("go", "const MAX_RETRIES = 5 // tries"), "|max |retr", ""},
		{"a constant with its type", page("python", "TIMEOUT_SECONDS: int = 30"), "|timeout; time=30", ""},
		{"no constant", page("go", "retries := 5"), "", "=5"},
		{"an object on a line", page("json", "{\n  \"lamp\": { \"valid_for\": \"15m\", \"heat\": 40 }\n}"), "|lamp |heat; =40", ""},
		{"objects in each other", page("json", "{ \"limits\": { \"lamp\": { \"memory\": \"1Gi\" } } }"), "|limit |lamp |memor; information=1Gi", ""},
		{"a table on a line", page("toml", "[pool]\nlimits = { most = 6, least = 2 }"), "|pool |limit", ""},
		{"a port of an image", page("dockerfile", "FROM kiln:3\nEXPOSE 1884"), "|port; =1884", ""},
		{"ports of an image", page("dockerfile", "FROM kiln:3\nEXPOSE 1884 1885"), "", "=1884"},
		{"thousandths of a core", page("yaml", "cpu: 200m"), "", "time="},
	})
}

// Who answers for something, and who gets it, in lists and tables.
func TestOwnersInLists(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a list of owners", "# Who owns what\n\n- [[pump]]: Team Harbour\n", "|owner |pump; name=Team Harbour; class:who:own=Team Harbour", ""},
		{"a list of something else", "# What runs where\n\n- [[pump]]: Team Harbour\n", "", "class:who:own"},
		{"who keeps a list", "# Rota\n\nThe rota is kept by Tomas Okafor.\n", "class:who:own=Tomas Okafor", ""},
		{"what keeps a list", "# Rota\n\nThe rota is kept by Otter.\n", "", "class:who:own"},
		{"a column of people", "# Tasks\n\n| Task | Person |\n|---|---|\n| Buying | Tomasz Wrona |\n", "class:who:own=Tomasz Wrona", ""},
		{"a column of receivers", "# Mail\n\n| Message | Goes to |\n|---|---|\n| Crash dump | firmware team |\n", "class:who:receiv=firmware team", ""},
		{"a trade", "# Ward\n\nThe chief veterinarian approves every transfer.\n", "class:who:approv=chief veterinarian", ""},
		{"a state of two words", "# Rota\n\n**Status:** in force\n", "|status; name=in force", ""},
		{"a row of a vendor", "# Vendors\n\n| Vendor | Purpose |\n|---|---|\n| Stripe | processes all card payments |\n", "class:payment=Stripe", ""},
	})
}

// A page of a meeting says when something begins or ends, and nothing else that stays true.
func TestDatesOfMeetings(t *testing.T) {
	t.Parallel()
	page := func(text string) string { return "---\ntype: meeting\n---\n# Review, June 2025\n\n- " + text + "\n" }
	reads(t, []reading{
		{"an end", page("Version 1 of the API is switched off on 30 September 2025."), "day=30 September 2025", ""},
		{"an amount", page("The store takes up 23 TB."), "", "23 TB"},
		{"a plan", page("The hall is planned to open on 3 May 2026."), "", "3 May"},
		{"a month", page("In March 2025 the feed reached 61 banks."), "", "March"},
		{"of another kind", "---\ntype: log\n---\n# Review\n\n- The hall opened on 3 May 2026.\n", "", "3 May"},
	})
}

// What is denied of a verb that ends as adverbs do, of what can be done, and in every case.
func TestMoreDenials(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"does not apply", "# Hold\n\nA hold does not apply to snapshots.\n", "not appl snapshot", ""},
		{"a row of what can be", "# Bag\n\n| Property | Value |\n|---|---|\n| Compostable | no |\n", "not compostabl", ""},
		{"there and nowhere else", "# Trail\n\nThe trail is stored in Frankfurt and nowhere else.\n", "class:place=Frankfurt", "[frankfurt"},
		{"steps with who does them", "# Marks\n\n1. The examiner marks the scripts.\n2. The students inspect their scripts.\n", "not inspect mark", ""},
		{"a step that names it", "# Steps\n\n1. Fetch the addresses.\n2. Geocode them.\n3. Deduplicate the addresses.\n", "not deduplic geocod", ""},
	})
}
