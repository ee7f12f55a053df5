//go:build agents

package main

import (
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

// part is what the model of the endpoint does in a role: it runs commands, one a turn, then
// says its last message.
type part struct {
	begins   string // of the role's prompt
	commands []string
	says     string
}

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
	command, says := e.next(string(src), t.results)
	api(w, t, command, says)
}

// next returns what the model does after the results of the commands so far.
func (e *endpoint) next(prompt string, results []string) (command, says string) {
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
		if len(results) < len(p.commands) {
			return p.commands[len(results)], ""
		}
		return "", p.says
	}
	if m := probed.FindStringSubmatch(prompt); m != nil && len(results) == 0 {
		return m[1], ""
	}
	return "", "done"
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
func messages(w http.ResponseWriter, t turn, command, says string) {
	usage := object{"input_tokens": tokensIn - tokensCached, "cache_creation_input_tokens": 0, "cache_read_input_tokens": tokensCached, "output_tokens": tokensOut}
	block, delta, stop := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": says}, "end_turn"
	if command != "" {
		block = object{"type": "tool_use", "id": "toolu_" + callID(t), "name": "Bash", "input": object{}}
		delta, stop = object{"type": "input_json_delta", "partial_json": arguments(object{"command": command, "description": "run it"})}, "tool_use"
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
func responses(w http.ResponseWriter, t turn, command, says string) {
	item := object{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{object{"type": "output_text", "text": says, "annotations": []any{}}}}
	if command != "" {
		item = object{"type": "function_call", "id": "fc_" + callID(t), "call_id": callID(t), "name": "exec_command", "arguments": arguments(object{"cmd": command}), "status": "completed"}
	}
	done := object{"id": "resp_" + callID(t), "object": "response", "model": t.model, "status": "completed", "output": []any{item}, "usage": object{
		"input_tokens": tokensIn, "input_tokens_details": object{"cached_tokens": tokensCached}, "output_tokens": tokensOut, "total_tokens": tokensIn + tokensOut}}
	events(w, object{"type": "response.created", "response": object{"id": "resp_" + callID(t), "object": "response", "status": "in_progress", "output": []any{}}},
		object{"type": "response.output_item.added", "output_index": 0, "item": item},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": done})
}

// chat is the API of OpenAI that most programs speak.
func chat(w http.ResponseWriter, t turn, command, says string) {
	usage := object{"prompt_tokens": tokensIn, "completion_tokens": tokensOut, "total_tokens": tokensIn + tokensOut, "prompt_tokens_details": object{"cached_tokens": tokensCached}}
	message, stop := object{"role": "assistant", "content": says}, "stop"
	if command != "" {
		message, stop = object{"role": "assistant", "content": nil, "tool_calls": []any{object{"index": 0, "id": callID(t), "type": "function",
			"function": object{"name": "bash", "arguments": arguments(object{"command": command, "description": "run it"})}}}}, "tool_calls"
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
func gemini(w http.ResponseWriter, t turn, command, says string) {
	p := object{"text": says}
	if command != "" {
		p = object{"functionCall": object{"name": "run_shell_command", "args": object{"command": command, "description": "run it"}}}
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
