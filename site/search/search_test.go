package search

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// library is a wiki about a service, with the cases that ranking must get right.
var library = map[string]string{
	"index.md":                        "# Handbook\n\nStart with [[token-refresh]] and the ingest pipeline. Tokens, queues and caches.\n",
	"20_SYSTEM/token-refresh.md":      "---\ntype: concept\ntags: auth/oauth, security\naliases: renewing tokens\n---\n# Token refresh\n\nAccess tokens live fifteen minutes.\n\n## Clock skew\n\nA refreshed token is valid from thirty seconds before it was issued.\n",
	"20_SYSTEM/sessions.md":           "---\ntype: concept\ntags: auth\n---\n# Sessions\n\nA session ends when its token can not be refreshed. Token refresh is explained elsewhere; token, token, token.\n",
	"20_SYSTEM/ingest.md":             "---\ntype: component\n---\n# Ingest pipeline\n\nThe compiler reads pages; `RenderOptions` and parse_links decide how. Compiling ten thousand of them takes a second.\n\n## Queue\n\nThe queue is bounded. Back-pressure is applied at the head of the queue.\n",
	"20_SYSTEM/old-ingest.md":         "---\ntype: component\nstatus: superseded\n---\n# Ingest pipeline of 2024\n\nThe ingest pipeline was a cron job. The ingest pipeline had no queue.\n",
	"20_SYSTEM/cron.md":               "---\nstatus: deprecated\n---\n# Cron\n\nNightly jobs. Zanzibar.\n",
	"10_DOMAIN/知識.md":                 "# 知識コンパイラ\n\n知識コンパイラは、ウィキの文章をリンクのグラフに変える。東京都の事例。\n",
	"10_DOMAIN/zhongwen.md":           "# 中文维基\n\n编译器把维基页面变成链接图。京都。\n",
	"10_DOMAIN/uebersicht.md":         "# Übersicht\n\nEine Übersicht über die Straßen von Köln, café, naïve.\n",
	"10_DOMAIN/straight.md":           "# Straight answers\n\nAsk the database administrator about replication and consensus.\n",
	"10_DOMAIN/consensus.md":          "# Consensus\n\nReplication needs a quorum. What the quorum decides is final.\n",
	"90_LOG/2026-01-03-postmortem.md": "---\ntype: log\ntags: incident\n---\n# Postmortem: lost writes\n\nThe replica's clock drifted, ERR-2041 in `store.WriteBatch`.\n",
}

func buildLibrary(tb testing.TB) *Index {
	tb.Helper()
	ix, err := Build(context.Background(), wikiOf(tb, library))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { ix.Close() })
	return ix
}

func paths(r Results) []string {
	out := make([]string, len(r.Results))
	for i := range r.Results {
		out[i] = strings.TrimSuffix(r.Results[i].Path[strings.LastIndexByte(r.Results[i].Path, '/')+1:], ".md")
	}
	return out
}

// Only the word that a query ends in may be the beginning of another, with its parts.
func TestLastWordMayBeUnfinished(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"token ref":     "ref",
		"token ref ":    "",
		"token ref!":    "",
		"ref tag:x":     "",
		`ref "to`:       "",
		`"to" ref`:      "ref",
		"ref":           "ref",
		"a parseLin":    "parselin parse lin",
		"parseLin a":    "a",
		"how to do the": "the",
		"知":             "知",
		"知識 ref":        "ref",
	} {
		var open []string
		for _, w := range parse(query).words {
			if w.open {
				open = append(open, w.text)
			}
		}
		if got := strings.Join(open, " "); got != want {
			t.Errorf("%q: %q may be unfinished, want %q", query, got, want)
		}
	}
}

func TestRelevance(t *testing.T) {
	t.Parallel()
	ix := buildLibrary(t)
	for _, tc := range []struct {
		name, query string
		want        []string // the first results; all of them when exactly is set
		exactly     bool
	}{
		{"the title comes first, however often others say it", "token refresh", []string{"token-refresh", "sessions"}, false},
		{"a question", "how does the quorum decide", []string{"consensus"}, false},
		{"other forms of a word", "refreshing tokens", []string{"token-refresh"}, false},
		{"as typed", "tok", []string{"token-refresh"}, false},
		{"two letters", "qu", []string{"consensus", "ingest"}, false},
		{"only the last word may be unfinished", "tok refresh", []string{"token-refresh"}, false},
		{"alias", "renewing tokens", []string{"token-refresh"}, false},
		{"heading", "clock skew", []string{"token-refresh"}, false},
		{"more words come first", "quorum replication", []string{"consensus", "straight"}, true},
		{"superseded pages come last", "ingest pipeline", []string{"ingest", "index", "old-ingest"}, true},
		{"a part of an identifier", "render options", []string{"ingest"}, true},
		{"an identifier", "RenderOptions", []string{"ingest"}, true},
		{"an identifier in another spelling", "renderoptions", []string{"ingest"}, true},
		{"snake case", "parse links", []string{"ingest"}, true},
		{"a qualified name", "WriteBatch", []string{"2026-01-03-postmortem"}, true},
		{"an error code", "ERR-2041", []string{"2026-01-03-postmortem"}, true},
		{"marks are optional", "ubersicht koln cafe", []string{"uebersicht"}, true},
		{"marks are no obstacle", "Übersicht Köln café", []string{"uebersicht"}, true},
		{"file name", "old-ingest", []string{"old-ingest"}, false},

		{"typo: one letter missing", "tken", []string{"sessions", "token-refresh"}, false},
		{"typo: letters swapped in a long word", "repilcation", []string{"consensus", "straight"}, true},
		{"typo: in the first letter", "xuorum", []string{"consensus"}, true},
		{"typo: two in a long word", "admimistrater", []string{"straight"}, true},
		{"typo beside a right word", "databse administrator", []string{"straight"}, true},
		{"no typo in a short word", "qxe", nil, true},
		{"a word that is there is no typo", "quorum", []string{"consensus"}, true},

		{"phrase", `"head of the queue"`, []string{"ingest"}, true},
		{"phrase in another order", `"queue the of head"`, nil, true},
		{"phrase as written, not as stemmed", `"refreshing token"`, nil, true},
		{"phrase that never ends", `"access tokens live`, []string{"token-refresh"}, true},
		{"phrase and word", `quorum "is final"`, []string{"consensus"}, true},

		{"tag", "tag:incident", []string{"2026-01-03-postmortem"}, true},
		{"tag above", "tag:auth", []string{"token-refresh", "sessions"}, true},
		{"tag below", "tag:#auth/oauth", []string{"token-refresh"}, true},
		{"tag and word", "tag:auth sessions", []string{"sessions"}, true},
		{"type", "type:component", []string{"ingest", "old-ingest"}, true},
		{"type in capitals", "type:LOG", []string{"2026-01-03-postmortem"}, true},
		{"no such tag", "tag:nothing token", nil, true},

		{"Japanese", "コンパイラ", []string{"知識"}, true},
		{"Japanese, the whole title", "知識コンパイラ", []string{"知識"}, true},
		{"Chinese", "编译器", []string{"zhongwen"}, true},
		{"one character", "知", []string{"知識"}, true},
		{"characters in a row", "京都", []string{"zhongwen", "知識"}, true},
		{"characters not in a row", "京事", nil, true},
		{"half width", "ｺﾝﾊﾟｲﾗ", []string{"知識"}, true},

		{"a question finds what has most of it", "what does the quorum decide about lunch", []string{"consensus"}, false},
		{"nothing", "xyzzyplugh", nil, true},
		{"empty", "", nil, true},
		{"spaces", " \t\n", nil, true},
		{"only signs", `"" () * ~ ^ + - : \ / tag: type:`, nil, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := ix.Search(t.Context(), tc.query, 20)
			if err != nil {
				t.Fatal(err)
			}
			got := paths(res)
			if tc.exactly && res.Total != len(got) {
				t.Errorf("total is %d, results are %d", res.Total, len(got))
			}
			if !tc.exactly {
				got = got[:min(len(got), len(tc.want))]
			}
			if diff := cmp.Diff(tc.want, got, cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				for _, r := range res.Results {
					t.Logf("%8.4f %s", r.Score, r.Path)
				}
				t.Errorf("%q (-want +got):\n%s", tc.query, diff)
			}
		})
	}
}

func TestResultsAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	queries := []string{"token", "the queue", "tag:auth", "qu", "repilcation", "ingest pipeline tokens lunch"}
	var first []byte
	for range 5 {
		ix := buildLibrary(t)
		var all []Results
		for _, q := range queries {
			res, err := ix.Search(t.Context(), q, 10)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, res)
		}
		got, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		} else if diff := cmp.Diff(string(first), string(got)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestResultsJSON(t *testing.T) {
	t.Parallel()
	ix := buildLibrary(t)
	for _, tc := range []struct{ query, want string }{
		{"", `{"query":"","total":0,"results":[]}`},
		{"zanzibar", `{"query":"zanzibar","total":1,"results":[{"path":"20_SYSTEM/cron.md","title":"Cron","score":0,"snippet":"Nightly jobs. Zanzibar.","status":"deprecated"}]}`},
		{"naive", `{"query":"naive","total":1,"results":[{"path":"10_DOMAIN/uebersicht.md","title":"Übersicht","score":0,"snippet":"Eine Übersicht über die Straßen von Köln, café, naïve."}]}`},
	} {
		res, err := ix.Search(t.Context(), tc.query, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range res.Results {
			if res.Results[i].Score <= 0 {
				t.Errorf("%q: score of %s is %v", tc.query, res.Results[i].Path, res.Results[i].Score)
			}
			res.Results[i].Score = 0
		}
		got, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != tc.want {
			t.Errorf("%q:\n got %s\nwant %s", tc.query, got, tc.want)
		}
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	ix := buildLibrary(t)
	for query, want := range map[string]string{
		"thirty seconds":        "clock-skew",
		"fifteen minutes":       "token-refresh",
		"tok":                   "", // the page itself
		"token thirty seconds":  "clock-skew",
		"bounded back-pressure": "queue",
	} {
		res, err := ix.Search(t.Context(), query, 1)
		if err != nil || len(res.Results) == 0 {
			t.Fatal(query, res, err)
		}
		if got := res.Results[0].Anchor; got != want {
			t.Errorf("%q leads to %q of %s, want %q", query, got, res.Results[0].Path, want)
		}
	}
}

func TestResultLimit(t *testing.T) {
	t.Parallel()
	ix := buildLibrary(t)
	all, err := ix.Search(t.Context(), "the", 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= all.Total; n++ {
		res, err := ix.Search(t.Context(), "the", n)
		if err != nil {
			t.Fatal(err)
		}
		if res.Total != all.Total || len(res.Results) != n {
			t.Errorf("n=%d: %d results of %d, want %d of %d", n, len(res.Results), res.Total, n, all.Total)
		}
		if diff := cmp.Diff(paths(all)[:n], paths(res)); diff != "" {
			t.Errorf("n=%d: not the head of all results:\n%s", n, diff)
		}
	}
}

func TestSearchOfAnIndexThatIsNotBuilt(t *testing.T) {
	t.Parallel()
	var ix Index
	if _, err := ix.Search(t.Context(), "x", 1); err == nil {
		t.Error("no error")
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ix := buildLibrary(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ix.Search(ctx, "token", 1); err == nil {
		t.Error("no error")
	}
}
