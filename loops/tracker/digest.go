package tracker

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// approved is what a digest is of.
type approved struct {
	Argv       []string
	Arguments  map[string]string
	Definition json.RawMessage
	// Files are the digests of what argv names inside the repository: a script there
	// is as easily changed as its name.
	Files map[string]string `json:",omitempty"`
	// Repository is of github; Tool and Open are of a call that changes something.
	Repository string   `json:",omitempty"`
	Tool       string   `json:",omitempty"`
	Open       []string `json:",omitempty"`
}

func (a approved) digest() string {
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // strings, and JSON that was made here
	}
	return sum(text)
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// listing returns what is approved of the tool by which items are listed: the program, the
// arguments, and the tool as its server describes it. A server that comes to mean
// another thing by it has to be approved again.
func listing(root string, c schema.LoopConnector, definition []byte) (string, error) {
	named, err := scripts(root, c.Argv)
	return approved{Argv: c.Argv, Arguments: c.Items.Arguments, Definition: definition, Files: named}.digest(), err
}

// scripts returns the digests of the files of a repository that a command line names, by
// their path there. What lies elsewhere belongs to the machine.
func scripts(root string, argv []string) (map[string]string, error) {
	at, err := files.Open(root)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	var out map[string]string
	for _, word := range argv {
		for _, name := range []string{word, word[strings.IndexByte(word, '=')+1:]} { // --config=tools/board.json
			rel := filepath.FromSlash(name)
			if filepath.IsAbs(rel) {
				if rel, err = filepath.Rel(root, rel); err != nil {
					continue
				}
			}
			if rel = filepath.Clean(rel); !filepath.IsLocal(rel) {
				continue
			}
			digest, err := fileDigest(at, rel)
			if err != nil {
				return nil, err
			}
			if digest != "" {
				if out == nil {
					out = make(map[string]string)
				}
				out[filepath.ToSlash(rel)] = digest
			}
		}
	}
	return out, nil
}

// fileDigest is that of a file of the repository, "" for what is none.
func fileDigest(at *files.Root, name string) (string, error) {
	if !at.IsFile(name) {
		return "", nil // a word that is not a file here, or a link that leads out
	}
	f, _, err := at.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
