# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests that run in a guest share: groups and their limits, file
# systems, waiting for events, and the comparison with the kernel's own counts;
# and how results are reported, from ktap.sh.

set -uo pipefail

tree=/sys/kernel/config/cgdirty
cgroups=/sys/fs/cgroup
MiB=1048576
PATH=$PWD:$PATH

# How many times slower than usual this kernel is.
slow=${LAB_SLOW:-1}

# shellcheck source=../ktap.sh
. "${BASH_SOURCE[0]%/*}/ktap.sh"

now_ms() {
	local t=$EPOCHREALTIME
	echo $((${t%[.,]*} * 1000 + 10#${t#*[.,]} / 1000))
}

# calmly COMMAND...: up to three times, until it succeeds. For measures of time:
# what else goes on in the machine that emulates this one can make a wait longer
# or a share smaller, never the other way. Each attempt prints its figures.
calmly() {
	"$@" || { diag "once more"; "$@"; } || { diag "once more"; "$@"; }
}

# wait_for SECONDS COMMAND...: until the command succeeds; the deadline is for
# what never comes, not a time that is measured.
wait_for() {
	local deadline=$((SECONDS + $1 * slow))
	shift
	until "$@"; do
		((SECONDS < deadline)) || return 1
		sleep 0.02
	done
}

# key FILE KEY: the value in a file of "key value" lines; nothing if there is none.
# The file is read in one go: line by line its text would change underneath.
key() {
	local k v
	while read -r k v; do
		if [[ $k == "$2" ]]; then
			echo "$v"
			return
		fi
	done <<<"$(<"$1")"
}

# field LINE NAME: the value of name= in a line of figures.
field() {
	local word
	for word in $1; do
		if [[ $word == "$2="* ]]; then
			echo "${word#*=}"
			return
		fi
	done
}

# --- the module and its tree -------------------------------------------------

load() {
	modprobe cgdirty
}

loaded() {
	[[ -d /sys/module/cgdirty ]]
}

# limit GROUP VALUE: a directory (made if missing) and its dirty_bytes.
limit() {
	mkdir -p "$tree/$1" && echo "$2" >"$tree/$1/dirty_bytes"
}

# unlimit GROUP: take a directory and all below it away.
unlimit() {
	find "$tree/$1" -depth -mindepth 0 -type d -exec rmdir {} \;
}

stat_of() {
	key "$tree/$1/stat" "$2"
}

attached() {
	[[ $(<"$tree/$1/state") == attached ]]
}

# tolerance LIMIT: what a limit may be exceeded by, the larger of 1 % and 1 MiB.
tolerance() {
	local percent=$(($1 / 100))
	echo $((percent > MiB ? percent : MiB))
}

# --- cgroups -----------------------------------------------------------------

# group NAME: a cgroup; its ancestors are made and delegate memory and io.
group() {
	local path=$cgroups part
	local -a parts
	IFS=/ read -ra parts <<<"$1"
	for part in "${parts[@]}"; do
		echo "+memory +io" >"$path/cgroup.subtree_control"
		path+=/$part
		[[ -d $path ]] || mkdir "$path"
	done
}

# ungroup NAME: remove a cgroup and all below it, once they are empty.
ungroup() {
	[[ -d $cgroups/$1 ]] || return 0
	wait_for 10 empty "$1"
	find "$cgroups/$1" -depth -type d -exec rmdir {} \;
}

empty() {
	[[ $(key "$cgroups/$1/cgroup.events" populated) == 0 ]]
}

# within GROUP COMMAND...: run a command in a cgroup.
within() {
	local group=$1
	shift
	(
		echo "$BASHPID" >"$cgroups/$group/cgroup.procs"
		exec "$@"
	)
}

# kill_group NAME: kill everybody in a cgroup and wait until they are gone.
kill_group() {
	local result=0
	wait_for 30 emptied "$1" || result=$?
	# The shell says who was killed when it reaps them; nobody asked.
	wait 2>/dev/null
	return "$result"
}

# The list is read at once, and again: it moves while its members die and fork.
emptied() {
	local pids
	pids=$(<"$cgroups/$1/cgroup.procs")
	# shellcheck disable=SC2086
	[[ -z $pids ]] || kill -KILL $pids 2>/dev/null
	empty "$1"
}

# sleepers: how many tasks wait inside the module, by their kernel stacks.
sleepers() {
	cat /proc/[0-9]*/stack 2>/dev/null | grep -cE '(throttle|wait|sleep).*\[cgdirty\]'
}

at_least_sleepers() {
	(($(sleepers) >= $1))
}

# --- file systems --------------------------------------------------------------

# Metadata that is written now and then would disturb the counts: few commits.
declare -A mount_options=([ext4]=commit=600 [xfs]=defaults [btrfs]=commit=300)

# fresh FS: a new file system of that kind on the guest's disk, at /mnt.
fresh() {
	local -A mkfs=(
		[ext4]="mkfs.ext4 -qF -E nodiscard -J size=16"
		[xfs]="mkfs.xfs -qfK"
		[btrfs]="mkfs.btrfs -qfK"
	)
	modprobe -q "$1"
	! mountpoint -q /mnt || umount /mnt || return
	wipefs -qa /dev/vdb
	${mkfs[$1]} /dev/vdb >/dev/null && mount -t "$1" -o "${mount_options[$1]}" /dev/vdb /mnt
}

# no_flusher: the kernel's own write-out stays away, unless somebody syncs. A
# cgroup that is new to a disk would have no share of it, and no threshold; so
# the disk as a whole is given a large one.
no_flusher() {
	echo 0 >/proc/sys/vm/dirty_writeback_centisecs
	echo 360000 >/proc/sys/vm/dirty_expire_centisecs
	echo $((300 * MiB)) >/proc/sys/vm/dirty_background_bytes
	echo $((600 * MiB)) >/proc/sys/vm/dirty_bytes
	favour_disk
}

favour_disk() {
	local bdi
	for bdi in "/sys/class/bdi/$(mountpoint -x /dev/vdb)" /sys/class/bdi/btrfs-*; do
		[[ ! -e $bdi ]] || echo 49 >"$bdi/min_ratio"
	done
}

# --- counts --------------------------------------------------------------------

# memory.stat of kernels without rstat (5.10) keeps up to 32 pages on each CPU
# to itself for each group; the count by page flags is exact there too.
has_rstat() {
	local major minor
	IFS=. read -r major minor _ < <(uname -r)
	((major > 5 || (major == 5 && minor >= 16)))
}

# same_now GROUP: whether stat, memory.stat and the page flags say the same.
same_now() {
	local slack=0 c of
	counts=$(recount "$cgroups/$1" "$tree/$1/stat") || return
	has_rstat || slack=$((32 * 4096 * $(nproc) * $(find "$cgroups/$1" -type d | wc -l)))
	for of in dirty writeback; do
		c=$(field "$counts" module_$of)
		((c >= 0)) || return
		[[ $c == "$(field "$counts" pages_$of)" ]] || return
		distance "$c" "$(field "$counts" memory_$of)" "$slack" || return
	done
}

distance() {
	local d=$(($1 - $2))
	((${d#-} <= $3))
}

# same_counts NAME GROUP [LEAST [MOST]]: the module's dirty and writeback bytes
# of a quiet group are the kernel's; their sum is within the bounds given, so
# that the comparison was one of something.
same_counts() {
	local name=$1 group=$2 least=${3:-0} most=${4:-$((1 << 40))} sum
	if ! wait_for 6 same_now "$group"; then
		diag "$counts"
		fail "$name"
		return
	fi
	sum=$(($(field "$counts" pages_dirty) + $(field "$counts" pages_writeback)))
	diag "$counts"
	((sum >= least && sum <= most)) || diag "sum $sum is not within $least to $most"
	check "$name" test $((sum >= least && sum <= most)) = 1
}
