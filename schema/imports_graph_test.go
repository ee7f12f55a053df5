package schema_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the graph of the rooms in the wiki")

// graphPage shows the graph of subRooms, between these lines.
var graphPage = filepath.Join("..", "wiki", "20_SYSTEM", "architecture.md")

const graphBegin, graphEnd = "<!-- begin: rooms, by go test ./schema -run Graph -update -->\n", "<!-- end: rooms -->\n"

func TestImportGraphHasNoCycle(t *testing.T) {
	t.Parallel()
	if circle := circleIn(packages()); circle != nil {
		t.Errorf("subRooms: %s", strings.Join(circle, " imports "))
	}
	looped := map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": nil, "d": {"a"}}
	if circle := circleIn(looped); strings.Join(circle, "") != "abda" {
		t.Errorf("the circle is %q", circle)
	}
}

func TestAgentsPageShowsImportGraph(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(graphPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := bytes.Cut(page, []byte(graphBegin))
	shown, after, ends := bytes.Cut(rest, []byte(graphEnd))
	if !begins || !ends {
		t.Fatalf("%s lacks the line %s or %s", graphPage, graphBegin, graphEnd)
	}
	graph := diagram(packages())
	switch {
	case string(shown) == graph:
	case !*update:
		t.Errorf("%s: the graph of the rooms is out of date; run 'go test ./schema -run Graph -update'", graphPage)
	default:
		page = slices.Concat(before, []byte(graphBegin), []byte(graph), []byte(graphEnd), after)
		if err := os.WriteFile(graphPage, page, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// packages are subRooms with the names of packages, and those that import nothing of
// their room.
func packages() map[string][]string {
	out := make(map[string][]string)
	for from, names := range subRooms {
		for _, name := range names {
			to := partOf(from, name)
			out[from] = append(out[from], to)
			if _, ok := out[to]; !ok {
				out[to] = nil // a node, also when it imports nothing
			}
		}
	}
	return out
}

// circleIn is the first circle in the order of names, or nil.
func circleIn(graph map[string][]string) []string {
	over := make(map[string]bool)
	var path []string
	var visit func(string) []string
	visit = func(at string) []string {
		if i := slices.Index(path, at); i >= 0 {
			return append(slices.Clone(path[i:]), at)
		}
		if over[at] {
			return nil
		}
		path = append(path, at)
		for _, to := range graph[at] {
			if circle := visit(to); circle != nil {
				return circle
			}
		}
		path = path[:len(path)-1]
		over[at] = true
		return nil
	}
	for _, at := range slices.Sorted(maps.Keys(graph)) {
		if circle := visit(at); circle != nil {
			return circle
		}
	}
	return nil
}

// diagram draws the rooms, each with its parts. An import that others imply is left
// out, as are the tools below cmd.
func diagram(graph map[string][]string) string {
	id := strings.NewReplacer("/", "_").Replace
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n  room_cmd[cmd/wiki]\n")
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		if room == "cmd" {
			continue
		}
		fmt.Fprintf(&b, "  subgraph room_%s[%s]\n", room, room)
		for _, at := range slices.Sorted(maps.Keys(graph)) {
			if top(at) != room {
				continue
			}
			fmt.Fprintf(&b, "    %s[%s]\n", id(at), at)
			for _, to := range direct(graph, at) {
				fmt.Fprintf(&b, "    %s --> %s\n", id(at), id(to))
			}
		}
		b.WriteString("  end\n")
	}
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		for _, to := range direct(rooms, room) {
			fmt.Fprintf(&b, "  room_%s --> room_%s\n", room, to)
		}
	}
	b.WriteString("```\n")
	return b.String()
}

// direct are the imports of a package that are not implied by its other imports.
func direct(graph map[string][]string, from string) []string {
	var reaches func(at, to string) bool
	reaches = func(at, to string) bool {
		return slices.ContainsFunc(graph[at], func(next string) bool { return next == to || reaches(next, to) })
	}
	out := slices.DeleteFunc(slices.Clone(graph[from]), func(to string) bool {
		return slices.ContainsFunc(graph[from], func(other string) bool { return reaches(other, to) })
	})
	slices.Sort(out)
	return out
}
