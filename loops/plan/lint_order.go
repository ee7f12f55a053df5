package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// lintOrder judges what chunks depend on.
func (d *document) lintOrder() {
	needs := map[string][]string{}
	for _, c := range d.plan.Chunks {
		needs[c.ID] = append(needs[c.ID], c.DependsOn...)
	}
	quiet := &document{collector: newCollector(d.src), src: d.src}
	for _, c := range d.chunks {
		id := strconv.Itoa(c.number)
		words := quiet.commas(c.find("depends on"))
		d.twice("depends on", words)
		for _, w := range words {
			on := strings.TrimPrefix(w.text, "#")
			if n, err := strconv.Atoi(on); err != nil || n < 1 {
				continue // said already
			}
			_, known := needs[on]
			switch {
			case on == id:
				d.err("chunk-cycle", w.span, "remove it", "chunk %s depends on itself", id)
			case !known:
				d.err("unknown-chunk", w.span, "the plan has "+strings.Join(d.numbers(), ", "), "no such chunk: %s", on)
			default:
				if way := cycle(on, id, needs); way != nil {
					d.err("chunk-cycle", w.span, "remove one of them", "chunk %s depends on itself: %s", id, strings.Join(append([]string{id}, way...), " → "))
				}
			}
		}
	}
}

func (d *document) numbers() []string {
	var out []string
	for _, c := range d.plan.Chunks {
		out = append(out, c.ID)
	}
	return out
}

// cycle returns the way from one name to another along needs, nil if there is
// none.
func cycle(from, to string, needs map[string][]string) []string {
	seen := map[string]bool{}
	var walk func(at string) []string
	walk = func(at string) []string {
		if at == to {
			return []string{at}
		}
		if seen[at] {
			return nil
		}
		seen[at] = true
		for _, next := range needs[at] {
			if way := walk(next); way != nil {
				return append([]string{at}, way...)
			}
		}
		return nil
	}
	return walk(from)
}

// lintOthers judges the plan beside all others.
func (d *document) lintOthers(plans []Known) {
	names, needs := []string{}, map[string][]string{}
	for _, k := range plans {
		if k.Plan.Name != d.plan.Name {
			names = append(names, k.Plan.Name)
			needs[k.Plan.Name] = k.Plan.DependsOn
		}
	}
	slices.Sort(names)
	words := d.entries("depends_on")
	d.twice("depends_on", words)
	for _, w := range words {
		on := NameOf(w.text)
		switch {
		case on == d.plan.Name:
			d.err("plan-cycle", w.span, "remove it", "the plan depends on itself")
		case !slices.Contains(names, on):
			hint := "'wiki plan list' lists the plans"
			if near, ok := schema.Nearest(on, names); ok {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			d.err("unknown-plan", w.span, hint, "no such plan: %q", on)
		default:
			if way := cycle(on, d.plan.Name, needs); way != nil {
				d.err("plan-cycle", w.span, "remove one of them", "the plan depends on itself: %s", strings.Join(append([]string{d.plan.Name}, way...), " → "))
			}
		}
	}
	d.lintOverlap(plans, needs)
}

// lintOverlap warns of other plans that wait to write in the same place, and
// that do not wait for each other.
func (d *document) lintOverlap(plans []Known, needs map[string][]string) {
	for _, k := range plans {
		if k.Plan.Name == d.plan.Name || k.Status != Pending && k.Status != Running {
			continue
		}
		if d.dependsOn(k.Plan.Name, needs) || cycle(k.Plan.Name, d.plan.Name, needs) != nil {
			continue
		}
		for _, w := range d.entries("scope") {
			if everything(w.text) {
				continue // said already, and it overlaps with any
			}
			i := slices.IndexFunc(k.Plan.Scope, func(s string) bool {
				return unsafePath(s) == "" && unsafePath(w.text) == "" && overlap(s, w.text)
			})
			if i >= 0 {
				d.warn("scope-overlap", w.span, "let one depend on the other with depends_on:, or narrow their scopes", "%q is also in the scope of the plan %s, which is %s", w.text, k.Plan.Name, k.Status)
				break
			}
		}
	}
}

func (d *document) dependsOn(name string, needs map[string][]string) bool {
	return slices.ContainsFunc(d.plan.DependsOn, func(on string) bool { return cycle(on, name, needs) != nil })
}
