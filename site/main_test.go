package site

import (
	"os"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
)

// TestMain has the many wikis and sites that are written here in memory.
func TestMain(m *testing.M) { os.Exit(schematest.InMemory(m).Run()) }
