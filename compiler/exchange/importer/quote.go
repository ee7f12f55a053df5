package importer

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// bare matches a value that YAML reads as it is written.
var bare = schema.Expression(`^[A-Za-z0-9](?:[A-Za-z0-9 _./+-]*[A-Za-z0-9])?$`)

// quote writes a value of front matter, in double quotes unless it needs none.
func quote(s string) string {
	if bare().MatchString(s) {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(strings.ToValidUTF8(s, "\uFFFD")) != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}
