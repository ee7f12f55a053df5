package mcp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

func TestMergeKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	for _, c := range Clients() {
		files := []string{""}
		if c.Key != "" {
			files = append(files, "{}", "{\n  // mine\n  \"theme\": \"dark\", /* and */ \"list\": [1,2,],\n}\n",
				"{\n\t\""+c.Key+"\": {\n\t\t// theirs\n\t\t\"other\": {\"command\": \"x\"}\n\t}\n}\n", "{\""+c.Key+"\":{}, \"a\": 1}")
		} else {
			files = append(files, "model = \"x\" # mine", "[mcp_servers.other]\ncommand = \"y\"\n")
		}
		for _, src := range files {
			got, err := c.Merge([]byte(src))
			if err != nil {
				t.Errorf("%s: %q: %v", c.Name, src, err)
				continue
			}
			rest := string(got)
			for _, kept := range []string{"// mine", "/* and */", "\"list\": [1,2,]", "// theirs", "\"other\": {\"command\": \"x\"}", "\"a\": 1", "# mine", "[mcp_servers.other]\ncommand = \"y\"\n"} {
				if strings.Contains(src, kept) && !strings.Contains(rest, kept) {
					t.Errorf("%s: %q was lost in\n%s", c.Name, kept, got)
				}
			}
			if c.Key != "" {
				doc, err := hujson.Standardize(got)
				var all map[string]map[string]any
				if err == nil {
					var loose map[string]json.RawMessage
					err = json.Unmarshal(doc, &loose)
					all = map[string]map[string]any{c.Key: nil}
					var servers map[string]any
					if err == nil {
						err = json.Unmarshal(loose[c.Key], &servers)
					}
					all[c.Key] = servers
				}
				if err != nil || all[c.Key][serverName] == nil {
					t.Errorf("%s: %v\n%s", c.Name, err, got)
				}
			}
			if _, err := c.Merge(got); !errors.Is(err, ErrInstalled) {
				t.Errorf("%s: merged again: %v\n%s", c.Name, err, got)
			}
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	byName := map[string]Client{}
	for _, c := range Clients() {
		byName[c.Name] = c
	}
	for _, c := range []struct{ client, src, want string }{
		{"claude", `{"mcpServers": {"wiki": {"command": "other"}}}`, "another server is called wiki"},
		{"claude", `{"mcpServers": []}`, `"mcpServers" is not an object`},
		{"claude", `[]`, "not a JSON object"},
		{"claude", `{"mcpServers": {`, "hujson:"},
		{"codex", "[mcp_servers.wiki]\ncommand = \"other\"\n", "another server is called wiki"},
		{"codex", "[ mcp_servers . \"wiki\" ]\n", "another server is called wiki"},
	} {
		if got, err := byName[c.client].Merge([]byte(c.src)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, %s", c.client, c.src, err, got)
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("{}", "model = 1")
	f.Add("{\"mcpServers\": {\"a\": 1,}, // c\n}", "[a]\nb = 1\n")
	f.Add("/**/ {\n \"mcpServers\":\t{ } }", "[mcp_servers]\nwiki = {}\n")
	clients := Clients()
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, c := range clients {
			src := a
			if c.Key == "" {
				src = b
			}
			got, err := c.Merge([]byte(src))
			if err != nil {
				continue
			}
			if len(got) < len(src) {
				t.Errorf("%s: %q became %q", c.Name, src, got)
			}
			if _, err := c.Merge(got); !errors.Is(err, ErrInstalled) {
				t.Errorf("%s: %q merged again: %v", c.Name, got, err)
			}
		}
	})
}
