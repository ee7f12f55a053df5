package site

import (
	"image"
	_ "image/gif"  // sizes only
	_ "image/jpeg" // sizes only
	_ "image/png"  // sizes only
	"io"
)

// imageSize reads the size of an image of the wiki from its head, so that a
// page does not move while its images load.
func (s *Site) imageSize(name string) (width, height int, ok bool) {
	if s.attached[name] == "" {
		return 0, 0, false
	}
	f, _, err := s.openAttached(name)
	if err != nil {
		return 0, 0, false
	}
	defer f.Close()
	c, _, err := image.DecodeConfig(io.LimitReader(f, 1<<20))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return 0, 0, false
	}
	return c.Width, c.Height, true
}
