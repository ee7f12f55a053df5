package main

import (
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/schemas"
)

// specVersion is the version of the JSON that wiki loop spec validate prints.
const specVersion = 1

type specDocument struct {
	Version     int                `json:"version"`
	Valid       bool               `json:"valid" jsonschema:"whether the spec fits the schema"`
	Spec        string             `json:"spec" jsonschema:"the file as typed"`
	Schema      string             `json:"schema" jsonschema:"lss-1.0 or lss-1.1"`
	LoopName    string             `json:"loop_name"`
	Errors      []string           `json:"errors" jsonschema:"path: message, in order of path; the root's path is (root)"`
	Places      []specPlace        `json:"places" jsonschema:"of each error"`
	Composition *compositionResult `json:"composition,omitempty" jsonschema:"judged by lss-1.1, apart; absent if the spec is no composition or --lss is given"`
	Semantic    []specFinding      `json:"semantic" jsonschema:"what the schema does not say; never changes valid"`
	Conformance conformance        `json:"conformance"`
	Short       bool               `json:"short" jsonschema:"whether this is the short form, which convert --from short reads"`
}

type compositionResult struct {
	Schema string      `json:"schema"`
	Valid  bool        `json:"valid"`
	Errors []string    `json:"errors"`
	Places []specPlace `json:"places"`
}

type specPlace struct {
	Path   string `json:"path" jsonschema:"keys and indexes in dots, (root) for the document"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type specFinding struct {
	ID       string `json:"id" jsonschema:"stable id of the check"`
	Severity string `json:"severity" jsonschema:"error or warning"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Message  string `json:"message"`
}

type conformance struct {
	Level   string   `json:"level" jsonschema:"Parseable, Operational, Production, or empty for an invalid spec"`
	Missing []string `json:"missing" jsonschema:"what the next level needs"`
}

func specResult(d *spec.Document, v spec.Verdict) specDocument {
	doc := specDocument{
		Version: specVersion, Valid: len(v.Faults) == 0, Spec: d.Path, Schema: v.Schema, LoopName: d.Name(), Semantic: []specFinding{},
		Conformance: conformance{v.Level, append([]string{}, v.Missing...)}, Short: d.Short(),
	}
	doc.Errors, doc.Places = placed(d, v.Faults)
	if v.Composed {
		errors, places := placed(d, v.Joints)
		doc.Composition = &compositionResult{spec.LSS11, len(errors) == 0, errors, places}
	}
	for _, f := range v.Semantic {
		doc.Semantic = append(doc.Semantic, specFinding{f.ID, f.Severity.String(), f.Path, f.At.Line, f.At.Column, f.Message})
	}
	return doc
}

func placed(d *spec.Document, faults []schemas.Fault) (errors []string, places []specPlace) {
	errors, places = []string{}, []specPlace{}
	for _, f := range faults {
		errors = append(errors, f.String())
		at := d.Position(f.At, f.Unknown...)
		places = append(places, specPlace{f.Path(), at.Line, at.Column})
	}
	return errors, places
}
