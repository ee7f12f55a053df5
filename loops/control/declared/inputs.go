package declared

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema"
)

// inputs checks what the caller gave against the schema of the inputs, in the order of the
// file. One that is required and not given is taken from the first example: that is what the
// file itself says that a run is like.
func (c *converter) inputs() {
	given := map[string]string{}
	names := c.inputNames()
	for _, in := range c.Inputs {
		name, value, ok := strings.Cut(in, "=")
		if _, known := c.spec.Inputs.Schema[name]; !ok || !known {
			remedy := "use --input NAME=VALUE with one of " + strings.Join(names, ", ")
			if near, ok := schema.Nearest(name, names); ok {
				remedy = "did you mean " + near + "?"
			}
			c.refuse(at("inputs", "schema"), "--input %s: no such input; %s", in, remedy)
			continue
		}
		given[name] = value
	}
	for _, name := range names {
		if c.gets[name] {
			continue
		}
		f := c.spec.Inputs.Schema[name]
		text, ok := given[name]
		if !ok {
			if text, ok = c.unsaid(name, f); !ok {
				continue
			}
		}
		if why := wrongInput(f, text); why != "" {
			c.refuse(at("inputs", "schema", name), "--input %s: %s", name, why)
		}
		c.out.Inputs = append(c.out.Inputs, loops.NamedText{Name: name, Text: text})
	}
}

// unsaid returns the value of an input that the caller did not give.
func (c *converter) unsaid(name string, f spec.InputField) (string, bool) {
	if f.Default != nil {
		return textOf(f.Default), true
	}
	if !f.Required {
		return "", false
	}
	if len(c.spec.Inputs.Examples) > 0 {
		if v, ok := c.spec.Inputs.Examples[0][name]; ok && (len(c.Inputs) == 0 || c.depth > 0) {
			c.advise("input %s is that of the first example: %s", name, textOf(v))
			return textOf(v), true
		}
	}
	c.refuse(at("inputs", "schema", name), "input %s is required (%s); add --input %s=VALUE", name, f.Description, name)
	return "", false
}

// inputNames are the names of the inputs in the order of the file.
func (c *converter) inputNames() []string {
	var out []string
	for _, p := range c.doc.Root.Get("inputs").Get("schema").Pairs {
		out = append(out, p.Key)
	}
	return out
}

func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// wrongInput says what is wrong with the value of an input, or "".
func wrongInput(f spec.InputField, text string) string {
	switch f.Type {
	case "string":
		return wrongText(f, text)
	case "number":
		n, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil:
			return fmt.Sprintf("%q is not a number", text)
		case f.Minimum != nil && n < *f.Minimum:
			return fmt.Sprintf("%s is below %s", text, number(*f.Minimum))
		case f.Maximum != nil && n > *f.Maximum:
			return fmt.Sprintf("%s is above %s", text, number(*f.Maximum))
		}
	case "boolean":
		if text != "true" && text != "false" {
			return fmt.Sprintf("%q is not true or false", text)
		}
	case "enum":
		if !slices.ContainsFunc(f.Values, func(v any) bool { return textOf(v) == text }) {
			return fmt.Sprintf("%q is not one of %s", text, textOf(f.Values))
		}
	case "array":
		var list []any
		if json.Unmarshal([]byte(text), &list) != nil {
			return "expected a list in JSON"
		}
		for _, it := range list {
			if f.Items != "" && !hasType(it, f.Items) {
				return fmt.Sprintf("%s is not of the type %s", textOf(it), f.Items)
			}
		}
	case "object":
		var object map[string]any
		if json.Unmarshal([]byte(text), &object) != nil || object == nil {
			return "expected an object in JSON"
		}
	}
	return ""
}

func wrongText(f spec.InputField, text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case n < f.MinLength:
		return fmt.Sprintf("has %d characters, fewer than %d", n, f.MinLength)
	case f.MaxLength > 0 && n > f.MaxLength:
		return fmt.Sprintf("has %d characters, more than %d", n, f.MaxLength)
	case f.Pattern == "":
		return ""
	}
	p, err := regexp.Compile(f.Pattern)
	switch {
	case err != nil:
		return fmt.Sprintf("its pattern can't be read: %v", err)
	case !p.MatchString(text):
		return fmt.Sprintf("does not match %s", f.Pattern)
	}
	return ""
}

func hasType(v any, kind string) bool {
	switch v.(type) {
	case string:
		return kind == "string" || kind == "enum"
	case float64:
		return kind == "number"
	case bool:
		return kind == "boolean"
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return false
}
