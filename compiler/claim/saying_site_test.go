package claim_test

import "testing"

// Where in a house something is, whatever says so.
func TestSites(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"stands in", "# Rack\n\nThe rack stands in the basement of the town hall.\n", "class:site=the basement of the town hall", ""},
		{"is in", "# Rack\n\nThe rack is in the printer room on the third floor.\n", "class:site=the printer room on the third floor", ""},
		{"you find it", "# Rack\n\nYou find the rack in the fire station.\n", "class:site=the fire station", ""},
		{"what is near", "# Rack\n\nThe rack stands behind the kitchen.\n", "", "class:site"},
		{"something of a place", "# Rack\n\nThe rack is in the cellar air.\n", "", "class:site"},
		{"where it was", "# Rack\n\nThe rack stood in the cellar.\n", "", "class:site"},
		{"where it is not", "# Rack\n\nThe rack is not in the cellar.\n", "", "class:site"},
		{"two places", "# Racks\n\nRacks stand in the cellar and the attic.\n", "", "class:site"},
		{"a field", "---\nlocation: second gallery, stage left\n---\n# Rack\n", "class:site=second gallery", ""},
		{"a line", "# Rooms\n\n**Server rack:** third floor, printer room.\n", "class:site=third floor, printer room", ""},
		{"a cell", "# Kit\n\n| Part | Room |\n|---|---|\n| sequencer | 2.14 |\n", "class:site=2.14", ""},
		{"what a room holds", "# Rooms\n\n| Room | Content |\n|---|---|\n| 0.12 | ferns, mosses |\n", "|moss |keep; class:site=0.12", ""},
		{"a label that gives no place", "# Rack\n\n**Colour:** third floor green\n", "", "class:site"},
	})
}
