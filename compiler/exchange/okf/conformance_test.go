package okf_test

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/loopwiki/wiki/compiler/exchange/okf"
)

// The checker reads bundles with another parser and none of the code that writes them.
// It follows the specification, section by section.

var (
	dayHeading = regexp.MustCompile(`^## \d{4}-\d{2}-\d{2}$`)
	heading    = regexp.MustCompile(`(?m)^#{1,6} \S`)
	listed     = regexp.MustCompile(`(?m)^\s*[-*+] .*\]\([^)]+\)`)
)

// conformance returns what of a bundle breaks a requirement of OKF 0.2.
func conformance(b *okf.Bundle) (faults []string) {
	for _, f := range b.Files {
		fault := func(section, format string, args ...any) {
			faults = append(faults, f.Path+": §"+section+": "+fmt.Sprintf(format, args...))
		}
		if path.Ext(f.Path) != ".md" {
			continue
		}
		if f.From != "" {
			fault("4", "markdown that is not written as a page")
			continue
		}
		if !utf8.Valid(f.Data) {
			fault("4", "not UTF-8")
		}
		text := string(f.Data)
		block, body, ok := split(text)
		switch path.Base(f.Path) {
		case "index.md":
			if ok && (f.Path != "index.md" || strings.TrimSpace(block) != `okf_version: "0.2"`) {
				fault("8", "front matter %q", block)
			}
			if f.Path == "index.md" && !ok {
				fault("12", "no okf_version")
			}
			if !heading.MatchString(body) || !listed.MatchString(body) && !strings.Contains(body, "*") && len(b.Files) > 1 {
				fault("8", "no section with a list of links")
			}
		case "log.md":
			if ok {
				fault("9", "front matter %q", block)
			}
			faults = append(faults, logFaults(f.Path, body)...)
		default:
			if !ok {
				fault("11.1", "no front matter")
				continue
			}
			for _, msg := range conceptFaults(block, body) {
				fault("11", "%s", msg)
			}
		}
	}
	return faults
}

// split takes a page apart as §4 says: fences on lines of their own.
func split(text string) (block, body string, ok bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text, false
	}
	block, body, ok = strings.Cut("\n"+rest, "\n---\n")
	return block, body, ok
}

func logFaults(name, body string) (faults []string) {
	last, fence := "", false
	for line := range strings.SplitSeq(body, "\n") {
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fence = !fence
		}
		if fence || !strings.HasPrefix(line, "## ") {
			continue
		}
		if !dayHeading.MatchString(line) {
			faults = append(faults, name+": §9: heading "+line)
			continue
		}
		if last != "" && line >= last {
			faults = append(faults, name+": §9: "+line+" follows "+last)
		}
		last = line
	}
	return faults
}

func conceptFaults(block, body string) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	var m map[string]any
	if err := yaml.Unmarshal([]byte(block), &m); err != nil {
		return []string{fmt.Sprintf("front matter can't be parsed: %.300v", err)}
	}
	if s, ok := m["type"].(string); !ok || strings.TrimSpace(s) == "" {
		fault("type is %v", m["type"])
	}
	if _, ok := m["okf_version"]; ok {
		fault("okf_version outside of the root index")
	}
	if tags, ok := m["tags"]; ok && tags != nil {
		if _, ok := tags.([]any); !ok {
			fault("tags is no list: %v", tags)
		}
	}
	if s, ok := m["status"]; ok && s != nil && s != "draft" && s != "stable" && s != "deprecated" {
		fault("status %v", s)
	}
	instant := func(what string, v any) {
		switch v := v.(type) {
		case time.Time:
		case string:
			if _, err := time.Parse(time.RFC3339, v); err != nil {
				fault("%s is no instant: %v", what, v)
			}
		default:
			fault("%s is no instant: %v", what, v)
		}
	}
	if v, ok := m["stale_after"]; ok && v != nil {
		instant("stale_after", v)
	}
	if g, ok := m["generated"]; ok && g != nil {
		g, _ := g.(map[string]any)
		if s, ok := g["by"].(string); !ok || s == "" {
			fault("generated without by: %v", m["generated"])
		}
		if at, ok := g["at"]; ok {
			instant("generated.at", at)
		}
	}
	if v, ok := m["verified"]; ok && v != nil {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, v := range list {
			v, _ := v.(map[string]any)
			if s, ok := v["by"].(string); !ok || s == "" {
				fault("verified without by: %v", v)
			}
			instant("verified.at", v["at"])
		}
	}
	if v, ok := m["sources"]; ok && v != nil {
		list, ok := v.([]any)
		if !ok {
			fault("sources is no list: %v", v)
		}
		for _, v := range list {
			v, _ := v.(map[string]any)
			if s, ok := v["resource"].(string); !ok || strings.TrimSpace(s) == "" {
				fault("a source without resource: %v", v)
			}
			if at, ok := v["last_modified"]; ok {
				instant("last_modified", at)
			}
		}
	}
	return faults
}
