package andon

import (
	"errors"
	"io/fs"
	"path"
)

// Incidents returns all incidents that can be read, the oldest first.
func (s *Store) Incidents() (out []*Incident, err error) {
	err = s.read(func(d disk) error {
		dirs, err := d.dirs()
		if err != nil {
			return err
		}
		open, err := d.open()
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			i, err := d.load(dir)
			if err != nil {
				continue // half of one that somebody removes by hand hides no others
			}
			i.Stops = open != nil && open.IncidentID == i.ID
			out = append(out, i)
		}
		return nil
	})
	return out, err
}

// Documents returns the texts of an incident that people read, by their names: what is
// not there yet is left out.
func (s *Store) Documents(i *Incident) (names, texts []string, err error) {
	files := []string{i.Report(), i.Whys()}
	if i.Analysis.Meta {
		for _, name := range MetaArtifacts[1:] {
			files = append(files, path.Join(i.Dir, name))
		}
	}
	files = append(files, path.Join(i.Dir, finalFile))
	err = s.read(func(d disk) error {
		for _, f := range files {
			text, err := d.file(f)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			names, texts = append(names, path.Base(f)), append(texts, string(text))
		}
		return nil
	})
	return names, texts, err
}
