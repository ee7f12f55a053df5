package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Client is a program that starts MCP servers, and where it looks for them.
type Client struct {
	Name string
	File string // slash-separated, below the project, or below the home folder if Home is set
	Home bool
	// Key is the object of the file that holds servers; a TOML file has none.
	Key string
	// Note is what a person has to do beside, empty for nothing.
	Note string
	// HookFile is where Hook belongs, which prints the wiki's overview when a session
	// starts; empty for a client without such hooks.
	HookFile, Hook string

	server any
}

type stdioServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

// serverName is what clients call the server.
const serverName = "wiki"

// recall is printed to the agent at the beginning of a session.
const recall = `{
  "hooks": {
    "SessionStart": [
      { "hooks": [{ "type": "command", "command": "wiki context --quiet --budget 1000" }] }
    ]
  }
}
`

// Clients are those that are known, by name.
func Clients() []Client {
	plain := stdioServer{Command: "wiki", Args: []string{"mcp"}}
	typed, local := plain, plain
	typed.Type, local.Type, local.Tools = "stdio", "local", []string{"*"}
	return []Client{
		{Name: "claude", File: ".mcp.json", Key: "mcpServers", server: typed, Note: "start claude in this folder and approve the server; with -p, pass --allowedTools mcp__wiki", HookFile: ".claude/settings.json", Hook: recall},
		{Name: "codex", File: ".codex/config.toml", server: plain, Note: "codex reads it in projects that it trusts"},
		{Name: "copilot", File: ".copilot/mcp-config.json", Home: true, Key: "mcpServers", server: local},
		{Name: "cursor", File: ".cursor/mcp.json", Key: "mcpServers", server: plain},
		{Name: "gemini", File: ".gemini/settings.json", Key: "mcpServers", server: plain, Note: "gemini starts servers in folders that it trusts; with -p, a policy has to allow their tools"},
		{Name: "opencode", File: "opencode.json", Key: "mcp", server: struct {
			Type    string   `json:"type"`
			Command []string `json:"command"`
		}{"local", []string{"wiki", "mcp"}}},
		{Name: "vscode", File: ".vscode/mcp.json", Key: "servers", server: typed},
		{Name: "zed", File: ".zed/settings.json", Key: "context_servers", server: plain},
	}
}

// ErrInstalled means that the file has the server already.
var ErrInstalled = errors.New("the server is configured already")

// ErrOther means that the file has another server of the name.
var ErrOther = errors.New("another server is called " + serverName + " there; remove it first, or merge by hand")

// Merge returns the text of a configuration file with the server added; src is empty for
// a file that is not there. Everything else in it stays as it is, comments too.
func (c Client) Merge(src []byte) ([]byte, error) {
	if c.Key == "" {
		return c.mergeTOML(src)
	}
	if len(bytes.TrimSpace(src)) == 0 {
		src = []byte("{\n}\n")
	}
	doc, err := hujson.Parse(src)
	if err != nil {
		return nil, err
	}
	if _, ok := doc.Value.(*hujson.Object); !ok {
		return nil, errors.New("the file is not a JSON object")
	}
	server, err := json.Marshal(c.server)
	if err != nil {
		return nil, err
	}
	at := "/" + c.Key + "/" + serverName
	if there := doc.Find(at); there != nil {
		if same(there, server) {
			return nil, ErrInstalled
		}
		return nil, ErrOther
	}
	holder := doc.Find("/" + c.Key)
	if holder != nil {
		if _, ok := holder.Value.(*hujson.Object); !ok {
			return nil, fmt.Errorf("%q is not an object", c.Key)
		}
		return c.insert(src, holder, fmt.Sprintf("%q: %s", serverName, server))
	}
	return c.insert(src, &doc, fmt.Sprintf("%q: {%q: %s}", c.Key, serverName, server))
}

// same reports whether a value is the JSON that is given.
func same(v *hujson.Value, want []byte) bool {
	clone := v.Clone()
	clone.Standardize()
	var a, b any
	return json.Unmarshal(clone.Pack(), &a) == nil && json.Unmarshal(want, &b) == nil && fmt.Sprint(a) == fmt.Sprint(b)
}

// insert puts a member at the beginning of an object, on a line of its own.
func (c Client) insert(src []byte, object *hujson.Value, member string) ([]byte, error) {
	at := object.StartOffset + 1
	if object.StartOffset < 0 || object.StartOffset >= len(src) || src[object.StartOffset] != '{' {
		return nil, errors.New("the object was not found")
	}
	if len(object.Value.(*hujson.Object).Members) > 0 {
		member += ","
	}
	line := src[bytes.LastIndexByte(src[:object.StartOffset], '\n')+1 : object.StartOffset]
	indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]) + "  "
	tail := ""
	if rest := bytes.TrimLeft(src[at:], " \t"); len(rest) > 0 && rest[0] != '\n' && rest[0] != '\r' {
		tail = "\n" + indent[2:]
	}
	out := slices.Concat(src[:at], []byte("\n"+indent+member+tail), src[at:])
	if _, err := hujson.Parse(out); err != nil {
		return nil, err
	}
	return out, nil
}

func (c Client) mergeTOML(src []byte) ([]byte, error) {
	header := "[mcp_servers." + serverName + "]"
	block := header + "\ncommand = \"wiki\"\nargs = [\"mcp\"]\n"
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	for line := range strings.Lines(text) {
		if squeezed := strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(line); strings.HasPrefix(squeezed, header) {
			if strings.Contains(text, block) {
				return nil, ErrInstalled
			}
			return nil, ErrOther
		}
	}
	out := slices.Clone(src)
	if len(out) > 0 {
		if out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, '\n')
	}
	return append(out, block...), nil
}
