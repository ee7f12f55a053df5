package conflict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// heldApart returns the values of two pages that can not both be of one thing, whatever the
// words around them say.
func heldApart(t *testing.T, a, b string) (out []string) {
	t.Helper()
	page := func(body string) string {
		if strings.HasPrefix(body, "---\n") {
			return body + "\n"
		}
		return "# Notes\n\n" + body + "\n"
	}
	m := newMatcher(compilertest.Compile(t, compilertest.Write(t, "-- a/first.md --\n"+page(a)+"-- b/second.md --\n"+page(b))))
	for _, p := range m.meetings() {
		if p.apart {
			out = append(out, fmt.Sprintf("%s: %s / %s", p.a.Class, p.a.Text, p.b.Text))
		}
	}
	return out
}

// minimal is two pages that say the contrary of each other, or only look like it.
type minimal struct {
	a, b string
	want bool
}

func holdApart(t *testing.T, all []minimal) {
	t.Helper()
	for _, c := range all {
		if got := heldApart(t, c.a, c.b); (len(got) > 0) != c.want {
			t.Errorf("%s\n%s\nheld apart: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// What one page denies another may not say.
func TestDenialsAreHeldApart(t *testing.T) {
	t.Parallel()
	holdApart(t, []minimal{
		{"The incubator works without a gas supply.", "The incubator does not work without a gas supply.", true},
		{"The incubator works without a gas supply.", "The incubator needs a gas supply.", true},
		{"The incubator works without a gas supply.", "The incubator works without a water supply.", false},
		{"The ledger does not support split invoices.", "The ledger supports split invoices.", true},
		{"The ledger does not support split invoices.", "The ledger supports invoices.", false},
		{"The ledger does not support split invoices.", "The ledger only supports split invoices in the test system.", false},
		{"There is no lift in the museum.", "The museum has a lift.", true},
		{"There is no lift in the museum.", "All floors of the museum can be reached by lift.", true},
		{"There is no lift in the museum.", "The museum has no lift.", false},
		{"There is no lift in the museum.", "The lift to the tower is taken out.", false},
		{"No licence is needed for the dinghy.", "The dinghy requires a licence.", true},
		{"No licence is needed for the dinghy.", "A licence is not required for the dinghy.", false},
		{"A deposit is not required for a rented bike.", "A deposit is required for a rented bike.", true},
		{"No deposit is needed for a rented bike.", "A rented bike needs a deposit if it is electric.", false},
		{"The key never leaves the vault.", "The key leaves the vault for a rotation.", true},
		{"The key never leaves the vault.", "The key never leaves the vault.", false},
		{"The scanner stores nothing in the cloud.", "The scanner stores pictures in the cloud.", true},
		{"Plasma must never be refrozen.", "Plasma may be refrozen once, which is enough.", true},
		{"Plasma must never be refrozen.", "Serum may be refrozen once, which is enough.", false},
		{"The importer no longer reads spreadsheets.", "The importer reads spreadsheets.", true},
		{"A talk takes no longer than 20 minutes.", "A talk takes 20 minutes.", false},
		{"The basket holds no more than 9 items.", "The basket holds items.", false},
		{"The gate not only reads cards.", "The gate reads cards.", false},
		{"The gate does not read cards yet.", "The gate reads coins.", false},
		{"The oven does not yet bake bread.", "The oven bakes bread.", false},
		{"The oven does not bake bread unless it is hot.", "The oven bakes bread.", false},
		{"The mail is not always delivered.", "The mail is delivered.", false},
		{"A page has no title, or several.", "A page has a title.", false},
		{"Do not open the hatch.", "The keeper opens the hatch.", false},
		{"The driver app does not work offline, so ring when there is no signal.", "The driver app works offline.", true},
	})
}

// What is listed is one value.
func TestListsAreHeldApart(t *testing.T) {
	t.Parallel()
	holdApart(t, []minimal{
		{"The kiln knows these programs: bisque, glaze, raku and drying.", "The kiln is always in one of three programs: bisque, glaze and raku.", true},
		{"The kiln knows these programs: bisque, glaze and raku.", "The kiln is always in one of three programs: raku, bisque and glaze.", false},
		{"The reader accepts the tag types M1, M4 and ICODE.", "The tag types accepted by the reader are M1, M5 and ICODE.", true},
		{"The reader accepts coins, cards and vouchers.", "The reader accepts only cards and vouchers.", true},
		{"The reader accepts coins, cards and vouchers.", "The reader accepts cards and vouchers.", false},
		{"The reader accepts coins, cards and vouchers.", "The reader accepts payments such as cards, cheques and vouchers.", false},
		{"The archive runs only in north-one and north-two.", "| Service | Sites |\n|---|---|\n| archive | north-one, south-one |", true},
		{"The archive runs only in north-one and north-two.", "| Service | Sites |\n|---|---|\n| archive | north-two, north-one |", false},
		{"The customs desk files papers in the Netherlands, Italy and Poland.", "Papers are filed by the customs desk in Italy, Poland and Spain.", true},
		{"The customs desk files papers in the Netherlands, Italy and Poland.", "Papers are filed by the customs desk in Italy.", false},
		{"The customs desk files papers in Italy and Poland.", "The customs desk files its papers in Spain.", true},
		{"The lab stands on these floors: first, second and attic.", "The lab has four floors.", true},
		{"The lab stands on these floors: first, second and attic.", "The lab has three floors.", false},
		{"The lab stands on four floors. The floors are: first, second and attic.", "The lab has four floors.", false},
		{"A parcel is in one of these states: packed, sent or lost.", "States of a parcel in the office:\n\n- packed\n- sent\n- lost\n- returned", true},
		{"A parcel is in one of these states: packed, sent or lost.", "States of a parcel in the office:\n\n- lost\n- packed\n- sent", false},
		{"The data of drivers stay in the northern regions, north-one and north-two.", "The archive runs only in north-one and north-two.", false},
		{"The shop sells honey, wax and candles.", "The shop repairs clocks, lamps and watches.", false},
		{"The plate code is the second field of a name, and the scanner uses it.", "The plate code is the second field of a name, and the printer prints it.", false},
	})
}

// Names of one of several things of a kind, products with their versions, places in an order,
// and what a status says, are values.
func TestNamesAreHeldApart(t *testing.T) {
	t.Parallel()
	field := func(key, value string) string {
		return "---\ntitle: Mail desk\ntype: service\n" + key + ": " + value + "\n---\n# Mail desk\n\nLetters."
	}
	holdApart(t, []minimal{
		{"Seeds are kept in freezer C.", "Seeds are kept in freezer F.", true},
		{"Seeds are kept in freezer C.", "Seeds are kept in freezer C.", false},
		{"Seeds are kept in freezer C.", "Seeds are brought in van F.", false},
		{"The archive runs on ClickHouse 24.8.", "The archive runs on BigQuery.", true},
		{"The archive runs on ClickHouse 24.8.", "The archive runs on ClickHouse.", false},
		{"**Minimum Android version:** 10", "The van app needs Android 12 or newer.", true},
		{"**Minimum Android version:** 10", "The van app needs iOS 12 or newer.", false},
		{"**Minimum TLS version:** 1.2", "The door refuses clients that speak anything older than TLS 1.3.", true},
		{"| App | Android | iOS |\n|---|---|---|\n| 7.x | 10 and later | 15 and later |", "The app supports iOS 16 and later.", true},
		{"| App | Android | iOS |\n|---|---|---|\n| 7.x | 10 and later | 15 and later |", "The app supports iOS 15 and later.", false},
		{"It needs Python 3.10 or newer.", "| Kit | Runtime |\n|---|---|\n| Kit | Python 3.9 |", true},
		{"Wages are paid on the third working day of the month.", "Wages are paid on the fifth working day of the month.", true},
		{"Wages are paid on the third working day of the month.", "Wages are paid in the second half of the month.", false},
		{"Blobs are compressed with gzip.", "Blobs are compressed with zstd.", true},
		{field("status", "deprecated"), "The mail desk is active as well.", true},
		{field("status", "active"), "The mail desk is active as well.", false},
		{field("owner", "Harbour"), "| Component | Team |\n|---|---|\n| Mail desk | Quay |", true},
		{field("owner", "Harbour"), "| Component | Team |\n|---|---|\n| Mail desk | Harbour |", false},
		{field("owner", "Harbour"), "| Component | Bank |\n|---|---|\n| Mail desk | Quay |", false},
		{"---\ntitle: One queue\ntype: decision\nstatus: accepted\ndate: 2024-03-05\n---\n# One queue\n\nOne.", "| Decision | Date |\n|---|---|\n| One queue | 2024-03-12 |", true},
		{"---\ntitle: One queue\ntype: service\ndate: 2024-03-05\n---\n# One queue\n\nOne.", "| Decision | Date |\n|---|---|\n| One queue | 2024-03-12 |", false},
		{"Version 5.2 of the kiosk was released on 19 March 2026.", "---\ntitle: Releases\ntype: changelog\n---\n# Releases\n\n| release | date |\n|---|---|\n| Kiosk 5.2 | 2026-03-12 |", true},
	})
}

// What comes first is told by two verbs, or by two nouns.
func TestOrdersAreHeldApart(t *testing.T) {
	t.Parallel()
	holdApart(t, []minimal{
		{"The pallet is weighed after its lot is created, so the field is empty.", "Weigh the pallet before the lot is created.", true},
		{"The pallet is weighed after its lot is created.", "Create the lot before the pallet is weighed.", false},
		{"The door authenticates a request before it counts it against the limit.", "For each call, the door counts the request first and authenticates it afterwards.", true},
		{"The door counts a request before it authenticates it.", "For each call, the door counts the request first and authenticates it afterwards.", false},
		{"Size selection comes after adapter ligation.", "Size selection is done before adapter ligation: it is easier.", true},
		{"Size selection comes after adapter ligation.", "Adapter ligation is done before size selection.", false},
		{"When the lid is shut, the culture is mixed before the valve is opened.", "Mixing of the culture begins only after the valve has been opened.", true},
		{"When the lid is shut, the culture is mixed before the valve is opened.", "Opening of the valve begins only after the culture has been mixed.", false},
		{"If the lid is shut, the culture is mixed before the valve is opened.", "Mixing of the culture begins only after the valve has been opened.", false},
		{"When the lid is shut, the culture is mixed before the valve is opened.", "Mixing of the culture began after the valve had been opened.", false},
		{"The dough is shaped before it is proved.", "The dough is shaped after it is proved.", true},
		{"The dough is shaped before it is proved.", "The dough is shaped after it is salted.", false},
		{"The dough is shaped before it is proved.", "The dough is shaped two hours after it is proved if it is wet.", false},
		{"The gate closes 5 minutes before the train leaves.", "The gate closes 5 minutes after the train leaves the yard or the pier.", false},
	})
}
