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
	"github.com/loopwiki/wiki/schema/secret"
)

// secretShape is one kind of secret that is recognized by its form.
type secretShape struct {
	secret.Shape
	grams []string // at the beginning of the prefix when nil
	// check distinguishes a secret from similar text; random by default.
	check func(token string) bool
	// match replaces the prefix and the token for shapes without a prefix.
	match func(src []byte, at int) (schema.Span, bool)
	// dead reports whether the secret is of no use any more.
	dead     func(token string, today time.Time) bool
	severity schema.Severity // Off is that of the rule
}

// secretShapes are the vendors' shapes, and those without a prefix.
var secretShapes = func() []secretShape {
	var out []secretShape
	for _, s := range secret.Shapes {
		out = append(out, secretShape{Shape: s, grams: prefixGrams[s.Prefix], check: tokenChecks[s.Prefix]})
	}
	called := func(what string) secret.Shape { return secret.Shape{What: what} }
	return append(out,
		secretShape{Shape: called("an AWS secret access key"), grams: by("ss_k", "essk", "ss k"), match: awsSecret},
		secretShape{Shape: called("an OpenAI key"), grams: by("3blb"), match: openAIKey},
		secretShape{Shape: called("a private key"), grams: by("---b"), match: privateKey},
		secretShape{Shape: called("a signed token (JWT)"), grams: by("eyjh", "eyj0", "eyjr", "eyjp", "eyjj", "eyjl"), match: jwt, dead: expired, severity: schema.Warning},
		secretShape{Shape: called("a password in an address"), grams: schemeGrams(), match: passwordInURL, severity: schema.Warning},
	)
}()

// prefixGrams are the grams of prefixes whose first four letters are too common, or that
// have fewer.
var prefixGrams = map[string][]string{
	"github_pat_": by("b_pa"), "hooks.slack.com/services/T": by("s.sl"), "sk-ant-": by("k-an"), "pypi-AgEIcHlwaS5vcmc": by("pi-a"),
	"hf_": hfGrams(), "SG.": sendGridGrams(),
}

// tokenChecks distinguish tokens from similar text, by their prefix.
var tokenChecks = map[string]func(token string) bool{
	"AKIA": awsKey, "ASIA": awsKey, "ABIA": awsKey, "ACCA": awsKey,
	"ghp_": githubChecksum, "gho_": githubChecksum, "ghu_": githubChecksum, "ghs_": githubChecksum, "ghr_": githubChecksum,
	"xoxb-": mixed, "xoxp-": mixed, "xoxa-": mixed, "xoxe-": mixed, "xoxo-": mixed, "xoxr-": mixed, "xoxs-": mixed,
	"hooks.slack.com/services/T": slackHook,
	"dop_v1_":                    afterPrefix("dop_v1_", 3), "shpat_": afterPrefix("shpat_", 2.8), "dapi": afterPrefix("dapi", 2.8),
}

// afterPrefix reports whether what follows a prefix is random.
func afterPrefix(prefix string, leastBits float64) func(string) bool {
	return func(token string) bool { return random(token[len(prefix):], leastBits) }
}

var _ = func() bool {
	for n := range secretShapes {
		s := &secretShapes[n]
		match, grams := s.match, s.grams
		if match == nil {
			match = s.find
		}
		if grams == nil {
			grams = by(s.Prefix[:4])
		}
		watch("secret", n, match, grams...)
	}
	return true
}()

// find looks for the shape around a gram of its prefix, or near it when the
// prefix is shorter than a gram.
func (s *secretShape) find(src []byte, at int) (schema.Span, bool) {
	from := max(0, at-len(s.Prefix))
	i := bytes.Index(src[from:min(len(src), at+len(s.Prefix)+4)], []byte(s.Prefix))
	if i < 0 || from+i > 0 && secret.Base64URL[src[from+i-1]] {
		return schema.Span{}, false
	}
	start := from + i
	n := s.Of.Span(src[start+len(s.Prefix):])
	end := start + len(s.Prefix) + n
	if n < s.Least || n > s.Most {
		return schema.Span{}, false
	}
	token := string(src[start:end])
	if s.check != nil && !s.check(token) || s.check == nil && !random(token[len(s.Prefix):], 3.5) {
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
	key := token[4:]
	return secret.Upper32.Span([]byte(key)) == len(key) && strings.ContainsAny(key, "234567") && random(key, 2.8)
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
		n := secret.Base64Std.Span(src[i:])
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
	for start > 0 && at-start < 120 && secret.Base64URL[src[start-1]] {
		start--
	}
	for end < len(src) && end-at < 120 && secret.Base64URL[src[end]] {
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
	text := src[start:min(len(src), start+4*secret.Longest)]
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
		if line = bytes.Trim(line, " \t\r\n>"); len(line) >= 16 && secret.Base64Std.Span(line) == len(line) {
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
	if at < 0 || at > 0 && secret.Base64URL[src[at-1]] {
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
	sum := string(rest[:secret.Base64URL.Span(rest)])
	if len(sum) < 20 || !random(sum, 3.5) {
		return schema.Span{}, false
	}
	return schema.Span{Start: at, End: at + len(head) + 1 + len(middle) + 1 + len(sum)}, true
}

// cutJWT returns the first part of a token, and the rest after its dot.
func cutJWT(b []byte) (part string, rest []byte) {
	n := secret.Base64URL.Span(b)
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

// expired reports whether a token declares that it has expired.
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
