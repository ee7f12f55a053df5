package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// listening are words of keys whose value is the address on which something listens.
var listening = wordSet(`listen listener bind addr address`)

// everyHost are the hosts of such an address: all of the machine's, or itself. Another host is a
// peer.
var everyHost = wordSet(`0.0.0.0 127.0.0.1 localhost * [::] [::1]`)

// listensOn returns the port of the address on which something listens, by the key and the value of
// a line of configuration: listen = "0.0.0.0:7480".
func listensOn(key, text string, value schema.Span) (port schema.Span, ok bool) {
	host, digits, found := strings.Cut(text, ":")
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		host, digits = text[:i], text[i+1:]
	}
	if !found || host != "" && !everyHost[strings.ToLower(host)] || len(digits) < 2 || len(digits) > 5 || strings.Trim(digits, "0123456789") != "" || !anyWord(key, listening) {
		return schema.Span{}, false
	}
	return schema.Span{Start: value.End - len(digits), End: value.End}, true
}
