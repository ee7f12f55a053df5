// Package pack puts together what a wiki says about a question, within a budget of tokens.
package pack
