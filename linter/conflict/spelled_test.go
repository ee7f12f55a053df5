package conflict

import "testing"

// Some write a well-known name with a hyphen.
func TestNamesWithAHyphen(t *testing.T) {
	t.Parallel()
	holdApart(t, []minimal{
		{"The doorbell reports over Wi-Fi.", "The doorbell reports over Bluetooth.", true},
		{"The soil probe joins the greenhouse by Z-Wave.", "The soil probe joins the greenhouse by Zigbee.", true},
		{"The till prints its receipts over Blue-Tooth.", "The till prints its receipts over WiFi.", true},
		{"The doorbell reports over Wi-Fi.", "The doorbell reports over WiFi.", false},
		{"The doorbell hangs in corridor S-3.", "The doorbell hangs in corridor NFS.", false},
		{"The doorbell reports over Wi-Fi.", "The doorbell reports over Ethernet.", false},
	})
}

// A glossary says what a term can be.
func TestTermsOfAGlossary(t *testing.T) {
	t.Parallel()
	const loan = "**Loan state** — how far a loan of the library is: requested, granted, overdue or settled."
	holdApart(t, []minimal{
		{loan, "A loan of the library is in one of these states: requested, granted or settled.", true},
		{"**Dough stage** – how far the dough of the bakery is: mixed, proved, shaped or baked.", "The dough of the bakery has these stages: mixed, proved, shaped, glazed and baked.", true},
		{"**Berth kind** — what a berth of the marina is: quay, buoy or pontoon.", "The berths of the marina are of these kinds: quay, buoy, pontoon and trailer.", true},
		{loan, "A loan of the library is in one of these states: requested, granted, overdue and settled.", false},
		{"**Loan state** — how far a loan of the library is, such as: requested, granted, overdue or settled.", "A loan of the library is in one of these states: requested, granted or settled.", false},
		{"**Loan state** — what a loan of the library was: requested, granted, overdue or settled.", "A loan of the library is in one of these states: requested, granted or settled.", false},
	})
}
