package conflict

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// pairs are statements of two pages, of many domains. Each page is its title, a
// bar, and what it says; want is the rule that reports them, empty when both can hold.
// Those that no general rule finds yet are marked as missed, so that what the engine can not do
// is written down and a change in it is seen.
var pairs = []struct{ a, b, want string }{
	// Numbers that can not both hold.
	{"Mash tun|The mash tun holds 1,200 litres.", "Brew day|The mash tun holds 900 litres.", "numeric-conflict"},
	{"Pale ale|Pale ale ferments for 10 days.", "Cellar plan|Pale ale ferments for two weeks.", "numeric-conflict"},
	{"Reading room|The reading room has 48 desks.", "Visiting|The reading room has sixty desks.", "numeric-conflict"},
	{"Loan|A loan runs for 21 days.", "Lending desk|A loan runs for four weeks.", "numeric-conflict"},
	{"Ward 3 rules|Visitors may stay for at most 2 hours.", "Visiting hours|In the [[p0|Ward 3 rules]] visitors may stay for at most 45 minutes.", "numeric-conflict"},
	{"Infusion pump|The infusion pump is inspected every 6 months.", "Equipment care|The infusion pump is inspected every year.", "numeric-conflict"},
	{"Home stadium|Capacity: 18,000", "Season guide|The home stadium has a capacity of 21,500.", "numeric-conflict"},
	{"Youth squad|The youth squad trains twice a week.", "Calendar|The youth squad trains four times per week.", "numeric-conflict"},
	{"North dome|The north dome weighs 14 tonnes.", "Engineering|The north dome weighs 11,500 kg.", "numeric-conflict"},
	{"Freight lift|Maximum load: 800 kg", "House rules|The maximum load of the freight lift is 1 t.", "numeric-conflict"},
	{"Savings account|The savings account pays 2.5 percent interest.", "Rates|The savings account pays 3 % interest.", "numeric-conflict"},
	{"Probation|Probation lasts six months.", "Onboarding|Probation lasts three months.", "numeric-conflict"},
	{"Rescue boat|The rescue boat carries up to twelve people.", "Harbour plan|The rescue boat carries at most 8 people.", "numeric-conflict"},
	{"Cold store|The cold store is kept at 4 °C.", "Kitchen audit|The cold store is kept at 7 °C.", "numeric-conflict"},
	{"Sourdough|The dough rests for half an hour.", "Baking school|In the sourdough the dough rests for 90 minutes.", "numeric-conflict"},
	{"Session token|A session token expires after 30 minutes.", "Login|Session tokens expire after 2 hours.", "numeric-conflict"},
	{"Import job|The import job runs every 15 minutes.", "Operations|The import job runs hourly.", "numeric-conflict"},
	{"Upload API|The upload API accepts files of up to 25 MB.", "Clients|The upload API accepts files of up to 100 MB.", "numeric-conflict"},
	// Tables, fields and lists.
	{"Barley|Germination takes 5 days.", "Crops|\n\n| Crop | Germination |\n|---|---|\n| [[p0]] | 9 days |", "numeric-conflict"},
	{"Telescope|- **Aperture:** 2.4 m", "Instruments|\n\n| Instrument | Aperture |\n|---|---|\n| [[p0]] | 3.6 m |", "numeric-conflict"},
	{"Reception|The reception closes at 8.", "Hotel|\n\n| Place | Rooms |\n|---|---|\n| [[p0]] | 4 |", ""},
	{"Vet clinic|owner:: Dr Mora", "Contacts|\n\n| Clinic | Owner |\n|---|---|\n| [[p0]] | Dr Lund |", "field-conflict"},
	{"Limits|\n\n| Setting | Value | Notes |\n|---|---|---|\n| `cart.max_items` | 50 | articles in one cart |", "Shop|A cart can contain at most 40 articles. `cart.max_items` is 40.", "numeric-conflict"},
	// Versions and dates.
	{"Till|The till runs on Windows 11.", "Branch setup|The till runs on Windows 10.", "version-conflict"},
	{"Scoring engine|The scoring engine requires Python 3.12.", "Analysts|The scoring engine requires Python 3.9.", "version-conflict"},
	{"Old bridge|The old bridge was opened on 3 May 1998.", "City tour|The old bridge was opened on 12 June 1998.", "date-conflict"},
	{"Grant programme|The grant programme ends on 2026-06-30.", "Funding|The grant programme ends on 31 December 2026.", "date-conflict"},
	{"Archive|The archive was founded in 1921.", "History walk|The archive was founded in 1934.", "date-conflict"},
	// Sets.
	{"Order|An order has one of these states: new, paid, shipped, returned.", "Warehouse|States of an order:\n\n- new\n- paid\n- shipped", "set-conflict"},
	{"Kiln|The kiln has three modes: bisque, glaze and hold.", "Pottery|The modes of the kiln are bisque, glaze and raku.", "set-conflict"},
	{"Ticket desk|The ticket desk accepts cash and cards.", "Prices|The ticket desk accepts cards and vouchers only.", "set-conflict"},
	// Denials, opposites, names.
	{"Night train|The night train stops at Lindau.", "Timetable|The night train does not stop at Lindau.", "polarity-conflict"},
	{"Visitor badge|A visitor badge is required in the laboratory.", "Laboratory guide|A visitor badge is optional in the laboratory.", "polarity-conflict"},
	{"Two-factor login|Two-factor login is enabled by default.", "Security|Two-factor login is disabled by default.", "polarity-conflict"},
	{"Data lake|The data lake runs on Snowflake.", "Platform|The data lake runs on BigQuery.", "functional-conflict"},
	{"Dosing pump|The dosing pump is made by Alldos.", "Pool manual|The dosing pump is made by Etatron.", "functional-conflict"},
	{"Ledger|The ledger is written in Kotlin.", "Codebase|The ledger is written in Scala.", "functional-conflict"},
	// The same in other units and words.
	{"Sterilizer|A cycle of the sterilizer takes 90 minutes.", "Theatre|A cycle of the sterilizer takes 1.5 hours.", ""},
	{"Rowing machine|The rowing machine weighs 48 kg.", "Gym|The rowing machine weighs 48,000 g.", ""},
	{"Backup|A backup is kept for 4 weeks.", "Restore|A backup is kept for 28 days.", ""},
	{"Film archive|The film archive holds two dozen reels.", "Cinema|The film archive holds 24 reels.", ""},
	{"Observatory|The observatory lies about 2,400 m above the sea.", "Travel|The observatory lies 2,390 m above the sea.", ""},
	{"Beacon|The beacon flashes 6 times per minute.", "Coast|The beacon flashes every 10 seconds.", ""},
	// Limits and ranges that overlap.
	{"Choir|The choir has between 30 and 40 members.", "Concerts|The choir has 36 members.", ""},
	{"Seed tray|A seed tray holds up to 60 plants.", "Greenhouse|A seed tray holds 48 plants.", ""},
	{"Scanner|The scanner needs at least 8 GB of memory.", "Imaging|The scanner needs 16 GB of memory.", ""},
	// Other things, roles, scopes.
	{"Adult ticket|The adult ticket costs 12 euros.", "Child ticket|The child ticket costs 6 euros.", ""},
	{"Harvester|The harvester works 8 hours a day.", "Fields|In autumn the harvester works 14 hours a day.", ""},
	{"Checkout|The checkout times out after 10 minutes.", "Staging notes|In staging the checkout times out after 1 minute.", ""},
	{"Helpline|The helpline answers within 40 seconds on average.", "Targets|The helpline answers within 2 minutes at most.", ""},
	{"Oven|The default temperature of the oven is 180 °C.", "Recipes|The maximum temperature of the oven is 280 °C.", ""},
	{"Kennel|The kennel has 20 boxes.", "Renovation|The kennel had 12 boxes before the renovation.", ""},
	{"Newsletter|The newsletter has 9,000 readers.", "Growth|In March 2024 the newsletter had 4,000 readers.", ""},
	{"Tram|The tram runs every 8 minutes.", "Night service|The tram runs every 30 minutes after midnight.", ""},
	{"Lecture hall|The lecture hall seats 300.", "Exams|During exams the lecture hall seats 120.", ""},
	{"Warehouse A|The loading bay has 6 gates.", "Warehouse B|The loading bay has 9 gates.", ""},
	{"Premium plan|The premium plan includes 100 GB.", "Basic plan|The basic plan includes 10 GB.", ""},
	{"Search|The search service uses Redis.", "Caching|The search service uses Kafka.", ""},
	{"Relay|The relay supports HTTP and MQTT.", "Gateways|The relay supports HTTP, MQTT and AMQP.", ""},
	{"Excavator|The excavator requires a licence.", "Rental|On private ground the excavator does not require a licence.", ""},
	{"Mailer|The mailer retries 5 times.", "Release history|## History\n\nThe mailer retries 3 times.", ""},
	{"Membership|Membership costs 30 euros per month.", "Students|For students membership costs 15 euros per month.", ""},
	{"Drone|The drone flies for 25 minutes.", "Winter flights|The drone flies for 14 minutes when it is cold.", ""},
	{"Pool|The pool is 25 m long.", "Diving|The pool is 4 m deep.", ""},
	{"Front door|The front door opens at 8.", "Rear door|The rear door does not open.", ""},
	{"Parser|The parser was rewritten in Rust in 2024.", "Roadmap|The parser will be rewritten in Zig in 2027.", ""},
	{"Chess club|The chess club meets on Mondays.", "Town|The chess club does not meet in August.", ""},
	{"Report|A report has 3 sections.", "Style|A report has 12 pages.", ""},
}

func TestDomains(t *testing.T) {
	t.Parallel()
	for _, c := range slices.Concat(pairs, morePairs, momentPairs, localPairs) {
		t.Run(c.a+" / "+c.b, func(t *testing.T) {
			t.Parallel()
			archive := ""
			for i, page := range []string{c.a, c.b} {
				title, body, _ := strings.Cut(page, "|")
				archive += "-- p" + string(rune('0'+i)) + ".md --\n# " + title + "\n\n" + body + "\n"
			}
			w := compilertest.Compile(t, compilertest.Write(t, archive))
			got := ""
			for _, found := range surest(w, claim.Of) {
				got += found.Rule
			}
			want := c.want
			if want == "missed" {
				want = ""
			}
			if got != want {
				t.Errorf("got %q, want %q", got, c.want)
				for _, p := range w.Pages() {
					for _, s := range claim.Of(p) {
						t.Logf("%s %s %q %s %v %v %v", p.Path, s.From, s.Text, s.Role, s.Value, s.Terms, s.Scope)
					}
				}
			}
		})
	}
}
