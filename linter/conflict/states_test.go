package conflict

import "testing"

// A table that uses two words for states tells them apart.
func TestStatesThatATableTellsApart(t *testing.T) {
	t.Parallel()
	boat := func(status string) string {
		return "---\ntitle: Heron\ntype: boat\nstatus: " + status + "\n---\n# Heron\n\nA boat."
	}
	register := func(one, other string) string {
		return "| Boat | Status |\n|---|---|\n| Heron | " + one + " |\n| Tern | " + other + " |\n"
	}
	holdApart(t, []minimal{
		{boat("in service"), register("laid up", "in service"), true},
		{boat("on loan"), register("moored", "on loan"), true},
		{boat("under repair"), register("sold", "under repair"), true},
		{boat("in service"), register("laid up", "moored"), false},
		{boat("in service"), register("in service", "laid up"), false},
		{boat("in service"), register("operational", "laid up"), false},
	})
}

// What a page says of itself is looked for by its other names.
func TestOtherNamesOfAPage(t *testing.T) {
	t.Parallel()
	page := func(title, alias, text string) string {
		return "---\ntitle: " + title + "\naliases: [" + alias + "]\n---\n# " + title + "\n\n" + text
	}
	holdApart(t, []minimal{
		{page("Proofer", "warming cupboard", "It lifts the dough in 40 minutes."), "The cupboard needs 90 minutes for a tray.", true},
		{page("Slipway", "ramp", "It carries boats of up to 4 t."), "The ramp takes a hull of 9 t.", true},
		{page("Reading room", "study", "Its lamps go out at 21:00."), "The study is dark from 22:30.", true},
		{page("Slipway", "ramp", "Boats of up to 4 t are carried."), "The ramp takes a hull of 9 t.", false},
		{page("Slipway", "ramp", "It carries boats of up to 4 t."), "The jetty takes a hull of 9 t.", false},
	})
}
