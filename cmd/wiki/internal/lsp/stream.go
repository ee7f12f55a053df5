package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// Limits of what a client may send. A page as large as pages may be fits into a message.
const (
	maxMessage = 64 << 20 // bytes
	maxHeader  = 4 << 10  // bytes of all header fields
)

// stream reads and writes messages, each behind a header with its length. A message that
// is no JSON-RPC is answered with an error and does not end the stream; one without a
// readable length does, since nobody knows where the next begins.
type stream struct {
	in     *bufio.Reader
	mu     sync.Mutex // held while a message is written
	out    io.Writer
	closer io.Closer // may be nil
}

func newStream(in io.Reader, out io.Writer) *stream {
	s := &stream{in: bufio.NewReaderSize(in, maxHeader), out: out}
	s.closer, _ = in.(io.Closer)
	return s
}

// Read returns the next message. It does not reuse the bytes of one.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		body, err := s.frame()
		if err != nil {
			return nil, 0, err
		}
		msg, err := jsonrpc2.DecodeMessage(body)
		if err == nil {
			return msg, int64(len(body)), nil
		}
		refusal := jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, jsonrpc2.Errorf(jsonrpc2.ParseError, "not a JSON-RPC message: %v", err))
		if _, err := s.Write(ctx, refusal); err != nil {
			return nil, 0, err
		}
	}
}

// frame reads the content of one message.
func (s *stream) frame() ([]byte, error) {
	size, err := s.header()
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer // grows with what comes, not with what was announced
	if n, err := io.CopyN(&body, s.in, int64(size)); err != nil {
		return nil, fmt.Errorf("a message ends after %d of %d bytes: %w", n, size, err)
	}
	return body.Bytes(), nil
}

// header reads the fields before a message and returns its length.
func (s *stream) header() (size int, err error) {
	size = -1
	for read := 0; ; {
		line, err := s.in.ReadSlice('\n')
		if read += len(line); errors.Is(err, bufio.ErrBufferFull) || read > maxHeader {
			return 0, fmt.Errorf("the header of a message is longer than %d bytes", maxHeader)
		}
		if errors.Is(err, io.EOF) && read == 0 {
			return 0, io.EOF
		}
		if err != nil {
			return 0, fmt.Errorf("a message ends in its header: %w", err)
		}
		field := strings.TrimRight(string(line), "\r\n")
		if field == "" {
			break
		}
		name, value, ok := strings.Cut(field, ":")
		if !ok {
			return 0, fmt.Errorf("%.40q is no field of a header; messages begin with Content-Length: N", field)
		}
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		size, err = strconv.Atoi(strings.TrimSpace(value))
		if err != nil || size < 0 {
			return 0, fmt.Errorf("the Content-Length of a message is %.40q, not a number of bytes", value)
		}
		if size > maxMessage {
			return 0, fmt.Errorf("a message has %d bytes, more than %d", size, maxMessage)
		}
	}
	if size < 0 {
		return 0, errors.New("a message has no Content-Length")
	}
	return size, nil
}

// Write writes one message.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	body, err := jsonrpc2.EncodeMessage(msg)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.out.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...))
	return int64(n), err
}

// Close ends reading, as far as the input can be closed.
func (s *stream) Close() error {
	if s.closer == nil {
		return nil
	}
	return s.closer.Close()
}
