package schema

// ConventionBlock is what a wiki's schema page may say in a block of YAML: the
// part of [Config] that is about how pages are written.
type ConventionBlock struct {
	Frontmatter FrontConfig       `yaml:"frontmatter"`
	Tags        []string          `yaml:"tags"`
	Naming      string            `yaml:"naming"`
	Terms       map[string]string `yaml:"terms"`
}
