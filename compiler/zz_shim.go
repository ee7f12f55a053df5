package compiler

import "github.com/loopwiki/wiki/schema"

// readFrontmatter reads the YAML block at the head of a page.
func readFrontmatter(p *schema.Page) {}
