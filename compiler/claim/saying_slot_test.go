package claim_test

import "testing"

// What stands behind any verb and a preposition may stand there once.
func TestSlots(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"with something", "# Hive\n\nThe hive is insulated with cork.\n", "class:slot:insul by=cork", ""},
		{"on something", "# Desk\n\nParcels are weighed on the floor scale.\n", "class:slot:weight on=floor scale", ""},
		{"by something", "# Gate\n\nThe tag is read by the antenna in the gate.\n", "class:slot:read by=antenna", ""},
		{"by somebody is compared as such", "# Gate\n\nThe tag is read by the shift leader.\n", "", "class:slot"},
		{"how", "# Gate\n\nThe tag is read by default.\n", "", "class:slot"},
		{"when", "# Gate\n\nThe tag is read in the morning.\n", "", "class:slot"},
		{"where it holds", "# Gate\n\nTags are checked in production.\n", "", "class:slot"},
		{"a number", "# Gate\n\nThe gate listens on port 8443.\n", "", "class:slot"},
		{"what is denied", "# Hive\n\nThe hive is not insulated with cork.\n", "", "class:slot"},
		{"what was", "# Hive\n\nThe hive was insulated with cork until 2019.\n", "", "class:slot"},
		{"a noun", "# Gate\n\nThe report on the gate is long.\n", "", "class:slot"},
		{"where it is fastened", "# Gauge\n\nThe gauge hangs on the north wall.\n", "class:thing:fastened on=north wall", ""},
		{"which of a kind", "# Panel\n\nThe display is an LCD panel.\n", "class:slot:is panel=LCD panel", ""},
		{"no more than what it is", "# Panel\n\nThe display is a panel.\n", "", "class:slot"},
	})
}

// The name of what something uses, with its version or without.
func TestUsed(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"runs", "# Server\n\nThe server runs openHAB on a small machine.\n", "class:slot:use=openHAB", ""},
		{"uses", "# Server\n\nThe server uses Quillon.\n", "class:slot:use=Quillon", ""},
		{"is based on", "# Server\n\nThe server is based on Quillon.\n", "class:slot:use=Quillon", ""},
		{"uses two", "# Server\n\nThe server uses Quillon and Tessaria.\n", "", "class:slot"},
		{"a version", "# Board\n\nThe board runs Stockfish 16 in the browser.\n", "version=Stockfish 16", ""},
		{"a version behind a label", "# Board\n\n- board: Stockfish 17, compiled to WebAssembly\n", "version=Stockfish 17", ""},
		{"which of two", "# Desks\n\nThe desk Orion 2 is in the booth.\n", "", "version="},
	})
}

// What a word denies by its prefix.
func TestNegated(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"in the lexicon", "# Game\n\nThe game is non-deterministic.\n", "pole:deterministic=non-deterministic", ""},
		{"in the clear", "# Desk\n\nRules are stored in the clear.\n", "pole:encrypt=in the clear", ""},
		{"a noun says nothing", "# Desk\n\nCompression takes a second.\n", "", "pole:compress"},
		{"switched off for something", "# Desk\n\nThe lamp is switched off for the day.\n", "pole:on=off", ""},
	})
}

// What may be so or not says of nothing that it is.
func TestEither(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"one of two", "# Guard\n\nThe door is open or closed.\n", "", "pole:open"},
		{"in a case", "# Guard\n\nThe guard sleeps if the door is closed.\n", "", "pole:open"},
		{"always", "# Guard\n\nThe door is closed when the guard sleeps.\n", "pole:open=closed", ""},
	})
}
