package claim_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

func TestSayingsOfConfiguration(t *testing.T) {
	t.Parallel()
	block := func(language, text string) string { return "```" + language + "\n" + text + "\n```\n" }
	page := func(intro, block string) string { return "# Kiln\n\n" + intro + "\n\n" + block }
	for _, c := range []struct{ name, page, want string }{
		{"a key below another", page("The kiln reads its file at start:", block("yaml", "firing:\n  max_heat: 1240 °C # of the glaze\n  port: 7455")), "^kiln read file begin\n|fire |max |heat glaz; temperature=1240 °C\n|fire |port; =7455\n"},
		{"a line of cron", page("One job cleans the flue.", block("yaml", "flue:\n  schedule: \"30 2 * * 1\"   # UTC")), "^job clean flue; =One job cleans\n|flue |schedul utc; time=30 2 * * 1; clock=30 2 * * 1; weekday=30 2 * * 1\n"},
		{"a name beside it", page("One job cleans the flue.", block("yml", "job: flue-cleaning\nschedule: \"0 4 * * *\"")), "^job clean flue; =One job cleans\n|flue |clean |schedul; time=0 4 * * *; clock=0 4 * * *\n"},
		{"a section", page("The file of the gateway:", block("toml", "[uplink]\nhost = \"weir.example\"\nport = 8883 ; TLS\n[[peer]]\nport = 1\n[radio]\nkeepalive = \"90s\"")), "file gateway\n|uplink |host; name=weir.example\n|uplink |port tls; =8883\n|radio |keepaliv; time=90s\n"},
		{"variables", page("The services listen on their ports:", block("env", "KILN_PORT=7410\nexport GLAZE_PORT=\"7420\"")), "^servic listen on port\n|kiln |port; =7410\n|glaz |port; =7420\n"},
		{"an object", page("The settings of the kiln:", block("json", "{\n  \"kiln\": {\n    \"retries\": 4,\n    \"peers\": [\n      1,\n      { \"port\": 3 }\n    ],\n    \"trace\": false\n  }\n}")), "sett kiln\n|kiln |retr; =4\n|kiln |trac; yes=false\n"},
		{"the unit of a key, of a comment, and a rate", page("The settings of the kiln:", block("ini", "idle_ms = 400\npause = 30 ; seconds\nrate_per_minute = 900")), "sett kiln\n|idle; time=400\n|paus; time=30\n|rate |minut; rate:=900\n"},
		{"the comment above", page("The settings of the kiln:", block("yaml", "fans: 2\n\n# how long the kiln cools down\ncooling: 8 h")), "sett kiln\n|fan; =2\n|cool ^kiln cool down; time=8 h\n"},
		{"an environment", page("In staging it is set so:", block("yaml", "workers: 4")), "?stag set so\n|worker; =4\n"},
		{"defaults", page("These are the defaults:", block("yaml", "workers: 4")), "default\n|worker; =4\n"},
		{"lists and texts are left out", page("The settings of the kiln:", block("yaml", "steps:\n  - heat: 3 h\n    hold: 1 h\nnote: |\n  cool: 9 h\nwarm: 2 h")), "sett kiln\n|warm; time=2 h\n"},
		{"what is to be filled in", page("The settings of the kiln:", block("yaml", "token: <token>\nhost: ${HOST}\nport: 7455")), "sett kiln\n|port; =7455\n"},
		{"an example", page("For example:", block("yaml", "port: 7455")), "?exampl\n"},
		{"an example by its heading", page("## Example", block("yaml", "port: 7455")), ""},
		{"how it was", page("Before the move it was:", block("yaml", "port: 7455")), "^befor ^move\n"},
		{"what to do for something", page("To raise the limit, set:", block("yaml", "limit: 7455")), "?rais ?limit set\n"},
		{"what could be", page("A small site can do with less:", block("yaml", "limit: 7455")), "^small ^site ?less\n"},
		{"an answer", page("The response is:", block("json", "{\n  \"port\": 7455\n}")), "^respond\n"},
		{"the file of a test", page("The kiln is started with:", block("env", "# tests/kiln.env\nKILN_PORT=7410")), "^kiln begin\n"},
		{"commands", page("The kiln is started with:", block("sh", "KILN_PORT=7410\nmake run")), "^kiln begin\n"},
		{"a step", page("1. Set the port:\n\n   ```yaml\n   port: 7455\n   ```", ""), "set port\n"},
		{"a program", page("The kiln is written so:", block("go", "port := 7455")), "^kiln writ so\n"},
		{"a crontab", page("The crontab of the kiln:", block("", "# weekly firing\n30 2 * * 1 kilnctl fire\n\n15 4 * * * kilnctl cool")), "crontab kiln\nweekl fire; clock=30 2 * * 1; weekday=30 2 * * 1\n|kilnctl |cool; clock=15 4 * * *\n"},
		{"a crontab that could be", page("For example:", block("", "30 2 * * 1 kilnctl fire")), "?exampl\n"},
		{"commands and figures", page("The kiln prints:", block("", "30 2 4 5 1 kilnctl fire\nend")), "^kiln print\n"},
		{"an address to listen on", page("The settings of the kiln:", block("toml", "listen = \"0.0.0.0:7480\"\nbind_addr = \":7490\"\npeer_address = \"weir.example:7500\"\nlisten_ratio = \"1:20\"")), "sett kiln\n|listen |port; =7480\n|bind |addr |port; =7490\n|listen |ratio; clock=1:20\n"},
		{"what it could look like", page("A line of the file looks like this:", block("yaml", "limit: 7455")), "line file look like\n"},
		{"what something is like", page("To the crew the kiln looks like any other oven.", block("yaml", "limit: 7455")), "?crew ^kiln ^look ^like other oven\n|limit; =7455\n"},
		{"no language", page("The header is:", block("", "Kiln-Age: 7")), "^header\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, written(t, c.page)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A block says under which condition it holds, and which kind of value it gives.
func TestCircumstancesOfConfiguration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, intro, key, scope, role string }{
		{"Kiln", "In staging it is set so:", "workers", "staging", ""},
		{"Kiln", "The kiln is set so:", "production.workers", "production", ""},
		{"Kiln", "These are the defaults:", "workers", "", "default"},
		{"Local kiln", "The kiln is set so:", "workers", "local", ""},
		{"Local kiln", "The kiln is set so everywhere:", "workers", "", ""},
	} {
		text := "# " + c.title + "\n\n" + c.intro + "\n\n```toml\n"
		if section, key, ok := strings.Cut(c.key, "."); ok {
			text += "[" + section + "]\n" + key + " = 4\n```\n"
		} else {
			text += c.key + " = 4\n```\n"
		}
		found := false
		for _, s := range claim.English().Sayings(compilertest.Compile(t, compilertest.Write(t, "-- kiln.md --\n"+text)).Pages()[0]) {
			if s.From == schema.OriginCode {
				found = true
				if scope, role := strings.Join(s.Scope, " "), strings.Join(s.Roles, " "); scope != c.scope || role != c.role {
					t.Errorf("%s %s: scope %q, role %q; want %q and %q", c.title, c.intro, scope, role, c.scope, c.role)
				}
			}
		}
		if !found {
			t.Errorf("%s %s: nothing is read", c.title, c.intro)
		}
	}
}

// Whatever stands in a block, its values lie within it.
func FuzzSettings(f *testing.F) {
	f.Add("yaml", "a:\n  b: 1 # c\n- d: 2\n")
	f.Add("json", "{\n  \"a\": {\n    \"b\": \"c\",\n")
	f.Add("toml", "[a.b]\nc = \"\"\"\nd\n\"\"\"\ne = [\n1\n]\n")
	f.Add("env", "export A_B='c' # d\n")
	f.Fuzz(func(t *testing.T, language, text string) {
		src := "# Kiln\n\nIt is set so:\n\n```" + language + "\n" + text + "\n```\n"
		p := compilertest.Compile(t, compilertest.Write(t, "-- kiln.md --\n"+src)).Pages()[0]
		for _, s := range claim.English().Sayings(p) {
			for _, v := range s.Values {
				if v.Span.Start < 0 || v.Span.End > len(p.Source) || v.Span.Start > v.Span.End {
					t.Errorf("%v lies without", v)
				}
			}
		}
	})
}
