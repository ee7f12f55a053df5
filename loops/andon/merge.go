package andon

import (
	"cmp"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"
)

// Merge joins two versions of a file below [Folder], of two clones that both went on.
// ok is false of a file whose parts can't be told apart. Of what stops the line the
// newer version wins, of standards and hypotheses none is lost.
func Merge(name string, ours, theirs []byte) (merged []byte, ok bool, err error) {
	switch name {
	case metaFile:
		var a, b MetaState
		if err := errors.Join(decode(name, ours, &a), decode(name, theirs, &b)); err != nil {
			return nil, false, err
		}
		if b.UpdatedAt.After(a.UpdatedAt) {
			return theirs, true, nil
		}
		return ours, true, nil
	case registryFile:
		var a, b Registry
		if err := errors.Join(decode(name, ours, &a), decode(name, theirs, &b)); err != nil {
			return nil, false, err
		}
		a.join(b)
		merged, err = encode(a)
		return merged, true, err
	case hypothesesFile:
		var a, b hypotheses
		if err := errors.Join(decode(name, ours, &a), decode(name, theirs, &b)); err != nil {
			return nil, false, err
		}
		for _, h := range b.Hypotheses {
			if !slices.Contains(a.Hypotheses, h) {
				a.Hypotheses = append(a.Hypotheses, h)
			}
		}
		slices.SortStableFunc(a.Hypotheses, func(x, y Hypothesis) int { return x.At.Compare(y.At) })
		merged, err = encode(a)
		return merged, true, err
	}
	return nil, false, nil
}

// join adds the standards of another clone. One that either took back is inactive.
func (r *Registry) join(o Registry) {
	for _, rule := range o.Rules {
		i := slices.IndexFunc(r.Rules, func(have Rule) bool {
			return have.Type == rule.Type && have.Value == rule.Value && have.SourceIncident == rule.SourceIncident && have.CreatedAt.Equal(rule.CreatedAt)
		})
		if i < 0 {
			r.Rules = append(r.Rules, rule)
			continue
		}
		r.Rules[i].Active = r.Rules[i].Active && rule.Active
	}
	slices.SortStableFunc(r.Rules, func(a, b Rule) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.Type, b.Type), strings.Compare(a.Value, b.Value))
	})
}

func decode(name string, src []byte, v any) error {
	if err := json.Unmarshal(src, v); err != nil {
		return &FileError{name, err}
	}
	return nil
}

// Settle ends what another clone closed: an incident in the archive is not open, and
// has no second folder. Only people close incidents, so the archive is right.
func (s *Store) Settle() error {
	return s.change(func(d disk) error {
		closed, err := d.names(archiveFolder)
		if err != nil {
			return err
		}
		open, err := d.open()
		if err != nil {
			return err
		}
		for _, e := range closed {
			if open != nil && open.IncidentID == e.Name() {
				err = errors.Join(err, d.remove(openFile))
			}
			if e.IsDir() && d.has(path.Join(Folder, e.Name())) {
				err = errors.Join(err, d.root.RemoveAll(path.Join(Folder, e.Name())))
			}
		}
		r, failed := d.registry()
		if failed != nil || len(r.Rules) == 0 {
			return errors.Join(err, failed)
		}
		return errors.Join(err, d.saveRegistry(r))
	})
}
