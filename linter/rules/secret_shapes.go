package rules

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"hash/crc32"
	"net/url"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// secretShape is one kind of secret that can be told by how it is written.
type secretShape struct {
	what   string
	prefix string // that all of the kind begin with, and everyone knows
	// Behind the prefix stand between least and most bytes of the alphabet.
	of          *alphabet
	least, most int
	grams       []string // at the beginning of the prefix when nil
	// check tells a secret from what only looks like one; random when nil.
	check func(token string) bool
	// match replaces all of the above for shapes that have no prefix.
	match func(src []byte, at int) (schema.Span, bool)
	// dead reports whether the secret is of no use any more.
	dead     func(token string, today time.Time) bool
	severity schema.Severity // Off is that of the rule
}

// secretShapes are taken from what the providers document of their tokens.
var secretShapes = []secretShape{
	{what: "an AWS access key", prefix: "AKIA", of: upper32, least: 16, most: 16, check: awsKey},
	{what: "a temporary AWS access key", prefix: "ASIA", of: upper32, least: 16, most: 16, check: awsKey},
	{what: "an AWS secret access key", grams: by("ss_k", "essk", "ss k"), match: awsSecret},
	{what: "a GitHub token", prefix: "ghp_", of: base62, least: 36, most: 36, check: githubChecksum},
	{what: "a GitHub token", prefix: "gho_", of: base62, least: 36, most: 36, check: githubChecksum},
	{what: "a GitHub token", prefix: "ghu_", of: base62, least: 36, most: 36, check: githubChecksum},
	{what: "a GitHub token", prefix: "ghs_", of: base62, least: 36, most: 36, check: githubChecksum},
	{what: "a GitHub token", prefix: "ghr_", of: base62, least: 36, most: 36, check: githubChecksum},
	{what: "a GitHub token", prefix: "github_pat_", of: newAlphabet("a-zA-Z0-9_"), least: 82, most: 82, grams: by("b_pa")},
	{what: "a GitLab token", prefix: "glpat-", of: base64URL, least: 20, most: 64},
	{what: "a GitLab token", prefix: "gldt-", of: base64URL, least: 20, most: 64},
	{what: "a GitLab token", prefix: "glrt-", of: base64URL, least: 20, most: 64},
	{what: "a Slack token", prefix: "xoxb-", of: base64URL, least: 40, most: 200, check: mixed},
	{what: "a Slack token", prefix: "xoxp-", of: base64URL, least: 40, most: 200, check: mixed},
	{what: "a Slack token", prefix: "xoxa-", of: base64URL, least: 40, most: 200, check: mixed},
	{what: "a Slack webhook", prefix: "hooks.slack.com/services/T", of: newAlphabet("a-zA-Z0-9/"), least: 40, most: 60, grams: by("s.sl"), check: slackHook},
	{what: "a Stripe key", prefix: "sk_live_", of: base62, least: 24, most: 250},
	{what: "a Stripe key", prefix: "rk_live_", of: base62, least: 24, most: 250},
	{what: "a Stripe webhook secret", prefix: "whsec_", of: newAlphabet("a-zA-Z0-9+/="), least: 32, most: 64},
	{what: "an OpenAI key", grams: by("3blb"), match: openAIKey},
	{what: "an Anthropic key", prefix: "sk-ant-", of: base64URL, least: 80, most: 140, grams: by("k-an")},
	{what: "a Google API key", prefix: "AIza", of: base64URL, least: 35, most: 35},
	{what: "a Google client secret", prefix: "GOCSPX-", of: base64URL, least: 28, most: 28},
	{what: "an npm token", prefix: "npm_", of: base62, least: 36, most: 36},
	{what: "a PyPI token", prefix: "pypi-AgEIcHlwaS5vcmc", of: base64URL, least: 50, most: 400, grams: by("pi-a")},
	{what: "a Hugging Face token", prefix: "hf_", of: newAlphabet("a-zA-Z"), least: 34, most: 34, grams: hfGrams()},
	{what: "a SendGrid key", prefix: "SG.", of: newAlphabet("a-zA-Z0-9_.-"), least: 66, most: 66, grams: sendGridGrams()},
	{what: "a DigitalOcean token", prefix: "dop_v1_", of: lowerHex, least: 64, most: 64, check: func(t string) bool { return random(t[len("dop_v1_"):], 3) }},
	{what: "a Shopify token", prefix: "shpat_", of: anyHex, least: 32, most: 32, check: func(t string) bool { return random(t[len("shpat_"):], 2.8) }},
	{what: "a Databricks token", prefix: "dapi", of: lowerHex, least: 32, most: 32, check: func(t string) bool { return random(t[len("dapi"):], 2.8) }},
	{what: "a Groq key", prefix: "gsk_", of: base62, least: 52, most: 52},
	{what: "an xAI key", prefix: "xai-", of: base62, least: 70, most: 90},
	{what: "a private key", grams: by("---b"), match: privateKey},
	{what: "a signed token (JWT)", grams: by("eyjh", "eyj0", "eyjr", "eyjp", "eyjj", "eyjl"), match: jwt, dead: expired, severity: schema.Warning},
	{what: "a password in an address", grams: schemeGrams(), match: passwordInURL, severity: schema.Warning},
}

var _ = func() bool {
	for n := range secretShapes {
		s := &secretShapes[n]
		match, grams := s.match, s.grams
		if match == nil {
			match = s.find
		}
		if grams == nil {
			grams = by(s.prefix[:4])
		}
		watch("secret", n, match, grams...)
	}
	return true
}()

// find looks for the shape around a gram of its prefix, or near it when the
// prefix is shorter than a gram.
func (s *secretShape) find(src []byte, at int) (schema.Span, bool) {
	from := max(0, at-len(s.prefix))
	i := bytes.Index(src[from:min(len(src), at+len(s.prefix)+4)], []byte(s.prefix))
	if i < 0 || from+i > 0 && base64URL[src[from+i-1]] {
		return schema.Span{}, false
	}
	start := from + i
	n := s.of.span(src[start+len(s.prefix):])
	end := start + len(s.prefix) + n
	if n < s.least || n > s.most {
		return schema.Span{}, false
	}
	token := string(src[start:end])
	if s.check != nil && !s.check(token) || s.check == nil && !random(token[len(s.prefix):], 3.5) {
		return schema.Span{}, false
	}
	return schema.Span{Start: start, End: end}, true
}

// hfGrams are the grams of hf_ and one letter.
func hfGrams() []string {
	var out []string
	for c := 'a'; c <= 'z'; c++ {
		out = append(out, "hf_"+string(c))
	}
	return out
}

// sendGridGrams are the grams of SG. and a letter or digit.
func sendGridGrams() []string {
	var out []string
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789_-" {
		out = append(out, "SG."+string(c))
	}
	return out
}

// schemeGrams are the grams of the end of a scheme and ://.
func schemeGrams() []string {
	var out []string
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		out = append(out, string(c)+"://")
	}
	return out
}

// awsKey excepts the keys of AWS's documentation, which end in EXAMPLE.
func awsKey(token string) bool {
	return strings.ContainsAny(token[4:], "234567") && random(token[4:], 2.8)
}

// awsSecret finds 40 bytes of base64 behind the name of the field.
func awsSecret(src []byte, at int) (schema.Span, bool) {
	name := bytes.ToLower(src[max(0, at-12):min(len(src), at+8)])
	if !bytes.Contains(name, []byte("secret")) || !bytes.Contains(name, []byte("key")) {
		return schema.Span{}, false
	}
	end := min(len(src), at+30)
	for i := at + 4; i < end; i++ {
		if src[i] == '\n' {
			break
		}
		n := base64Std.span(src[i:])
		if n == 40 && random(string(src[i:i+n]), 4.2) && strings.ContainsAny(string(src[i:i+n]), "0123456789") {
			return schema.Span{Start: i, End: i + n}, true
		}
		i += n
	}
	return schema.Span{}, false
}

// githubChecksum reports whether the last six letters are the CRC-32 of those
// behind the prefix, in base 62, as GitHub has written its tokens since 2021.
func githubChecksum(token string) bool {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	body := token[len("ghp_"):]
	sum := crc32.ChecksumIEEE([]byte(body[:30]))
	var want [6]byte
	for i := len(want) - 1; i >= 0; i-- {
		want[i] = digits[sum%62]
		sum /= 62
	}
	return body[30:] == string(want[:])
}

// mixed is random for tokens with long numbers in them.
func mixed(token string) bool {
	tail := token[strings.LastIndexByte(token, '-')+1:]
	return strings.Count(token, "-") >= 3 && len(tail) >= 20 && random(tail, 3)
}

// slackHook checks the last of the three parts.
func slackHook(token string) bool {
	parts := strings.Split(token, "/")
	return len(parts) == 5 && len(parts[4]) >= 20 && random(parts[4], 3.3)
}

// openAIKey finds a key around the five letters that all of them hold.
func openAIKey(src []byte, at int) (schema.Span, bool) {
	start, end := at, at
	for start > 0 && at-start < 120 && base64URL[src[start-1]] {
		start--
	}
	for end < len(src) && end-at < 120 && base64URL[src[end]] {
		end++
	}
	token := string(src[start:end])
	i := strings.Index(token, "T3BlbkFJ")
	if !strings.HasPrefix(token, "sk-") || i < 20 || len(token)-i < 24 || !random(token[i+8:], 3.5) {
		return schema.Span{}, false
	}
	return schema.Span{Start: start, End: end}, true
}

// privateKey finds an armoured private key that holds more than its armour.
func privateKey(src []byte, at int) (schema.Span, bool) {
	start := at - 2
	if start < 0 || !bytes.HasPrefix(src[start:], []byte("-----BEGIN ")) {
		return schema.Span{}, false
	}
	text := src[start:min(len(src), start+4*longestSecret)]
	first, rest, ok := bytes.Cut(text, []byte("\n"))
	first = bytes.TrimSpace(first)
	if !ok || !bytes.HasSuffix(first, []byte("PRIVATE KEY-----")) && !bytes.HasSuffix(first, []byte("PRIVATE KEY BLOCK-----")) {
		return schema.Span{}, false
	}
	end := bytes.Index(rest, []byte("-----"))
	if end < 0 || !bytes.HasPrefix(rest[end:], []byte("-----END ")) {
		return schema.Span{}, false
	}
	var body strings.Builder
	for line := range bytes.Lines(rest[:end]) {
		if line = bytes.Trim(line, " \t\r\n>"); len(line) >= 16 && base64Std.span(line) == len(line) {
			body.Write(line)
		}
	}
	if text := body.String(); len(text) < 64 || !random(text[:min(len(text), 200)], 4.2) {
		return schema.Span{}, false
	}
	return schema.Span{Start: start, End: start + len(text) - len(rest) + end}, true
}

// jwt finds a JSON Web Token (RFC 7519) with a signature.
func jwt(src []byte, at int) (schema.Span, bool) {
	if at < 0 || at > 0 && base64URL[src[at-1]] {
		return schema.Span{}, false
	}
	head, rest := cutJWT(src[at:])
	if jwtPart(head)["alg"] == nil {
		return schema.Span{}, false
	}
	middle, rest := cutJWT(rest)
	claims := jwtPart(middle)
	if claims == nil || claims["name"] == "John Doe" || claims["role"] == "anon" {
		return schema.Span{}, false
	}
	sum := string(rest[:base64URL.span(rest)])
	if len(sum) < 20 || !random(sum, 3.5) {
		return schema.Span{}, false
	}
	return schema.Span{Start: at, End: at + len(head) + 1 + len(middle) + 1 + len(sum)}, true
}

// cutJWT returns the part of a token that b begins with, and what is behind
// the dot after it.
func cutJWT(b []byte) (part string, rest []byte) {
	n := base64URL.span(b)
	if n == len(b) || b[n] != '.' {
		return "", nil
	}
	return string(b[:n]), b[n+1:]
}

// jwtPart reads one part of a token, or returns nil.
func jwtPart(s string) map[string]any {
	b, err := base64.RawURLEncoding.DecodeString(s)
	var m map[string]any
	if err != nil || json.Unmarshal(b, &m) != nil {
		return nil
	}
	return m
}

// expired reports whether a token says that its time is over.
func expired(token string, today time.Time) bool {
	exp, ok := jwtPart(strings.Split(token, ".")[1])["exp"].(float64)
	return ok && !today.IsZero() && time.Unix(int64(exp), 0).Before(today)
}

// passwordInURL finds user:password@ behind a scheme, unless the host is that
// of an example or of the reader's own machine.
func passwordInURL(src []byte, at int) (schema.Span, bool) {
	from := at + len("s://")
	if at < 0 || from >= len(src) {
		return schema.Span{}, false
	}
	text := src[from:min(len(src), from+300)]
	if i := bytes.IndexAny(text, "/ \t\r\n<>\"'`|)"); i >= 0 {
		text = text[:i]
	}
	i := bytes.LastIndexByte(text, '@')
	if i < 0 {
		return schema.Span{}, false
	}
	colon := bytes.IndexByte(text[:i], ':')
	if colon < 0 {
		return schema.Span{}, false
	}
	user, password, host := string(text[:colon]), string(text[colon+1:i]), string(text[i+1:])
	if !chosen(user, password) || !remote(host) {
		return schema.Span{}, false
	}
	return schema.Span{Start: from + colon + 1, End: from + i}, true
}

// chosen reports whether a password is one that someone uses, and no blank.
func chosen(user, password string) bool {
	return len(password) >= 8 && !strings.EqualFold(user, password) && !strings.ContainsAny(password, "$<>{}[]*%()") &&
		strings.ContainsAny(password, "0123456789") && !strings.Contains(strings.ToLower(password), "pass") && random(password, 2.5)
}

// remote reports whether a host is in the web.
func remote(host string) bool {
	u, err := url.Parse("http://" + host)
	if err != nil {
		return false
	}
	name := strings.ToLower(u.Hostname())
	for _, end := range []string{"localhost", ".local", ".test", ".invalid", ".example", "example.com", "example.org", "example.net", ".internal", "host", "server"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	return strings.Contains(name, ".") && !strings.HasPrefix(name, "127.") && !strings.ContainsAny(name, "{}<>$")
}
