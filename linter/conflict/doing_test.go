package conflict

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// Who and which: minimal pairs over many domains, each with a page of its own.
func TestWhoAndWhich(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		// Who approves, owns, releases.
		{"A refund is approved by the duty manager.", "A refund is signed off by the head of sales.", true},
		{"A refund is approved by the head of sales.", "The sales lead signs off a refund.", false},
		{"A refund is approved by the data protection officer.", "The DPO approves a refund.", false},
		{"A refund is approved by the senior duty manager.", "A refund is approved by the duty manager.", false},
		{"A refund is approved by the sales team.", "A refund is approved by the head of sales.", false},
		{"A refund is approved by the on-call engineer.", "A refund is approved by the billing team.", false},
		{"A refund is approved by the duty manager and the shop lead.", "A refund is approved by the duty manager.", false},
		{"A refund above 500 EUR is approved by the finance director.", "A refund is approved by the shop lead.", false},
		{"A refund above 500 EUR is approved by the finance director.", "A refund above 500 EUR is approved by the shop lead.", true},
		{"A refund can be approved by the shop lead.", "A refund is approved by the finance director.", false},
		{"The refund ledger is owned by the payments team.", "The harvest team owns the refund ledger.", true},
		{"The refund ledger is owned by the payments team.", "The deputy of the refund ledger is the harvest team.", false},
		{"A refund is approved by Jane Doe.", "A refund is approved by the head of sales.", false},
		// What else is done is compared where one says that only one role does it.
		{"Only the harbour master opens the refund lock.", "A deckhand crew opens the refund lock.", true},
		{"The harbour master opens the refund lock.", "The bridge operator opens the refund lock.", false},
		{"Only the harbour master opens the refund lock.", "The harbour master opens the refund lock.", false},
		// In what, on what, through whom.
		{"The refund ledger lives in MeterBase.", "The refund ledger is stored in PostgreSQL.", true},
		{"The refund ledger lives in Redis.", "The refund ledger is stored in PostgreSQL.", true},
		{"The refund ledger lives in MeterBase.", "The refund ledger was stored in PostgreSQL.", false},
		{"The refund ledger can be stored in MeterBase.", "The refund ledger is stored in PostgreSQL.", false},
		{"The refund ledger is stored in MeterBase or in PostgreSQL.", "The refund ledger is stored in PostgreSQL.", false},
		{"The refund ledger runs in eu-west-1.", "The refund ledger runs in us-east-2.", true},
		{"The refund ledger runs in eu-west-1.", "The refund ledger is hosted in Dublin.", false},
		{"The refund ledger runs in eu-west.", "The refund ledger runs in eu-west-1.", false},
		{"A copy of the refund ledger is placed in Oslo.", "A copy of the refund ledger is placed in Bergen.", true},
		{"Refund letters are sent through Osprey Post.", "Refund letters go out through Heron Mail.", true},
		{"Refund letters are sent through Osprey Post.", "Refund letters are sent through Osprey.", false},
		{"Refund letters are sent through Osprey Post.", "Refund letters go out through Heron Mail, and a reply ends them.", true},
		{"Refund letters are sent through Osprey Post.", "Refund letters go out through Osprey Post, and a reply ends them.", false},
		{"The refund score is calculated with Trueskill2.", "We compute the refund score with the Brier formula.", true},
		// Algorithms with their numbers.
		{"Refund files are encrypted with AES-128.", "Refund files are encrypted with 256-bit AES.", true},
		{"Refund files are encrypted with AES-256.", "Refund files are encrypted with AES-256-GCM.", false},
		{"Refund files are encrypted with AES.", "Refund files are encrypted with AES-256.", false},
		{"Refund files are hashed with SHA-256.", "Refund files are hashed with SHA-512.", true},
		{"Refund files are hashed with SHA-2.", "Refund files are hashed with SHA-512.", false},
		{"Refund files are fetched over HTTP/2.", "Refund files are fetched over HTTP/1.1.", true},
	} {
		t.Run(c.a+" / "+c.b, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Refund rules\n\n"+c.a+"\n-- b.md --\n# Counter\n\n"+c.b+"\n"))
			m := &matcher{finder: newFinder(w), seen: map[string]int{}}
			m.read(claim.English().Sayings)
			got := ""
			for _, p := range m.meetings() {
				if strings.HasPrefix(p.a.Class, "class:") && p.apart && !p.a.Doubted && !p.b.Doubted {
					got += p.a.Class + " " + p.a.Text + "/" + p.b.Text + "; "
				}
			}
			if (got != "") != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}

// A name that is a page of the wiki is that of a thing of its own.
func TestPlacesThatArePages(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Refund rules\n\nRefund notes are kept in MeterBase.\n-- b.md --\n# Counter\n\nRefund notes are kept in PostgreSQL.\n-- c.md --\n# MeterBase\n\nOur ledger.\n"))
	m := &matcher{finder: newFinder(w), seen: map[string]int{}}
	m.read(claim.English().Sayings)
	for _, p := range m.meetings() {
		if p.a.Class == "class:store" {
			t.Errorf("%s/%s", p.a.Text, p.b.Text)
		}
	}
}
