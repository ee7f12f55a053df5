// Package mode decides how much a loop may do alone: it scores runs by people's
// judgements, and decides when the next mode may be granted and when a loop is
// demoted. Grants and demotions are records in one file, which people commit.
package mode
