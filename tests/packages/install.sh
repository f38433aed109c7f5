#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The packages in /out are installed with apt on a machine whose kernel is the
# oldest of its release (see scripts/inroot --system); then a newer kernel comes,
# then kernels that the module does not support. What boots is left in /out: disk,
# data, and vmlinuz and initrd.img of the kernels "old" and "new".

set -uo pipefail
. tests/ktap.sh
export DEBIAN_FRONTEND=noninteractive
old=$KVER

plan 19

# --- helpers -------------------------------------------------------------------

# apt COMMAND...: with its words shown only if it fails.
apt() {
	apt-get -qy -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >/tmp/apt.log 2>&1 || {
		sed 's/^/# /' /tmp/apt.log
		return 1
	}
}

module() {
	compgen -G "/lib/modules/$1/updates/dkms/cgdirty.ko*" >/dev/null
}

works_for() {
	module "$1" && [[ -z $(modinfo -k "$1" -F refuses cgdirty) ]] &&
		equals "$(modinfo -k "$1" -F vermagic cgdirty | cut -d ' ' -f 1)" "$1"
}

newest_kernel() {
	local build
	build=$(printf '%s\n' /lib/modules/*/build | sort -V | tail -n 1)
	basename "${build%/build}"
}

# fake_kernel RELEASE: packages of a kernel that is but headers, copied from those
# of the old one, and a postinst that does what Debian's do, save an initramfs.
fake_kernel() {
	local release=$1 dir=/tmp/$1 headers=/usr/src/linux-headers-$1 common
	common=$(sed -n 's,^include \(.*\)/Makefile,\1,p' "/lib/modules/$old/build/Makefile")
	mkdir -p "$dir/DEBIAN" "$dir/lib/modules/$release" "$dir/usr/src"
	cp -a "$(realpath "/lib/modules/$old/build")" "$dir$headers"
	cp -a "$common" "$dir$headers-common"
	sed -i "s,$common,$headers-common," "$dir$headers/Makefile"
	sed -i "s/$old/$release/" "$dir$headers"/include/{generated/utsrelease.h,config/kernel.release}
	ln -s "$headers" "$dir/lib/modules/$release/build"
	touch "$dir/lib/modules/$release"/modules.{order,builtin}
	printf '%s\n' "Package: linux-fake-$release" "Version: 1" "Architecture: all" \
		"Maintainer: nobody" "Description: none" >"$dir/DEBIAN/control"
	cat >"$dir/DEBIAN/postinst" <<-END
		#!/bin/sh -e
		for kind in header_postinst postinst; do
			INITRD=No run-parts --report --exit-on-error --arg=$release /etc/kernel/\$kind.d
		done
	END
	chmod +x "$dir/DEBIAN/postinst"
}

install_fake() {
	dpkg-deb --root-owner-group -Znone -b "/tmp/$1" /tmp/fake.deb >/dev/null &&
		dpkg -i /tmp/fake.deb >"/tmp/$1.log" 2>&1 &&
		equals "$(dpkg-query -W -f '${Status}' "linux-fake-$1")" "install ok installed"
}

# refused RELEASE PATTERN: what was said while it was installed is one sentence.
refused() {
	local said
	said=$(grep -o 'cgdirty: kernel .*' "/tmp/$1.log")
	diag "$said"
	[[ $said == "cgdirty: kernel $1 will have no limits: "*$2* && $said != *$'\n'* ]]
}

# left_out RELEASE: dkms itself said that it is not for that kernel.
left_out() {
	diag "$(grep -m 1 BUILD_EXCLUSIVE "/tmp/$1.log")"
	grep -q 'BUILD_EXCLUSIVE directive' "/tmp/$1.log" && ! module "$1"
}

# files: all that is on this machine, but what comes and goes by itself.
files() {
	find / -xdev \( -path /tree -o -path /out -o -path /tmp -o -path /var/log -o -path /var/lib/apt -o \
		-path /var/cache -o -path /var/lib/dpkg \) -prune -o -print | sort
}

# --- installation ----------------------------------------------------------------

# A small initramfs, quickly made: what boots is one kind of machine.
mkdir -p /etc/initramfs-tools/conf.d
printf 'MODULES=list\nCOMPRESS=gzip\n' >/etc/initramfs-tools/conf.d/small
printf '%s\n' virtio_pci virtio_blk ext4 >>/etc/initramfs-tools/modules

check "dkms is installed" apt install dkms
files >/tmp/before
check "the packages are installed" apt install /out/cgdirty_*.deb /out/cgdirty-dkms_*.deb
check "the module is built for the kernel that is there" works_for "$old"
check "the service is enabled" systemctl is-enabled -q cgdirty.service
check "there is a place for limits" test -d /etc/cgdirty.d

# --- a newer kernel --------------------------------------------------------------

check "a newer kernel is installed" apt install linux-image-amd64 linux-headers-amd64
new=$(newest_kernel)
check "it is another one" test "$new" != "$old"
check "the module was built for it" works_for "$new"
check "that for the older kernel is still there" works_for "$old"

# --- kernels that are not supported --------------------------------------------

fake_kernel 9.9.1-noftrace
sed -i '/^CONFIG_DYNAMIC_FTRACE_WITH_REGS/d' /tmp/9.9.1-noftrace/usr/src/*/.config \
	/tmp/9.9.1-noftrace/usr/src/*/include/config/auto.conf
check "a kernel without ftrace is installed" install_fake 9.9.1-noftrace
if grep -q diewarn /usr/sbin/dkms; then
	check "dkms leaves it out" left_out 9.9.1-noftrace
else
	check "the module refuses it in one sentence" refused 9.9.1-noftrace CONFIG_DYNAMIC_FTRACE_WITH_REGS
fi

fake_kernel 9.9.2-new
sed -i 's/\bcss_tryget_online\b/css_tryget_renamed/' /tmp/9.9.2-new/usr/src/*-common/include/linux/cgroup*.h
check "a kernel that is too new is installed" install_fake 9.9.2-new
check "the module refuses it in one sentence" refused 9.9.2-new ''
check "what is built for it says why it does not load" \
	test -n "$(modinfo -F refuses /lib/modules/9.9.2-new/updates/dkms/cgdirty.ko*)"

dpkg -P linux-fake-9.9.1-noftrace linux-fake-9.9.2-new >/dev/null 2>&1
for release in 9.9.1-noftrace 9.9.2-new; do
	dkms remove cgdirty/"$(<VERSION)" -k "$release" >/dev/null 2>&1
	rm -rf "/lib/modules/$release"
done

# --- what boots --------------------------------------------------------------------

make_disks() {
	local kind
	mkdir -p /overlay /image
	mount -t tmpfs overlay /overlay
	mkdir /overlay/{upper,work}
	mount -t overlay -o lowerdir=/,upperdir=/overlay/upper,workdir=/overlay/work image /image
	# Not there is what only builds, and most drivers: they take time.
	rm -rf /image/{tree,out,image,overlay,tmp/*,var/cache/apt/*,var/lib/apt/lists,usr/src/linux-*,usr/lib/gcc*} \
		/image/lib/modules/*/kernel/{sound,drivers/{ata,gpu,hid,hwmon,iio,infiniband,input,media,mtd,net,scsi,staging,usb}}
	tests/packages/prepare /image &&
		mkfs.ext4 -q -O ^has_journal -d /image /out/disk 3G &&
		truncate -s 512M /out/data && mkfs.ext4 -q -L data -E lazy_itable_init=0,lazy_journal_init=0 /out/data || return
	for kind in old new; do
		cp "/boot/vmlinuz-${!kind}" "/out/vmlinuz-$kind"
		cp "/boot/initrd.img-${!kind}" "/out/initrd-$kind"
	done
	umount /image /overlay
}
update-initramfs -c -k "$old" >/dev/null 2>&1
check "the disk to boot from is made" make_disks

# --- and away ------------------------------------------------------------------------

echo '[x]' >/etc/cgdirty.d/50-x.conf
check "the packages are purged" apt purge cgdirty cgdirty-dkms
files >/tmp/after
left=$(comm -13 /tmp/before /tmp/after | grep -F cgdirty)
check "nothing of theirs is left" equals "$left" ""
check "nor in any kernel's folder" test -z "$(find /lib/modules -path '*updates*')"
check "nor in DKMS" test ! -e /var/lib/dkms/cgdirty
finish
