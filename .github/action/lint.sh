#!/bin/sh
# What the steps of action.yml do. Every step is one word:
#
#	lint.sh key      the name under which the built program is cached
#	lint.sh install  build the program, or install it from a release
#	lint.sh path     put the program into the PATH of the steps that follow
#	lint.sh lint     lint, annotate, write the step's summary and the reports
#	lint.sh comment  put the summary into a comment on the pull request
#	lint.sh verdict  end as wiki lint did
#
# All of them read the environment alone, so that nothing from outside becomes
# part of a command; action.yml says which input is which variable. To try them
# by hand, set GITHUB_ACTION_PATH to a checkout of this repository and
# RUNNER_TEMP, GITHUB_OUTPUT, GITHUB_PATH and GITHUB_STEP_SUMMARY to places to
# write to.
set -eu

: "${GITHUB_ACTION_PATH:?is the folder of action.yml}"
: "${RUNNER_TEMP:?is a folder for files of this job}"
: "${GITHUB_OUTPUT:?is the file for what a step puts out}"

work=$RUNNER_TEMP/wiki-lint
program=$work/bin/wiki
if [ "${RUNNER_OS:-}" = Windows ]; then program=$program.exe; fi

output() {
	printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# annotate KIND TEXT: a line that GitHub shows beside the step.
annotate() {
	printf '::%s title=wiki lint::%s\n' "$1" "$(printf '%s' "$2" | escape)"
}

# escape makes the message of a workflow command of any text.
escape() {
	tr -d '\r' | sed 's/%/%25/g' | awk 'NR > 1 { printf "%%0A" } { printf "%s", $0 }'
}

# key: the program is the same as long as its sources are. Git hashes them, as
# it is there on every runner and hashes alike everywhere.
key() {
	files=$(
		cd "$GITHUB_ACTION_PATH"
		find . -type d \( -name testdata -o -name '.?*' -o -path ./wiki -o -path ./_site \) -prune -o -type f -print | LC_ALL=C sort
	)
	sources=$(
		cd "$GITHUB_ACTION_PATH"
		{
			printf '%s\n' "$files"
			printf '%s\n' "$files" | git hash-object --no-filters --stdin-paths
		} | git hash-object --stdin
	)
	output key "wiki-${RUNNER_OS:-unknown}-${RUNNER_ARCH:-unknown}-go${WIKI_GO_VERSION:-}-$sources"
	output bin "$work/bin"
}

# install: a release is installed as in workflows of other hosts. What the environment
# says of Go is for the repository that is linted.
install() {
	bin=$work/bin
	mkdir -p "$bin"
	if [ -n "${WIKI_RELEASE:-}" ]; then
		. "$GITHUB_ACTION_PATH/compiler/scaffold/workflows/install.sh"
		install_release
		return
	fi
	GOFLAGS='' GOWORK=off CGO_ENABLED=0 go -C "$GITHUB_ACTION_PATH" build -trimpath -buildvcs=false -o "$program" ./cmd/wiki
}

# path: the runner reads a folder per line.
path() {
	printf '%s\n' "$work/bin" >>"${GITHUB_PATH:?is the file for folders of programs}"
}

lint() {
	: "${GITHUB_STEP_SUMMARY:?is the file for the summary of the step}"
	dir=${WIKI_DIRECTORY:-.}
	if [ "$(git -C "$dir" rev-parse --is-shallow-repository 2>/dev/null)" = true ]; then
		annotate warning "the clone is shallow, so nothing is known of the history of pages: give actions/checkout the input 'fetch-depth: 0'"
	fi
	rm -rf "$work/reports"
	mkdir -p "$work/reports"
	set -- -C "$dir"
	if [ -n "${WIKI_ROOT:-}" ]; then set -- "$@" --root "$WIKI_ROOT"; fi
	set -- "$@" lint --format text
	for report in github=github.txt json=lint.json code-scanning=lint.sarif; do
		set -- "$@" --output "${report%%=*}=$work/reports/${report#*=}"
	done
	if [ -n "${WIKI_FAIL_ON:-}" ]; then set -- "$@" --fail-on "$WIKI_FAIL_ON"; fi
	if [ -n "${WIKI_SINCE:-}" ]; then set -- "$@" --since "$WIKI_SINCE"; fi
	if [ -n "${WIKI_BASELINE:-}" ]; then set -- "$@" --baseline "$WIKI_BASELINE"; fi
	while IFS= read -r arg; do # one argument per line
		if [ -n "$arg" ]; then set -- "$@" "$arg"; fi
	done <<-END
		${WIKI_ARGS:-}
	END
	status=0
	quietly "$@" || status=$?
	report "$status"
}

# quietly ARG…: runs the program. What it says of pages is text: until a word
# that no page can know, the runner takes no commands from it.
quietly() {
	word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	status=0
	printf '::stop-commands::%s\n' "$word"
	GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/reports/summary.md "$program" "$@" 2>"$work/reports/stderr" || status=$?
	cat "$work/reports/stderr"
	printf '::%s::\n' "$word"
	return "$status"
}

# report STATUS: tells GitHub what came out.
report() {
	output exit-code "$1"
	if [ "$1" -gt 1 ] || [ ! -f "$work/reports/lint.json" ]; then
		annotate error "wiki lint could not run (exit status $1): $(cat "$work/reports/stderr")"
		return 0 # the last step of the action ends with the status
	fi
	cat "$work/reports/github.txt"
	cat "$work/reports/summary.md" >>"$GITHUB_STEP_SUMMARY"
	for severity in errors warnings infos; do
		output "$severity" "$(sed -n "s/^    \"$severity\": \([0-9]*\),*\$/\1/p" "$work/reports/lint.json")"
	done
	output sarif "$work/reports/lint.sarif"
	output json "$work/reports/lint.json"
	output summary "$work/reports/summary.md"
}

# comment: one comment per wiki, which later runs rewrite. A token that may not
# comment, as that of a pull request from a fork, is no reason to fail.
comment() {
	: "${GITHUB_REPOSITORY:?is owner and name of the repository}"
	number=$(printf '%s' "${GITHUB_REF:-}" | sed -n 's|^refs/pull/\([0-9]*\)/.*$|\1|p')
	if [ -z "$number" ]; then
		annotate notice "no comment, as this is no pull request"
		return 0
	fi
	mark="<!-- wiki lint: $(printf '%s/%s' "${WIKI_DIRECTORY:-.}" "${WIKI_ROOT:-}" | git hash-object --stdin) -->"
	body=$work/reports/comment.md
	{
		printf '%s\n' "$mark"
		# GitHub takes 65,536 characters.
		LC_ALL=C awk '(n += length($0) + 1) <= 60000
			END { if (n > 60000) print "\nThe rest stands in the summary of the job." }' "$work/reports/summary.md"
	} >"$body"
	comments=repos/$GITHUB_REPOSITORY/issues/$number/comments
	said=$work/reports/gh
	if ! gh api --paginate "$comments" --jq ".[] | select(.user.login == \"github-actions[bot]\" and (.body | startswith(\"$mark\"))) | .id" >"$said" 2>&1; then
		annotate warning "cannot read the comments of pull request $number: $(cat "$said")"
		return 0
	fi
	id=$(sed -n '1s/^\([0-9]*\)$/\1/p' "$said")
	if [ -n "$id" ]; then
		set -- --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id"
	else
		set -- --method POST "$comments"
	fi
	if ! gh api "$@" --field "body=@$body" --silent >"$said" 2>&1; then
		annotate warning "cannot comment on pull request $number; the job needs 'pull-requests: write': $(cat "$said")"
	fi
}

verdict() {
	exit "${WIKI_EXIT_CODE:?is what the step lint put out}"
}

case ${1:-} in
key | install | path | lint | comment | verdict) "$1" ;;
*)
	echo "usage: lint.sh key | install | path | lint | comment | verdict" >&2
	exit 2
	;;
esac
