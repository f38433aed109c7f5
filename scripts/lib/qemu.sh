# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2054,SC2154
#
# Starting QEMU. Needs common.sh, roots.sh and guest.sh; $image is set.

# What the kernel says when something went wrong. panic_on_warn and its like
# stop the guest at most of these; a script may have turned them off. Of data
# races the kernel has many of its own, so only ours count.
alarms='BUG: [^K]|Oops:|\] WARNING: |Kernel panic|general protection fault'
alarms+='|INFO: (task|rcu|suspicious|trying|lockdep)|rcu: INFO:|soft lockup|blocked for more than'
alarms+='|KASAN|KFENCE|KCSAN: .*\[cgdirty\]|UBSAN|kmemleak: [0-9]+ new|refcount_t:'
alarms+='|list_(add|del) corruption|Busy inodes after unmount'

kvm_verdict=$cache/kvm-$(</proc/sys/kernel/random/boot_id)

# set_accelerator: KVM if a trial boot works on it, else emulation with a CPU
# model that is fast there. The verdict holds until this machine is rebooted.
# Sets accelerator to QEMU's options.
set_accelerator() {
	local verdict=$kvm_verdict
	accelerator=(-accel "tcg,thread=$(emulation_threads)" -cpu Nehalem)
	[[ -w /dev/kvm ]] || return 0

	lock "$cache/lock.kvm"
	if [[ ! -e $verdict ]]; then
		rm -f "$cache"/kvm-*
		say "trying whether KVM works here"
		if kvm_trial 2>/dev/null; then
			echo works >"$verdict"
		else
			say "KVM does not work here; guests run in software emulation"
			echo fails >"$verdict"
		fi
	fi
	unlock "$lock_fd"
	if [[ $(<"$verdict") == works ]]; then
		accelerator=(-accel kvm -cpu host)
	fi
}

# emulation_threads: `multi` for a thread of the host's for each of the guest's
# CPUs, or `single`. QEMU before 8.2 translates code without locking its page: what
# another CPU patches meanwhile may stay as it was for good, so a CPU finds the
# breakpoint that is in a patched place for a moment only, and the guest oopses or
# stalls there. Fixed by "accel/tcg: Always lock pages before translation".
emulation_threads() {
	local major minor
	IFS=. read -r major minor _ < <(qemu-system-x86_64 --version |
		sed -n 's/^QEMU emulator version //p')
	if ((major > 8 || (major == 8 && minor >= 2))); then
		echo multi
	else
		echo single
	fi
}

# guests_take_one_cpu: whether a guest keeps no more than one of the host's CPUs
# busy, as far as is known before the first one runs.
guests_take_one_cpu() {
	[[ ! -w /dev/kvm || $(cat "$kvm_verdict" 2>/dev/null) == fails ]] &&
		[[ $(emulation_threads) == single ]]
}

# kvm_trial: whether a guest under KVM gets as far as its first program, does
# some work there and powers off.
kvm_trial() {
	local log=$cache/kvm-trial.log
	timeout --kill-after=1 20 "${qemu_base[@]}" -accel kvm -cpu host -smp 2 -m 512M \
		-serial "file:$log" -kernel "$root/boot/vmlinuz-$kver" -initrd "$image/initrd" \
		-append 'console=ttyS0 panic=-1 lab.trial' >/dev/null 2>&1 </dev/null &&
		grep -q 'lab: trial passed' "$log"
}

qemu_base=(qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -machine pc)
