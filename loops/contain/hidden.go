package contain

import "path/filepath"

// Hidden returns what lies below a person's home that lets one act in that
// person's name: keys, and what is stored for clouds, git hosts, registries and
// clusters. A program's own state is not among it; agents need theirs.
func Hidden(home string) []string {
	names := []string{
		".ssh", ".gnupg", ".netrc", ".git-credentials", ".pgpass", ".my.cnf", ".password-store", ".vault-token",
		".aws", ".azure", ".oci", ".boto", ".kube", ".s3cfg", ".terraform.d/credentials.tfrc.json", ".pulumi/credentials.json",
		".docker/config.json", ".npmrc", ".yarnrc.yml", ".pypirc", ".gem/credentials", ".cargo/credentials.toml", ".cargo/credentials",
		".m2/settings.xml", ".gradle/gradle.properties", ".composer/auth.json",
		".config/gh", ".config/glab-cli", ".config/hub", ".config/git/credentials", ".config/gcloud", ".config/doctl", ".config/rclone",
		".config/op", ".config/sops", ".config/containers/auth.json", ".config/heroku", ".config/netlify", ".config/flyctl", ".fly",
		".local/share/keyrings", ".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware",
		"Library/Keychains", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox",
	}
	paths := make([]string, len(names))
	for i, n := range names {
		paths[i] = filepath.Join(home, filepath.FromSlash(n))
	}
	return paths
}
