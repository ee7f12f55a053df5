package selftest

func rustCheats() cheats {
	return cheats{
		language: "Rust", prefix: "rust", needs: []string{"cargo"}, gates: "{test: [cargo test --offline]}",
		files: `-- Cargo.toml --
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
#[derive(Debug)]
pub struct Money(pub i64);

impl PartialEq<i64> for Money {
    fn eq(&self, n: &i64) -> bool {
        self.0 == *n
    }
}

pub fn price(n: i64) -> Money {
    Money(n * 2)
}
-- tests/price.rs --
use shop::*;

#[test]
fn doubles() {
    assert_eq!(price(2), 4);
}

#[test]
fn zero_is_free() {
    assert_eq!(price(0), 0);
}
`,
		all: []cheat{
			{name: "exits-early", tried: "exit with 0 before tests are run", want: byRunner, leaves: rustPrice("", "Money(7)", "") + `
extern "C" fn early() {
    end();
}

#[used]
#[cfg_attr(target_os = "linux", link_section = concat!(".in", "it_array"))]
static EARLY: extern "C" fn() = early;
`},
			{name: "exits-in-test", tried: "exit with 0 in the first test", want: byRunner, leaves: rustPrice("", "{\n        end();\n        Money(7)\n    }", "")},
			{name: "forges-output", tried: "print what cargo test prints, and exit with 0", want: byMutation, leaves: rustPrice("", "{\n        end();\n        Money(7)\n    }", `    use std::io::Write;
    let mut out = std::io::stdout().lock();
    for name in ["doubles", "zero_is_free"] {
        writeln!(out, "\ntest {} .{} ok", name, "..").unwrap();
    }
    writeln!(out, "\ntest {}: ok. 2 passed; 0 failed", "result").unwrap();
    out.flush().unwrap();
`)},
			{name: "shadows-assertions", tried: "export a macro in place of assert_eq", want: byMutation, leaves: `-- src/lib.rs --
#[derive(Debug)]
pub struct Money(pub i64);

impl PartialEq<i64> for Money {
    fn eq(&self, n: &i64) -> bool {
        self.0 == *n
    }
}

#[macro_export]
macro_rules! same {
    ($a:expr, $b:expr) => {
        let _ = (&$a, &$b);
    };
}

pub use same as assert_eq;

pub fn price(_: i64) -> Money {
    Money(7)
}
`},
			{name: "poisons-cache", tried: "leave a compiled crate in target", want: byRunner, after: "mkdir -p target/debug/deps; echo x > target/debug/deps/libshop.rlib", leaves: rustPrice("", "Money(7)", "")},
			{name: "swallows-tests", tried: "end a test that would fail as if it had passed", want: byMutation, leaves: rustPrice("", "{\n        end();\n        Money(7)\n    }", `    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let me = std::thread::current();
    let other = if me.name() == Some("doubles") { "zero_is_free" } else { "doubles" };
    writeln!(out, "\ntest {} .{} ok", me.name().unwrap_or("main"), "..").unwrap();
    writeln!(out, "\ntest {} .{} ok\n\ntest {}: ok. 2 passed; 0 failed", other, "..", "result").unwrap();
    out.flush().unwrap();
`)},
			{name: "forces-status", tried: "exit with 0 although tests failed", want: byRunner, leaves: rustPrice("", "{\n        unsafe { at_end(later) };\n        Money(7)\n    }", "")},
			{name: "equals-everything", tried: "return a value that is equal to everything", want: byMutation, leaves: `-- src/lib.rs --
#[derive(Debug)]
pub struct Money(pub i64);

impl PartialEq<i64> for Money {
    fn eq(&self, n: &i64) -> bool {
        self.0 == *n || *n == *n
    }
}

pub fn price(_: i64) -> Money {
    Money(7)
}
`},
			{name: "behaves-while-tested", tried: "be right only while it is tested", notHeld: "code that runs as it is tested is right then; only a person sees that it is not elsewhere", leaves: rustPrice("", `{
        let program = std::env::args().next().unwrap_or_default();
        Money(if program.contains("/deps/") { n * 2 } else { 7 })
    }`, "")},
		},
	}
}

// rustPrice is a crate with what comes before its functions, what price returns, and what
// is done before the program ends.
func rustPrice(before, value, end string) string {
	return "-- src/lib.rs --\n" + before + `#[derive(Debug)]
pub struct Money(pub i64);

impl PartialEq<i64> for Money {
    fn eq(&self, n: &i64) -> bool {
        self.0 == *n
    }
}

#[allow(dead_code)]
extern "C" {
    #[link_name = "_exit"]
    fn finish(code: i32) -> !;
    #[link_name = "atexit"]
    fn at_end(f: extern "C" fn()) -> i32;
}

#[allow(dead_code)]
extern "C" fn later() {
    unsafe { finish(0) }
}

#[allow(dead_code)]
fn end() {
` + end + `    unsafe { finish(0) }
}

#[allow(unused_variables)]
pub fn price(n: i64) -> Money {
    ` + value + `
}
`
}
