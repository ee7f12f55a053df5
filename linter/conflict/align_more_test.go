package conflict

import "testing"

func TestAlignedElsewhere(t *testing.T) {
	checkAligned(t, []alignedPair{
		// A library, a farm and a port contradict themselves.
		{"lab/heron|Heron|The Heron takes 12 minutes per plate.", "lab/guide|Guide|A plate takes 20 minutes on the Heron.", false},
		{"lab/heron|Heron|The warm-up time of the Heron is 15 minutes.", "lab/guide|Guide|The Heron warms up for 30 minutes.", false},
		{"hall/lamp|Projector|The lamp of the projector is replaced after 2,000 hours.", "hall/care|Care|Replace the lamp of the projector every 1,500 hours.", false},
		{"library/desk|Loan desk|The loan desk was built in 2019.", "library/list|Furniture|\n| thing | built |\n|---|---|\n| Loan desk | 2020 |", false},
		{"library/loan|Loans|Lost books are billed after 90 days.", "admin/fees|Fees|Lost books are billed after 60 days.", false},
		{"library/loan|Loans|A reader may borrow up to 12 books.", "library/guide|Guide|As in [[loan]], a reader can have at most 8 books.", false},
		{"library/hours|Hours|The reading room closes at 20:00.", "library/guide|Guide|The reading room closes at 21:00.", false},
		{"library/catalogue|Catalogue|The catalogue runs on Solr 9.", "library/servers|Servers|The catalogue runs on Solr 8.", false},
		{"library/members|Members|The yearly fee is EUR 24.", "admin/prices|Prices|\n| what | price |\n|---|---|\n| Yearly fee | EUR 30 |", false},
		{"farm/milk|Milking|Cows are milked twice a day.", "farm/day|Daily plan|Cows are milked three times a day.", false},
		{"farm/silo|Silo|The grain in the silo is kept below 15 °C.", "farm/checks|Checks|The grain in the silo is kept below 18 °C.", false},
		{"farm/tractor|Tractor|The tractor is owned by North Yard.", "farm/list|Machines|\n| machine | owner |\n|---|---|\n| Tractor | Hill Farm |", false},
		{"farm/tractor|Tractor|status: active\n---\nRed.", "farm/list|Machines|\n| machine | status |\n|---|---|\n| [[tractor]] | retired |", false},
		{"farm/spray|Spraying|Spraying is not allowed near the pond.", "farm/pond|Pond|Spraying is allowed near the pond.", false},
		{"port/crane|Crane 4|Crane 4 lifts at most 45 t.", "port/yard|Yard|Crane 4 must not lift more than 40 t.", false},
		{"port/crane|Crane 4|Crane 4 stands at berth 7.", "port/yard|Berths|\n| crane | berth |\n|---|---|\n| [[crane]] | 6 |", false},
		{"port/pilot|Pilots|Ships longer than 120 m take a pilot.", "port/rules|Rules|Ships longer than 100 m take a pilot. See [[pilot]].", false},
		{"port/gate|North gate|Trucks wait at the north gate for at most 20 minutes.", "port/lorry|Trucks|Trucks wait at the north gate for at most 45 minutes.", false},
		{"port/tide|Tide office|`tide.refresh` is set to 30 s.", "port/keys|Keys|\n| key | value | meaning |\n|---|---|---|\n| `tide.refresh` | 60 s | how often the table is read |", false},
		// They do not.
		{"library/a|Branch North|The reading room has 40 seats.", "library/b|Branch South|The reading room has 60 seats.", true},
		{"library/loan|Loans|A book is lent for 28 days.", "library/dvd|Films|A film is lent for 7 days.", true},
		{"library/loan|Loans|A book is lent for 28 days by default.", "library/max|Limits|\n| limit | value |\n|---|---|\n| Loan of a book | 90 days |", true},
		{"library/fine|Fines|The fine is 0.20 euros per day.", "library/most|Most|The fine is at most 10 euros.", true},
		{"library/seat|Seats|Each table has 4 seats.", "library/room|Room|The room has 40 seats.", true},
		{"library/x|Kiosk|The kiosk supports at least 5 languages.", "library/y|Screens|The kiosk supports 8 languages.", true},
		{"library/x|Kiosk|## History\n\nThe kiosk had 2 screens.", "library/y|Screens|The kiosk has 4 screens.", true},
		{"library/x|Kiosk|> The kiosk has 2 screens.", "library/y|Screens|The kiosk has 4 screens.", true},
		{"library/x|Kiosk|The kiosk is restarted every 12 hours.", "library/y|Screens|The kiosk is restarted twice a day.", true},
		{"library/x|Kiosk|The kiosk keeps logs for 14 days.", "library/y|Screens|In summer the kiosk keeps logs for 30 days.", true},
		{"farm/silo|Silo|The silo holds 400 t.", "farm/silo-2|Small silo|The small silo holds 90 t.", true},
		{"farm/silo|Silo|The silo should hold 500 t after the works.", "farm/now|Stores|The silo holds 400 t.", true},
		{"farm/temp|Stable|The stable is kept between 12 and 18 °C.", "farm/day|Daily|The stable is kept at 15 °C.", true},
		{"farm/cow|Cows|A cow gives about 28 litres of milk.", "farm/milk|Milk|A cow gives 30 litres of milk.", true},
		{"farm/test|Test field|On the test field rows are 40 cm apart.", "farm/field|Fields|Rows are 75 cm apart.", true},
		{"farm/a|Field A|The soil is limed every 3 years.", "farm/b|Field B|The soil is limed every 5 years.", true},
		{"port/min|Depth|The least depth of the basin is 9 m.", "port/max|Chart|\n| place | greatest depth |\n|---|---|\n| Basin | 14 m |", true},
		{"port/out|Outbound|Outbound ships report 2 hours before departure.", "port/in|Inbound|Inbound ships report 6 hours before arrival.", true},
		{"port/v1|Radio 1.0|The radio has 12 channels.", "port/v2|Radio 2.0|The radio has 20 channels.", true},
		{"port/wind|Wind|When the wind is strong a berth is free for 1 hour.", "port/berth|Berths|A berth is free for 4 hours.", true},
		{"port/u|Users|A pilot has 3 keys.", "port/g|Groups|A crew has 12 keys.", true},
		{"port/soft|Soft|The soft limit is 80 containers per ship.", "port/hard|Limits|\n| limit | value |\n|---|---|\n| Containers per ship, hard limit | 120 |", true},
		{"port/warm|Warm|A warm start takes 2 minutes.", "port/cold|Cold|A cold start takes 9 minutes.", true},
		{"port/ask|Questions|Should a berth be free for 8 hours?", "port/berth|Berths|A berth is free for 4 hours.", true},
	})
}
