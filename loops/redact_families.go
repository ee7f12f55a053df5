package loops

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema/secret"
)

// moreTokens are told by how they begin, and are too many things to be in
// [secret.Shapes]. They need a digit: their prefixes occur in names, too.
var moreTokens = []struct {
	prefix string
	least  int // bytes behind the prefix
}{
	{"sk-", 20}, {"sk_test_", 10}, {"xai-", 20},
	{"eyJ", 60}, // a JSON web token
}

// secretNames are the last words of names that secrets are assigned to.
var secretNames = []string{
	"password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key",
	"secretkey", "secret_key", "secret-key", "privatekey", "private_key", "private-key", "credential", "credentials",
}

// secretParts are words of upper-case names, as variables of the environment
// have, and of connection strings that do.
var secretParts = []string{"PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIALS"}

// tokenHead is how much of a token is looked at to know it.
const tokenHead = 128

// findFamilies returns where a text has what looks like a secret, in order. Its
// time is linear: a stretch that is looked at from one place is not looked at
// from the next.
func findFamilies(text []byte) []span {
	var spans []span
	for i := 0; i < len(text); {
		s := span{}
		switch c := text[i]; c {
		case 's', 'r', 'A', 'g', 'x', 'n', 'e', 'h', 'p', 'w', 'd', 'S', 'G':
			s = vendorToken(text, i)
		case 'b', 'B':
			s = bearer(text, i)
		case '=':
			s = assigned(text, i)
		case ':':
			if s = userInfo(text, i); s.to == 0 {
				s = assigned(text, i)
			}
		}
		if s.to > i {
			spans = append(spans, s)
			i = s.to
		} else {
			i++
		}
	}
	return spans
}

// beginsWord reports whether a word may begin at i: behind a byte of none, or
// behind an escaped line end or tab.
func beginsWord(text []byte, i int) bool {
	if i == 0 || !isWord(text[i-1]) {
		return true
	}
	return i > 1 && text[i-2] == '\\' && strings.IndexByte("nrt", text[i-1]) >= 0
}

func vendorToken(text []byte, i int) span {
	if !beginsWord(text, i) {
		return span{}
	}
	if s, to := secret.At(text, i); s != nil {
		return span{i, run(text, to, isToken)}
	}
	for _, v := range moreTokens {
		if !bytes.HasPrefix(text[i:], []byte(v.prefix)) {
			continue
		}
		from := i + len(v.prefix)
		// Only what is found is read to its end: the rest of a row of words that begin
		// alike is read again from the next one.
		to := run(text[:min(len(text), from+tokenHead)], from, isToken)
		if to-from >= v.least && hasDigit(text[from:to]) {
			return span{i, run(text, to, isToken)}
		}
	}
	return span{}
}

// bearer finds a token of RFC 6750 where no header's name stands before it.
func bearer(text []byte, i int) span {
	const word = "bearer "
	if len(text)-i < len(word) || !beginsWord(text, i) || !strings.EqualFold(string(text[i:i+len(word)]), word) {
		return span{}
	}
	from := i + len(word)
	to := run(text, from, isToken)
	if n := to - from; n >= 20 || n >= 8 && hasDigit(text[from:to]) {
		return span{from, to}
	}
	return span{}
}

// userInfo finds the password of a URL (RFC 3986, 3.2.1) whose "://" is at i.
func userInfo(text []byte, i int) span {
	if !bytes.HasPrefix(text[i:], []byte("://")) || i == 0 || !isWord(text[i-1]) {
		return span{}
	}
	colon, at := 0, 0
	for j := i + 3; j < len(text); j++ {
		c := text[j]
		if c <= ' ' || strings.IndexByte("/?#\"'`<>\\", c) >= 0 {
			break
		}
		if c == ':' && colon == 0 {
			colon = j
		} else if c == '@' {
			at = j
		}
	}
	if colon == 0 || at <= colon+1 || isReference(text[colon+1]) {
		return span{}
	}
	return span{colon + 1, at}
}

// assigned finds the value behind the = or : at i if the name before it says
// that it is a secret.
func assigned(text []byte, i int) span {
	name, quoted := nameBefore(text, i)
	lower := strings.ToLower(name)
	from, quote := valueAfter(text, i)
	if from >= len(text) || isReference(text[from]) {
		return span{}
	}
	if strings.HasSuffix(lower, "authorization") {
		return authorization(text, from)
	}
	switch {
	case text[i] == '=' && isVariable(name):
		to := run(text, from, isUnquoted)
		if v := text[from:to]; len(v) >= 6 && len(bytes.TrimLeft(v, "0123456789")) > 0 {
			return span{from, to}
		}
	case !hasSuffix(lower, secretNames):
	case quoted && quote:
		to := run(text, from, isUnquoted)
		if to-from >= 6 && to < len(text) && strings.IndexByte(`"'\`, text[to]) >= 0 {
			return span{from, to}
		}
	default:
		to := run(text, from, isToken)
		for to < len(text) && text[to] == '=' {
			to++
		}
		v := text[from:to]
		called := to < len(text) && strings.IndexByte("([{", text[to]) >= 0
		if len(v) >= 8 && !called && hasDigit(v) && len(bytes.Trim(v, "0123456789._-")) > 0 {
			return span{from, to}
		}
	}
	return span{}
}

// authorization finds the credentials of a header, behind its scheme.
func authorization(text []byte, from int) span {
	to := run(text, from, isToken)
	if to < len(text) && text[to] == ' ' && to-from <= 16 {
		if next := run(text, to+1, isUnquoted); next-to > 6 {
			return span{to + 1, next}
		}
	}
	to = run(text, from, isUnquoted)
	if to-from < 8 {
		return span{}
	}
	return span{from, to}
}

// nameBefore returns the name that ends at i, and whether it is quoted.
func nameBefore(text []byte, i int) (name string, quoted bool) {
	const longest = 64
	for i > 0 && text[i-1] == ' ' && i > 1 && (text[i-2] == '"' || text[i-2] == '\'') {
		i--
	}
	if i > 0 && (text[i-1] == '"' || text[i-1] == '\'') {
		i, quoted = i-1, true
		if i > 0 && text[i-1] == '\\' {
			i--
		}
	}
	from := i
	for from > 0 && i-from < longest && (isWord(text[from-1]) || text[from-1] == '-' || text[from-1] == '.') {
		from--
	}
	if from > 0 && from < i && text[from-1] == '\\' && strings.IndexByte("nrt", text[from]) >= 0 {
		from++ // an escaped line end
	}
	return string(text[from:i]), quoted
}

// valueAfter returns where the value behind i begins, and whether it is quoted.
func valueAfter(text []byte, i int) (from int, quoted bool) {
	from = i + 1
	if text[i] == ':' {
		for spaces := 0; from < len(text) && text[from] == ' ' && spaces < 4; spaces++ {
			from++
		}
	}
	for from < len(text) && from-i < 12 && strings.IndexByte(`\"'`, text[from]) >= 0 {
		from, quoted = from+1, true
	}
	return from, quoted
}

// NamedSecret reports whether the value of a variable or key with this name is a secret.
func NamedSecret(name string) bool {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	for _, w := range words {
		if slices.Contains(secretWords, w) {
			return true
		}
	}
	return hasSuffix(strings.ToLower(name), secretNames)
}

// secretWords are words of names whose values are secrets, whatever else is in them.
var secretWords = []string{"KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PAT", "CREDENTIAL", "CREDENTIALS", "COOKIE", "TOKENS", "SECRETS", "KEYS"}

// isVariable reports whether a name is that of a variable that holds a secret.
func isVariable(name string) bool {
	if name == "" || name != strings.ToUpper(name) {
		return false
	}
	for _, p := range secretParts {
		if at := strings.Index(name, p); at >= 0 {
			after := name[at+len(p):]
			if after == "" || after[0] == '_' || isDigit(after[0]) {
				return true
			}
		}
	}
	return false
}

// isReference reports whether a value that begins with b stands for another one.
func isReference(b byte) bool { return strings.IndexByte("$<{[(%*|", b) >= 0 }

func hasSuffix(s string, suffixes []string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

// run returns where the bytes of a class that begin at from end.
func run(text []byte, from int, class func(byte) bool) int {
	for from < len(text) && class(text[from]) {
		from++
	}
	return from
}

func hasDigit(text []byte) bool { return bytes.ContainsAny(text, "0123456789") }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isUpperDigit(b byte) bool { return b >= 'A' && b <= 'Z' || isDigit(b) }

func isWord(b byte) bool { return isUpperDigit(b) || b >= 'a' && b <= 'z' || b == '_' }

// isToken reports whether a byte may occur in a token, except for padding.
func isToken(b byte) bool { return isWord(b) || strings.IndexByte("-.+/~", b) >= 0 }

// isUnquoted reports whether a byte may occur in an unquoted value.
func isUnquoted(b byte) bool {
	return b > ' ' && b != 0x7f && strings.IndexByte("\"'`\\;,&|<>()", b) < 0
}
