package loops

import "strings"

// keyScanner finds private keys in PEM (RFC 7468) and what is like it, also
// where their line ends are escaped, as in JSON. It covers what follows the
// first line as long as it can belong to a key, so that one without its last
// line is covered too.
type keyScanner struct {
	at     int    // bytes of keyBegin that match
	label  []byte // what stood after it
	dashes int    // that ended the label
	inside bool
	body   int // bytes since the first line
	line   int // bytes of the line, up to the first that is no base64
	header bool
	escape bool   // the last byte was a backslash
	ending string // what is left of the last line
}

const (
	keyBegin  = "-----BEGIN "
	keyLabel  = 40  // bytes that a label has at most
	keyHeader = 400 // bytes that RFC 1421 headers have at most
)

// held returns how many of the last bytes may be the beginning of a key.
func (k *keyScanner) held() int {
	if k.inside {
		return 0
	}
	return k.at + len(k.label) + k.dashes
}

// step takes a byte and returns how many bytes, it and those before, are of a key.
func (k *keyScanner) step(b byte) int {
	if k.inside {
		return k.within(b)
	}
	switch {
	case k.at < len(keyBegin):
		k.begin(b)
	case b == '-' && len(k.label) > 0:
		if k.dashes++; k.dashes == 5 {
			return k.labelled()
		}
	case k.dashes > 0 || len(k.label) >= keyLabel || !(b == ' ' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'):
		*k = keyScanner{}
		k.begin(b)
	default:
		k.label = append(k.label, b)
	}
	return 0
}

func (k *keyScanner) begin(b byte) {
	switch {
	case keyBegin[k.at] == b:
		k.at++
	case b == '-' && k.at == 5: // a longer row of dashes
	case b == '-':
		k.at = 1
	default:
		k.at = 0
	}
}

// labelled ends the first line.
func (k *keyScanner) labelled() int {
	n, label := k.held(), string(k.label)
	*k = keyScanner{}
	if !strings.HasSuffix(strings.TrimSuffix(label, " BLOCK"), "PRIVATE KEY") {
		k.at = 5 // its dashes may begin another
		return 0
	}
	k.inside = true
	return n
}

// within takes a byte of the key, or the first behind it.
func (k *keyScanner) within(b byte) int {
	k.body++
	switch {
	case k.ending != "":
		return k.last(b)
	case k.escape:
		k.escape = false
	case b == '-' && k.line == 0:
		k.ending = "----END "
	case k.header && k.body < keyHeader:
		if k.header = !(b == '\n' && k.line == 0); b == '\n' {
			k.line = 0
		} else if b != '\r' {
			k.line++
		}
	case b == ':' && k.line > 0 && k.body < keyHeader: // Proc-Type and DEK-Info of RFC 1421
		k.header = true
	case b == '\n' || b == '\r' || b == '\\' || b == ' ' && k.line == 0:
		k.line, k.escape = 0, b == '\\'
	case isBase64(b) || b == '-':
		k.line++
	default:
		*k = keyScanner{}
		k.begin(b)
		return 0
	}
	return 1
}

// last takes a byte of the last line, which ends with the dashes.
func (k *keyScanner) last(b byte) int {
	switch {
	case len(k.ending) > 1 && k.ending[0] == b:
		k.ending = k.ending[1:]
	case len(k.ending) == 1 && b == '-':
		k.dashes++
	case len(k.ending) == 1 && k.dashes == 0 && k.body < 1<<20 && (b == ' ' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'):
	default:
		*k = keyScanner{}
		k.begin(b)
		return 0
	}
	if k.dashes == 5 {
		*k = keyScanner{}
	}
	return 1
}

func isBase64(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '='
}
