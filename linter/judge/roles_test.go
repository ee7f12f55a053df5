package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test be run as the programs that it asks: the first argument
// then names the part that it plays.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if role, ok := strings.CutPrefix(os.Args[1], "role:"); ok {
			os.Exit(play(role, os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// program is the command that plays a part.
func program(role string, args ...string) *Command {
	return &Command{Argv: append([]string{os.Args[0], "role:" + role}, args...), Timeout: time.Minute}
}

// parts are the ways in which a judge answers a prompt.
var parts = map[string]func(prompt string) string{
	"right":     func(prompt string) string { return answer(prompt, knows) },
	"lying":     func(prompt string) string { return answer(prompt, accuses) },
	"inventing": func(prompt string) string { return answer(prompt, invents) },
	"flipping":  func(prompt string) string { return answer(prompt, flips) },
	"garbage":   func(string) string { return "I am sorry, I can not open these pages.\x1b[2J" },
	"empty":     func(string) string { return "" },
	"cut":       func(prompt string) string { a := answer(prompt, knows); return a[:len(a)/2] },
	"chatty":    func(prompt string) string { return "Here you are:\n" + answer(prompt, knows) },
	"doubled":   func(prompt string) string { return answer(prompt, knows) + answer(prompt, knows) },
	"fenced":    func(prompt string) string { return "```json\n" + answer(prompt, knows) + "\n```\n" },
	"nothing":   func(string) string { return `{"verdicts": []}` },
	"null":      func(string) string { return "null" },
	"list":      func(string) string { return `[{"id": 1, "ruling": "contradicts"}]` },
	"others":    func(string) string { return `{"verdicts": [{"id": 999999, "ruling": "contradicts"}, {"id": -1}]}` },
	"huge":      func(string) string { return strings.Repeat("x", 50<<20) },
}

// answer rules on every pair of a prompt.
func answer(prompt string, rule func(a, b side) ruled) string {
	var doc struct {
		Verdicts []ruled `json:"verdicts"`
	}
	for _, p := range pairsIn(prompt) {
		r := rule(p.A, p.B)
		r.ID = p.ID
		doc.Verdicts = append(doc.Verdicts, r)
	}
	b, _ := json.Marshal(doc)
	return string(b)
}

// knows sees the one contradiction that the pages of these tests hold.
func knows(a, b side) ruled {
	no, yes := "reading for 30 days", "reading for 90 days"
	switch {
	case strings.Contains(a.Text, no) && strings.Contains(b.Text, yes):
		return ruled{Ruling: "contradicts", QuoteA: no, QuoteB: yes, Reason: "it holds nothing"}
	case strings.Contains(a.Text, yes) && strings.Contains(b.Text, no):
		return ruled{Ruling: "contradicts", QuoteA: yes, QuoteB: no, Reason: "it holds\n\x1b[31mnothing"}
	}
	return holds(a, b)
}

// holds lets both hold.
func holds(a, b side) ruled { return ruled{Ruling: "both-hold", QuoteA: a.Text, QuoteB: b.Text} }

func accuses(a, b side) ruled {
	return ruled{Ruling: "contradicts", QuoteA: a.Text, QuoteB: b.Text, Reason: "so it is"}
}

func invents(side, side) ruled {
	return ruled{Ruling: "contradicts", QuoteA: "keeps all", QuoteB: "keeps none", Reason: "so it is"}
}

func flips(a, b side) ruled {
	if a.Text < b.Text {
		return accuses(a, b)
	}
	return holds(a, b)
}

// play is the program of a part; it returns its exit code.
func play(role string, args []string) int {
	if role == "lingering" { // holds what it inherited, and tells who wants to know when it ends
		if c, err := net.Dial("tcp", args[0]); err == nil {
			defer c.Close()
		}
		time.Sleep(time.Minute)
		return 0
	}
	if role == "deaf" { // reads nothing
		return 0
	}
	prompt, _ := io.ReadAll(os.Stdin)
	switch role {
	case "failing":
		fmt.Fprintln(os.Stderr, "no such model")
		return 3
	case "slow":
		time.Sleep(time.Minute)
		return 0
	case "leaving", "leading": // starts another that outlives it, or that it waits for
		child := exec.Command(os.Args[0], "role:lingering", args[0])
		child.Stdout = os.Stdout
		if child.Start() != nil {
			return 4
		}
		if role == "leading" {
			_ = child.Wait()
		}
		role = "right"
	}
	_, _ = io.Copy(os.Stdout, bytes.NewReader([]byte(parts[role](string(prompt)))))
	return 0
}
