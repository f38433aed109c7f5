#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# set and unset: what they put into the tree and into the file, which cgroup is
# meant, and what is refused.
. "$(dirname "$0")/lib.sh"

plan 76

nginx=system.slice/nginx.service

# kept CGROUP: the lines of its section in the file.
kept() {
	awk -v section="[$1]" '$0 == section { on = 1; next } /^\[/ { on = 0 } on && NF' "$set_file"
}

ends "set" 0 set $nginx dirty_bytes=100M
check "is silent" equals "$out$err" ""
shows "the tree has it" $nginx dirty_bytes 104857600
check "and the file" equals "$(kept $nginx)" dirty_bytes=100M
ends "another key" 0 set $nginx dirty_background_bytes=10485760
shows "the first is still there" $nginx dirty_bytes 104857600
check "both are kept, in the shortest form" equals "$(kept $nginx)" $'dirty_bytes=100M\ndirty_background_bytes=10M'
ends "two keys at once" 0 set $nginx dirty_ratio=20 dirty_background_ratio=5
shows "a ratio resets the bytes" $nginx dirty_bytes max
check "in the file as well" equals "$(kept $nginx)" $'dirty_ratio=20\ndirty_background_ratio=5'
ends "--runtime" 0 set --runtime system.slice/ssh.service dirty_bytes=1G
shows "is in the tree" system.slice/ssh.service dirty_bytes 1073741824
check "and not in the file" equals "$(kept system.slice/ssh.service)" ""
ends "max is a value" 0 set $nginx dirty_ratio=max
shows "and takes the limit away" $nginx dirty_ratio max
check "others in the file are left alone" equals "$(kept $nginx)" $'dirty_ratio=max\ndirty_background_ratio=5'

ends "unset a key" 0 unset $nginx dirty_background_ratio
check "nothing is left, so the directory goes" test ! -e "$tree/$nginx"
ends "unset" 0 unset $nginx
ends "unset of what is not set fails" 1 unset $nginx
says "and says so" "nothing is set for $nginx"
check "the directory above stays for its other child" test -d "$tree/system.slice"
ends "unset of what was set with --runtime" 0 unset system.slice/ssh.service
check "then the directory above has no purpose, and goes" test ! -e "$tree/system.slice"
check "an empty file is removed" test ! -e "$set_file"
ends "unset of a parent with a child in the tree" 0 set user.slice dirty_bytes=8M
try set user.slice/user-0.slice dirty_bytes=4M
try unset user.slice
shows "leaves the directory, without a limit" user.slice dirty_bytes max
ends "unset the child" 0 unset user.slice/user-0.slice
check "takes both away" equals "$(ls "$tree")" $'hooks\nversion'

# Other files.
put usr/lib/cgdirty.d/50-vendor.conf $'[system.slice/nginx.service]\ndirty_bytes=64M\n'
ends "unset what another file sets" 0 set $nginx dirty_bytes=32M
try unset $nginx
check "keeps that no limit is wanted" equals "$(kept $nginx)" dirty_bytes=max
ends "so that apply" 0 apply
check "does not bring it back" test ! -e "$tree/$nginx"
put etc/cgdirty.d/zz-late.conf $'[system.slice/nginx.service]\n\ndirty_ratio=5\n'
ends "set with a later file that says otherwise" 0 set $nginx dirty_bytes=32M
says "warns, with file and line" "zz-late.conf:3 will replace dirty_bytes"
rm "$machine"/{etc,usr/lib}/cgdirty.d/*
try unset $nginx

# Which cgroup.
ends "a unit's name" 0 set nginx.service dirty_bytes=1M
shows "is found in the tree" $nginx dirty_bytes 1048576
ends "a path of the file system" 0 set /sys/fs/cgroup/system.slice/nginx.service dirty_bytes=2M
shows "is taken for what it means" $nginx dirty_bytes 2097152
cgroup user.slice/user-1000.slice/user@1000.service/app.slice/my.service
ends "a unit deep in the tree" 0 set my.service dirty_bytes=3M
shows "is found" user.slice/user-1000.slice/user@1000.service/app.slice/my.service dirty_bytes 3145728
cgroup user.slice/user-0.slice/my.service
ends "a unit's name that is not unique" 1 set my.service dirty_bytes=3M
says "is named with its places" "user.slice/user-0.slice/my.service"
put usr/lib/systemd/system/db@.service ''
ends "a unit that is installed but does not run" 0 set db@main.service dirty_bytes=4M
shows "goes where systemd would put it" system.slice/db@main.service dirty_bytes 4194304
ends "a slice in a slice" 0 set --force a-b-c.slice dirty_bytes=5M
shows "is nested" a.slice/a-b.slice/a-b-c.slice dirty_bytes 5242880
ends "--pid" 0 set --pid self dirty_bytes=6M
shows "is the cgroup of the process" user.slice/user-0.slice/session-1.scope dirty_bytes 6291456
ends "--pid of nobody" 1 set --pid 999999 dirty_bytes=6M
ends "--pid of no number" 2 set --pid x dirty_bytes=6M
ends "the root" 2 set / dirty_bytes=6M
ends "the root slice" 2 set -- -.slice dirty_bytes=6M
ends "a path that climbs" 2 set system.slice/../x dirty_bytes=6M

cgroup system.slice/bare.service
rm "$cgroups/system.slice/bare.service/memory.stat"
ends "a cgroup without the memory controller" 0 set --runtime bare.service dirty_bytes=1M
says "is pointed out" "system.slice/bare.service has no memory controller"

# What is refused changes nothing.
all() {
	find "$tree" "$set_file" -type f -exec sha256sum {} + | sort | sha256sum
}
before=$(all)
ends "an unknown cgroup" 1 set system.slice/ngnix.service dirty_bytes=7M
says "is compared with those there are" "no cgroup system.slice/ngnix.service; did you mean system.slice/nginx.service?"
ends "an unknown unit" 1 set ngnix.service dirty_bytes=7M
says "as well" "did you mean system.slice/nginx.service?"
ends "less than 256K" 2 set nginx.service dirty_bytes=255K
ends "a size with a wrong unit" 2 set nginx.service dirty_bytes=1X
ends "a ratio over 100" 2 set nginx.service dirty_ratio=101
ends "an unknown key" 2 set nginx.service dirty=1M
ends "both of a pair" 2 set nginx.service dirty_bytes=1M dirty_ratio=2
ends "no key" 2 set nginx.service
ends "no cgroup" 2 set
ends "an unknown option" 2 set --fast nginx.service dirty_bytes=1M
check "nothing has changed" equals "$(all)" "$before"
put etc/cgdirty.d/99-set.conf $'[a]\nnonsense\n'
ends "a file that was spoilt by hand" 1 set nginx.service dirty_bytes=9M
says "is named, with its line" "99-set.conf:2: "
shows "before anything is changed" $nginx dirty_bytes 2097152
rm "$set_file"

ends "an unknown verb" 2 sett
says "is compared with those there are" "did you mean set?"
mv "$tree" "$tree.away"
ends "without the module" 3 set nginx.service dirty_bytes=1M
ends "the same for unset" 3 unset nginx.service
finish
