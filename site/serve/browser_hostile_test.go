package serve

import (
	"encoding/base64"
	"testing"
)

var png = func() string {
	b, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	return string(b)
}()

func TestHostileWiki(t *testing.T) {
	g := startSiege(t, chromium(t))
	t.Run("a harmless wiki", func(t *testing.T) { g.besiege(t, harmless) })
}
