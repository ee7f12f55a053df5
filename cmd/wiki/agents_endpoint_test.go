//go:build agents

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// part is what the model of the endpoint does in a role: it runs commands or calls tools, one
// a turn, then says its last message.
type part struct {
	begins   string // of the role's prompt
	commands []string
	tools    []toolUse      // instead of commands
	says     string         // what the last message is
	quotes   *regexp.Regexp // instead of says: what it quotes of the last result
}

// turns is how many calls the part makes.
func (p part) turns() int { return len(p.commands) + len(p.tools) }

// toolUse is a call of a tool. Without a name it runs a command.
type toolUse struct {
	name      string
	namespace string // of tools that come in groups
	args      object
}

// command is the call that runs a command.
func command(line string) *toolUse {
	return &toolUse{args: object{"command": line, "description": "run it"}}
}

// or is the call's tool, or the one that runs commands.
func (u toolUse) or(shell string) string { return cmp.Or(u.name, shell) }

// endpoint answers as the APIs of four vendors do, by the parts of a play.
type endpoint struct {
	*httptest.Server
	parts []part

	mu      sync.Mutex
	results map[string][]string // of the commands, by the beginning of the prompt
	bodies  []string
}

func newEndpoint(t *testing.T, parts []part) *endpoint {
	e := &endpoint{parts: parts, results: make(map[string][]string)}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

// Tokens that every answer counts.
const (
	tokensIn     = 1000
	tokensCached = 200 // of those in
	tokensOut    = 50
)

// turn is a request as any of the APIs makes it.
type turn struct {
	model   string
	results []string // of tools, so far
	stream  bool
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	src, err := io.ReadAll(r.Body)
	var body map[string]any
	if err != nil || r.Method != http.MethodPost || json.Unmarshal(src, &body) != nil {
		http.NotFound(w, r)
		return
	}
	if strings.Contains(r.URL.Path, "count") {
		write(w, map[string]any{"input_tokens": tokensIn, "totalTokens": tokensIn})
		return
	}
	t := turn{stream: body["stream"] == true}
	t.model, _ = body["model"].(string)
	api := chat
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/messages"):
		api = messages
	case strings.HasSuffix(path, "/responses"):
		api = responses
	case strings.Contains(path, "enerateContent"):
		api, t.stream = gemini, strings.Contains(path, "stream")
	}
	t.results = resultsIn(body)
	use, says := e.next(string(src), body, t.results)
	api(w, t, use, says)
}

// next returns what the model does after the results of the commands so far.
func (e *endpoint) next(prompt string, body object, results []string) (use *toolUse, says string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bodies = append(e.bodies, prompt)
	for _, p := range e.parts {
		if !strings.Contains(prompt, p.begins) {
			continue
		}
		if len(results) > 0 {
			e.results[p.begins] = append(e.results[p.begins], results[len(results)-1])
		}
		switch n := len(results); {
		case n < len(p.commands):
			return command(p.commands[n]), ""
		case n < p.turns():
			want := p.tools[n-len(p.commands)]
			for _, use := range offered(body["tools"]) {
				if strings.Contains(use.namespace+use.name, serverPrefix) && strings.HasSuffix(use.name, want.name) {
					use.args = want.args
					return &use, ""
				}
			}
			return nil, "no tool is called " + want.name
		case p.quotes != nil:
			return nil, p.quotes.FindString(results[len(results)-1])
		}
		return nil, p.says
	}
	if m := probed.FindStringSubmatch(prompt); m != nil && len(results) == 0 {
		return command(m[1]), ""
	}
	return nil, "done"
}

// serverPrefix is in the names that clients give to tools of the server wiki.
const serverPrefix = "wiki"

// offered lists the tools of a request, in the forms of all APIs.
func offered(v any) (out []toolUse) {
	list, _ := v.([]any)
	for _, v := range list {
		tool, _ := v.(object)
		name, _ := tool["name"].(string)
		switch inner := tool["tools"].(type) {
		case []any:
			for _, use := range offered(inner) {
				use.namespace = name
				out = append(out, use)
			}
			continue
		}
		if function, ok := tool["function"].(object); ok {
			name, _ = function["name"].(string)
		}
		if name != "" {
			out = append(out, toolUse{name: name})
		}
		out = append(out, offered(tool["functionDeclarations"])...)
	}
	return out
}

// probed is the command of a probe.
var probed = regexp.MustCompile(`(echo [0-9a-f-]{36} \| tee probe\.txt)`)

// resultsIn returns the results of tools in a request, in the forms of all APIs.
func resultsIn(v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			out = append(out, resultsIn(inner)...)
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		response, ok := v["functionResponse"].(map[string]any)
		switch {
		case kind == "tool_result" || v["role"] == "tool":
			return []string{fmt.Sprint(v["content"])}
		case strings.HasSuffix(kind, "_call_output"):
			return []string{fmt.Sprint(v["output"])}
		case ok:
			return []string{fmt.Sprint(response["response"])}
		}
		for _, key := range []string{"messages", "input", "contents", "content", "parts"} {
			out = append(out, resultsIn(v[key])...)
		}
	}
	return out
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// events writes server-sent events; those with a type are named by it.
func events(w http.ResponseWriter, all ...map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range all {
		if name, ok := e["type"].(string); ok {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		text, _ := json.Marshal(e)
		fmt.Fprintf(w, "data: %s\n\n", text)
	}
}

type object = map[string]any

// callID tells the calls of a conversation apart.
func callID(t turn) string { return fmt.Sprintf("call_%d", len(t.results)) }

func arguments(v object) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// messages is the API of Anthropic.
func messages(w http.ResponseWriter, t turn, use *toolUse, says string) {
	usage := object{"input_tokens": tokensIn - tokensCached, "cache_creation_input_tokens": 0, "cache_read_input_tokens": tokensCached, "output_tokens": tokensOut}
	block, delta, stop := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": says}, "end_turn"
	if use != nil {
		block = object{"type": "tool_use", "id": "toolu_" + callID(t), "name": use.or("Bash"), "input": object{}}
		delta, stop = object{"type": "input_json_delta", "partial_json": arguments(use.args)}, "tool_use"
	}
	message := object{"id": "msg_" + callID(t), "type": "message", "role": "assistant", "model": t.model, "content": []any{}, "stop_reason": nil, "usage": usage}
	if !t.stream {
		message["content"], message["stop_reason"] = []any{object{"type": "text", "text": says}}, "end_turn"
		write(w, message)
		return
	}
	events(w, object{"type": "message_start", "message": message},
		object{"type": "content_block_start", "index": 0, "content_block": block},
		object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": stop}, "usage": object{"output_tokens": tokensOut}},
		object{"type": "message_stop"})
}

// responses is the API of OpenAI that Codex speaks.
func responses(w http.ResponseWriter, t turn, use *toolUse, says string) {
	item := object{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{object{"type": "output_text", "text": says, "annotations": []any{}}}}
	if use != nil {
		args := use.args
		if use.name == "" {
			args = object{"cmd": args["command"]}
		}
		item = object{"type": "function_call", "id": "fc_" + callID(t), "call_id": callID(t), "name": use.or("exec_command"), "arguments": arguments(args), "status": "completed"}
		if use.namespace != "" {
			item["namespace"] = use.namespace
		}
	}
	done := object{"id": "resp_" + callID(t), "object": "response", "model": t.model, "status": "completed", "output": []any{item}, "usage": object{
		"input_tokens": tokensIn, "input_tokens_details": object{"cached_tokens": tokensCached}, "output_tokens": tokensOut, "total_tokens": tokensIn + tokensOut}}
	events(w, object{"type": "response.created", "response": object{"id": "resp_" + callID(t), "object": "response", "status": "in_progress", "output": []any{}}},
		object{"type": "response.output_item.added", "output_index": 0, "item": item},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": done})
}

// chat is the API of OpenAI that most programs speak.
func chat(w http.ResponseWriter, t turn, use *toolUse, says string) {
	usage := object{"prompt_tokens": tokensIn, "completion_tokens": tokensOut, "total_tokens": tokensIn + tokensOut, "prompt_tokens_details": object{"cached_tokens": tokensCached}}
	message, stop := object{"role": "assistant", "content": says}, "stop"
	if use != nil {
		message, stop = object{"role": "assistant", "content": nil, "tool_calls": []any{object{"index": 0, "id": callID(t), "type": "function",
			"function": object{"name": use.or("bash"), "arguments": arguments(use.args)}}}}, "tool_calls"
	}
	if !t.stream {
		write(w, object{"id": "chatcmpl_" + callID(t), "object": "chat.completion", "model": t.model, "choices": []any{object{"index": 0, "message": message, "finish_reason": stop}}, "usage": usage})
		return
	}
	chunk := func(delta object, reason any) object {
		return object{"id": "chatcmpl_" + callID(t), "object": "chat.completion.chunk", "model": t.model, "choices": []any{object{"index": 0, "delta": delta, "finish_reason": reason}}}
	}
	last := chunk(object{}, stop)
	last["usage"] = usage
	events(w, chunk(message, nil), last)
	io.WriteString(w, "data: [DONE]\n\n")
}

// gemini is the API of Google.
func gemini(w http.ResponseWriter, t turn, use *toolUse, says string) {
	p := object{"text": says}
	if use != nil {
		p = object{"functionCall": object{"name": use.or("run_shell_command"), "args": use.args}}
	}
	answer := object{"candidates": []any{object{"content": object{"role": "model", "parts": []any{p}}, "finishReason": "STOP", "index": 0}}, "modelVersion": "gemini-2.5-pro",
		"usageMetadata": object{"promptTokenCount": tokensIn, "candidatesTokenCount": tokensOut, "cachedContentTokenCount": tokensCached, "totalTokenCount": tokensIn + tokensOut}}
	if !t.stream {
		write(w, answer)
		return
	}
	events(w, answer)
}

// ran returns the results of the commands of a part.
func (e *endpoint) ran(begins string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.results[begins])
}

// heard reports whether a request held a text.
func (e *endpoint) heard(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.bodies, func(b string) bool { return strings.Contains(b, text) })
}
