package temporal

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A person fetches evidence while a worker writes it: the file that is not renamed yet is no
// evidence.
func TestFolderListsWhatIsWhole(t *testing.T) {
	t.Parallel()
	f := Folder(t.TempDir())
	if names, err := f.List(t.Context(), "r"); err != nil || len(names) > 0 {
		t.Errorf("before anything is there: %q, %v", names, err)
	}
	if err := f.Put(t.Context(), "r/run/call.json", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"call.json.27198.new", "call.json.27198-1.new"} {
		if err := os.WriteFile(filepath.Join(string(f), "r", "run", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := f.List(t.Context(), "r"); err != nil || !slices.Equal(names, []string{"r/run/call.json"}) {
		t.Errorf("%q, %v", names, err)
	}
}
