package source

import (
	ts "github.com/odvcencio/gotreesitter"
	"github.com/odvcencio/gotreesitter/grammars"
)

// readers are the languages whose symbols are known, by extension. A language
// is added here: by a reader of its own, or by a grammar.
var readers = func() map[string]reader {
	m := map[string]reader{
		".go":   {"go", readGo},
		".yaml": {"yaml", readYAML},
		".yml":  {"yaml", readYAML},
		".json": {"json", readJSON},
	}
	for _, g := range []struct {
		*grammar
		extensions []string
	}{
		{script("javascript", grammars.JavascriptLanguage), []string{".js", ".mjs", ".cjs", ".jsx"}},
		{script("typescript", grammars.TypescriptLanguage), []string{".ts", ".mts", ".cts"}},
		{script("typescript", grammars.TsxLanguage), []string{".tsx"}},
		{python, []string{".py", ".pyi"}},
		{java, []string{".java"}},
		{rust, []string{".rs"}},
		{family("c", grammars.CLanguage), []string{".c"}},
		{family("c++", grammars.CppLanguage), []string{".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}},
		{toml, []string{".toml"}},
	} {
		for _, e := range g.extensions {
			m[e] = reader{g.name, g.read}
		}
	}
	return m
}()

func set(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}

// script is the grammar of JavaScript or of one that grew out of it.
func script(name string, load func() *ts.Language) *grammar {
	typed := rule{kind: KindType, open: true}
	function := rule{kind: KindFunction}
	value := rule{kind: KindConstant, body: scriptValue}
	return &grammar{name: name, load: load,
		declarations: map[string]rule{
			"function_declaration": function, "generator_function_declaration": function, "function_signature": function,
			"method_definition": function, "method_signature": function, "abstract_method_signature": function,
			"class_declaration": typed, "abstract_class_declaration": typed, "interface_declaration": typed,
			"enum_declaration": typed, "type_alias_declaration": {kind: KindType, body: nothing},
			"internal_module": {kind: KindModule, open: true}, "module": {kind: KindModule, open: true},
			"variable_declarator":     value,
			"public_field_definition": value, "field_definition": {kind: KindConstant, name: byField("property"), body: scriptValue},
			"property_signature": {kind: KindConstant}, "enum_assignment": value,
		},
		literals: set("number", "string", "regex", "template_literal_type", "true", "false", "null"),
		optional: set(";"),
	}
}

// scriptValue is the value of a variable or field, or the body of the function
// that is its value.
func scriptValue(w *walker, n *ts.Node) *ts.Node {
	v := w.field(n, "value")
	if v == nil {
		return nil
	}
	switch w.kind(v) {
	case "arrow_function", "function_expression", "function", "generator_function":
		return w.field(v, "body")
	}
	return v
}

// nothing is the body of what is signature altogether.
func nothing(*walker, *ts.Node) *ts.Node { return nil }

var python = &grammar{name: "python", load: grammars.PythonLanguage,
	declarations: map[string]rule{
		"class_definition":    {kind: KindType, open: true},
		"function_definition": {kind: KindFunction},
		"assignment":          {kind: KindConstant, name: pythonName, body: byField("right")},
	},
	literals:  set("integer", "float", "string", "true", "false", "none"),
	blocks:    set("block"),
	documents: set("module", "block", "expression_statement"),
}

// pythonName is the name that an assignment gives a value to, when it is one.
func pythonName(w *walker, n *ts.Node) *ts.Node {
	if left := w.field(n, "left"); left != nil && w.kind(left) == "identifier" {
		return left
	}
	return nil
}

var java = func() *grammar {
	typed := rule{kind: KindType, open: true}
	return &grammar{name: "java", load: grammars.JavaLanguage,
		declarations: map[string]rule{
			"class_declaration": typed, "interface_declaration": typed, "enum_declaration": typed, "record_declaration": typed,
			"annotation_type_declaration": typed,
			"method_declaration":          {kind: KindFunction}, "constructor_declaration": {kind: KindFunction},
			"field_declaration":    {kind: KindConstant, name: declared, body: declaredValue},
			"constant_declaration": {kind: KindConstant, name: declared, body: declaredValue},
			"enum_constant":        {kind: KindConstant},
		},
		literals: set("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
			"decimal_floating_point_literal", "hex_floating_point_literal", "character_literal", "string_literal", "true", "false", "null_literal"),
	}
}()

// declared is the name of the first variable that n declares.
func declared(w *walker, n *ts.Node) *ts.Node {
	if d := w.field(n, "declarator"); d != nil {
		return w.field(d, "name")
	}
	return nil
}

func declaredValue(w *walker, n *ts.Node) *ts.Node {
	if d := w.field(n, "declarator"); d != nil {
		return w.field(d, "value")
	}
	return nil
}

var rust = func() *grammar {
	typed := rule{kind: KindType, body: nothing, open: true}
	value := rule{kind: KindConstant, body: byField("value")}
	return &grammar{name: "rust", load: grammars.RustLanguage,
		declarations: map[string]rule{
			"function_item": {kind: KindFunction}, "function_signature_item": {kind: KindFunction},
			"struct_item": typed, "enum_item": typed, "union_item": typed, "type_item": typed,
			"trait_item": {kind: KindType, open: true}, "mod_item": {kind: KindModule, open: true},
			"impl_item":  {name: implemented},
			"const_item": value, "static_item": value,
			"field_declaration": {kind: KindConstant}, "enum_variant": {kind: KindConstant, body: byField("value")},
			"macro_definition": {kind: KindFunction, body: nothing},
		},
		literals: set("integer_literal", "float_literal", "char_literal", "string_literal", "raw_string_literal", "boolean_literal"),
	}
}()

// implemented is the type that an impl block is for, without its parameters.
func implemented(w *walker, n *ts.Node) *ts.Node {
	t := w.field(n, "type")
	if t != nil && w.kind(t) == "generic_type" {
		return w.field(t, "type")
	}
	return t
}

// family is the grammar of C or of one that grew out of it. What a header
// declares can be either; the larger language reads both.
func family(name string, load func() *ts.Language) *grammar {
	typed := rule{kind: KindType, open: true}
	return &grammar{name: name, load: load,
		declarations: map[string]rule{
			"function_definition": {kind: KindFunction, name: innermost},
			"declaration":         {kind: KindConstant, name: innermost, body: initial},
			"field_declaration":   {kind: KindConstant, name: innermost, body: byField("default_value")},
			"type_definition":     {kind: KindType, name: innermost, body: nothing},
			"struct_specifier":    typed, "union_specifier": typed, "class_specifier": typed, "enum_specifier": typed,
			"enumerator":           {kind: KindConstant, body: byField("value")},
			"namespace_definition": {kind: KindModule, open: true},
			"preproc_def":          {kind: KindConstant, body: byField("value")},
			"preproc_function_def": {kind: KindFunction, body: byField("value")},
		},
		literals: set("number_literal", "char_literal", "string_literal", "raw_string_literal", "concatenated_string", "true", "false", "preproc_arg"),
	}
}

// innermost is the name in a declarator, which C writes inside out.
func innermost(w *walker, n *ts.Node) *ts.Node {
	for range 32 {
		next := w.field(n, "declarator")
		if next == nil && w.kind(n) == "reference_declarator" && n.NamedChildCount() > 0 {
			next = n.NamedChild(0)
		}
		if next == nil {
			break
		}
		n = next
	}
	switch w.kind(n) {
	case "identifier", "field_identifier", "type_identifier", "qualified_identifier", "operator_name", "destructor_name":
		return n
	}
	return nil
}

// initial is the value that a variable begins with.
func initial(w *walker, n *ts.Node) *ts.Node {
	if d := w.field(n, "declarator"); d != nil {
		return w.field(d, "value")
	}
	return nil
}

var toml = &grammar{name: "toml", load: grammars.TomlLanguage,
	declarations: map[string]rule{
		"table":               {kind: KindKey, name: tomlKey, body: nothing, open: true},
		"table_array_element": {kind: KindKey, name: tomlKey, body: nothing, open: true},
		"pair":                {kind: KindKey, name: tomlKey, body: tomlValue, open: true},
	},
	literals: set("string", "integer", "float", "boolean", "offset_date_time", "local_date_time", "local_date", "local_time"),
}

func tomlKey(w *walker, n *ts.Node) *ts.Node {
	for i := range n.NamedChildCount() {
		switch c := n.NamedChild(i); w.kind(c) {
		case "bare_key", "dotted_key", "quoted_key":
			return c
		}
	}
	return nil
}

func tomlValue(w *walker, n *ts.Node) *ts.Node {
	for last := n.NamedChildCount() - 1; last > 0; last-- {
		if v := n.NamedChild(last); !w.typeOf(v).comment {
			return v
		}
	}
	return nil
}
