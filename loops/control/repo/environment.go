package repo

import (
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/contain"
)

// always are the variables that every agent is given, if they are set.
var always = []string{"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME", "SHELL"}

// shortest is the length in bytes below which a value is not looked for: it
// occurs everywhere.
const shortest = 6

// Environment returns what agents are given: a minimum, and what wiki.yaml
// allows; and the values in it that must reach no disk.
func (r *Repo) Environment() (env, redact []string) {
	env, redact = Environ(r.Getenv, r.Config.Env)
	for _, name := range r.Config.Secrets {
		if value := r.Getenv(name); len(value) >= shortest {
			redact = append(redact, value)
		}
	}
	return env, redact
}

// Environ returns what an agent is given of an environment: a minimum, and what is
// named; and the values in it that must reach no disk: of variables that are named like
// a key, and what is a secret by its form.
func Environ(getenv func(string) string, named []string) (env, redact []string) {
	names := slices.Concat(always, named)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		value := getenv(name)
		if value == "" {
			continue
		}
		env = append(env, name+"="+value)
		password := passwordOf(value)
		if len(password) >= shortest {
			redact = append(redact, password)
		}
		if len(value) >= shortest && (loops.NamedSecret(name) || password == "" && isSecret(value)) {
			redact = append(redact, value)
		}
	}
	return env, redact
}

// passwordOf returns what logs in within a URL, "" if nothing does.
func passwordOf(value string) string {
	u, err := url.Parse(value)
	if err != nil || u.User == nil {
		return ""
	}
	if password, ok := u.User.Password(); ok {
		return password
	}
	return u.User.Username() // a token alone
}

// isSecret reports whether a value has the form of a secret.
func isSecret(value string) bool {
	_, found := loops.NewRedactor(nil).Text(value)
	return found > 0
}

// Settings are where the person's own programs keep their settings.
func (r *Repo) Settings() agent.Settings {
	return agent.Settings{Home: r.Getenv("HOME"), Repository: r.Root, Getenv: r.Getenv}
}

// gitEnv returns the environment of the git calls on the repository.
func (r *Repo) gitEnv() []string {
	var env []string
	for _, name := range []string{
		"PATH", "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "TMPDIR",
	} {
		if v := r.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// LookPath finds a program in the PATH that agents are given.
func (r *Repo) LookPath(name string) string {
	if strings.ContainsAny(name, `/\`) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(r.Root, name)
		}
		found, _ := exec.LookPath(name)
		return found
	}
	return LookPath(r.Getenv("PATH"), name)
}

// LookPath finds a program in a PATH, "" if it does not exist. What is not absolute in
// it is passed over: a program of the repository must not take the place of one of
// the machine.
func LookPath(path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		}
	}
	return ""
}

// Checkout returns the main checkout, as worktrees are made of it.
func (r *Repo) Checkout() contain.Repo { return contain.Repo{Dir: r.Root, Env: r.gitEnv()} }
