# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# A machine made of folders for the command to work on. tests/tool/run sets
# TOOL, the command, and FAKE, what is preloaded into it.

set -uo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
top=$here/../..
: "${TOOL:?is set by tests/tool/run}" "${FAKE:?is set by tests/tool/run}"

# shellcheck source=../ktap.sh
. "$here/../ktap.sh"

export LC_ALL=C.UTF-8
unset NO_COLOR
release=6.1.0-1-test
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
tree=$machine/sys/kernel/config/cgdirty
cgroups=$machine/sys/fs/cgroup
set_file=$machine/etc/cgdirty.d/99-set.conf

# put FILE TEXT: a file of the machine.
put() {
	mkdir -p "$(dirname "$machine/$1")"
	printf '%s' "$2" >"$machine/$1"
}

# cgroup PATH...: cgroups with the memory controller, and those above them.
cgroup() {
	local path part dir
	local -a parts
	for path; do
		IFS=/ read -r -d '' -a parts < <(printf '%s\0' "$path")
		dir=$cgroups
		for part in "${parts[@]}"; do
			dir+=/$part
			mkdir -p "$dir"
			: >"$dir/cgroup.procs"
			printf 'file_dirty 4096\nfile_writeback 8192\n' >"$dir/memory.stat"
			echo memory >"$dir/cgroup.subtree_control"
		done
	done
}

put proc/self/mountinfo '20 1 0:5 / / rw - ext4 /dev/vda rw
21 20 0:6 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw
22 20 0:7 / /sys/kernel/config rw shared:9 - configfs configfs rw
'
put proc/self/cgroup $'0::/user.slice/user-0.slice/session-1.scope\n'
put proc/sys/kernel/osrelease $release$'\n'
put proc/sys/kernel/ftrace_enabled $'1\n'
put sys/fs/cgroup/cgroup.procs ''
put sys/fs/cgroup/cgroup.controllers $'cpu io memory pids\n'
put sys/fs/cgroup/cgroup.subtree_control $'io memory\n'
put sys/module/cgdirty/refcnt $'0\n'
put sys/kernel/config/cgdirty/version "$(<"$top/VERSION")"$'\n'
put sys/kernel/config/cgdirty/hooks 'dirty tracepoint writeback_dirty_folio on hits 12 misses 0
throttle ftrace-redirect balance_dirty_pages on hits 3 misses 1
'
cgroup system.slice/{nginx,backup,ssh}.service user.slice/user-0.slice/session-1.scope

# try ARGUMENT...: run the command; sets status, out and err.
try() {
	status=0
	CGDIRTY_ROOT=$machine LD_PRELOAD=$FAKE "$TOOL" "$@" >"$machine/out" 2>"$machine/err" </dev/null || status=$?
	out=$(<"$machine/out") err=$(<"$machine/err")
}

# ends NAME STATUS ARGUMENT...: the command ends with that status.
ends() {
	local name=$1 wanted=$2
	shift 2
	try "$@"
	[[ $status == "$wanted" ]] || diag "status $status; stdout: $out; stderr: $err"
	check "$name" test "$status" = "$wanted"
}

# says NAME TEXT / prints NAME TEXT: what the last command said or printed holds TEXT.
says() {
	[[ $err == *"$2"* ]] || diag "stderr: $err"
	check "$1" test "${err/"$2"/}" != "$err"
}

prints() {
	[[ $out == *"$2"* ]] || diag "stdout: $out"
	check "$1" test "${out/"$2"/}" != "$out"
}

# shows NAME CGROUP KEY VALUE: what is in the tree.
shows() {
	check "$1" equals "$(<"$tree/$2/$3")" "$4"
}

# json NAME FILTER WANTED: of what the last command printed, through jq.
json() {
	check "$1" equals "$(jq -r "$2" <"$machine/out" 2>&1)" "$3"
}
