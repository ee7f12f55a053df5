package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/spf13/cobra"
)

// specFile returns the loop specification among the arguments of run: a file of YAML, or one
// of JSON with a loop_name.
func (p *program) specFile(args []string) (of control.Declaration, ok bool, err error) {
	if len(args) != 1 {
		return of, false, nil
	}
	ext := strings.ToLower(filepath.Ext(args[0]))
	if ext != ".yaml" && ext != ".yml" && ext != ".json" {
		return of, false, nil
	}
	if of.File = args[0]; !filepath.IsAbs(of.File) {
		of.File = p.path(of.File)
	}
	of.Src, err = files.ReadPath(of.File, files.Text)
	if ext == ".json" {
		return of, err == nil && strings.Contains(string(of.Src), `"loop_name"`), nil // else a task file
	}
	if errors.Is(err, fs.ErrNotExist) {
		return of, false, misuse("'wiki loop spec new' writes one", "%s does not exist", args[0])
	}
	return of, err == nil, err
}

// ofLibrary is the hint for the name of a loop of the library, which is a file before it runs; ""
// for any other.
func ofLibrary(args []string) string {
	if len(args) != 1 || !slices.Contains(spec.Library(), args[0]) {
		return ""
	}
	return fmt.Sprintf("write the loop to a file and run that: 'wiki loop spec library %[1]s -o %[1]s.yaml'", args[0])
}

// runSpec runs the loop of a specification.
func (p *program) runSpec(cmd *cobra.Command, of control.Declaration, o loopRunOptions) error {
	if o.Mode != "" && !contains(loopModes, o.Mode) {
		return misuse(oneOf(o.Mode, loopModes), "--mode: unknown mode %q", o.Mode)
	}
	if o.reset || o.status || o.inPlace || o.since != "" || o.resume {
		return misuse("'wiki loop resume' resumes a run", "--reset, --status, --in-place, --since and --resume don't apply to a loop specification")
	}
	ctl, err := p.loops(cmd)
	if err != nil {
		return err
	}
	of.Inputs = o.inputs
	if o.dryRun {
		text, err := ctl.DryDeclared(cmd.Context(), of, o.Flags)
		if err == nil {
			_, err = p.out.WriteString(text)
		}
		return err
	}
	if o.detach {
		name := strings.TrimSuffix(filepath.Base(of.File), filepath.Ext(of.File))
		id, err := process.New(ctl.Repo).Detach(cmd.Context(), name, ctl.Self[0], undetached(os.Args[1:]))
		return p.detached(id, err)
	}
	live, done := p.liveView(o)
	s, err := ctl.RunDeclared(cmd.Context(), of, o.Flags, o.id, live)
	done()
	return p.runEnded(ctl, s, err, o)
}
