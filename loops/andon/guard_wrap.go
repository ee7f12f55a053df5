package andon

import (
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// wrapper is a program that runs another one, which is given behind its own
// options.
type wrapper struct {
	// valued are its options that take a value.
	valued string
	// skip is how many arguments stand before the program.
	skip int
	// script is the option whose value is a command for a shell.
	script string
	// sub are the words of which one has to come first; without it the program is
	// no wrapper.
	sub string
	// looks are options with which it runs nothing.
	looks string
}

var wrappers = map[string]wrapper{
	"env":        {valued: "-u --unset -C --chdir -P", script: "-S --split-string"},
	"sudo":       {valued: "-u -g -h -p -C -D -R -r -t -T -U --user --group --host --prompt --chdir --chroot", looks: "-l -v -k -K"},
	"doas":       {valued: "-u -C"},
	"command":    {looks: "-v -V"},
	"builtin":    {},
	"exec":       {valued: "-a"},
	"nohup":      {},
	"time":       {valued: "-f -o --format --output"},
	"nice":       {valued: "-n --adjustment"},
	"ionice":     {valued: "-c -n -p"},
	"chrt":       {skip: 1},
	"taskset":    {skip: 1},
	"timeout":    {valued: "-s -k --signal --kill-after", skip: 1},
	"gtimeout":   {valued: "-s -k --signal --kill-after", skip: 1},
	"stdbuf":     {valued: "-i -o -e"},
	"unbuffer":   {},
	"setsid":     {},
	"chronic":    {},
	"caffeinate": {valued: "-t -w"},
	"xargs":      {valued: "-I -i -n -P -L -l -d -a -s -E --max-args --max-procs --max-lines --delimiter --arg-file --replace"},
	"parallel":   {valued: "-j --jobs -n -a"},
	"watch":      {valued: "-n --interval"},
	"strace":     {valued: "-o -e -p -s"},
	"flock":      {skip: 1, valued: "-w -E --timeout", script: "-c --command"},
	"script":     {script: "-c --command"},
	"su":         {script: "-c --command"},
	"busybox":    {},
	"npx":        {valued: "-p --package", script: "-c --call"},
	"pnpx":       {valued: "-p --package"},
	"bunx":       {},
	"pipx":       {sub: "run"},
	"uv":         {sub: "run", valued: "--with --python -p --directory"},
	"uvx":        {valued: "--from --with --python -p"},
	"poetry":     {sub: "run", valued: "-C --directory"},
	"bundle":     {sub: "exec"},
	"mise":       {sub: "exec x"},
	"direnv":     {sub: "exec", skip: 1},
	"corepack":   {},
}

// unwrap returns the command that a wrapper runs, nil if there is none to judge,
// or why it may not run.
func (g *guard) unwrap(name string, w wrapper, args []loops.ShellWord, depth int) (rest []loops.ShellWord, why string) {
	takes := func(options, text string) bool {
		for _, o := range strings.Fields(options) {
			if o == text {
				return true
			}
		}
		return false
	}
	sub, skip := w.sub, w.skip
	for n := 0; n < len(args); n++ {
		text := args[n].Text
		option, value, inline := strings.Cut(text, "=")
		switch {
		case text == "--" && sub == "":
			return skipped(args[n+1:], skip), ""
		case takes(w.looks, text):
			return nil, ""
		case takes(w.script, option) && inline:
			return nil, g.script(value, depth)
		case takes(w.script, text):
			if n+1 == len(args) {
				return nil, ""
			}
			// env -S goes on with the words behind it
			return nil, g.script(joined(args[n+1:]), depth)
		case takes(w.valued, text):
			n++
		case strings.HasPrefix(text, "-") && len(text) > 1:
		case name == "env" && assignment().MatchString(args[n].Raw):
		case sub != "" && takes(sub, text):
			sub = ""
		case sub != "":
			return nil, forward(name, args, false)
		case skip > 0:
			skip--
		default:
			return args[n:], ""
		}
	}
	return nil, ""
}

func skipped(args []loops.ShellWord, n int) []loops.ShellWord {
	if len(args) <= n {
		return nil
	}
	return args[n:]
}
