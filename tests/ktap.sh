# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How tests report. A test is a script that sources this, calls `plan` once,
# reports each result with `check`, `pass`, `fail` or `skip`, and ends with
# `finish`.

planned=0 reported=0 failures=0

plan() {
	planned=$1
	echo "KTAP version 1"
	echo "1..$planned"
}

# diag TEXT...: what was measured.
diag() {
	local text="$*"
	echo "# ${text//$'\n'/$'\n# '}"
}

pass() {
	echo "ok $((++reported)) - $*"
}

fail() {
	echo "not ok $((++reported)) - $*"
	((++failures))
}

# skip NAME REASON: only for what was just seen to be impossible here.
skip() {
	echo "ok $((++reported)) - $1 # SKIP $2"
}

# check NAME COMMAND...: passes if the command does.
check() {
	local name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name"; fi
}

finish() {
	((reported == planned)) || diag "planned $planned results, reported $reported"
	exit $((failures > 0 || reported != planned))
}

# at_most A B / at_least A B: integer comparisons that say what they compared.
at_most() {
	diag "$1 <= $2"
	(($1 <= $2))
}

at_least() {
	diag "$1 >= $2"
	(($1 >= $2))
}

equals() {
	diag "'$1' = '$2'"
	[[ $1 == "$2" ]]
}
