package conflict

// momentPairs are statements about when something is, how often, and how hot.
var momentPairs = []struct{ a, b, want string }{
	{"Log backup|The log backup starts at 02:00.", "Operations|The log backup starts at 3 am.", "numeric-conflict"},
	{"Log backup|The log backup starts at 02:00.", "Operations|The log backup starts at 2 am.", ""},
	{"Log backup|The log backup starts at 02:00 UTC.", "Operations|The log backup starts at 03:00 CET.", ""},
	{"Log backup|The log backup starts at 02:00 UTC.", "Operations|The log backup starts at 05:00 CET.", "numeric-conflict"},
	{"Log backup|The log backup starts at 02:00 UTC.", "Operations|The log backup starts at 05:00.", ""},
	{"Town library|The town library closes at noon.", "Visiting|The town library closes at 18:00.", "numeric-conflict"},
	{"Town library|The town library is open from 9 am to 5 pm.", "Visiting|The town library is open from 10:00 to 17:00.", "numeric-conflict"},
	{"Town library|The town library is open from 9 am to 5 pm.", "Visiting|The town library is open from 09:00 to 17:00.", ""},
	{"Town library|The town library opens at 9:00.", "Visiting|On Saturdays the town library opens at 11:00.", ""},
	{"Chess club|The chess club meets on Mondays.", "Town|The chess club meets every Tuesday.", "numeric-conflict"},
	{"Chess club|The chess club meets on Mondays.", "Town|The chess club meets every Monday.", ""},
	{"Chess club|The chess club meets on Mondays.", "Town|The chess club meets on Mondays and Thursdays.", ""},
	{"Art museum|Admission to the art museum is free on Sundays.", "Prices|Admission to the art museum is free on Tuesdays.", ""},
	{"Harbour bridge|The harbour bridge opens in Q3 2026.", "Traffic|The harbour bridge opens in Q1 2027.", "date-conflict"},
	{"Harbour bridge|The harbour bridge opens in Q3 2026.", "Traffic|The harbour bridge opens in August 2026.", ""},
	{"Harbour bridge|The harbour bridge opens in spring 2026.", "Traffic|The harbour bridge opens in autumn 2026.", "date-conflict"},
	{"Harbour feast|The harbour feast takes place on 4 July.", "Calendar|The harbour feast takes place on 11 July.", "date-conflict"},
	{"Harbour feast|The harbour feast takes place on 4 July.", "Calendar|The harbour feast takes place on July 4.", ""},
	{"Harbour feast|The harbour feast takes place on 4 July.", "Calendar|The harbour feast takes place on 11 July 2026.", ""},
	{"User account|The user account is locked after the third attempt.", "Help desk|The user account is locked after five attempts.", "numeric-conflict"},
	{"User account|The user account is locked after the third attempt.", "Help desk|The user account is locked after three attempts.", ""},
	{"Import job|The import job runs weekly.", "Operations|The import job runs every 7 days.", ""},
	{"Import job|The import job runs weekly.", "Operations|The import job runs every month.", "numeric-conflict"},
	{"Import job|- **Schedule:** `0 3 * * *`", "Operations|\n\n| Job | Schedule |\n|---|---|\n| [[p0]] | weekly |", "numeric-conflict"},
	{"Import job|- **Schedule:** `0 3 * * *`", "Operations|\n\n| Job | Schedule |\n|---|---|\n| [[p0]] | daily |", ""},
	{"Cold store|The cold store is kept at 4 °C.", "Kitchen audit|The cold store is kept at 39.2 °F.", ""},
	{"Cold store|The cold store is kept at 4 °C.", "Kitchen audit|The cold store is kept at 45 °F.", "numeric-conflict"},
	{"Bench pump|The bench pump delivers 250 µl.", "Protocol|The bench pump delivers 0.25 ml.", ""},
	{"Bench pump|The bench pump delivers 250 µl.", "Protocol|The bench pump delivers 2.5 ml.", "numeric-conflict"},
	{"Main fan|The main fan turns at 1,200 rpm.", "Service|The main fan turns at 900 rpm.", "numeric-conflict"},
	{"Page margin|The page margin is 16 px.", "Style guide|The page margin is 24 px.", "numeric-conflict"},
	{"Main fan|The main fan runs on 12 V.", "Service|The main fan runs on 24 V.", "numeric-conflict"},
}

// localPairs are statements of pages in other languages than English.
var localPairs = []struct{ a, b, want string }{
	{"Pumpwerk Nord|Das Pumpwerk ist an der Elbe und wird von der Stadt betrieben.\n\n- **Gewicht:** 1.500 kg\n- **Frist:** 30 Tage", "Plants|\n\n| Plant | Gewicht |\n|---|---|\n| [[p0]] | 1,500 kg |", ""},
	{"Pumpwerk Nord|Das Pumpwerk ist an der Elbe und wird von der Stadt betrieben.\n\n- **Gewicht:** 1.500 kg\n- **Frist:** 30 Tage", "Plants|\n\n| Plant | Frist |\n|---|---|\n| [[p0]] | 2 weeks |", "numeric-conflict"},
	{"Estación Norte|La estación es la más grande de la ciudad y tiene 6 vías.\n\ncaudal:: 2,5 l", "Listado|\n\n| Estación | Caudal |\n|---|---|\n| [[p0]] | 4 l |", "numeric-conflict"},
	{"Estación Norte|La estación es la más grande de la ciudad con las dos vías.\n\ncaudal:: 2,5 l", "Listado|\n\n| Estación | Caudal |\n|---|---|\n| [[p0]] | 2500 ml |", ""},
	{"Station Nord|Die Station Nord hat 4 Gates und ist an der Elbe mit dem Hafen verbunden.", "Hafen|Die Station Nord hat 5 Gates und ist an der Elbe mit der Stadt verbunden.", ""},
}
