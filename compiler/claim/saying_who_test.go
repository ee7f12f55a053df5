package claim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// parts writes the clauses of a page that are told again: what fills a place, and the words.
func parts(t *testing.T, page string) string {
	t.Helper()
	var out []string
	for _, s := range claim.English().Sayings(compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n# Pump\n\n"+page+"\n")).Pages()[0]) {
		for i, v := range s.Values {
			if s.Part && i > 0 || !s.Part && !slices.ContainsFunc([]string{"class:who:", "class:place", "class:store", "class:vendor", "class:algorithm", "class:cipher", "class:hash", "class:protocol"}, func(c string) bool { return strings.HasPrefix(v.Class, c) }) {
				continue
			}
			mark := ""
			if v.Only {
				mark += "!"
			}
			if v.May {
				mark += "?"
			}
			text := strings.TrimPrefix(v.Class, "class:") + "=" + mark + strings.Join(v.Value.Words, " ")
			if s.Part {
				var words []string
				for _, w := range s.Words {
					words = append(words, w.Concept)
				}
				text += fmt.Sprint(" of ", strings.Join(words, " "))
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}

// Who does something: a role or a team that stands before the verb or behind by.
func TestDoers(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"A refund is approved by the duty manager.":                                "who:approv=duty manager of refund approv",
		"Every refund is signed off by the head of sales.":                         "who:approv=sales head of refund approv",
		"A contract is approved by the head of legal affairs, who reads it twice.": "who:approv=legal affairs head of contract approv",
		"Only the harbour master closes the lock.":                                 "who:clos=!?harbour master of lock clos",
		"The on-call engineer restarts the broker.":                                "who:restart=?on-call engineer of broker restart",
		"Have the ward manager release the bed.":                                   "who:releas=ward manager of bed releas",
		"An order above 500 EUR waits until the purchasing lead releases it.":      "who:releas=purchasing lead of order wait releas",
		"While the lead is ill, the ledger is maintained by Dina Marsh.":           "who:own=?dina marsh of whil lead ill ledger own",
		"Nobody outside the data team reads the raw table.":                        "who:read=!?data team of raw tabl read",
		"Only an operator in the control room may open the gate.":                  "who:open=!?operator of control room gate open",
		"The gate may be opened only by the duty officer.":                         "who:open=!?duty officer of gate open",
		"Nobody but the lab technician opens the freezer.":                         "who:open=!?lab technician of freezer open",
		"The payments team owns the ledger.":                                       "who:own=payments team of ledger own",
		"The ledger is maintained by Team Harbour.":                                "who:own=harbour team of ledger own",
		"The data office is responsible for the register.":                         "who:own=data office of register own",
		"A change needs the approval of the safety board.":                         "who:approv=safety board of chang need approv",
		"**Approved by:** the chief engineer":                                      "who:approv=chief engineer of approv",
		"| Policy | Approver |\n|---|---|\n| Refunds | head of sales |":            "who:approv=sales head",
		"| Page | Owner |\n|---|---|\n| Refunds | Team Till |":                     "who:own=till team",
		"Licences are approved by Jane Doe.":                                       "who:approv=jane doe of licens approv",
		// Look-alikes: no one, anyone, one of several, another time, things.
		"The refund is approved by the user.":                           "",
		"The refund is approved by your manager.":                       "",
		"The refund is approved by a manager.":                          "",
		"The refund is approved by the duty manager and the shop lead.": "",
		"The refund was approved by the duty manager.":                  "",
		"The refund is not approved by the duty manager.":               "",
		"The refund can also be approved by the duty manager.":          "",
		"The report is produced by the team page.":                      "",
		"Refunds approved by the duty manager are paid at once.":        "",
		"The duty manager console shows all refunds.":                   "",
		"The former duty manager approves refunds.":                     "",
		"The chart is rendered by Osprey.":                              "thing:render by=osprey of chart render",
		"The deployment controller loop approves pods.":                 "",
		"Any duty manager approves refunds.":                            "",
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, parts(t, page)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// In what, on what, through whom: names in their places.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"The ledger lives in CockroachDB, so that ranges can be restored.": "store=cockroachdb of ledger life",
		"The meter stores its readings in MeterBase.":                      "store=meterbase of meter keep read",
		"The prod cluster lives in west-1.":                                "place=west-1 of produc cluster life",
		"A copy of every snapshot is placed in Oslo.":                      "place=oslo of copy snapshot plac",
		"Letters go out through Osprey Post, and replies come back.":       "vendor=osprey post of letter go out",
		"The rating is calculated with Trueskill2.":                        "algorithm=trueskill2 of rate calcul",
		"The score is computed with the Brier formula.":                    "algorithm=brier of scor calcul formula",
		"| Environment | Region |\n|---|---|\n| production | north-2 |":    "place=north-2",
		"| Key | Vendor |\n|---|---|\n| sms | `osprey-text` |":             "vendor=osprey text",
		// Algorithms and protocols with their numbers.
		"Payloads are encrypted with AES-128.":     "cipher=aes 128; algorithm=aes 128 of payload encrypt",
		"Payloads are encrypted with 256-bit AES.": "cipher=aes 256",
		"Payloads are encrypted with AES-256-GCM.": "cipher=aes 256 gcm; algorithm=aes 256 gcm of payload encrypt",
		"Tokens are signed with RSA 2048.":         "cipher=rsa 2048; algorithm=rsa 2048 of token sign",
		"Deliveries are signed with HMAC-SHA-256.": "hash=sha 256; algorithm=sha 256 of deliver sign",
		"Passwords are hashed with SHA-512.":       "hash=sha 512; algorithm=sha 512 of password hash",
		"Clients speak HTTP/2 to the gateway.":     "protocol=http 2",
		"Clients speak HTTP/1.1 to the gateway.":   "protocol=http 1.1",
		"Clients talk over WebSocket.":             "protocol=websocket",
		// Look-alikes: several, another time, what can be, tables and paths, no names.
		"Data can be stored in MeterBase.":                    "",
		"Data is stored in MeterBase or in Foundry2.":         "",
		"The platform runs in eu-west, eu-north and us-east.": "",
		"The story is kept in Chapter 6.":                     "",
		"Tensors are kept in one Metal buffer.":               "",
		"Data was stored in MeterBase.":                       "",
		"Data is not stored in MeterBase.":                    "",
		"The team moved from MeterBase to GridBase.":          "",
		"Rows are written to `readings_raw`.":                 "",
		"Prices are kept in EUR.":                             "thing:keep in=eur of pric keep",
		"Readings are kept in March.":                         "",
		"The cabinet is placed in the cellar.":                "site=cellar of cabinet keep",
		"Data is stored in [[ledger]].":                       "",
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, parts(t, page)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A wiki adds nouns of roles of its own.
func TestDoersOfAWiki(t *testing.T) {
	t.Parallel()
	page := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Bar\n\nA refund is approved by the shift barista.\n")).Pages()[0]
	count := func(l *claim.Lexicon) (n int) {
		for _, s := range l.Sayings(page) {
			if s.Part {
				n++
			}
		}
		return n
	}
	own := claim.English().Extended(&schema.ClaimsConfig{Classes: map[string][]string{"actor": {"barista"}}})
	if before, with := count(claim.English()), count(own); before != 0 || with != 1 {
		t.Errorf("%d without the word, %d with it", before, with)
	}
	if count(claim.English()) != 0 {
		t.Error("the built-in words have changed")
	}
}
