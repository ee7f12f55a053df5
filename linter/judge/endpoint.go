package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Endpoint is a server that speaks the protocol of OpenAI's chat completions.
type Endpoint struct {
	url     string
	model   string
	key     string
	timeout time.Duration
	client  *http.Client
}

// longestPause bounds how long a server may ask to be left alone before it is
// asked once again.
const longestPause = 10 * time.Second

// NewEndpoint returns the server at a base address, without /chat/completions. The key
// is sent to that host only, and encrypted unless the host is this machine; it is empty
// if the server needs none. The error names the wrong part of the configuration, without
// the key.
func NewEndpoint(address, model, key string, timeout time.Duration) (*Endpoint, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return nil, errors.New("judge.endpoint.url is not a web address; expected one such as https://api.openai.com/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("judge.endpoint.url must not contain a user, a password or a query; use the environment variable named by judge.endpoint.key for the key")
	case u.Scheme == "http" && key != "" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("judge.endpoint.url: the key would be sent to %s unencrypted; use https", u.Host)
	case model == "":
		return nil, errors.New("judge.endpoint.model is missing; give the model's name")
	}
	if u.Path = strings.TrimRight(u.Path, "/"); !strings.HasSuffix(u.Path, "/chat/completions") {
		u = u.JoinPath("chat", "completions")
	}
	e := &Endpoint{url: u.String(), model: model, key: key, timeout: timeout}
	e.client = &http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if r.URL.Host != u.Host || r.URL.Scheme != u.Scheme || len(via) > 3 {
			return errRedirected
		}
		return nil
	}}
	return e, nil
}

var errRedirected = errors.New("redirect to another server refused")

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Name implements [Backend]: the name of the model.
func (e *Endpoint) Name() string { return e.model }

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
}

type chatResponse struct {
	Choices []struct {
		Message chatMessage `json:"message"`
	} `json:"choices"`
}

// Ask implements [Backend]. A server that is busy or fails is asked once again.
func (e *Endpoint) Ask(ctx context.Context, prompt string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout, errTooSlow)
	defer cancel()
	body, err := json.Marshal(chatRequest{e.model, []chatMessage{{"user", prompt}}})
	if err != nil {
		return nil, err
	}
	answer, again, err := e.post(ctx, body)
	if again >= 0 {
		select {
		case <-time.After(again):
			answer, _, err = e.post(ctx, body)
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), errTooSlow) {
		return nil, fmt.Errorf("%w after %s", errTooSlow, e.timeout)
	}
	return answer, err
}

// post asks once. again is how long to wait before the question may be asked
// again, below 0 when that makes no sense.
func (e *Endpoint) post(ctx context.Context, body []byte) (answer []byte, again time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, -1, errors.New("invalid request to the server")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if e.key != "" {
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	res, err := e.client.Do(req)
	switch {
	case errors.Is(err, errRedirected):
		return nil, -1, errRedirected
	case err != nil:
		return nil, -1, errors.New("no response from the server") // the error may hold what was sent
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		again = -1
		if res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500 {
			again = pause(res.Header.Get("Retry-After"))
		}
		return nil, again, fmt.Errorf("the server returned status %d", res.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, longestAnswer+1))
	switch {
	case err != nil:
		return nil, -1, errors.New("the server closed the connection")
	case len(text) > longestAnswer:
		return nil, -1, errTooLong
	}
	return e.content(text)
}

// content extracts the answer from a response. A response that repeats the key is
// refused, because it would end up in a committed file.
func (e *Endpoint) content(text []byte) ([]byte, time.Duration, error) {
	var doc chatResponse
	if json.Unmarshal(text, &doc) != nil || len(doc.Choices) == 0 {
		return nil, -1, errors.New("the response is not a chat completion")
	}
	answer := doc.Choices[0].Message.Content
	if e.key != "" && strings.Contains(answer, e.key) {
		return nil, -1, errors.New("the response contains the key")
	}
	return []byte(answer), -1, nil
}

// pause reads how many seconds a server asks for; one second when it does not.
func pause(header string) time.Duration {
	n, err := strconv.Atoi(header)
	if err != nil || n < 0 {
		return time.Second
	}
	return min(time.Duration(min(n, 3600))*time.Second, longestPause)
}
