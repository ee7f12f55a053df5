package yaml

import "github.com/loopwiki/wiki/schema"

// resolve returns the kind of a plain scalar by the core schema of YAML 1.2.2
// (section 10.3.2), plus dates.
func resolve(s string) schema.NodeKind {
	if s == "" {
		return schema.KindNull
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		return resolveNumber(s)
	case c == '~' || c == 'n' || c == 'N':
		switch s {
		case "~", "null", "Null", "NULL":
			return schema.KindNull
		}
	case c == 't' || c == 'T' || c == 'f' || c == 'F':
		switch s {
		case "true", "True", "TRUE", "false", "False", "FALSE":
			return schema.KindBool
		}
	}
	return schema.KindString
}

func resolveNumber(s string) schema.NodeKind {
	if _, _, ok := schema.ParseTime(s); ok {
		return schema.KindDate
	}
	switch {
	case len(s) > 2 && s[:2] == "0x" && all(s[2:], isHex), len(s) > 2 && s[:2] == "0o" && all(s[2:], isOctal):
		return schema.KindInt
	}
	rest := s
	if rest[0] == '+' || rest[0] == '-' {
		rest = rest[1:]
	}
	switch rest {
	case ".inf", ".Inf", ".INF":
		return schema.KindFloat
	case ".nan", ".NaN", ".NAN":
		if rest == s {
			return schema.KindFloat
		}
	}
	whole, rest := digits(rest)
	if whole > 0 && rest == "" {
		return schema.KindInt
	}
	part := 0
	if rest != "" && rest[0] == '.' {
		part, rest = digits(rest[1:])
	}
	if whole+part == 0 {
		return schema.KindString
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		exp := 0
		if exp, rest = digits(rest); exp == 0 {
			return schema.KindString
		}
	}
	if rest != "" {
		return schema.KindString
	}
	return schema.KindFloat
}

// digits counts the digits s begins with and returns what follows them.
func digits(s string) (int, string) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n, s[n:]
}

func all(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
func isOctal(c byte) bool { return c >= '0' && c <= '7' }
