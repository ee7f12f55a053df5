package gendocs

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// LimitsPage is where the page of limits lies.
const LimitsPage = "20_SYSTEM/limits.md"

// Limits returns the page of the limits that a wiki has without configuration.
func Limits() Pages {
	var b strings.Builder
	head(&b, "Limits", "system", "Every limit on the resources that a wiki may use, and what happens beyond it.")
	b.WriteString("Pages are untrusted: what reading, checking, building and searching them costs is bounded. The rows\n" +
		"with a key can be set in wiki.yaml; the others are fixed. `wiki doctor` lists them as they are in a wiki.\n\n" +
		"| limit | default | unit | key | beyond it |\n|---|---|---|---|---|\n")
	for _, l := range append(schema.LimitTable(schema.Limits{}), files.Table()...) {
		key := "fixed"
		if l.Key != "" {
			key = "`" + l.Key + "`"
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", strings.ReplaceAll(l.Name, "**", "`**`"), l.Value, l.Unit, key, l.Beyond)
	}
	b.WriteString("\nA signal (SIGINT, SIGTERM, SIGHUP) ends every command within a second, whatever it does; a file that is\nbeing written then is completed first.\n")
	return Pages{LimitsPage: b.String()}
}
