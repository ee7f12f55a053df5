package source

import (
	"fmt"
	"go/format"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

// said writes what a file states, one name a line, without its places.
func said(t testing.TB, file, src string) string {
	t.Helper()
	var b strings.Builder
	for _, s := range StatedBy(t.Context(), file, []byte(src)) {
		if s.Span.Start < 0 || s.Span.End > len(src) || s.Span.Len() <= 0 {
			t.Fatalf("%s: the place %v of %s is outside the %d bytes", file, s.Span, s.Subject.Names[0], len(src))
		}
		fmt.Fprintf(&b, "%s %s = %s: %s", s.Slot, s.Subject.Names[0], s.Text, valueText(s.Value))
		if s.Role != "" {
			fmt.Fprintf(&b, " (%s)", s.Role)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func valueText(v schema.Value) string {
	switch v.Kind {
	case schema.ValueQuantity:
		q := v.Quantity
		if q.Lo != q.Hi {
			return fmt.Sprintf("%v to %v %s", q.Lo, q.Hi, q.Dimension)
		}
		return strings.TrimSpace(fmt.Sprintf("%v %s", q.Lo, q.Dimension))
	case schema.ValueBool:
		return fmt.Sprint(v.Bool)
	case schema.ValueName, schema.ValueVersion:
		return strings.Join(v.Words, " ")
	}
	return "?"
}

// statedCases are files, each in some formattings and with some comments, and
// what all of them state.
var statedCases = []struct {
	file, want string
	variants   []string
}{
	{"limits.go", `constant MaxBody = 10 << 20: 1.048576e+07
constant Delay = 30 * time.Second: 30 time
constant half = Delay / 2: 15 time
constant Name = "fast": fast
constant Loop = Loop: ?
constant First = iota: ?
constant Computed = compute(): ?
constant Set = : ?
`, []string{`package a
const MaxBody = 10 << 20
const Delay = 30 * time.Second
var half = Delay / 2
const Name = "fast"
const Loop = Loop
const First = iota
var Computed = compute()
var Set = 5
func f() { Set = 6 }
`, `package a

// MaxBody = 5
const (
	MaxBody = /* MB */ 10<<20 // ten
	Delay   = 30*time.Second
)

var half = Delay/2

const (
	Name = "fast"
	Loop = Loop
	First = iota
)

var (
	Computed = compute( )
	Set      = 5
)

func f() {
	Set = 6 // MaxBody = 7
}
`}},
	{"flags.go", `flag --max-items = 500: 500 (default)
flag --every = time.Minute: 60 time (default)
flag --level = "info": info (default)
constant depth = "25": 25 (default)
env QUEUE_DEPTH = "25": 25 (default)
env POOL_SECONDS = 30: 30 time (default)
`, []string{`package a
func f() {
	flag.Int("max-items", 500, "how many")
	fs.DurationVarP(&every, "every", "e", time.Minute, "how often")
	flags.StringVar(&level, "level", "info", "what is logged")
	slog.String("key", "value")
}
var depth = cmp.Or(os.Getenv("QUEUE_DEPTH"), "25")
func g() { envInt("POOL_SECONDS", 30) }
`, `package a

func f() {
	flag.Int(
		"max-items", // its name
		500,
		"how many",
	)
	fs.DurationVarP(&every, "every", "e", /* one */ time.Minute,
		"how often")
	flags.StringVar(&level, "level", "info", "what is logged")
	slog.String("key", "value")
}

var depth = cmp.Or(
	os.Getenv("QUEUE_DEPTH"), "25", // or so
)

func g() {
	envInt("POOL_SECONDS", 30,)
}
`}},
	{"config.ts", `constant RETRY_MS = 5 * 60 * 1000: 300 time
constant port = 8080: 8080 (default)
env PORT = 8080: 8080 (default)
env LOG_LEVEL = "debug": debug (default)
constant ttl = : ? (default)
env CACHE_TTL_SECONDS = : ? (default)
constant Pool.size = 4: 4
flag --depth = 3: 3 (default)
`, []string{`const RETRY_MS = 5 * 60 * 1000;
const port = Number(process.env.PORT || 8080);
env(process.env["LOG_LEVEL"] ?? "debug");
const ttl = process.env.CACHE_TTL_SECONDS ?? standard();
class Pool { static readonly size = 4; }
program.option("-d, --depth <n>", "how deep", 3);
`, `// RETRY_MS = 7
const RETRY_MS = 5*60*1000 // five minutes
const port = Number(
  process.env.PORT /* of the server */ || 8080,
)
env(process.env['LOG_LEVEL'] ?? 'debug')
const ttl = process.env.CACHE_TTL_SECONDS ?? standard()
class Pool {
  /** size = 9 */
  static readonly size = 4
}
program.option('-d, --depth <n>', 'how deep', 3)
`}},
	{"settings.py", `constant MAX_MB = 50: 5e+07 to 5.24288e+07 information
constant STRICT = False: false
constant DELAY = timedelta(minutes = 5): 300 time
constant host = "localhost": localhost (default)
env HOST = "localhost": localhost (default)
flag --batch-size = 64: 64 (default)
`, []string{`MAX_MB = 50
STRICT = False
DELAY = timedelta(minutes=5)
host = os.environ.get("HOST", "localhost")
parser.add_argument("--batch-size", type=int, default=64)
`, `"""MAX_MB = 7"""
MAX_MB = 50  # MAX_MB = 8
STRICT = False
DELAY = timedelta( minutes = 5 )

host = os.environ.get(
    'HOST',  # of the server
    'localhost',
)
parser.add_argument(
    "--batch-size", type=int,
    default=64,
)
`}},
	{"Pool.java", `constant Pool.MAX = 250: 250
constant Pool.IDLE = Duration.ofMinutes(10): 600 time
constant Pool.count = : ?
`, []string{`class Pool { public static final int MAX = 250; static final Duration IDLE = Duration.ofMinutes(10); private int count = 3; }
`, `class Pool {
  /** MAX = 5 */
  public static final int MAX = 250; // MAX
  static final Duration IDLE = Duration
      .ofMinutes( 10 );
  private int count = 3;
}
`}},
	{"flush.rs", `constant EVERY = Duration::from_millis(250): 0.25 time
constant CHUNK_BYTES = 64 * 1024: 65536 information
constant DEEP = 1_000u32: 1000
`, []string{`pub const EVERY: Duration = Duration::from_millis(250);
const CHUNK_BYTES: usize = 64 * 1024;
static DEEP: u32 = 1_000u32;
`, `/// EVERY = 1
pub const EVERY : Duration = Duration::from_millis( 250 ); // ms
const CHUNK_BYTES: usize =
    64*1024;
static DEEP: u32 = /* a thousand */ 1_000u32;
`}},
	{"ring.c", `constant SLOTS = (1 << 10): 1024
constant WIDTH = 80: 80
`, []string{"#define SLOTS (1 << 10)\n#define WIDTH 80\n", "/* SLOTS 5 */\n#define SLOTS  (1<<10) /* a power of two */\n#define WIDTH 80 // columns\n"}},
	{"server.yaml", `key pool.max_size = 50: 50
key http.timeout = 1m: 60 time
`, []string{"pool:\n  max_size: 50\nhttp:\n  timeout: 1m\n", "# max_size: 5\npool: {max_size: 50} # many\n\nhttp:\n    timeout: \"1m\"\n"}},
	{"server.toml", "key pool.max_size = 50: 50\n", []string{"[pool]\nmax_size = 50\n", "# max_size = 5\n[pool]\n\nmax_size=50 # many\n"}},
	{"server.json", "key pool.max_size = 50: 50\n", []string{`{"pool":{"max_size":50}}`, "{\n  \"pool\": {\n    \"max_size\": 50\n  }\n}\n"}},
}

// TestStatedBy also holds that formatting and comments change no claim.
func TestStatedBy(t *testing.T) {
	t.Parallel()
	for _, c := range statedCases {
		for i, src := range c.variants {
			if diff := cmp.Diff(c.want, said(t, c.file, src)); diff != "" {
				t.Errorf("%s, variant %d (-want +got):\n%s", c.file, i, diff)
			}
		}
	}
}

// TestMuteFile holds which files say nothing about the program.
func TestMuteFile(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		"src/limits.go": false, "config/server.yaml": false, "internal/latest.go": false, "src/contest.py": false,
		"src/limits_test.go": true, "tests/limits.py": true, "integration/resources/allow.yml": true, "a/testdata/x.go": true, "node_modules/x/a.js": true, "vendor/a/b.go": true,
		"src/a.spec.ts": true, "package-lock.json": true, "config/staging.yaml": true, "src/a_linux.go": true, ".ci/deploy.yaml": true,
		"docker-compose.yml": true, "api/a.pb.go": true, "examples/a.py": true, "src/PoolTest.java": true, "dist/a.min.js": true,
	} {
		if got := MuteFile(file); got != want {
			t.Errorf("MuteFile(%q) = %v", file, got)
		}
	}
	if got := said(t, "a.go", "// Code generated by x. DO NOT EDIT.\npackage a\nconst MaxBody = 1\n"); got != "" {
		t.Errorf("a generated file states %s", got)
	}
}

// FuzzStatedBy holds that no file makes the extractors fail, that what they say
// stands in the file, and that neither blank lines nor, in Go, formatting changes it.
func FuzzStatedBy(f *testing.F) {
	for _, c := range statedCases {
		for _, src := range c.variants {
			f.Add(c.file, src)
		}
	}
	f.Add("a.go", "package a\nconst A = B*B*B*B\nconst B = C*C*C*C\nconst C = A*A\n")
	f.Add("a.go", "package A\nvar A = f(g(\"x\"),)")
	f.Add("a.js", "f("+strings.Repeat("(", 300)+"process.env.A ?? ")
	f.Fuzz(func(t *testing.T, file, src string) {
		if len(src) > 4000 || len(file) > 40 || strings.ContainsAny(file, "/\x00") {
			return
		}
		was := said(t, file, src)
		if again := said(t, file, src+"\n"); was != "" && again != was && !strings.HasSuffix(file, ".py") && !strings.Contains(src, "\r") {
			t.Errorf("a line behind %q changed\n%s to\n%s", src, was, again)
		}
		if !strings.HasSuffix(file, ".go") || was == "" {
			return
		}
		if pretty, err := format.Source([]byte(src)); err == nil && said(t, file, string(pretty)) != was {
			t.Errorf("formatting %q changed\n%s to\n%s", src, was, said(t, file, string(pretty)))
		}
	})
}
