package difference_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/linter/difference"
	"github.com/loopwiki/wiki/schema"
)

func TestByPage(t *testing.T) {
	t.Parallel()
	d := &difference.Document{From: difference.Revision{Name: "v1", Date: "2026-01-02"}}
	d.Pages.Added = []difference.Page{{Path: "new.md", Title: "New"}}
	d.Pages.Removed = []difference.Page{{Path: "gone.md", Title: "Gone"}}
	d.Pages.Changed = []difference.PageChange{
		{Path: "touched.md", Title: "Touched", Fields: []difference.FieldChange{{Name: "updated", Was: "2026-01-01", Now: "2026-01-02"}}},
		{Path: "pool.md", Title: "Pool", Was: "old/pool.md", Fields: []difference.FieldChange{{Name: "owner", Was: "Ada"}}, Sections: []difference.SectionChange{{
			Heading: []string{"Pool", "Hours"}, Change: difference.SectionChanged,
			Changed: []difference.Reworded{{Was: "It closes at **eight**.", Now: "It closes at `nine`, see [[sun|the sun]]."}, {Was: "**Deep**", Now: "Deep"}},
			Removed: []string{"| a \\| b | [c](d.md) |"},
			Added:   []string{"- `x` and `y`"},
		}, {Heading: []string{}, Change: difference.SectionRemoved}}},
	}
	want := &schema.SinceRevision{Name: "v1", Date: "2026-01-02", Pages: []schema.PageChange{
		{Path: "new.md", Title: "New", Kind: schema.ChangeAdded},
		{Path: "pool.md", Title: "Pool", Kind: schema.ChangeChanged, Was: "old/pool.md", Fields: []schema.LineChange{{Name: "owner", Was: "Ada"}}, Sections: []schema.SectionChange{
			{Heading: "Hours", Kind: schema.ChangeChanged, Lines: []schema.LineChange{
				{Was: "It closes at eight.", Now: "It closes at nine, see the sun."}, {Was: "a | b, c"}, {Now: "- x and y"},
			}},
			{Kind: schema.ChangeRemoved},
		}},
		{Path: "gone.md", Title: "Gone", Kind: schema.ChangeRemoved},
	}}
	if diff := cmp.Diff(want, difference.ByPage(d)); diff != "" {
		t.Error(diff)
	}
}
