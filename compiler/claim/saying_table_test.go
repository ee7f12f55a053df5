package claim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSayingsOfTables(t *testing.T) {
	t.Parallel()
	table := func(head, row string) string {
		rule := "|"
		for _, c := range head[1:] {
			if c == '|' {
				rule += "---|"
			}
		}
		return "# Reference\n\n" + head + "\n" + rule + "\n" + row + "\n"
	}
	for _, c := range []struct{ name, page, want string }{
		{"what a key is for belongs to its value", table("| Key | Value | Description |", "| `relay.hold` | 8 h | how long the relay keeps a message |"), "^relay keep messag ~valu ~relay ~hold ~relay.hold; time=8 h\n"},
		{"a key in plain letters", table("| Parameter | Default | Meaning |", "| idle limit | 20 min | time before an unused tap is closed |"), "|idle |limit ^unus ^tap clos ~default; time=20 min\n"},
		{"a key of another table", table("| Job | When | Does |", "| `night-export` | `0 4 * * *` | writes the stock of [[silo]] to the archive |"), "|when |night |export |night-export writ stock silo keep; time=0 4 * * *; clock=0 4 * * *\n"},
		{"the value alone is described", table("| Name | Value | Required | Description |", "| `PUMP_TRACE` | on | no | trace of the pump controller |"), "trac pump controller ~valu ~pump ~trac ~pump_trace; yes=on\n|requir |pump |trac |pump_trace; yes=no\n"},
		{"numbers of a description are none of the key", table("| Key | Value | Description |", "| `kiln.retries` | 3 | attempts before a firing is given up (0 for none, at most 9) |"), "^attempt ^befor ^fire give up ~valu ~kiln ~retr ~kiln.retries; =3\n"},
		{"seconds by the description", table("| Key | Value | Description |", "| `kiln.pause` | 40 | seconds between two firings |"), "|kiln |paus |kiln.pause firing ~valu; time=40\n"},
		{"milliseconds by the key", table("| Key | Value | Description |", "| `lane_timeout_ms` | 400 | wait for an answer of the lane |"), "wait ?answer ?lane ~valu ~lane ~timeout ~ms ~lane_timeout_ms; time=400\n"},
		{"a rate by the key", table("| Key | Value | Description |", "| `api.rate_per_minute` | 900 | calls of one client |"), "|api |rate |minut |api.rate_per_minute call client ~valu; rate:=900\n"},
		{"a rate by the description", table("| Key | Value | Description |", "| `api.rate` | 900 | calls of one client per minute |"), "^call ^client minut ~valu ~api ~rate ~api.rate; rate:=900\n"},
		{"a price of a seat and month", table("| Plan | Price per seat and month |", "| Team | $19 |"), "|pric |seat |month |team; rate:money:usd=$19; money:usd=$19\n"},
		{"a price of a seat and month in a sentence", "# Pump\n\nA seat costs 24 dollars per user and month.\n", "^seat pric; rate:money:usd=24 dollars per user and month; money:usd=24 dollars per user and month\n"},
		{"a price of a seat and a second one", "# Pump\n\nThe ferry costs 24 dollars per adult and second child.\n", "^ferr pric adult second child; money:usd=24 dollars\n"},
		{"what is before a meeting", "# Pump\n\n## Before the first call\n\nThe pump is kept at 4 °C.\n", "^pump keep; temperature=4 °C\n"},
		{"what was before a change", "# Pump\n\n## Before the first rewrite\n\nThe pump is kept at 4 °C.\n", ""},
		{"a share", table("| Key | Value | Description |", "| `tank.reserve_share` | 0.15 | part of the tank that is held back |"), "^part ^tank hold back ~valu ~tank ~reserv ~shar ~tank.reserve_share; =0.15; ratio=0.15\n"},
		{"no share", table("| Key | Value | Description |", "| `kiln.gain` | 0.15 | gain of the controller of the kiln |"), "gain controller kiln ~valu ~kiln ~gain ~kiln.gain; =0.15\n"},
		{"the version of a product", table("| App | Android | Notes |", "| 7.x | 10 and later | open |"), "|android |7.x; version=10 and later\n|note |7.x open; name=open; pole:open=open\n"},
		{"a version that a row is of", table("| SDK | Supported until |", "| 3.x | 31 March 2026 |"), "|support |end |3.x; day=31 March 2026\n"},
		{"a version that a sentence is of", "# Pump\n\nFirmware 2.x is supported until 30 September 2025.\n", "2.x ^firmwar end; version=2.x; day=30 September 2025\n"},
		{"a version that is the value", "# Pump\n\nThe pump runs firmware 2.x.\n", "^pump run firmwar; version=2.x\n"},
		{"a version beside its product", table("| SDK | Runtime |", "| Python | Python 3.9 |"), "|runtim |python; version=Python 3.9; class:language=Python 3.9\n"},
		{"a link in another cell says what a row is about", table("| Data | Kept in | For |", "| readings | [[silo]] | 5 years |"), "|keep |read silo; name=silo; class:store=silo\n|read ~silo; time=5 years\n"},
		{"a link to read on", table("| Limit | Value | See |", "| readings | 5 years | [[silo]] |"), "|read ~valu; time=5 years\n|see |read silo; name=silo\n"},
		{"a line of versions beside a name", table("| Device | Firmware | Supported until |", "| Reed | 3.x | 30 June 2026 |"), "|firmwar |reed; version=3.x\n|support |end |reed |3.x; day=30 June 2026\n"},
		{"a team that owns", table("| Service | Team |", "| [[silo]] | Team Quay |"), "|team |silo |owner team quay; name=Team Quay; class:who:own=Team Quay\n"},
		{"a plan for teams", table("| Limit | Free | Team |", "| log retention | 7 days | 60 days |"), "|free |log |keep; time=7 days\n|team |log |keep; time=60 days\n"},
		{"a team beside an owner", table("| Service | Team | Owner |", "| [[silo]] | Team Quay | Ida |"), "|team |silo team quay; name=Team Quay\n|owner |silo ida; name=Ida; class:who:own=Ida\n"},
		{"a name of three words describes nothing", table("| Key | Value | Owner |", "| `kiln.fan` | on | Old Kiln House |"), "|kiln |fan |kiln.fan ~valu; yes=on\n|owner |kiln |fan |kiln.fan old kiln hous; name=Old Kiln House; class:who:own=Old Kiln House\n"},
		{"what is no key is not described", table("| Ship | Speed | Remark |", "| Alcedo | 14 kn | rebuilt for the coast line |"), "|speed |alcedo; speed=14 kn\n|remark |alcedo rebuild ?coast ?line; name=rebuilt for the coast line\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, written(t, c.page)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
