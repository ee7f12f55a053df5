package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"strings"
)

// deb packs a Debian package, see deb(5): an ar archive of a version, the control
// files and the content. dpkg-deb would need a folder with the right owners and modes,
// and compresses as its version does.
func (r *release) deb(p program, content tree) (file, error) {
	var data tree
	for _, f := range content {
		switch {
		case f.name == "LICENSE": // is in the copyright file
			continue
		case strings.HasPrefix(f.name, "share/man/"):
			packed, err := gzipped(f.data)
			if err != nil {
				return file{}, err
			}
			f.name, f.data = f.name+".gz", packed
		case f.name == "THIRD-PARTY.txt" || f.name == "README.md":
			f.name = "share/doc/wiki/" + f.name
		}
		f.name = strings.Replace(f.name, "share/zsh/site-functions/", "share/zsh/vendor-completions/", 1)
		data = append(data, f)
	}
	copyright, err := r.render("copyright", map[string]any{"License": indented(content.text("LICENSE"))})
	if err != nil {
		return file{}, err
	}
	changelog, err := r.debChangelog()
	if err != nil {
		return file{}, err
	}
	data = append(data, file{name: "share/doc/wiki/copyright", data: copyright}, changelog).below("usr")
	control, err := r.debControl(p, data)
	if err != nil {
		return file{}, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	member := func(name string, body []byte) {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n%s", name, r.time.Unix(), 0, 0, "100644", len(body), body)
		if len(body)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	member("debian-binary", []byte("2.0\n"))
	for _, part := range []struct {
		name string
		tree tree
	}{{"control.tar.gz", control}, {"data.tar.gz", data}} {
		packed, err := tarred(part.tree, r.time)
		if err != nil {
			return file{}, err
		}
		member(part.name, packed)
	}
	return file{name: r.name(p.target) + ".deb", data: out.Bytes()}, nil
}

// debVersion orders versions before a release as semantic versioning does: 1.0.0-rc.1
// is before 1.0.0.
func (r *release) debVersion() string {
	version, before, ok := strings.Cut(r.version, "-")
	if !ok {
		return version
	}
	return version + "~" + strings.ReplaceAll(before, "-", ".")
}

func (r *release) debControl(p program, data tree) (tree, error) {
	var sums strings.Builder
	size := 0
	for _, f := range data.sorted() {
		size += (len(f.data) + 1023) / 1024
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), f.name)
	}
	control, err := r.render("control", map[string]any{"Arch": p.debArch, "Version": r.debVersion(), "Size": size})
	return tree{{name: "control", data: control}, {name: "md5sums", data: []byte(sums.String())}}, err
}

// debChangelog is in the form that Debian's tools read; what changed is in CHANGELOG.md.
func (r *release) debChangelog() (file, error) {
	text, err := r.render("changelog", map[string]any{"Version": r.debVersion(), "Date": r.time.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700")})
	if err != nil {
		return file{}, err
	}
	packed, err := gzipped(text)
	return file{name: "share/doc/wiki/changelog.gz", data: packed}, err
}

// indented makes a text the body of a field of a Debian control file.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimSpace(line)
		if line == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (t tree) text(name string) string {
	for _, f := range t {
		if f.name == name {
			return string(f.data)
		}
	}
	return ""
}
