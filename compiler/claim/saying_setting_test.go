package claim_test

import "testing"

// What lines of configuration say besides plain numbers.
func TestSettings(t *testing.T) {
	t.Parallel()
	block := func(language, text string) string {
		return "# Desk\n\nIn force:\n\n```" + language + "\n" + text + "\n```\n"
	}
	reads(t, []reading{
		{"a duration of ISO 8601", block("yaml", "desk:\n  retention: P30D"), "time=P30D", ""},
		{"one with a time", block("yaml", "desk:\n  poll: PT1M30S"), "time=PT1M30S", ""},
		{"thousands", block("yaml", "desk:\n  entries: 10k"), "=10k", "=10\n"},
		{"a key that is a unit", block("json", `{ "printer": { "dpi": 203 } }`), "resolution=203", ""},
		{"a list in brackets", block("toml", "accept = [\"png\", \"jpeg\"]"), "|accept; [jpeg, png]", ""},
		{"a list of items", block("yaml", "desk:\n  states:\n    - open\n    - shut\n    - void"), "|desk |status; [open, shut, void]", ""},
		{"a list of paths", block("yaml", "desk:\n  files:\n    - a/b\n    - a/c"), "", "["},
		{"a list of one port", block("yaml", "desk:\n  ports:\n    - \"8080:9090\""), "|desk |port |port; =9090", ""},
		{"an item with a name", block("yaml", "jobs:\n  - name: sweep\n    retries: 4\n  - name: index\n    retries: 7"), "|index |job |retr; =7", "|sweep |index"},
		{"an item without one", block("yaml", "jobs:\n  - retries: 4\n  - retries: 7"), "", "=4"},
		{"items of JSON", block("json", "[\n  {\"part\": \"magnetron\", \"count\": 3},\n  {\"count\": 5}\n]"), "|magnetron |count; =3", "=5"},
		{"a line with a semicolon", block("nginx", "server {\n  keepalive_timeout 65s;\n}"), "|server |keepaliv |timeout; time=65s", ""},
		{"a block with a name", block("hcl", "resource \"queue\" \"mail\" {\n  retention_days = 14\n  tags = [\"a\", \"b\"]\n}"), "|resourc |queu |mail |keep; time=14", "[a"},
		{"a word", block("yaml", "cache:\n  log_level: debug"), "class:word:level=debug", ""},
	})
	reads(t, []reading{
		{"a word that a sentence gives", "# Desk\n\nThe log level of the cache is warning.\n", "class:word:level=warning", ""},
		{"what is done to it", "# Desk\n\nThe cache is flushed.\n", "", "class:word"},
		{"prices without a currency", "# Tours\n\nAll prices in euros.\n\n| Tour | Adults |\n|---|---|\n| Harbour | 18 |\n", "money:eur=18", ""},
		{"counts in a table", "# Tours\n\nAll boats are red.\n\n| Tour | Adults |\n|---|---|\n| Harbour | 18 |\n", "", "money"},
	})
}
