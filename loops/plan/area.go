package plan

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/loops"
)

// area is a part of a project whose changes always wait for a person.
type area struct {
	name string
	// said are the phrases by which specs and items speak of it, in lower case.
	said []string
	// paths are words of paths; see loops.Area.
	paths []string
}

// areas are those that nothing takes off the list: a spec may only add to them.
var areas = []area{
	{"secrets", []string{"secrets", "secret", "production secrets", "production secret", "api keys", "api key", "private keys", "private key"},
		[]string{"secret", "secrets", ".env", ".pem", "keystore"}},
	{"billing and refunds", []string{"billing", "billing flow", "refunds", "refund", "payments", "payment", "invoices", "invoice"},
		[]string{"billing", "refund", "refunds", "payment", "payments", "invoice", "invoices"}},
	{"authentication", []string{"authentication", "authn", "login", "sign-in", "single sign-on", "oauth", "passwords", "password"},
		[]string{"auth", "authn", "authentication", "login", "signin", "sso", "oauth", "password", "passwords"}},
	{"authorization", []string{"authorization", "authorisation", "authz", "access control", "permissions"},
		[]string{"authz", "authorization", "authorisation", "rbac", "acl", "permission", "permissions"}},
	{"data deletion", []string{"data deletion", "deletion of data", "delete data", "deletes data", "drop table", "purge"},
		[]string{"purge", "erasure", "deletion"}},
	{"infrastructure credentials", []string{"infrastructure credentials", "infrastructure credential", "credentials", "credential", "kubeconfig", "service account"},
		[]string{"credentials", "credential", "kubeconfig", "iam"}},
	{"deployment configuration", []string{"deployment configuration", "deployment settings", "deployment setting", "deployment", "deployments", "deploy", "production configuration"},
		[]string{"deploy", "deployment", "deployments", "helm", "k8s", "kubernetes", "terraform", ".github/workflows/", ".gitea/workflows/", ".gitlab-ci.yml", ".gitlab/"}},
	{"legal, compliance and security policy", []string{"legal", "compliance", "security policy", "security policy changes", "security policies", "privacy policy", "gdpr", "license", "licence"},
		[]string{"legal", "compliance", "gdpr", "license", "licence", "security.md"}},
}

// areaNames returns the phrases of areas.
func areaNames() []string {
	var out []string
	for _, a := range areas {
		out = append(out, a.said...)
	}
	return out
}

// findArea returns the area that a phrase names.
func findArea(phrase string) (string, bool) {
	phrase = strings.ToLower(strings.TrimSpace(phrase))
	for _, a := range areas {
		if phrase == a.name || slices.Contains(a.said, phrase) {
			return a.name, true
		}
	}
	return "", false
}

// allAreas returns the areas, with the globs that a spec adds.
func allAreas(globs []string) []loops.Area {
	var out []loops.Area
	for _, a := range areas {
		out = append(out, loops.Area{Name: a.name, Words: a.paths})
	}
	if len(globs) > 0 {
		out = append(out, loops.Area{Name: "what the spec forbids", Globs: globs})
	}
	return out
}

// areaWords finds the phrases of areas in a text, as whole words.
var areaWords = sync.OnceValue(func() *regexp.Regexp {
	phrases := areaNames()
	slices.SortFunc(phrases, func(a, b string) int { return len(b) - len(a) })
	for i, p := range phrases {
		phrases[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(phrases, "|") + `)\b`)
})

// touches returns the first area that an item is about, and what shows it, by
// its text or by the files that are expected to change; "" if there is none.
func touches(text string, files []string, globs []string) (name, shown string) {
	if word := areaWords().FindString(text); word != "" {
		name, _ = findArea(word)
		return name, word
	}
	for _, a := range allAreas(globs) {
		for _, f := range files {
			if a.Holds(f) {
				return a.Name, f
			}
		}
	}
	return "", ""
}
