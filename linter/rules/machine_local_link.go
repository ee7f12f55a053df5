package rules

import (
	"net"
	"net/url"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "machine-local-link",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A link works on one machine only.",
	Doc: `A ` + "`file:`" + ` URL, a drive letter, or a path such as ` + "`/home/…` or `/Users/…`" + ` was pasted from somebody's machine.
It is broken for everyone else and reveals a user name. Link to the file's path in the repository, or to a
URL.

A labelled link to ` + "`localhost`" + ` is a warning, because readers may not run that server. A bare address
(` + "`http://localhost:8080`" + `) is usually part of instructions and is not reported.`,
	Local: true,
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if s.Res.Broken == schema.BrokenLocal || s.Link.External && localAddress(s.Link.Raw) || s.missing() && s.Link.Markdown() && machinePath(s.Link.Raw) {
				lowerSeverity(p.Report(s.Page.Path, s.at(), "the link %q works on one machine only; link to a path in the repository, or to a URL", s.Link.Raw), s.Page)
				continue
			}
			if s.Link.External && s.Link.Markdown() && s.Link.Label != s.Link.Raw && loopback(s.Link.Raw) {
				d := p.Report(s.Page.Path, s.at(), "the link %q works only while that server runs; write the address as text, or link to its documentation", s.Link.Raw)
				d.Severity = schema.Warning
				lowerSeverity(d, s.Page)
			}
		}
	},
})

// localAddress reports whether raw names a file of one machine.
func localAddress(raw string) bool {
	return len(raw) >= 5 && strings.EqualFold(raw[:5], "file:")
}

// homeFolders are where the files of people lie on their machines.
var homeFolders = []string{"/home/", "/Users/", "/root/", "/var/folders/", "/mnt/c/", "~/"}

// machinePath reports whether raw is a path into a person's folder. It is one
// only if the wiki has no folder of that name.
func machinePath(raw string) bool {
	for _, h := range homeFolders {
		if strings.HasPrefix(raw, h) {
			return true
		}
	}
	return false
}

// loopback reports whether raw is an address of the reader's own machine.
func loopback(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}
