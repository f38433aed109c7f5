#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# load, unload and doctor, on good and on broken machines.
. "$(dirname "$0")/lib.sh"

plan 69

modules=lib/modules/$release

# install_module KERNEL [FILE]: the module, as dkms would.
install_module() {
	mkdir -p "$machine/lib/modules/$1/updates/dkms"
	touch "$machine/lib/modules/$1"/modules.{builtin,builtin.modinfo,order}
	cp "${2:-$MODULE}" "$machine/lib/modules/$1/updates/dkms/cgdirty.ko"
	/sbin/depmod -b "$machine" "$1"
}

not_loaded() {
	rm -rf "$machine/sys/module/cgdirty"
	[[ ! -d $tree ]] || mv "$tree" "$machine/tree"
}

loaded() {
	mkdir -p "$machine/sys/module/cgdirty"
	[[ -d $tree ]] || mv "$machine/tree" "$tree"
}

# errno NAME: its number.
errno() {
	python3 -c "import errno; print(errno.$1)"
}

ends "load what is loaded" 0 load
not_loaded
ends "load without a module for this kernel" 1 load
says "tells how to get it" "dkms autoinstall -k $release"
install_module $release

# refused NAME ERRNO STATUS TEXT
refused() {
	FAKE_LOAD=$(errno "$2") ends "load: $1" "$3" load
	says "$1: tells why" "$4"
}

export FAKE_LOAD FAKE_UNLOAD FAKE_MOUNT
refused "built for another kernel" ENOEXEC 4 "dkms install -m cgdirty"
refused "an unknown key" EKEYREJECTED 1 "mokutil --import"
refused "no key at all" ENOKEY 1 "mokutil --import"
refused "a kernel that lacks something" EOPNOTSUPP 4 "lacks what the module needs"
refused "a function that is not there" ENOENT 4 "lacks what the module needs"
refused "a function that is held" EBUSY 1 "live patch"
refused "no memory" ENOMEM 1 "Cannot allocate memory"
mkdir -p "$machine/sys/kernel/config"
FAKE_LOAD=0 FAKE_MOUNT=$(errno ENOENT) ends "load, but configfs cannot be mounted" 1 load
says "says so" "cannot mount configfs"
loaded
FAKE_MOUNT=1 ends "load with an argument" 2 load now

not_loaded
ends "unload what is not loaded" 0 unload
loaded
FAKE_UNLOAD=0 ends "unload" 0 unload
mkdir -p "$machine/proc/4711/fd"
ln -s "$tree/version" "$machine/proc/4711/fd/3"
echo tail >"$machine/proc/4711/comm"
FAKE_UNLOAD=$(errno EAGAIN) ends "unload while a file is open" 1 unload
says "says who has it open" "process 4711 (tail) has $tree/version open"
cp "$machine/proc/self/mountinfo" "$machine/mountinfo"
echo '30 22 0:9 / /sys/kernel/config/cgdirty/x rw - tmpfs none rw' >>"$machine/proc/self/mountinfo"
FAKE_UNLOAD=0 ends "unload while something is mounted in the tree" 1 unload
says "says what to do" "umount /sys/kernel/config/cgdirty/x"
mv "$machine/mountinfo" "$machine/proc/self/mountinfo"

# doctor, on a good machine.
mapfile -t options < <(grep CONFIG_ "$top/scripts/probe/config")
config=$(printf '%s=y\n' "${options[@]}" | grep -v '^!')
put boot/config-$release "$config"$'\n'
put usr/lib/systemd/system/cgdirty.service ''
put etc/systemd/system/sysinit.target.wants/cgdirty.service ''
ends "doctor on a good machine" 0 doctor
check "all is well" equals "$(grep -vc '^ok ' "$machine/out")" 0
check "every line says what to do" equals "$(grep -vc 'nothing to do$' "$machine/out")" 0
ends "doctor --json" 0 doctor --json
json "every check has an advice" '[.checks[] | select(.advice == "" or .finding == "")] | length' 0
json "and a result" '[.checks[].result] | unique | join(" ")' ok

# sick NAME STATUS TEXT ADVICE: what doctor finds on a machine that has been broken.
sick() {
	ends "doctor: $1" "$2" doctor
	prints "$1: is found" "$3"
	prints "$1: what to do" "$4"
}

for option in "${options[@]}"; do
	if [[ $option == !* ]]; then
		put boot/config-$release "$config"$'\n'"${option#!}=y"$'\n'
	else
		put boot/config-$release "${config/"$option=y"/}"$'\n'
	fi
	try doctor
	[[ $status == 4 && $out == *"${option#!};"* ]] || diag "$option: $status"
	check "doctor asks for what the build asks for: ${option#!}" test "$status" = 4
done
put boot/config-$release "$config"$'\n'

mkdir -p "$machine/lib/modules/6.12-next"
touch "$machine/lib/modules/6.12-next/modules.builtin"
sick "another kernel without the module" 0 "6.12-next has no module" "dkms install -m cgdirty -v $(<"$top/VERSION") -k 6.12-next"
install_module 6.12-next "$REFUSAL"
sick "another kernel that cannot be supported" 0 "6.12-next will have no limits: it is too new" "use a kernel that is supported"
install_module 6.12-next
install_module $release "$REFUSAL"
sick "this kernel cannot be supported" 1 "only says why it does not load: it is too new" "use a kernel that is supported"
install_module $release

cp "$tree/hooks" "$machine/hooks"
echo 'throttle ftrace-redirect balance_dirty_pages failed hits 0 misses 0 error -16: nobody is held at the limit' >>"$tree/hooks"
sick "a hook that failed" 1 "throttle on balance_dirty_pages: error -16: nobody is held" "live patch"
mv "$machine/hooks" "$tree/hooks"

rm "$machine/etc/systemd/system/sysinit.target.wants/cgdirty.service"
sick "the service is not enabled" 0 "is not enabled" "systemctl enable cgdirty.service"

mv "$machine/$modules" "$machine/modules"
sick "no module for this kernel" 1 "there is none for $release" "dkms install"
mv "$machine/modules" "$machine/$modules"

not_loaded
sick "not loaded" 3 "loaded" "run: cgdirty load"
mkdir -p "$machine/sys/firmware/efi/efivars"
printf '\6\0\0\0\1' >"$machine/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
sick "Secure Boot and a module without a signature" 3 "the module has none" "mokutil --import /var/lib/dkms/mok.pub"
loaded
put etc/cgdirty.d/x.conf $'[a]\nb\n'
sick "a bad file" 1 "is bad" "mend the lines"
finish
