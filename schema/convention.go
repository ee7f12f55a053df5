package schema

// ConventionBlock is the content of a YAML block on a wiki's schema page: the part of
// [Config] about how pages are written.
type ConventionBlock struct {
	Frontmatter FrontConfig       `yaml:"frontmatter"`
	Tags        []string          `yaml:"tags"`
	Naming      string            `yaml:"naming"`
	Terms       map[string]string `yaml:"terms"`
}
