package gate

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func archived(archive string) fstest.MapFS {
	out := fstest.MapFS{}
	for _, part := range strings.Split("\n"+archive, "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		out[strings.TrimSuffix(name, " --")] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestDetect(t *testing.T) {
	t.Parallel()
	const scripts = "-- package.json --\n{\"scripts\": {\"test\": \"vitest\", \"build\": \"tsc\", \"lint\": \"eslint .\", \"typecheck\": \"tsc --noEmit\", \"start\": \"x\"}}\n"
	for name, c := range map[string]struct{ archive, want string }{
		"go":            {"-- go.mod --\nmodule x\n", "[] [go build ./...] [go test ./...] [go vet ./...]"},
		"go, more":      {"-- go.mod --\nmodule x\n-- go.sum --\n-- .golangci.yml --\n-- Makefile --\ntest:\n\ttrue\n", "[go mod download] [go build ./...] [go test ./...] [go vet ./... golangci-lint run]"},
		"npm":           {scripts + "-- package-lock.json --\n{}\n", "[npm ci --no-audit --no-fund] [npm run --silent build] [npm test --silent] [npm run --silent lint npm run --silent typecheck]"},
		"pnpm":          {scripts + "-- pnpm-lock.yaml --\n", "[pnpm install --frozen-lockfile] [pnpm run build] [pnpm run test] [pnpm run lint pnpm run typecheck]"},
		"yarn 1":        {scripts + "-- yarn.lock --\n# yarn lockfile v1\n", "[yarn install --frozen-lockfile] [yarn run build] [yarn run test] [yarn run lint yarn run typecheck]"},
		"yarn":          {scripts + "-- yarn.lock --\n__metadata:\n", "[yarn install --immutable] [yarn run build] [yarn run test] [yarn run lint yarn run typecheck]"},
		"bun":           {scripts + "-- bun.lock --\n", "[bun install --frozen-lockfile] [bun run build] [bun run test] [bun run lint bun run typecheck]"},
		"no lock":       {"-- package.json --\n{\"scripts\": {\"test\": \"node --test\"}}\n", "[] [] [npm test --silent] []"},
		"npm's default": {"-- package.json --\n{\"scripts\": {\"test\": \"echo \\\"Error: no test specified\\\" && exit 1\"}}\n", "[] [] [] []"},
		"manager named": {"-- package.json --\n{\"packageManager\": \"pnpm@9\", \"scripts\": {\"test\": \"x\"}, \"dependencies\": {\"a\": \"1\"}}\n", "[pnpm install] [] [pnpm run test] []"},
		"rust":          {"-- Cargo.toml --\n[workspace]\n-- Cargo.lock --\n", "[cargo fetch --locked] [cargo build --all-targets --workspace --locked] [cargo test --workspace --locked] []"},
		"pytest":        {"-- pyproject.toml --\n[tool.pytest.ini_options]\n[tool.ruff]\n", "[] [] [python3 -m pytest] [ruff check .]"},
		"uv":            {"-- pyproject.toml --\n[dependency-groups]\ndev = [\"pytest\"]\n-- uv.lock --\n", "[uv sync --frozen --all-extras --all-groups] [] [uv run --frozen python -m pytest] []"},
		"poetry":        {"-- pyproject.toml --\n[tool.mypy]\n-- poetry.lock --\n", "[poetry install --no-interaction] [] [poetry run python -m unittest] [poetry run mypy .]"},
		"requirements":  {"-- requirements.txt --\npytest\n", "[python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt] [] [.venv/bin/python -m pytest] []"},
		"maven":         {"-- pom.xml --\n<project/>\n-- mvnw --\n", "[] [sh ./mvnw -q -B -DskipTests package] [sh ./mvnw -B test] []"},
		"gradle":        {"-- build.gradle.kts --\n", "[] [gradle --no-daemon --console=plain assemble] [gradle --no-daemon --console=plain test] []"},
		"cmake":         {"-- CMakeLists.txt --\nenable_testing()\n", "[] [cmake -S . -B build && cmake --build build] [cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure] []"},
		"make":          {"-- Makefile --\nTEST := a\nall: build\nbuild check lint: x\n\ttrue\n.PHONY: test\n", "[] [make build] [make check] [make lint]"},
		"a script":      {"-- test.sh --\ntrue\n", "[] [] [sh ./test.sh] []"},
		"nothing":       {"-- a.md --\n# A\n", "[] [] [] []"},
		"two":           {"-- go.mod --\nmodule x\n" + scripts, "[] [go build ./... npm run --silent build] [go test ./... npm test --silent] [go vet ./... npm run --silent lint npm run --silent typecheck]"},
		"no JSON":       {"-- package.json --\n{\n", "[] [] [] []"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, why := Detect(archived(c.archive))
			if diff := cmp.Diff(c.want, fmt.Sprint(got.Setup, got.Build, got.Test, got.Lint)); diff != "" || len(why) == 0 {
				t.Errorf("%s%q", diff, why)
			}
		})
	}
}

func TestToolchains(t *testing.T) {
	t.Parallel()
	home := archived("-- .rustup/settings.toml --\n-- go/pkg/mod/cache/download/x --\n")
	want := []string{"RUSTUP_HOME=/home/ana/.rustup", "GOPROXY=file:///home/ana/go/pkg/mod/cache/download,https://proxy.golang.org,direct"}
	if diff := cmp.Diff(want, Toolchains(home, "/home/ana/")); diff != "" {
		t.Error(diff)
	}
}
