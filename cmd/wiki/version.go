package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build says what this program was made from.
type build struct {
	Version  int    `json:"version" jsonschema:"version of this document, 1"`
	Wiki     string `json:"wiki" jsonschema:"version of the program, (devel) when built from a working tree"`
	Revision string `json:"revision,omitempty" jsonschema:"commit the program was built from"`
	Date     string `json:"date,omitempty" jsonschema:"time of that commit, RFC 3339 in UTC"`
	Modified bool   `json:"modified,omitempty" jsonschema:"whether the working tree had changes"`
	Go       string `json:"go" jsonschema:"version of Go it was built with"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// buildVersion reads what the Go toolchain left in the binary.
func buildVersion() build {
	b := build{Version: 1, Wiki: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Wiki = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String is the output of --version.
func (b build) String() string {
	s := b.Wiki
	if b.Revision != "" {
		s += " (" + b.Revision[:min(12, len(b.Revision))]
		if b.Modified {
			s += ", modified"
		}
		s += ")"
	}
	return fmt.Sprintf("%s %s %s/%s", s, b.Go, b.OS, b.Arch)
}

func newVersion(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:         "version",
		Short:       "Print the version of this program",
		Long:        "Print the version of this program and what it was built from.",
		Example:     "  wiki version\n  wiki version --json",
		Annotations: exits("0  the version was printed"),
		GroupID:     groupMore,
		Args:        takes(0, false),
		RunE: func(*cobra.Command, []string) error {
			b := buildVersion()
			if asJSON {
				return p.json(b)
			}
			p.out.Println("wiki", b)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}
