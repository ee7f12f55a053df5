package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
)

// notice is a page of the server itself, if the site has none.
type notice struct {
	Title  string
	Steps  []string
	Text   string
	Follow string
	Lang   string
	Live   string
	Style  template.CSS
}

const noticeStyle = `:root{color-scheme:light dark}` +
	`body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif;color:light-dark(#23211d,#e6e2da);background:light-dark(#fdfcfa,#191817)}` +
	`main{max-width:38rem;margin:0 auto;padding:14vh 1.5rem 4rem}` +
	`h1{font-size:1.5rem;line-height:1.3;margin:0 0 1rem}` +
	`pre{padding:.8rem 1rem;border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere;background:light-dark(#f2efe9,#262421)}` +
	`code,pre{font:.9375rem/1.55 ui-monospace,monospace}li{margin:.5rem 0}p.dim{color:light-dark(#6b665c,#a49e92)}`

var noticePage = template.Must(template.New("notice").Parse(`<!doctype html>
<html lang="{{.Lang}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<link rel="icon" href="data:,">
<style>{{.Style}}</style>
<script defer src="{{.Live}}"></script>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
{{- with .Text}}
<pre>{{.}}</pre>
{{- end}}
{{- with .Steps}}
<ol>{{range .}}
<li>{{.}}</li>{{end}}
</ol>
{{- end}}
<p class="dim">{{.Follow}}</p>
</main>
</body>
</html>
`))

var noticePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" +
	hash(noticeStyle) + "'"

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// serveEmpty says what to do about a wiki without pages.
func (s *Server) serveEmpty(w http.ResponseWriter, r *http.Request, g *generation) {
	status := http.StatusOK
	if r.URL.Path != "/" {
		status = http.StatusNotFound
	}
	ws, words := g.wiki.Workspace(), g.words()
	s.writeNotice(w, r, g, status, notice{
		Title: words.NoPages,
		Steps: []string{
			fmt.Sprintf(words.NoPagesWrite, ws.Root, filepath.Join(ws.Root, "index.md")),
			words.NoPagesBegin,
			fmt.Sprintf(words.NoPagesRoot, filepath.Join(ws.Dir, "wiki.yaml")),
		},
	})
}

// serveNotice says why a page can't be shown.
func (s *Server) serveNotice(w http.ResponseWriter, r *http.Request, g *generation, status int, title, text string) {
	s.writeNotice(w, r, g, status, notice{Title: title, Text: text})
}

func (s *Server) writeNotice(w http.ResponseWriter, r *http.Request, g *generation, status int, n notice) {
	words := g.words()
	n.Live, n.Style, n.Follow, n.Lang = liveURL, noticeStyle, words.Follows, words.Lang
	var b bytes.Buffer
	if err := noticePage.Execute(&b, n); err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", noticePolicy)
	h.Set("Server-Timing", `wiki;desc="`+s.name(g)+`"`)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes())
	}
}
