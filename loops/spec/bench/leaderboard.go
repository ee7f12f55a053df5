package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Leaderboard holds the entries as they were submitted.
type Leaderboard struct {
	Version string       `json:"version"`
	Updated string       `json:"updated"`
	Entries []Submission `json:"entries"`
}

// ReadLeaderboard reads a leaderboard.
func ReadLeaderboard(src []byte) (Leaderboard, error) {
	var b Leaderboard
	err := json.Unmarshal(src, &b)
	return b, err
}

// Shown is how many rows a table holds.
const Shown = 10

// Ranking is a leaderboard in order.
type Ranking struct {
	Updated    string  `json:"updated"`
	Generalist []Row   `json:"generalist" jsonschema:"by the mean of all suites"`
	Suites     []Table `json:"suites"`
	Tasks      []Table `json:"tasks" jsonschema:"tasks with an entry"`
}

// Table ranks the entries of a suite or a task.
type Table struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty"`
	Rows  []Row  `json:"rows"`
}

// Row is a rank.
type Row struct {
	Rank      int      `json:"rank"`
	Submitter string   `json:"submitter"`
	External  bool     `json:"external" jsonschema:"checked, and not by the keepers of the leaderboard"`
	Observed  float64  `json:"les_observed"`
	Display   float64  `json:"les_display"`
	Success   *float64 `json:"success_at_k,omitempty" jsonschema:"of a task"`
	Suite     string   `json:"primary_suite,omitempty"`
	SpecPath  string   `json:"spec_path"`

	rank float64
}

// Rank orders the entries: over all, per suite and per task. Over all, an entry counts
// that is not partial and has a score in every suite, or is older than suites.
func (b Leaderboard) Rank() Ranking {
	r := Ranking{Updated: cmp.Or(b.Updated, "unknown"), Generalist: []Row{}, Tasks: []Table{}}
	suites, tasks := make(map[string][]Row), make(map[string][]Row)
	for _, s := range b.Entries {
		row := Row{Submitter: s.Submitter, External: s.External, Suite: s.Suite, SpecPath: s.SpecPath}
		if c := cmp.Or(s.Grand, s.Composite); c != nil && s.whole() {
			r.Generalist = append(r.Generalist, row.scored(c.Observed, c.Display, c.Rank))
		}
		for id, c := range s.SuiteScores {
			suites[id] = append(suites[id], row.scored(c.Observed, c.Display, c.Rank))
		}
		for _, t := range s.Results {
			of := row.scored(t.Aggregate.Observed, t.Aggregate.Display, t.Aggregate.Observed)
			of.Success = &t.Aggregate.SuccessAtK
			tasks[t.TaskID] = append(tasks[t.TaskID], of)
		}
	}
	r.Generalist = ordered(r.Generalist)
	for _, s := range Suites() {
		r.Suites = append(r.Suites, Table{s.ID, s.Label, ordered(suites[s.ID])})
	}
	for _, id := range TaskIDs() {
		if len(tasks[id]) > 0 {
			r.Tasks = append(r.Tasks, Table{ID: id, Rows: ordered(tasks[id])})
		}
	}
	return r
}

// whole reports whether an entry may rank over all.
func (s Submission) whole() bool {
	return !s.Partial && (len(s.SuiteScores) == 0 || len(s.SuiteScores) == len(Suites()))
}

func (r Row) scored(observed, display, rank float64) Row {
	r.Observed, r.Display, r.rank = observed, display, rank
	return r
}

// ordered numbers rows by score, the first submitted first among equals.
func ordered(rows []Row) []Row {
	success := func(r Row) float64 {
		if r.Success == nil {
			return 0
		}
		return *r.Success
	}
	out := append([]Row{}, rows...)
	slices.SortStableFunc(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(success(b), success(a)))
	})
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// pilots are the tasks from before there were suites. The published leaderboard shows
// them in detail, with or without entries.
var pilots = []string{"LB-CR-1", "LB-RS-1", "LB-MA-1", "LB-COMP-1"}

// Markdown is the ranking in the form of the published leaderboard.
func (r Ranking) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# LoopBench — live leaderboard\n\n_Updated: %s_\n\n", cell(r.Updated))
	b.WriteString("Auto-generated from `leaderboard/entries.json`. Do not edit manually.\n\n")
	b.WriteString("Primary rank: **generalist** (mean of suite scores). Filter by suite tab below.\n\n")
	table(&b, "## Generalist (grand composite)", "_No suite-scored entries yet._", []string{"LES", "Primary suite"}, r.Generalist)
	for _, t := range r.Suites {
		table(&b, fmt.Sprintf("## %s (`%s`)", t.Label, t.ID), "_No entries yet._", []string{"LES"}, t.Rows)
	}
	b.WriteString("---\n\n## Micro-task detail (legacy columns)\n\n")
	for _, id := range pilots {
		var rows []Row
		if i := slices.IndexFunc(r.Tasks, func(t Table) bool { return t.ID == id }); i >= 0 {
			rows = r.Tasks[i].Rows
		}
		table(&b, "### "+id, "_No entries yet._", []string{"LES", "Success@k"}, rows)
		if slices.ContainsFunc(shown(rows), func(r Row) bool { return r.External }) {
			b.WriteString("_\\* external submitter_\n\n")
		}
	}
	return b.String()
}

func shown(rows []Row) []Row { return rows[:min(len(rows), Shown)] }

func table(b *strings.Builder, title, none string, columns []string, rows []Row) {
	b.WriteString(title + "\n\n")
	if len(rows) == 0 {
		b.WriteString(none + "\n\n")
		return
	}
	head := slices.Concat([]string{"Rank", "Submitter"}, columns, []string{"Spec"})
	line, rule := "|", "|"
	for _, h := range head {
		line += " " + h + " |"
		rule += strings.Repeat("-", len(h)+2) + "|"
	}
	b.WriteString(line + "\n" + rule + "\n")
	for _, r := range shown(rows) {
		line := fmt.Sprintf("| %d | %s", r.Rank, cell(r.Submitter))
		if r.External {
			line += " *"
		}
		for _, c := range columns {
			line += " | " + r.value(c)
		}
		b.WriteString(line + " | " + r.spec() + " |\n")
	}
	b.WriteString("\n")
}

func (r Row) value(column string) string {
	switch column {
	case "Success@k":
		return fmt.Sprintf("%.2f", *r.Success)
	case "Primary suite":
		return cmp.Or(cell(r.Suite), "—")
	}
	return fmt.Sprintf("%.1f", r.Display)
}

func (r Row) spec() string {
	if strings.HasPrefix(r.SpecPath, "http") {
		return cell(r.SpecPath)
	}
	return "`" + strings.ReplaceAll(cell(r.SpecPath), "`", "'") + "`"
}

// cell keeps text of submitters within its cell.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}
