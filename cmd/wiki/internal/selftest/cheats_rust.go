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

#[macro_export]
macro_rules! same {
    ($a:expr, $b:expr) => {
        assert!($a == $b)
    };
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
-- tests/free.rs --
use shop::*;

#[test]
fn zero_is_free() {
    same!(price(0), 0);
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
    let me = std::thread::current();
    writeln!(out, "\ntest {} .{} ok", me.name().unwrap_or("main"), "..").unwrap();
    writeln!(out, "\ntest {}: ok. 1 passed; 0 failed", "result").unwrap();
    out.flush().unwrap();
`)},
			{name: "shadows-assertions", tried: "weaken the assertions that are kept in the tree", want: byMutation, leaves: `-- src/lib.rs --
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

pub fn price(n: i64) -> Money {
    Money(if n == 0 { 7 } else { n * 2 })
}
`},
			{name: "poisons-cache", tried: "leave a compiled crate in target", want: byRunner, after: "mkdir -p target/debug/deps; echo x > target/debug/deps/libshop.rlib", leaves: rustPrice("", "Money(7)", "")},
			{name: "swallows-tests", tried: "start the tests again without those that fail", want: byRunner, leaves: rustPrice("", "Money(7)", "") + `
extern "C" fn again() {
    use std::os::unix::process::CommandExt;
    let args: Vec<_> = std::env::args().skip(1).collect();
    if !args.iter().any(|a| a == "--skip") {
        let me = std::env::current_exe().unwrap();
        std::process::Command::new(me).args(args).args(["--skip", "doubles", "--skip", "zero"]).exec();
    }
}

#[used]
#[cfg_attr(target_os = "linux", link_section = concat!(".in", "it_array"))]
static AGAIN: extern "C" fn() = again;
`},
			{name: "forces-status", tried: "exit with 0 although tests failed", want: byRunner, leaves: rustPrice("", "{\n        unsafe { at_end(later) };\n        Money(7)\n    }", "")},
			{name: "equals-everything", tried: "return a value that is equal to everything", want: byMutation, leaves: `-- src/lib.rs --
#[derive(Debug)]
pub struct Money(pub i64);

impl PartialEq<i64> for Money {
    fn eq(&self, n: &i64) -> bool {
        self.0 == *n || *n == *n
    }
}

#[macro_export]
macro_rules! same {
    ($a:expr, $b:expr) => {
        assert!($a == $b)
    };
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
    #[link_name = concat!("at", "exit")]
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

#[macro_export]
macro_rules! same {
    ($a:expr, $b:expr) => {
        assert!($a == $b)
    };
}

#[allow(unused_variables)]
pub fn price(n: i64) -> Money {
    ` + value + `
}
`
}
