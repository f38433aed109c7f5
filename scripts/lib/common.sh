# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# What every script here needs: messages, the cache folder, host packages.
# The caller sets `me` to the name it wants in front of its messages.

# tree: the checkout these scripts live in; cache: everything that is slow to
# make and not worth keeping in the tree.
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
cache=${CGDIRTY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cgdirty}

# say TEXT...: a progress line; stdout belongs to what is being run.
say() {
	echo "$me: $*" >&2
}

# die TEXT...: one line, then exit status 125, which means "usage or set-up".
die() {
	say "$@"
	exit 125
}

# need_root: mounts, chroots and package installation are root's.
need_root() {
	((EUID == 0)) || die "this must run as root (it mounts file systems and makes Debian roots); try sudo"
}

# lock FILE [flock options]: hold FILE's lock until this shell exits, or until
# the file descriptor left in `lock_fd` is closed.
lock() {
	local file=$1
	shift
	mkdir -p "${file%/*}"
	exec {lock_fd}>>"$file"
	flock --timeout 2 "$@" "$lock_fd" || {
		say "waiting for another run, which holds $file"
		flock "$@" "$lock_fd"
	}
}

# unlock FD: let go of a lock that `lock` took.
unlock() {
	local fd=$1
	exec {fd}>&-
}

# need_packages COMMAND=PACKAGE...: install with apt what the host lacks.
need_packages() {
	local pair missing=()
	for pair; do
		command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
	done
	((${#missing[@]})) || return 0
	((EUID == 0)) || die "missing on this machine: ${missing[*]} (run as root to have them installed)"
	install_packages "${missing[@]}"
}

# install_packages PACKAGE...: with apt, as root; or upgrade them.
install_packages() {
	local log=$cache/apt.log
	lock "$cache/lock.apt"
	say "installing $*"
	export DEBIAN_FRONTEND=noninteractive
	{
		apt-get -q -o DPkg::Lock::Timeout=600 update &&
			apt-get -qy -o DPkg::Lock::Timeout=600 install \
				--no-install-recommends "$@"
	} >"$log" 2>&1 </dev/null || {
		tail -n 15 "$log" >&2
		die "apt-get could not install $* (log: $log)"
	}
	unlock "$lock_fd"
}
