package contain

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/loopwiki/wiki/loops"
)

// output is one stream of a program on its way to a file.
type output struct {
	file   *os.File
	clean  *loops.RedactingWriter
	most   int64 // bytes that are kept
	read   int64 // that the program wrote
	stored int64 // that are in the file
	err    error
}

// newOutput makes the file, which must not exist.
func newOutput(path string, r *loops.Redactor, most int64) (*output, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create the output file: %w", err)
	}
	o := &output{file: f, most: most}
	o.clean = r.Writer((*store)(o))
	return o, nil
}

// take passes on what the program wrote, and reports whether that is more than
// it may write. A fault of the disk is kept: the program is read to its end.
func (o *output) take(p []byte) (over bool) {
	o.read += int64(len(p))
	if over = o.read > 2*o.most; !over && o.err == nil {
		_, o.err = o.clean.Write(p)
	}
	return over
}

// store is the output without secrets.
type store output

func (s *store) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.stored += int64(n)
	return n, err
}

// finish writes what is held, and removes the middle of what is too long. It
// reports whether something is missing.
func (o *output) finish() (cut bool, err error) {
	if o.err == nil {
		o.err = o.clean.Close()
	}
	cut = o.read > 2*o.most
	if o.err == nil && o.stored > o.most {
		cut, o.err = true, o.shorten()
	}
	if err := errors.Join(o.err, o.file.Close()); err != nil {
		return cut, fmt.Errorf("write the output: %w", err)
	}
	return cut, nil
}

// shorten leaves the first and the last half of what may be kept, with a line
// between them.
func (o *output) shorten() error {
	head := o.most / 2
	rest := o.most - head
	note := fmt.Sprintf("\n[%d bytes omitted]\n", o.stored-o.most)
	last := io.NewSectionReader(o.file, o.stored-rest, rest)
	// The last part moves towards the beginning, except for the note, which may be
	// longer than what it stands for: then it is moved from the end on.
	if head+int64(len(note)) > o.stored-rest {
		tail, err := io.ReadAll(last)
		if err != nil {
			return err
		}
		_, err = o.file.WriteAt(append([]byte(note), tail...), head)
		return errors.Join(err, o.file.Truncate(head+int64(len(note))+rest))
	}
	if _, err := o.file.WriteAt([]byte(note), head); err != nil {
		return err
	}
	n, err := io.Copy(io.NewOffsetWriter(o.file, head+int64(len(note))), last)
	return errors.Join(err, o.file.Truncate(head+int64(len(note))+n))
}
