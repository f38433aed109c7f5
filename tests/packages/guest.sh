#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What runs in the machine that install.sh makes, once a boot: the first with the
# old kernel and no limit, the second with cgdirty turned off on the command line of
# the new one, the third with the new kernel as it is.

# shellcheck source=../vm/lib.sh
. ./lib.sh

boot=$(cat boots 2>/dev/null || echo 1)
echo $((boot + 1)) >boots
group=system.slice/hog.service
limit=$((8 * MiB))

# wrote BYTES: how much hog has brought to the disk is BYTES or more.
wrote() {
	local bytes
	bytes=$(stat_of "$group" writeout_bytes)
	((${bytes:-0} >= $1))
}

# held: hog goes on to write far more than its limit, and never has had more dirty.
held() {
	local before
	wait_for 60 attached "$group" || return
	before=$(stat_of "$group" writeout_bytes)
	wait_for 60 wrote $((before + 4 * limit)) &&
		at_most "$(stat_of "$group" peak)" $((limit + $(tolerance "$limit"))) &&
		at_least "$(stat_of "$group" throttled)" 1
}

upgrade() {
	loaded=$(</sys/module/cgdirty/version)
	dpkg -i next.deb >upgrade.log 2>&1
}

purge() {
	dpkg -P cgdirty cgdirty-dkms >purge.log 2>&1
}

# since_boot UNIT PROPERTY
since_boot() {
	systemctl show --value -p "$2" "$1"
}

diag "boot $boot: kernel $(uname -r), $(systemctl is-system-running)"
case $boot in
1)
	plan 8
	check "the service has loaded the module" loaded
	check "and is active" systemctl -q is-active cgdirty
	check "a limit is set" cgdirty set hog.service dirty_bytes=8M
	check "a service starts" systemctl start hog
	check "and is held to its limit" held
	systemctl restart hog
	check "also when it was started again" held
	systemctl stop cgdirty
	check "and when cgdirty.service was stopped" held
	check "which can be started again" systemctl start cgdirty
	;;
2)
	plan 2
	check "the kernel's command line can turn it off" equals "$(systemctl is-active cgdirty)" inactive
	check "and then there is no module" test ! -d /sys/module/cgdirty
	systemctl -q enable hog
	;;
3)
	plan 12
	check "the new kernel has its module" loaded
	check "no unit failed" equals "$(systemctl --failed --no-legend)" ""
	check "the limit is in force before the service writes" \
		at_most "$(since_boot cgdirty ActiveEnterTimestampMonotonic)" "$(since_boot hog ExecMainStartTimestampMonotonic)"
	check "it is held to its limit from its first byte on" held
	systemctl restart hog
	check "also when it was started again" held
	check "the service reloads" systemctl reload cgdirty
	check "which leaves the limit in force" held
	check "an upgrade goes through" upgrade
	check "and says when it takes effect" grep -q "$loaded stays loaded, .* next boot" upgrade.log
	check "until then the limit is in force" held
	check "the packages are purged" purge
	check "and the module with them, while the service writes" test ! -d /sys/module/cgdirty
	;;
esac
finish
