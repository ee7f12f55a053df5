package yaml

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// LoadFleet parses a fleet file. Faults are of kind [schema.FaultConfig], in order of
// position; the fleet contains everything valid, and is never nil.
func LoadFleet(src []byte) (*schema.Fleet, []schema.Fault) {
	out := &schema.Fleet{}
	root, faults := Parse(src, 0)
	if len(faults) > 0 { // what is no YAML is not of the wrong type too
		for i := range faults {
			faults[i].Kind = schema.FaultConfig
		}
		return out, faults
	}
	c := &configCheck{}
	if root == nil {
		c.fault(schema.Span{}, "repositories is missing: expected repositories: [{path: ../shop}]")
		return out, c.faults
	}
	if f, newer := checkVersion(root, "the fleet file", schema.FleetVersion); newer {
		return out, []schema.Fault{*f}
	} else if f != nil {
		c.faults = append(c.faults, *f)
	}
	c.faults = append(c.faults, Decode(root, out)...)
	if root.Kind == schema.KindMap {
		c.fleet(root)
	}
	slices.SortStableFunc(c.faults, func(a, b schema.Fault) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return out, c.faults
}

// fleet checks what the types of a fleet file do not say.
func (c *configCheck) fleet(root *schema.Node) {
	if limits := root.Get("limits"); limits != nil {
		for _, p := range limits.Pairs {
			var n float64
			if p.Value.IsScalar() && p.Value.Kind != schema.KindNull && len(Decode(p.Value, &n)) == 0 && !(n > 0 && n <= math.MaxInt32) {
				c.wrong(p.Value, "limits."+p.Key, "a number above 0")
			}
		}
	}
	list := root.Get("repositories")
	if list == nil || list.Kind == schema.KindNull || list.Kind == schema.KindList && len(list.Items) == 0 {
		c.fault(root.Span, "repositories is missing: expected repositories: [{path: ../shop}]")
		return
	}
	seen := make(map[string]bool)
	for i, it := range list.Items {
		if it.Kind != schema.KindMap {
			continue // said already
		}
		at := fmt.Sprintf("repositories[%d]", i)
		folder := it.Get("path")
		if folder == nil || folder.Kind == schema.KindNull || folder.IsScalar() && folder.Text == "" {
			c.fault(it.Span, "%s has no path: expected path: ../shop", at)
		} else if folder.IsScalar() {
			c.once(seen, path.Clean(folder.Text), folder, at+".path")
		}
		c.fleetPlans(it.Get("plans"), at+".plans")
	}
}

// fleetPlans checks the plans of a repository.
func (c *configCheck) fleetPlans(n *schema.Node, at string) {
	if n == nil || n.Kind != schema.KindList {
		return
	}
	if len(n.Items) == 0 {
		c.fault(n.Span, "%s is empty: remove it to run all plans, or remove the repository", at)
	}
	seen := make(map[string]bool)
	for _, it := range n.Items {
		if it.IsScalar() && it.Text == "" {
			c.wrong(it, at, "a plan's path or name")
		} else if it.IsScalar() {
			c.once(seen, path.Clean(it.Text), it, at)
		}
	}
}

// once reports what is listed again.
func (c *configCheck) once(seen map[string]bool, name string, n *schema.Node, at string) {
	if seen[name] {
		c.fault(n.Span, "%s: %q is listed twice: remove one", at, n.Text)
	}
	seen[name] = true
}
