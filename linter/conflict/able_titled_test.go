package conflict

import "testing"

// A table on the page of a thing answers which others support it.
func TestTablesOnThePageOfWhatIsSupported(t *testing.T) {
	t.Parallel()
	titled := func(title, rows string) string {
		return "---\ntitle: " + title + "\n---\n# " + title + "\n\nA thing.\n\n" + rows
	}
	hitch := titled("Trailer hitch", "| Van | Supported |\n|---|---|\n| Robin | yes |\n| Wren | no |\n")
	guide := titled("Audio guide", "| Museum | Offered |\n|---|---|\n| Castle | no |\n")
	holdApart(t, []minimal{
		{"The Robin does not support the trailer hitch.", hitch, true},
		{"The Wren supports the trailer hitch, which is new.", hitch, true},
		{"The Castle offers an audio guide.", guide, true},
		{titled("Freezer rack", "| Lab | Included |\n|---|---|\n| Basement | yes |\n"), "The Basement does not include a freezer rack.", true},
		{"The Robin supports the trailer hitch.", hitch, false},
		{"The Robin does not support the roof box.", hitch, false},
		{"The Heron does not support the trailer hitch.", hitch, false},
		{"The Robin does not support the paint of the trailer hitch.", hitch, false},
		{"The Robin does not offer the trailer hitch.", titled("Trailer hitch", "| Van | Tested |\n|---|---|\n| Robin | yes |\n"), false},
	})
}
