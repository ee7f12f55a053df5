package site

import (
	"fmt"
	"iter"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/zeebo/xxh3"
)

// maxSegment bounds one name of an output path in bytes. File systems allow
// 255; the rest is room for an extension and a number.
const maxSegment = 180

// names hands out the paths of output files. Two of them never differ by
// letter case alone, and none is a folder of another, so that the site can be
// written to any file system.
type names struct {
	files map[string]bool // folded paths of files
	dirs  map[string]bool // folded paths of the folders they are in
}

// newNames has room for about so many files: growing its maps takes longer than filling
// them.
func newNames(files int) *names {
	return &names{files: make(map[string]bool, files), dirs: map[string]bool{}}
}

// above are the folders above a path, the nearest first.
func above(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
			if !yield(name[:i]) {
				return
			}
		}
	}
}

// free reports whether a file may have this folded path.
func (n *names) free(folded string) bool {
	return !n.files[folded] && !n.dirs[folded] && !n.blocked(folded)
}

// blocked reports whether a folder above a folded path is a file.
func (n *names) blocked(folded string) bool {
	for d := range above(folded) {
		if n.files[d] {
			return true
		}
		if n.dirs[d] { // so are those above it
			return false
		}
	}
	return false
}

// take claims name if it is free.
func (n *names) take(name string) bool {
	folded := foldPath(name)
	if !n.free(folded) {
		return false
	}
	n.files[folded] = true
	for d := range above(folded) {
		if n.dirs[d] {
			break
		}
		n.dirs[d] = true
	}
	return true
}

// claim claims name or the next free one like it: a-2.html, a-3.html. A folder
// that has the name of a file gets a number too.
func (n *names) claim(name string) string {
	name = n.clearFolders(name)
	if n.take(name) {
		return name
	}
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	for i := 2; ; i++ {
		if next := fmt.Sprintf("%s-%d%s", stem, i, ext); n.take(next) {
			return next
		}
	}
}

// clearFolders renames those folders of name that are files already.
func (n *names) clearFolders(name string) string {
	if !n.blocked(foldPath(name)) {
		return name
	}
	parts := strings.Split(name, "/")
	for i := 1; i < len(parts); i++ {
		segment := parts[i-1]
		for k := 2; n.files[foldPath(strings.Join(parts[:i], "/"))]; k++ {
			parts[i-1] = fmt.Sprintf("%s-%d", segment, k)
		}
	}
	return strings.Join(parts, "/")
}

// foldPath is a path as compared by file systems that ignore letter case.
func foldPath(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// safePath makes a path of the wiki one that every file system and web server
// can hold. It keeps what can be kept: spaces, #, % and emoji are legal in
// names and are encoded in links.
func safePath(name string) string {
	parts := strings.Split(norm.NFC.String(name), "/")
	for i, p := range parts {
		parts[i] = safeSegment(p)
	}
	return strings.Join(parts, "/")
}

func safeSegment(s string) string {
	s = strings.Map(func(r rune) rune {
		switch r {
		case '<', '>', ':', '"', '|', '?', '*', '\\', 0x7f, utf8.RuneError:
			return '-'
		}
		if r < ' ' {
			return '-'
		}
		return r
	}, s)
	if t := strings.TrimRight(s, ". "); len(t) < len(s) {
		s = t + "-" // Windows drops trailing dots and spaces
	}
	if strings.HasPrefix(s, ".") {
		s = "_" + s[1:] // hidden files are left out by web servers and uploads
	}
	base, rest, dotted := strings.Cut(s, ".")
	if windowsDevice(base) {
		s = base + "_"
		if dotted {
			s += "." + rest
		}
	}
	if len(s) > maxSegment {
		s = shorten(s)
	}
	return s
}

// shorten cuts an over-long name and keeps it apart from others that begin
// the same way.
func shorten(s string) string {
	sum := fmt.Sprintf("-%08x", uint32(xxh3.HashString(s)))
	ext := path.Ext(s)
	if len(ext) > 16 {
		ext = ""
	}
	cut := maxSegment - len(sum) - len(ext)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + sum + ext
}

// windowsDevice reports whether Windows takes a file of this name for a device.
func windowsDevice(base string) bool {
	switch b := strings.ToUpper(strings.TrimRight(base, " ")); {
	case b == "CON", b == "PRN", b == "AUX", b == "NUL", b == "CONIN$", b == "CONOUT$":
		return true
	case len(b) == 4 && (strings.HasPrefix(b, "COM") || strings.HasPrefix(b, "LPT")):
		return b[3] >= '1' && b[3] <= '9'
	}
	return false
}

// relative returns the URL that leads from one output file to another.
func relative(from, to string) string {
	dir := path.Dir(from)
	up := ""
	for dir != "." && !strings.HasPrefix(to, dir+"/") {
		up += "../"
		dir = path.Dir(dir)
	}
	if dir != "." {
		to = to[len(dir)+1:]
	}
	return up + escapePath(to)
}

// toRoot returns the URL prefix that leads from an output file to the root of
// the site: empty, ../, ../../ and so on.
func toRoot(from string) string { return strings.Repeat("../", strings.Count(from, "/")) }

const upperHex = "0123456789ABCDEF"

// escapePath percent-encodes a path for use in a URL, leaving slashes. The
// characters kept are the unreserved ones of RFC 3986, section 2.3, and the
// sub-delimiters that no server treats specially in a path.
func escapePath(s string) string { return escape(s, "/") }

// escapeFragment percent-encodes an id for use after #.
func escapeFragment(s string) string { return escape(s, "/?:") }

func escape(s, also string) string {
	n := 0
	for n < len(s) && (plainInPaths[s[n]] || strings.IndexByte(also, s[n]) >= 0) {
		n++
	}
	if n == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:n])
	for i := n; i < len(s); i++ {
		if c := s[i]; plainInPaths[c] || strings.IndexByte(also, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		}
	}
	return b.String()
}

var plainInPaths = charSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$()*,=@")
