package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "external-link",
	Group:    linter.Links,
	Severity: schema.Off,
	Since:    since,
	Summary:  "A web page that the wiki links to no longer exists.",
	Doc: `Off by default, because it sends requests to other servers. Switch it on if web links are evidence:
` + "`lint: {rules: {external-link: warning}}`" + ` in wiki.yaml, or ` + "`wiki lint --rule external-link`" + `.

Each address is requested once with HEAD, or with GET if the server doesn't support HEAD; only a few at a
time, with two retries on server errors. Only 404, 410 and unknown hosts are reported: a login page, a rate
limit or a temporary failure says nothing about the page. Responses are cached for a week. Without a network
the check is skipped, and the report says so. Addresses of the local machine are never requested.

Link to the new address, or to an archived copy.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links to the same unknown host: %s", n, first.Message)
	},
	Check: externalLinks,
})

// Limits on the requests of one run.
const (
	webWorkers = 8
	webTries   = 3
	webTimeout = 15 * time.Second
	webPause   = 250 * time.Millisecond
)

// answer is the result of asking for one address.
type answer struct {
	Status int    `json:"status"`         // HTTP status; 0 when there was none
	Gone   string `json:"gone,omitempty"` // why, when the name does not exist
	failed bool   // the network or the server failed: nothing is known
}

func externalLinks(p *linter.Pass) {
	uses := map[string][]site{}
	for s := range sites(p) {
		if u := webAddress(s); u != "" {
			uses[u] = append(uses[u], s)
		}
	}
	if len(uses) == 0 {
		return
	}
	answers, offline := ask(p, publicOnly(p.HTTP), slices.Sorted(maps.Keys(uses)))
	if offline {
		p.Skip("no web address could be reached; run it again with a network connection")
		return
	}
	for _, u := range slices.Sorted(maps.Keys(answers)) {
		a := answers[u]
		why, cause := "", ""
		switch {
		case a.Gone != "":
			why, cause = a.Gone, "host:"+a.Gone
		case a.Status == http.StatusNotFound || a.Status == http.StatusGone:
			why = fmt.Sprintf("the server answers %d %s", a.Status, http.StatusText(a.Status))
		default:
			continue
		}
		for _, s := range uses[u] {
			lowerSeverity(p.ReportCause(cause, s.Page.Path, s.at(), "%s is gone: %s; link to its new address, or to an archived copy", u, why), s.Page)
		}
	}
}

// webAddress returns the address, without its fragment, that a link asks a
// server for, or "".
func webAddress(s site) string {
	if !s.Link.External {
		return ""
	}
	raw := s.Link.Raw
	if strings.HasPrefix(raw, "//") {
		raw = "https:" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || loopback(raw) || privateHost(u.Hostname()) {
		return ""
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// privateHost reports whether a name or address belongs to a private network,
// which a page must not make the linter talk to.
func privateHost(host string) bool {
	ip := net.ParseIP(host)
	return !strings.Contains(host, ".") && ip == nil || ip != nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast())
}

// publicOnly returns a client that follows no redirection into a private
// network.
func publicOnly(client *http.Client) *http.Client {
	c := *client
	c.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if len(via) >= 10 || loopback(req.URL.String()) || privateHost(req.URL.Hostname()) {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &c
}

// ask asks for every address, from the cache where it can. offline is true
// when there was something to ask and nothing answered.
func ask(p *linter.Pass, client *http.Client, addresses []string) (answers map[string]answer, offline bool) {
	cache, err := openWebCache(p.Wiki.Workspace().Dir, p.CacheDir, p.Today)
	if err != nil {
		p.Skip("could not cache the responses: %v", err)
	}
	answers = make(map[string]answer, len(addresses))
	var todo []string
	for _, a := range addresses {
		if got, ok := cache.get(a); ok {
			answers[a] = got
		} else {
			todo = append(todo, a)
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan string)
	reached := 0
	for range min(webWorkers, len(todo)) {
		wg.Go(func() {
			for a := range next {
				got := askTwice(p.Context, client, a)
				mu.Lock()
				answers[a] = got
				if !got.failed || got.Status != 0 {
					reached++
				}
				mu.Unlock()
			}
		})
	}
	for _, a := range todo {
		next <- a
	}
	close(next)
	wg.Wait()
	for _, a := range todo {
		if got := answers[a]; !got.failed {
			cache.put(a, got)
		}
	}
	cache.save()
	// A resolver that says of every single name that it does not exist is a
	// machine without a network.
	statuses := 0
	for _, a := range todo {
		if answers[a].Status != 0 {
			statuses++
		}
	}
	return answers, len(todo) > 0 && (reached == 0 || statuses == 0 && len(todo) > 2)
}

// askTwice asks for one address and asks again when the server or the network
// fails.
func askTwice(ctx context.Context, client *http.Client, address string) (got answer) {
	for try := range webTries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return answer{failed: true}
			case <-time.After(webPause << try):
			}
		}
		if got = askOnce(ctx, client, http.MethodHead, address); got.failed || got.Status >= 400 {
			got = cmp.Or(askOnce(ctx, client, http.MethodGet, address), got)
		}
		if !got.failed {
			break
		}
	}
	return got
}

func askOnce(ctx context.Context, client *http.Client, method, address string) answer {
	ctx, cancel := context.WithTimeout(ctx, webTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return answer{failed: true}
	}
	req.Header.Set("User-Agent", "wiki-lint (checks links)")
	resp, err := client.Do(req)
	if err != nil {
		var dns *net.DNSError
		if errors.As(err, &dns) && dns.IsNotFound {
			return answer{Gone: fmt.Sprintf("unknown host %q", dns.Name)}
		}
		return answer{failed: true}
	}
	resp.Body.Close()
	return answer{Status: resp.StatusCode, failed: resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests}
}
