package spec

import (
	"strconv"

	"github.com/loopwiki/wiki/schema"
)

// ForHarness is the document with the roles of loops.roles instead of vendors' models, so
// that a harness plays them: maker for workers, checker for rubrics. Its level is at least
// that of the harness.
func (d *Document) ForHarness(name string, least int) (*Document, error) {
	root := d.Root
	for key, role := range map[string]string{"workers": "maker", "evaluators": "checker"} {
		var parts []*schema.Node
		for _, part := range items(root, key) {
			if m := part.Get("model"); m != nil && m.Get("provider").ScalarText() != own {
				part = with(part, "model", mapNode(schema.Pair{Key: "provider", Value: textNode(own)}, schema.Pair{Key: "name", Value: textNode(role)}))
			}
			parts = append(parts, part)
		}
		root = with(root, key, listNode(parts...))
	}
	metadata := with(root.Get("metadata"), "harness", textNode(name))
	stated, where := d.TaxonomyLevel()
	if hint, _ := strconv.Atoi(d.SuggestLevel().TaxonomyLevel); where == "" {
		stated = hint
	}
	level := intNode(max(stated, least))
	if where == "taxonomy_level" {
		root = with(root, where, level)
	} else {
		metadata = with(metadata, "taxonomy_level", level)
	}
	return made(d.Path, with(root, "metadata", metadata))
}
