// Package secret knows how the tokens of vendors are written. Lint, the gate of a change
// and the redactor of transcripts read this one table: a token of a new vendor is one
// line in it.
//
// [Shapes] go in by their prefixes, and [Find] says where a text has something of a
// shape. Whether that is a real token is for the caller to judge: lint checks how random
// it is, the redactor rather takes out too much.
package secret

import "strings"

// Shape is a kind of token that begins with a prefix that everyone knows.
type Shape struct {
	What   string // as in "a GitHub token"
	Prefix string
	Of     *Alphabet // of what is behind the prefix
	// Least and Most are how many bytes a whole token has behind the prefix. From Part on
	// it may be one that was cut or masked, which is taken out of transcripts.
	Least, Most, Part int
}

// The alphabets that tokens are written in.
var (
	Base62    = NewAlphabet("a-zA-Z0-9")
	Base64URL = NewAlphabet("a-zA-Z0-9_-")
	Base64Std = NewAlphabet("a-zA-Z0-9+/=")
	LowerHex  = NewAlphabet("a-f0-9")
	AnyHex    = NewAlphabet("a-fA-F0-9")
	Upper32   = NewAlphabet("A-Z2-7")
	UpperNum  = NewAlphabet("A-Z0-9")
)

// Shapes follow the vendors' documentation of their tokens. Of two prefixes of which one
// begins with the other, the longer comes first.
var Shapes = []Shape{
	{"an AWS access key", "AKIA", UpperNum, 16, 16, 16},
	{"a temporary AWS access key", "ASIA", UpperNum, 16, 16, 16},
	{"an AWS bearer token", "ABIA", UpperNum, 16, 16, 16},
	{"an AWS context key", "ACCA", UpperNum, 16, 16, 16},
	{"a GitHub token", "ghp_", Base62, 36, 36, 20},
	{"a GitHub token", "gho_", Base62, 36, 36, 20},
	{"a GitHub token", "ghu_", Base62, 36, 36, 20},
	{"a GitHub token", "ghs_", Base62, 36, 36, 20},
	{"a GitHub token", "ghr_", Base62, 36, 36, 20},
	{"a GitHub token", "github_pat_", NewAlphabet("a-zA-Z0-9_"), 82, 82, 20},
	{"a GitLab token", "glpat-", Base64URL, 20, 64, 16},
	{"a GitLab token", "gldt-", Base64URL, 20, 64, 16},
	{"a GitLab token", "glrt-", Base64URL, 20, 64, 16},
	{"a Slack token", "xoxb-", Base64URL, 40, 200, 10},
	{"a Slack token", "xoxp-", Base64URL, 40, 200, 10},
	{"a Slack token", "xoxa-", Base64URL, 40, 200, 10},
	{"a Slack token", "xoxe-", Base64URL, 40, 200, 10},
	{"a Slack token", "xoxo-", Base64URL, 40, 200, 10},
	{"a Slack token", "xoxr-", Base64URL, 40, 200, 10},
	{"a Slack token", "xoxs-", Base64URL, 40, 200, 10},
	{"a Slack webhook", "hooks.slack.com/services/T", NewAlphabet("a-zA-Z0-9/"), 40, 60, 20},
	{"a Stripe key", "sk_live_", Base62, 24, 250, 10},
	{"a Stripe key", "rk_live_", Base62, 24, 250, 10},
	{"a Stripe webhook secret", "whsec_", NewAlphabet("a-zA-Z0-9+/="), 32, 64, 20},
	{"an Anthropic key", "sk-ant-", Base64URL, 80, 140, 10},
	{"a Google API key", "AIza", Base64URL, 35, 35, 30},
	{"a Google client secret", "GOCSPX-", Base64URL, 28, 28, 16},
	{"an npm token", "npm_", Base62, 36, 36, 30},
	{"a PyPI token", "pypi-AgEIcHlwaS5vcmc", Base64URL, 50, 400, 16},
	{"a Hugging Face token", "hf_", NewAlphabet("a-zA-Z"), 34, 34, 20},
	{"a SendGrid key", "SG.", NewAlphabet("a-zA-Z0-9_.-"), 66, 66, 40},
	{"a DigitalOcean token", "dop_v1_", LowerHex, 64, 64, 32},
	{"a Shopify token", "shpat_", AnyHex, 32, 32, 16},
	{"a Databricks token", "dapi", LowerHex, 32, 32, 32},
	{"a Groq key", "gsk_", Base62, 52, 52, 20},
	{"an xAI key", "xai-", Base62, 70, 90, 30},
}

// Find returns the shape and span of the first complete or truncated token at or after
// an offset; nil if there is none. A token does not begin within a word.
func Find(text []byte, at int) (s *Shape, from, to int) {
	for ; at < len(text); at++ {
		if at > 0 && Base64URL[text[at-1]] {
			continue
		}
		if s, to = At(text, at); s != nil {
			return s, at, to
		}
	}
	return nil, 0, 0
}

// At returns the shape of which something begins at a place, and where it ends; whether
// a word begins there is for the caller to know.
func At(text []byte, at int) (s *Shape, to int) {
	for _, i := range byFirst[text[at]] {
		s := &Shapes[i]
		if !strings.HasPrefix(string(text[at:min(len(text), at+len(s.Prefix))]), s.Prefix) {
			continue
		}
		from := at + len(s.Prefix)
		if n := s.Of.Span(text[from:]); n >= s.Part {
			return s, from + n
		}
	}
	return nil, 0
}

// byFirst are the indexes of the shapes by the first bytes of their prefixes.
var byFirst = func() (out [256][]int) {
	for i := range Shapes {
		out[Shapes[i].Prefix[0]] = append(out[Shapes[i].Prefix[0]], i)
	}
	return out
}()

// Alphabet is the set of bytes that a kind of token is written in.
type Alphabet [256]bool

// NewAlphabet reads ranges and single bytes, as in "a-z0-9_".
func NewAlphabet(ranges string) *Alphabet {
	var a Alphabet
	for i := 0; i < len(ranges); i++ {
		if i+2 < len(ranges) && ranges[i+1] == '-' {
			for c := ranges[i]; c <= ranges[i+2]; c++ {
				a[c] = true
			}
			i += 2
			continue
		}
		a[ranges[i]] = true
	}
	return &a
}

// Longest bounds how much is read as one secret, in bytes.
const Longest = 4096

// Span returns how many bytes at the beginning of b are of the alphabet.
func (a *Alphabet) Span(b []byte) int {
	n := 0
	for n < len(b) && n < Longest && a[b[n]] {
		n++
	}
	return n
}
