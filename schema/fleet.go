package schema

// FleetVersion is the version of fleet files.
const FleetVersion = 1

// Fleet is a fleet file: repositories whose plans are run together, and the limits of their
// runs.
type Fleet struct {
	Version      int               `yaml:"version" json:"version,omitempty" jsonschema:"version of the format; default 1"`
	Limits       FleetLimits       `yaml:"limits" json:"limits,omitzero" jsonschema:"limits of the runs in all repositories"`
	Repositories []FleetRepository `yaml:"repositories" json:"repositories" jsonschema:"repositories, in the order in which plans of equal priority are started"`
}

// FleetLimits are the limits of a fleet. Zero means the default.
type FleetLimits struct {
	AtOnce        int     `yaml:"at_once" json:"at_once,omitempty" jsonschema:"runs at a time, in all repositories; default 2"`
	PerRepository int     `yaml:"per_repository" json:"per_repository,omitempty" jsonschema:"runs at a time in one repository; default 1"`
	DayUSD        float64 `yaml:"day_usd" json:"day_usd,omitempty" jsonschema:"USD per day (UTC) in all repositories, with runs that others started; no limit by default. A run is started if its whole budget is left"`
}

// FleetRepository is a repository of a fleet.
type FleetRepository struct {
	Path  string   `yaml:"path" json:"path" jsonschema:"folder of the repository: absolute, below ~/, or relative to the file"`
	Plans []string `yaml:"plans" json:"plans,omitempty" jsonschema:"plans to run, by path or name; default all plans of the repository"`
}

// FleetReport is how the plans of a fleet stand: the JSON of wiki loop fleet, and what a
// site shows.
type FleetReport struct {
	Version int `json:"version"`
	// DayUSD is the limit of a day, 0 without one. SpentUSD is what the runs of all
	// repositories spent today, in UTC.
	DayUSD   float64    `json:"day_usd,omitempty"`
	SpentUSD float64    `json:"spent_usd"`
	Rows     []FleetRow `json:"rows"` // in order of repository, then as plans are run
	// Exit is the exit code of the worst row.
	Exit int `json:"exit"`
}

// FleetRow is a plan of a fleet, or a repository that can't be read. Its texts are
// untrusted.
type FleetRow struct {
	Repository string `json:"repository"` // as the file has it
	Name       string `json:"name"`       // last part of its path, or all of it if another ends alike
	Plan       string `json:"plan"`       // path in the repository, "" if the row is about the repository
	Title      string `json:"title,omitempty"`
	Priority   int    `json:"priority,omitempty"` // 1 is first
	// Status is that of the plan's last run, or pending, blocked, done or rejected.
	Status string `json:"status"`
	Why    string `json:"why,omitempty"`
	Hint   string `json:"hint,omitempty"` // what a person can do about it
	Run    string `json:"run,omitempty"`  // id of the last run
	// WaitingFor is that of the run.
	WaitingFor string   `json:"waiting_for,omitempty"`
	Chunks     int      `json:"chunks"`
	Done       int      `json:"done"` // chunks that are committed
	Spend      RunSpend `json:"spend"`
	Exit       int      `json:"exit"`
}
