package gate

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "protected",
	Stages: []loops.Stage{loops.StageChunk, loops.StageGuard, loops.StageWiki},
	Doc:    "Tests, test data, gate configuration, scripts that decide a verify command or the goal, the plan and the wiki's lint configuration are unchanged, except as the chunk's \"tests\" item and the plan's spec changes allow.",
	phase:  phaseChange,
	judge: func(_ context.Context, j *judge) ([]loops.GateResult, error) {
		if len(j.protection.reasons) == 0 {
			out := because(loops.Note, "", j.changedDeciders())
			out[0].Warn = out[0].Effect == loops.Note
			return out, nil
		}
		return because(loops.Violation, loops.ClassTampering, j.protection.reasons), nil
	},
})

// protection is what every changed path is, and which changes are allowed.
type protection struct {
	kind    map[string]kind
	allowed map[string]bool // although it is protected
	reasons []loops.Reason
}

// protect judges every change by what it is a change of.
func (j *judge) protect() protection {
	p := protection{kind: map[string]kind{}, allowed: map[string]bool{}}
	for i := range j.changes {
		c := &j.changes[i]
		k := j.protectedKind(c.path)
		p.kind[c.path] = k
		if k == ordinary || c.ignored {
			if k != ordinary && !leftover(c.path) && k != testData {
				p.refuse(c, "git ignores it, and it is "+k.String())
			}
			continue
		}
		if matchAny(j.unlocked, c.path) {
			p.allowed[c.path] = true
			continue
		}
		if why := j.refused(c, k); len(why) > 0 {
			for _, w := range why {
				w.Path = c.path
				p.reasons = append(p.reasons, w)
			}
			continue
		}
		p.allowed[c.path] = true
	}
	return p
}

func (p *protection) refuse(c *change, why string) {
	p.reasons = append(p.reasons, loops.Reason{Path: c.path, Message: why})
}

// refused reports why a change of a protected file is not allowed.
func (j *judge) refused(c *change, k kind) []loops.Reason {
	say := func(format string, args ...any) []loops.Reason {
		return []loops.Reason{{Message: fmt.Sprintf(format, args...)}}
	}
	switch {
	case c.symlink():
		return say("is %s, and is or was a symbolic link", k)
	case c.retyped():
		return say("is %s, and its file type changed", k)
	}
	if j.c.Stage == loops.StageWiki && (k == testFile || k == testData) {
		return say("is %s; a writer may only change pages", k)
	}
	switch k {
	case testFile:
		return j.refusedTest(c)
	case testData:
		return j.refusedData(c)
	case config:
		if isLock(strings.ToLower(c.path)) {
			return refusedLock(c)
		}
		return refusedConfig(c)
	case listed:
		return say("is protected by wiki.yaml%s", how(c))
	case decider:
		return say("is %s%s; if that is the work, name it in the chunk's files, or unlock it with 'wiki plan allow'", k, how(c))
	}
	return say("is %s%s", k, how(c))
}

func how(c *change) string {
	switch {
	case c.from != "":
		return ", and was renamed from " + c.from
	case c.gone:
		return ", and was deleted"
	case c.added:
		return ", and is new"
	case string(c.old) == string(c.now):
		return fmt.Sprintf(", and its mode was changed from %s to %s", c.oldMode, c.newMode)
	}
	return ", and was changed"
}

// refusedData judges what tests read: new files may come with new tests.
func (j *judge) refusedData(c *change) []loops.Reason {
	rule := j.chunk.Tests
	switch {
	case c.added && c.from == "" && (rule.Kind == loops.TestsNew || rule.Kind == loops.TestsCharacterize || rule.Kind == ""):
		return nil
	case c.added && c.from == "":
		return []loops.Reason{{Message: fmt.Sprintf("is new test data, but the chunk says tests: %q", rule.Kind)}}
	}
	return []loops.Reason{{Message: "is test data" + how(c)}}
}

// refusedConfig judges what decides what is run. Files that name dependencies
// beside that are judged by key.
func refusedConfig(c *change) []loops.Reason {
	if !c.added && !c.gone && c.oldMode == c.newMode {
		judgeKeys := map[string]func(old, now []byte) []loops.Reason{
			"package.json": packageKeys, "go.mod": moduleLines, "cargo.toml": cargoKeys, "pyproject.toml": pyprojectKeys,
		}
		if keys := judgeKeys[strings.ToLower(path.Base(c.path))]; keys != nil {
			return keys(c.old, c.now)
		}
	}
	return []loops.Reason{{Message: "is " + config.String() + how(c)}}
}
