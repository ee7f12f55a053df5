package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Reasons why the changes since a revision are unknown.
var (
	ErrUnknownRevision = errors.New("unknown revision; use a branch, a tag or a commit of this clone")
	ErrNoMergeBase     = errors.New("no common history with the current commit; use a revision of the same history")
	ErrShallow         = errors.New("the clone is shallow and lacks that revision; run " + ShallowRemedy)
)

// Since returns how the files of the repository that dir is in differ from
// the revision rev, with paths below dir: the present files, committed or not,
// against the commit where the present branch left rev's (git diff
// --merge-base), so that what others did on rev's branch in the meantime does
// not count. Renamed files are followed, and files that git does not track are
// wholly new. The changed lines come from one call of git diff; filters that
// the repository configures do not run.
//
// The errors are those of [Load], [ErrUnknownRevision], [ErrNoMergeBase] and
// [ErrShallow].
func Since(ctx context.Context, dir, rev string) (*schema.Changes, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if rev == "" || strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("revision %q: %w", rev, ErrUnknownRevision)
	}
	at, err := locate(ctx, dir)
	if err != nil {
		return nil, err
	}
	quiet, err := withoutFilters(ctx, dir)
	if err != nil {
		return nil, err
	}
	c := &schema.Changes{Revision: rev, Files: map[string]schema.Change{}}
	args := append(quiet[:len(quiet):len(quiet)], "diff", "--merge-base", "--raw", "-z", "-p", "-U0", "--inter-hunk-context=0", "-M50%", "-l1000",
		"--src-prefix=a/", "--dst-prefix=b/", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative",
		"--ignore-submodules=all", "--end-of-options", rev, "--")
	if err := run(ctx, dir, func(r io.Reader) error { return parseDiff(r, c.Files) }, args...); err != nil {
		return nil, sinceError(ctx, dir, rev, at, err)
	}
	out, err := output(ctx, dir, "ls-files", "-z", "--others", "--exclude-standard", "--full-name")
	if err != nil {
		return nil, err
	}
	for p := range strings.SplitSeq(string(out), "\x00") {
		if p != "" {
			c.Files[p] = schema.Change{Whole: true}
		}
	}
	below := make(map[string]schema.Change, len(c.Files))
	for p, change := range c.Files {
		if change.Before != "" {
			change.Before = relative(at.prefix, change.Before)
		}
		below[relative(at.prefix, p)] = change
	}
	c.Files = below
	return c, nil
}

// sinceError finds the reason for which git diff failed.
func sinceError(ctx context.Context, dir, rev string, at place, err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	reason := err
	switch {
	case strings.Contains(f.stderr, "no merge base"):
		reason = ErrNoMergeBase
	case strings.Contains(f.stderr, "bad revision"), strings.Contains(f.stderr, "unknown revision"),
		strings.Contains(f.stderr, "ambiguous argument"), strings.Contains(f.stderr, "bad object"):
		reason = ErrUnknownRevision
	case partial(ctx, dir):
		return errors.Join(ErrMissingObject, err)
	default:
		return err
	}
	if at.shallow {
		reason = ErrShallow
	}
	return fmt.Errorf("revision %q: %w", rev, reason)
}

// parseDiff reads what git diff --raw -z -p -U0 prints: a record per file, each
// part of it ended by NUL, an empty part, and then the patches.
func parseDiff(r io.Reader, files map[string]schema.Change) error {
	br := bufio.NewReaderSize(r, 64<<10)
	if err := parseRaw(br, files); err != nil {
		return err
	}
	return parsePatch(br, files)
}

// parseRaw reads the records.
func parseRaw(br *bufio.Reader, files map[string]schema.Change) error {
	for {
		meta, err := field(br)
		if err == io.EOF || err == nil && meta == "" {
			return nil
		}
		if err != nil {
			return err
		}
		letter := meta[strings.LastIndexByte(meta, ' ')+1:]
		if meta[0] != ':' || letter == "" {
			return fmt.Errorf("unknown record %.80q", meta)
		}
		path, err := field(br)
		if err != nil {
			return unexpected(err)
		}
		c := files[path]
		switch letter[0] {
		case 'R', 'C':
			from := path
			if path, err = field(br); err != nil {
				return unexpected(err)
			}
			c = schema.Change{Before: from}
			if letter[0] == 'R' {
				files[from] = schema.Change{Gone: true}
			}
		case 'D':
			c.Gone = true
		case 'A', 'U':
			c.Whole = true
		}
		files[path] = c
	}
}

// field reads up to the next NUL.
func field(br *bufio.Reader) (string, error) {
	var b []byte
	for {
		part, err := br.ReadSlice(0)
		b = append(b, part...)
		switch {
		case len(b) > longestField:
			return "", fmt.Errorf("a path of more than %d bytes", longestField)
		case err == nil:
			return string(b[:len(b)-1]), nil
		case err == io.EOF && len(b) > 0:
			return "", io.ErrUnexpectedEOF
		case err != bufio.ErrBufferFull:
			return "", err
		}
	}
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// parsePatch reads the current name of each file in a patch, and its changed lines.
func parsePatch(br *bufio.Reader, files map[string]schema.Change) error {
	path, body := "", 0 // lines of a hunk that are still to come
	for {
		line, err := patchLine(br)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case body > 0 && line != "" && (line[0] == '+' || line[0] == '-'):
			body--
		case strings.HasPrefix(line, "+++ "):
			path = newName(line[4:])
		case strings.HasPrefix(line, "diff --git "):
			path, body = "", 0
		case strings.HasPrefix(line, "Binary files "):
			markWhole(files, strings.TrimSuffix(line, " differ"))
		case strings.HasPrefix(line, "@@ "):
			removed, from, added, ok := hunk(line)
			if !ok {
				return fmt.Errorf("unknown hunk %.80q", line)
			}
			body = removed + added
			if c, known := files[path]; known {
				lines := schema.LineRange{From: from, To: from + added - 1}
				if added == 0 {
					lines = schema.LineRange{From: max(from, 1), To: from + 1}
				}
				c.Lines = append(c.Lines, lines)
				files[path] = c
			}
		}
	}
}

// newName reads the current name of a file: b/…, in quotes if it contains control
// characters, quotes or backslashes, followed by a tab if it contains a space.
func newName(s string) string {
	s = strings.TrimSuffix(s, "\t")
	if quoted, err := strconv.Unquote(s); err == nil {
		s = quoted
	}
	return strings.TrimPrefix(s, "b/")
}

// markWhole notes that a file has no lines to compare; the line ends in the
// name that it had, " and ", and its name now, either of which may hold that
// word.
func markWhole(files map[string]schema.Change, line string) {
	for {
		_, rest, ok := strings.Cut(line, " and ")
		if !ok {
			return
		}
		if c, known := files[newName(rest)]; known {
			c.Whole = true
			files[newName(rest)] = c
			return
		}
		line = rest
	}
}

// patchLine reads a line. Of one that is longer than the reader's buffer, which no
// header is, only the beginning is returned.
func patchLine(br *bufio.Reader) (string, error) {
	line, err := br.ReadSlice('\n')
	text := string(line)
	for err == bufio.ErrBufferFull {
		_, err = br.ReadSlice('\n')
	}
	if err == io.EOF && text != "" {
		err = nil
	}
	return strings.TrimSuffix(text, "\n"), err
}

// hunk reads @@ -a,b +c,d @@: how many lines went, and where those that came
// begin. A count that is not there is 1.
func hunk(line string) (removed, from, added int, ok bool) {
	part := strings.SplitN(line, " ", 4)
	if len(part) < 4 || !strings.HasPrefix(part[1], "-") || !strings.HasPrefix(part[2], "+") {
		return 0, 0, 0, false
	}
	_, removed, ok = lineRange(part[1][1:])
	if !ok {
		return 0, 0, 0, false
	}
	from, added, ok = lineRange(part[2][1:])
	return removed, from, added, ok
}

func lineRange(s string) (from, n int, ok bool) {
	start, count, counted := strings.Cut(s, ",")
	from, err := strconv.Atoi(start)
	n = 1
	if err == nil && counted {
		n, err = strconv.Atoi(count)
	}
	return from, n, err == nil && from >= 0 && n >= 0
}

// withoutFilters returns options that switch off every configured filter.
func withoutFilters(ctx context.Context, dir string) ([]string, error) {
	out, err := output(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	var f *failure
	if err != nil && !(errors.As(err, &f) && f.status == 1) { // 1: none is configured
		return nil, err
	}
	var opts []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if strings.Contains(name, "=") {
			return nil, fmt.Errorf("read the changes of %s: can't disable the filter %q; rename it", dir, name)
		}
		if name != "" {
			opts = append(opts, "-c", name+"=")
		}
	}
	return opts, nil
}
