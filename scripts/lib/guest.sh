# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# What a guest boots from: the image of a root, the module, the disks. Each is
# made once for as long as nothing it is made from changes. Needs common.sh and
# roots.sh; use_root comes first.

# hash_of FILE...: a short name for the contents of files and folders in the
# tree; those that do not exist count as empty.
hash_of() {
	local file found=()
	for file; do
		[[ ! -e $tree/$file ]] || found+=("$file")
	done
	tar -C "$tree" --exclude-vcs-ignores --sort=name --mtime=@0 --owner=0 --group=0 \
		--numeric-owner -c "${found[@]}" | sha256sum | cut -c1-16
}

# make_once DIR COMMAND...: let COMMAND fill DIR, in $root and by way of /out,
# unless that was done before. Its output is shown only if it fails.
make_once() {
	local dir=$1 tmp=$1.new log=$1.log making
	shift
	lock "$dir.lock"
	making=$lock_fd
	if [[ ! -d $dir ]]; then
		rm -rf "$tmp"
		mkdir -p "$tmp"
		in_root "$tmp" "$@" >"$log" 2>&1 </dev/null || {
			cat "$log" >&2
			return 1
		}
		mv "$tmp" "$dir"
	fi
	touch "$dir"
	unlock "$making"

	# What nobody has used for a week goes.
	find "$root_home" -mindepth 1 -maxdepth 1 -name '*-*' -mtime +7 -exec rm -rf {} +
}

# guest_image KERNEL: sets image, a folder with root.img and initrd.
guest_image() {
	image=$root_home/guest-$(hash_of scripts/guest/make-image scripts/guest/initrd-init)
	[[ -d $image ]] || say "$1: making the guest's image (once)"
	make_once "$image" scripts/guest/make-image || die "$1: cannot make the guest's image"
}

# guest_module KERNEL: sets module, a folder that holds what DKMS adds to the
# kernel's module folder when it installs this tree.
guest_module() {
	local sources
	mapfile -t sources < <(cd "$tree" && printf '%s\n' src/*.[ch])
	module=$root_home/module-$(hash_of Kbuild Makefile dkms.conf VERSION include scripts/probe scripts/dkms \
		scripts/guest/make-module "${sources[@]}")
	[[ -d $module ]] || say "$1: building the module with DKMS"
	make_once "$module" scripts/guest/make-module || die "$1: the module cannot be built"
}
