# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2034,SC2154
#
# One Debian root for each kernel series, in the release that ships that
# kernel: Kbuild's host tools need their own release's libc and compiler. A root
# holds the kernel image, its headers, a compiler, DKMS, static checkers and
# the guest's tools. It is never changed once made; a newer kernel gets a new
# root. Needs common.sh.

kernels=(5.10 6.1 6.12 7.3)

# Kernels that watch what goes on in them: built from Debian's source when their
# root is made, see scripts/debug.
debug_kernels=(debug kcsan)

# How many times slower than a stock kernel these are.
debug_slowness=8

# What is installed in a root, besides the kernel and its headers.
root_packages=(
	# to build and to check
	bc dkms gcc kmod libc6-dev make openssl perl sparse
	# to build the command, and to test it
	libjson-c-dev libkmod-dev libncurses-dev pkg-config
	fish jq mandoc python3-prometheus-client zsh
	# to make guests
	busybox-static cpio
	# to make packages
	debhelper dh-sequence-dkms
	# in guests
	btrfs-progs dmsetup e2fsprogs fio procps strace tar util-linux xfsprogs
)

# What makes a root a system that boots, with the oldest kernel of its suites; and
# what is fetched, but not installed there: that is for the tests of packages.
system_packages=(busybox e2fsprogs initramfs-tools kmod systemd-sysv udev)
later_packages=(dkms libjson-c5 libncursesw6 linux-image-amd64 linux-headers-amd64)

# watches KERNEL: whether it is one of ours.
watches() {
	[[ " ${debug_kernels[*]} " == *" $1 "* ]]
}

# kernel_series KERNEL: the series that a kernel is of.
kernel_series() {
	if watches "$1"; then echo 6.12; else echo "$1"; fi
}

# kernel_packages KERNEL: what a root has of a kernel. The version of the first
# one is the kernel's.
kernel_packages() {
	if watches "$1"; then
		echo "linux-source-$(kernel_series "$1")" bison flex libelf-dev xz-utils
	else
		echo linux-image-amd64 linux-headers-amd64
	fi
}

# kernel_suite KERNEL: the suite whose newest kernel is of that series.
kernel_suite() {
	case $(kernel_series "$1") in
	5.10) echo bullseye-security ;;
	6.1) echo bookworm-security ;;
	6.12) echo trixie-security ;;
	7.3) echo trixie-backports ;;
	*) return 1 ;;
	esac
}

# release_kernel RELEASE: the newest series that is in a Debian release; fails for
# a release that has none.
release_kernel() {
	local kernel found=
	for kernel in "${kernels[@]}"; do
		[[ $(kernel_suite "$kernel") != "$1"-* ]] || found=$kernel
	done
	[[ $found ]] && echo "$found"
}

# check_kernel KERNEL: an unknown one is a usage error.
check_kernel() {
	kernel_suite "$1" >/dev/null || die "no kernel '$1'; there are: ${kernels[*]} ${debug_kernels[*]}"
}

# host_mirror SUITE...: the URI from which this machine's own apt gets one of
# the given suites.
host_mirror() {
	local uri suite wanted
	while read -r uri suite; do
		for wanted; do
			[[ $suite == "$wanted" ]] && echo "${uri%/}" && return
		done
	done < <(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages')
	return 1
}

# set_mirrors: find out where Debian comes from, into mirror and
# security_mirror. CGDIRTY_MIRROR and CGDIRTY_SECURITY_MIRROR override.
set_mirrors() {
	local host
	host=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
	mirror=${CGDIRTY_MIRROR:-$(host_mirror "$host" stable)} ||
		die "apt's sources name no Debian mirror; set CGDIRTY_MIRROR"
	security_mirror=${CGDIRTY_SECURITY_MIRROR:-$(host_mirror "$host-security" stable-security)} ||
		security_mirror=${mirror%/*}/debian-security
}

# write_sources KERNEL DIR: DIR/sources.list and DIR/preferences with the suites
# of a root. A release that is out of support is no longer signed anew, so the
# date of its index is not checked; its signature is.
write_sources() {
	local suite base option=check-valid-until=no keys=/usr/share/keyrings/debian-archive-keyring.gpg
	suite=$(kernel_suite "$1")
	base=${suite%-*}
	set_mirrors
	[[ ! -e $keys ]] || option+=" signed-by=$keys"
	{
		echo "deb [$option] $mirror $base main"
		echo "deb [$option] $security_mirror $base-security main"
		if [[ $suite == *-backports ]]; then
			echo "deb [$option] $mirror $suite main"
		fi
	} >"$2/sources.list"
	printf 'Package: linux-*\nPin: release n=%s\nPin-Priority: 500\n' "$suite" >"$2/preferences"
}

# private_apt DIR COMMAND...: apt as if DIR/sources.list were all there is.
private_apt() {
	local dir=$1
	shift
	mkdir -p "$dir/lists/partial" "$dir/cache"
	"$1" -q -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Dir::State::Lists="$dir/lists" -o Dir::State::status=/dev/null \
		-o Dir::Cache="$dir/cache" -o Dir::Etc::SourceList="$dir/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences="$dir/preferences" \
		-o Dir::Etc::PreferencesParts=/dev/null -o APT::Architecture=amd64 "${@:2}"
}

# update_lists KERNEL DIR: fetch the lists of a root's suites. Where this machine
# is too old to have a suite's key, its keyring is brought up to date first.
update_lists() {
	local command=(private_apt "$2" apt-get update -o "APT::Update::Error-Mode=any")
	write_sources "$1" "$2"
	"${command[@]}" >"$2/log" 2>&1 && return
	grep -qE 'NO_PUBKEY|Missing key' "$2/log" || return
	(install_packages debian-archive-keyring) && "${command[@]}" >"$2/log" 2>&1
}

# archive_version KERNEL: the version of the newest kernel of its series in the
# archive. Asks at most once a day, or with CGDIRTY_REFRESH set; fails if the
# archive cannot be used and never could.
archive_version() {
	local dir=$cache/archive/$1
	mkdir -p "$dir"
	if [[ -z ${CGDIRTY_REFRESH:-} && $(find "$dir/version" -mtime -1 2>/dev/null) ]]; then
		cat "$dir/version"
		return
	fi

	local version package
	say "$1: asking the archive for its newest kernel"
	if ! update_lists "$1" "$dir"; then
		if [[ ! -e $dir/version ]]; then
			say "$1: the archive cannot be used (log: $dir/log)"
			return 1
		fi
		say "$1: the archive cannot be used; going on with kernel $(<"$dir/version")"
		touch "$dir/version"
		cat "$dir/version"
		return
	fi
	read -r package _ < <(kernel_packages "$1")
	version=$(private_apt "$dir" apt-cache policy "$package" | awk '/Candidate:/ { print $2 }')
	if [[ $version == "$(kernel_series "$1")".* ]]; then
		echo "$version" >"$dir/version"
	elif [[ -e $dir/version ]]; then
		say "$1: $(kernel_suite "$1") has moved on to $version; going on with kernel $(<"$dir/version")"
		touch "$dir/version"
	else
		say "$1: $(kernel_suite "$1") has no kernel $1 any more but $version"
		return 1
	fi
	cat "$dir/version"
}

# oldest_kernel SERIES: the release of the oldest kernel in its root's suites.
oldest_kernel() {
	local dir=$cache/archive/$1 version
	version=$(private_apt "$dir" apt-cache madison linux-image-amd64 |
		awk -F ' *[|] *' '{ print $2 }' | sort -V | head -n 1)
	private_apt "$dir" apt-cache show "linux-image-amd64=$version" |
		sed -n '/^Depends:/s/.*linux-image-\([^ ,]*\).*/\1/p'
}

# build_kernel KERNEL HOME: one of ours, into the root HOME/root.new.
build_kernel() {
	say "$1: building the kernel (a quarter of an hour or more, once)"
	mkdir "$2/built"
	root=$2/root.new in_root "$2/built" scripts/debug/build "$1" >>"$2/log" 2>&1 </dev/null || {
		tail -n 15 "$2/log" >&2
		die "$1: the kernel cannot be built (log: $2/log)"
	}
	cp -a "$2/built/." "$2/root.new/"
	rm -rf "$2/built"
}

# make_root KERNEL HOME PACKAGE... [-- MMDEBSTRAP-OPTION...]: the root itself,
# HOME/root, complete or not at all.
make_root() {
	local kernel=$1 home=$2 apt=$cache/archive/$1 suite include
	suite=$(kernel_suite "$kernel")
	shift 2
	while (($#)) && [[ $1 != -- ]]; do
		include+=${include:+,}$1
		shift
	done
	say "$kernel: making a Debian root of ${suite%-*} (a minute or so, once)"
	rm -rf "$home"
	mkdir -p "$home/root.new"
	# mmdebstrap does not look at this machine's apt settings.
	apt-config dump Acquire::http Acquire::https >"$apt/apt.conf"
	# A guest has an initramfs of ours: let the kernel's package make none.
	INITRD=No unshare --mount --propagation private mmdebstrap --mode=root --variant=minbase \
		--architectures=amd64 --include="$include" --aptopt="$apt/apt.conf" \
		--setup-hook="cp '$apt/preferences' \"\$1/etc/apt/preferences\"" \
		--dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' "${@:2}" \
		"${suite%-*}" "$home/root.new" "$apt/sources.list" >"$home/log" 2>&1 </dev/null || {
		tail -n 15 "$home/log" >&2
		die "$kernel: mmdebstrap failed (log: $home/log)"
	}
	! watches "$kernel" || build_kernel "$kernel" "$home"
	mv "$home/root.new" "$home/root"
}

# use_root KERNEL [system]: have the newest root of a kernel, to build in or one
# that boots, and keep it from being removed while this shell lives. Sets
# root_home (the folder of all that is made for this kernel), root (the Debian
# root in it) and kver (the kernel's release).
use_root() {
	local kernel=$1 version recipe making old old_lock oldest packages
	lock "$cache/lock.root-$kernel"
	making=$lock_fd
	version=$(archive_version "$kernel") || exit 125
	if [[ ${2:-} == system ]]; then
		oldest=$(oldest_kernel "$kernel")
		packages=("linux-image-$oldest" "linux-headers-$oldest" "${system_packages[@]}" -- --skip=cleanup/apt
			--customize-hook="APT_CONFIG=\$MMDEBSTRAP_APT_CONFIG apt-get -y --download-only install ${later_packages[*]}")
	else
		read -ra packages < <(kernel_packages "$kernel")
		packages+=("${root_packages[@]}")
	fi
	recipe=$({
		declare -p packages
		! watches "$kernel" || cat "$tree"/scripts/debug/{build,config,"config.$kernel"}
	} | sha256sum | cut -c1-8)
	root_home=$cache/roots/$kernel-$version-$recipe
	root=$root_home/root
	[[ -d $root ]] || make_root "$kernel" "$root_home" "${packages[@]}"
	lock "$root_home.lock" --shared
	touch "$root_home.lock"

	# What nobody has used for a week goes.
	find "$cache/roots" -maxdepth 1 -name "$kernel-*.lock" -mtime +7 |
		while read -r old; do
			exec {old_lock}>>"$old"
			! flock --nonblock "$old_lock" || rm -rf "${old%.lock}" "$old"
			exec {old_lock}>&-
		done
	unlock "$making"

	kver=$(echo "$root"/lib/modules/*/build)
	kver=$(basename "${kver%/build}")
}

# in_root OUT COMMAND...: run COMMAND in $root, in a copy of the tree, with KDIR
# and KVER in its environment. What it is to leave behind goes to /out, which is
# the folder OUT here; an empty OUT keeps nothing.
in_root() {
	local out=$1
	shift
	mkdir -p "$cache/mnt"
	unshare --mount --propagation private \
		"$tree/scripts/lib/enter" "$root" "$cache/mnt" "$tree" "$out" "$@"
}
