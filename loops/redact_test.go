package loops

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema/schematest"
)

// joined keeps what looks like a secret out of this file.
func joined(parts ...string) string { return strings.Join(parts, "") }

func TestListedValues(t *testing.T) {
	t.Parallel()
	const v = `pä ss/w"ord+&1=`
	r := NewRedactor([]string{v, "tiny", "abc", ""})
	mark := r.Mark()
	for name, c := range map[string][2]string{
		"as it is":        {"a " + v + " b", "a " + mark + " b"},
		"twice in a row":  {v + v, mark},
		"overlapping":     {"titinytiny", "ti" + mark},
		"too short":       {"abc", "abc"},
		"base64":          {base64.StdEncoding.EncodeToString([]byte(v)), mark + "=="},
		"in a URL":        {"?p=" + url.QueryEscape(v) + "&x", "?p=" + mark + "&x"},
		"in a path":       {"/" + url.PathEscape(v) + "/", "/" + mark + "/"},
		"small escapes":   {strings.ToLower(url.QueryEscape("ä")) + lowerEscapes(url.QueryEscape(v)), "%c3%a4" + mark},
		"in JSON":         {`{"p":"pä ss/w\"ord+&1="}`, `{"p":"` + mark + `"}`},
		"in JSON of Go":   {`{"p":"pä ss/w\"ord+\u0026` + `1="}`, `{"p":"` + mark + `"}`},
		"in hex":          {hex.EncodeToString([]byte(v)), mark},
		"nothing there":   {"pä ss", "pä ss"},
		"a part at last":  {"x pä ss/w", "x pä ss/w"},
		"part then whole": {`pä ss/w` + v, `pä ss/w` + mark},
	} {
		if got, _ := r.Text(c[0]); got != c[1] {
			t.Errorf("%s: %q is %q, want %q", name, c[0], got, c[1])
		}
	}
}

func TestBasicAuthorizationHoldsAListedValue(t *testing.T) {
	t.Parallel()
	const v = "correct-horse-battery"
	for before := range 7 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("u", before) + ":" + v + "!rest"))
		got, n := NewRedactor([]string{v}).Text(text)
		if n != 1 || len(got) > 30 {
			t.Errorf("%d bytes before: %q is %q", before, text, got)
		}
	}
}

func TestFamilies(t *testing.T) {
	t.Parallel()
	r := NewRedactor(nil)
	long := strings.Repeat("aB3", 14)
	for _, secret := range []string{
		joined("sk", "-", long), joined("sk", "-ant-api03-", long), joined("AI", "za", long), joined("AK", "IA", "ABCDEFGH12345678"),
		joined("gh", "p_", long), joined("gh", "o_", long), joined("gh", "u_", long), joined("gh", "s_", long), joined("gh", "r_", long),
		joined("xa", "i-", long), joined("xo", "xb-", long), joined("sk", "_live_", long),
	} {
		for _, around := range [][2]string{{"", ""}, {"a ", " b"}, {`{"t":"`, `"}`}, {`x\n`, `\n`}, {"(", ")."[:1]}, {"k=", ";"}} {
			got, n := r.Text(around[0] + secret + around[1])
			if want := around[0] + "[redacted]" + around[1]; got != want || n != 1 {
				t.Errorf("%q is %q, want %q", around[0]+secret+around[1], got, want)
			}
		}
	}
	for text, want := range map[string]string{
		joined("sk", "-", long[:20], " ", "sk", "-", long[:19]): joined("[redacted] ", "sk", "-", long[:19]),
		"Authorization: Bearer abcdefgh1":                       "Authorization: Bearer [redacted]",
		"authorization: Basic dXNlcjpwYXNz":                     "authorization: Basic [redacted]",
		`"Authorization":"token abcdefgh"`:                      `"Authorization":"token [redacted]"`,
		"curl -H 'Authorization: abcdefgh'":                     "curl -H 'Authorization: [redacted]'",
		"sent bearer abc123def456":                              "sent bearer [redacted]",
		"postgres://me:hunter2@db:5432/x":                       "postgres://me:[redacted]@db:5432/x",
		"mongodb+srv://me:p%40ss@h/x redis://:pw1@h":            "mongodb+srv://me:[redacted]@h/x redis://:[redacted]@h",
		"export STRIPE_API_KEY=abcdef":                          "export STRIPE_API_KEY=[redacted]",
		`AWS_SECRET_ACCESS_KEY="ab/cd+ef"`:                      `AWS_SECRET_ACCESS_KEY="[redacted]"`,
		`{"password": "correct", "n": 1}`:                       `{"password": "[redacted]", "n": 1}`,
		`{\"client_secret\":\"correct\"}`:                       `{\"client_secret\":\"[redacted]\"}`,
		`log\nDB_PASSWORD=hunter22\nmore`:                       `log\nDB_PASSWORD=[redacted]\nmore`,
		"?access_token=abc123def&x=1":                           "?access_token=[redacted]&x=1",
		"apikey: abc123def":                                     "apikey: [redacted]",
	} {
		if got, _ := r.Text(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
		if got, _ := r.Text(want); got != want {
			t.Errorf("again: %q is %q", want, got)
		}
	}
}

func TestTextThatIsNoSecretStays(t *testing.T) {
	t.Parallel()
	r := NewRedactor(nil)
	for _, text := range []string{
		`{"usage":{"input_tokens":1200,"cache_read_input_tokens":99999999,"output_tokens":300},"total_cost_usd":0.0412}`,
		`{"session_id":"0b2a8f2c-1111-4222-8333-444455556666","max_tokens=40960000"}`,
		"token := lexer.next()", "password = input.Password", "func(token=token)", "TOKEN=$TOKEN API_KEY=${KEY} SECRET=<yours>",
		"The bearer of responsibilities", "class sk-folding-cube-container-wide", "https://example.org:8080/a@b", "see task-1234567890123456789012345",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "a == b", "x://y", "MAX_TOKEN=10000000", "secret", "Authorization:",
		"monkey=banana12345", "git@github.com:a/b.git", "-----", "\x00\xff\xfe", "tokens: [a, b]", "if password == nil {",
	} {
		if got, n := r.Text(text); got != text || n != 0 {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestOnlyListedValuesAreCounted(t *testing.T) {
	t.Parallel()
	src := "API_KEY=abcdefgh12 the-value, dGhlLXZhbHVl and again the-value\n"
	got, n := Redact([]byte(src), []string{"the-value"})
	if want := "API_KEY=[redacted] [redacted], [redacted] and again [redacted]\n"; string(got) != want || n != 3 {
		t.Errorf("%q, %d listed; want %q, 3", got, n, want)
	}
}

func TestPrivateKeys(t *testing.T) {
	t.Parallel()
	r := NewRedactor(nil)
	body := strings.Repeat(strings.Repeat("aB3/", 16)+"\n", 3) + "abc==\n"
	begin, end := joined("-----BEGIN RSA PRIV", "ATE KEY-----"), joined("-----END RSA PRIV", "ATE KEY-----")
	for name, c := range map[string][2]string{
		"whole":       {"a\n" + begin + "\n" + body + end + "\nb", "a\n[redacted]\nb"},
		"in JSON":     {`{"k":"` + begin + `\n` + strings.ReplaceAll(body, "\n", `\n`) + end + `\n"}`, `{"k":"[redacted]\n"}`},
		"encrypted":   {begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n" + body + end + "!", "[redacted]!"},
		"without end": {begin + "\n" + body + "(rest)", "[redacted](rest)"},
		"mentioned":   {"`" + begin + "` begins it", "`[redacted]` begins it"},
		"indented":    {"  " + begin + "\n  " + strings.ReplaceAll(body, "\n", "\n  ") + end + "\nb", "  [redacted]\nb"},
	} {
		if got, _ := r.Text(c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
}

func TestLongLinesKeepTheirText(t *testing.T) {
	t.Parallel()
	r := NewRedactor([]string{"needle-in-it"})
	token := joined("gh", "p_", strings.Repeat("aB3", 12))
	unit := "word needle-in-it " + token + " and more of it, "
	got, n := r.Text(strings.Repeat(unit, 8000))
	if want := strings.Repeat("word [redacted] [redacted] and more of it, ", 8000); got != want || n != 16000 {
		t.Errorf("%d bytes with %d marks, want %d with 16000", len(got), n, len(want))
	}
	got, _ = r.Text("a " + joined("gh", "p_", strings.Repeat("aB3", 100_000)) + " b")
	if got != "a [redacted] b" {
		t.Errorf("a token that is longer than the window leaves %d bytes", len(got))
	}
}

// TestHostileText has text that would take minutes if a stretch of it was looked
// at from many places.
func TestHostileText(t *testing.T) {
	t.Parallel()
	r := NewRedactor([]string{strings.Repeat("a", 2000) + "b", strings.Repeat("ab", 1000)})
	for _, unit := range []string{"sk-a-", "token=", "TOKEN=1", `"token":"`, "a://b:", "://", "password:", "bearer ", "Authorization: ", "-----BEGIN ", "-", "a", "eyJ", "=", `\"`} {
		for _, end := range []string{"", "\n"} {
			text := strings.Repeat(unit+end, 2<<20/len(unit))
			if got, _ := r.Text(text); got == "" {
				t.Errorf("nothing is left of many %q", unit)
			}
		}
	}
}

func TestMarkIsNoPartOfAValue(t *testing.T) {
	t.Parallel()
	r := NewRedactor([]string{"SECRET", "x[redacted]y", "redacted"})
	for _, text := range []string{"xSECRETy", "SECRET", "x[redacted]y", "xredactedy"} {
		got, _ := r.Text(text)
		for _, v := range []string{"SECRET", "x[redacted]y", "redacted"} {
			if strings.Contains(got, v) {
				t.Errorf("%q became %q, which has %q", text, got, v)
			}
		}
	}
}

// pieces writes a text in pieces of n bytes through a redactor with a window.
func pieces(t *testing.T, r *Redactor, text string, n int) string {
	t.Helper()
	var b bytes.Buffer
	w := r.Writer(&b)
	for part := range slices.Chunk([]byte(text), n) {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func FuzzRedact(f *testing.F) {
	for _, text := range schematest.Vary(300, "a secret-value b\nc", joined("x=", "gh", "p_aaaaaaaaaaaaaaaaaaaaaaaaaaaa\nTOKEN=secret-value"), joined("-----BEGIN PRIV", "ATE KEY-----\nabcd\n-----END")+" x", "password: 'secret-value'\n") {
		f.Add(text, "secret-value", "alue b", 1+len(text)%7)
	}
	f.Add(joined("x=", "gh", "p_aaaaaaaaaaaaaaaaaaaaaaaaaaaa\nTOKEN=abcdefgh"), "TOKEN", "abcd", 3)
	f.Add("aaaaaaaabaaaaaaaaab", "aaaab", "aaaa", 2)
	f.Add("line\nSECRET\nline", "e\nSECRET\nl", "\nSEC", 4)
	f.Add(joined("-----BEGIN PRIV", "ATE KEY-----\nabcd\n-----END")+" x", "abcd", "END x", 5)
	f.Fuzz(func(t *testing.T, text, one, two string, n int) {
		if n < 1 || n > 64 || len(text) > 4096 {
			return
		}
		r := NewRedactor([]string{one, two})
		r.window = 64 + 2*4*max(len(one), len(two)) // so that long lines are met
		got, marks := r.Text(text)
		if again := pieces(t, r, text, n); again != got {
			t.Fatalf("in pieces of %d: %q, at once %q", n, again, got)
		}
		for _, v := range []string{one, two} {
			if len(v) >= MinSecret && strings.Contains(got, v) && len(r.Mark()) == 10 {
				t.Fatalf("%q became %q, which has %q", text, got, v)
			}
		}
		if parts := strings.Split(got, r.Mark()); !inOrder(text, parts) {
			t.Fatalf("%q became %q, which is not its text with marks", text, got)
		}
		if want := covered(text, secretForms([]string{one, two}), r); marks == 0 && want != text || !utf8.ValidString(text) && got == "" && text != "" {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// FuzzRedactValues compares with the plain way of finding values, in texts in
// which nothing looks like a secret.
func FuzzRedactValues(f *testing.F) {
	f.Add("aaaaaaaabaaaa\naaaaab", "aaaab", "baaa", 2)
	f.Add("abcabcabdabcabd", "abcabd", "cabc", 1)
	f.Fuzz(func(t *testing.T, text, one, two string, n int) {
		small := func(s string) string {
			return strings.Map(func(c rune) rune { return 'a' + c%3 }, s)
		}
		text, one, two = small(text), small(one), small(two)
		if n < 1 || len(text) > 4096 {
			return
		}
		r := NewRedactor([]string{one, two})
		if got, want := pieces(t, r, text, n), covered(text, secretForms([]string{one, two}), r); got != want {
			t.Fatalf("%q without %q and %q is %q, want %q", text, one, two, got, want)
		}
	})
}

// covered returns the plain way: every place of every value.
func covered(text string, values []string, r *Redactor) string {
	hide := make([]bool, len(text))
	for _, v := range values {
		for i := 0; i+len(v) <= len(text); i++ {
			if text[i:i+len(v)] == v {
				for j := range len(v) {
					hide[i+j] = true
				}
			}
		}
	}
	var b strings.Builder
	for i := range len(text) {
		if !hide[i] {
			b.WriteByte(text[i])
		} else if i == 0 || !hide[i-1] {
			b.WriteString(r.Mark())
		}
	}
	return b.String()
}

// inOrder reports whether the parts follow each other in a text, the first at
// its beginning and the last at its end.
func inOrder(text string, parts []string) bool {
	if !strings.HasPrefix(text, parts[0]) || !strings.HasSuffix(text, parts[len(parts)-1]) {
		return false
	}
	for _, p := range parts {
		at := strings.Index(text, p)
		if at < 0 {
			return false
		}
		text = text[at+len(p):]
	}
	return true
}

func BenchmarkRedact(b *testing.B) {
	r := NewRedactor([]string{"correct-horse-battery", "another-value-1234"})
	text := strings.Repeat(`{"type":"assistant","message":{"content":"some text = of a line: with words, and more"},"n":12}`+"\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Text(text)
	}
}
