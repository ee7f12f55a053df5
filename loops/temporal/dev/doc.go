// Package dev holds the tests of loops on Temporal that need a server. They run the real
// programs, and only with the build tag server: .ci/temporal builds the programs and
// runs them.
package dev
