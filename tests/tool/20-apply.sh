#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# apply, and the form of the files: what is read, in which order, what is
# refused and how it is named, and that every name survives.
. "$(dirname "$0")/lib.sh"

plan 64

nginx=system.slice/nginx.service
backup=system.slice/backup.service
vendor=usr/lib/cgdirty.d local=etc/cgdirty.d

put $vendor/10-a.conf '# A comment
; another

  [ system.slice/nginx.service ]
  dirty_bytes = 100M
dirty_background_bytes=10m

[/system.slice/backup.service/]
dirty_ratio=10
[system.slice]
'
ends "a slash at the end of a path is refused" 1 apply
says "with file, line and reason" "/$vendor/10-a.conf:8: a part of the path is empty"
sed -i 's,/]$,],' "$machine/$vendor/10-a.conf"
ends "--dry-run" 0 apply --dry-run
prints "shows what is new" "$nginx: add"
prints "and each value" "$nginx: dirty_bytes max -> 100M"
check "and changes nothing" test ! -e "$tree/system.slice"
ends "apply" 0 apply
check "is silent" equals "$out$err" ""
shows "blanks do not matter" $nginx dirty_bytes 104857600
shows "nor does a small letter" $nginx dirty_background_bytes 10485760
shows "nor a slash in front" $backup dirty_ratio 10
check "an empty section makes a directory that counts" test -d "$tree/system.slice"
ends "apply once more" 0 apply --dry-run
check "changes nothing" equals "$out" ""

# One file instead of another, one after another.
put $local/10-a.conf $'[system.slice/nginx.service]\ndirty_bytes=50M\n'
ends "a file of the same name in /etc" 0 apply --dry-run
prints "takes the place of the other: a value" "$nginx: dirty_bytes 100M -> 50M"
prints "and what it does not name goes" "$backup: remove"
ends "apply it" 0 apply
shows "it is so" $nginx dirty_bytes 52428800
shows "also for the value that is not named" $nginx dirty_background_bytes max
check "also for the directory" test ! -e "$tree/$backup"
put $vendor/20-b.conf $'[system.slice/nginx.service]\ndirty_ratio=7\n'
ends "a file with a later name" 0 apply
shows "replaces the value of an earlier one" $nginx dirty_ratio 7
shows "or that of its twin" $nginx dirty_bytes max
ends "apply that once more" 0 apply --dry-run
check "changes nothing, either" equals "$out" ""
rm "$machine/$vendor"/* "$machine/$local"/*

# What others have set stays.
mkdir -p "$machine/sys/kernel/config/cgdirty"
try set --runtime $backup dirty_bytes=3M
ends "apply without any file" 0 apply
check "takes away what was from files" test ! -e "$tree/$nginx"
shows "and leaves what was set by hand" $backup dirty_bytes 3145728
ends "set, then remove the file" 0 set $nginx dirty_bytes=4M
rm "$set_file"
try apply
check "takes that away, too" test ! -e "$tree/$nginx"
put one.conf $'[system.slice/nginx.service]\ndirty_bytes=9M\n'
ends "apply a file elsewhere" 0 apply "$machine/one.conf"
shows "applies it" $nginx dirty_bytes 9437184
mkdir "$machine/dir"
put dir/x.conf $'[system.slice/nginx.service]\ndirty_bytes=8M\n'
put dir/x.conf.bak $'nonsense\n'
ends "apply a folder" 0 apply "$machine/dir"
shows "applies what is called .conf" $nginx dirty_bytes 8388608
ends "apply a file that is not there" 1 apply "$machine/none.conf"
ends "apply --json" 0 apply --json "$machine/one.conf"
json "is one document" '.output_version.command, .changes[0].cgroup, .changes[0].values[0].to' $'cgdirty apply\nsystem.slice/nginx.service\n9437184'
try unset $nginx

# What is refused.
# refuses NAME TEXT LINE REASON
refuses() {
	put $local/bad.conf "$2"
	try apply
	[[ $status == 1 && $err == *"/$local/bad.conf:$3: $4"* ]] || diag "status $status; stderr: $err"
	check "refused: $1" test "$status${err/"bad.conf:$3: $4"/}" != "$status$err"
}

put $local/00-good.conf $'[system.slice/nginx.service]\ndirty_bytes=1M\n'
refuses "a size that is none" $'[a]\ndirty_bytes=lots\n' 2 "dirty_bytes=lots: not a size"
refuses "too small a size" $'[a]\n\ndirty_bytes=1K\n' 3 "dirty_bytes=1K: less than 256K"
refuses "too large a size" $'[a]\ndirty_bytes=99999999999T\n' 2 "dirty_bytes=99999999999T: too large"
refuses "a ratio with a unit" $'[a]\ndirty_ratio=5%\n' 2 "dirty_ratio=5%: not a percentage"
refuses "an unknown key" $'[a]\ndirty=1M\n' 2 "no such key: dirty"
refuses "a key before any section" $'dirty_bytes=1M\n' 1 "a key before the first"
refuses "a line that is nothing" $'[a]\nhello\n' 2 "neither [CGROUP] nor KEY=VALUE"
refuses "a section that does not end" $'[a\n' 1 "a section's name ends with ]"
refuses "the root" $'[/]\n' 1 "the root has no limit"
refuses "a path that climbs" $'[a/../b]\n' 1 "a part of the path is . or .."
refuses "a name that is too long" "[$(printf 'n%.0s' {1..256})]"$'\n' 1 "a part of the path is longer"
refuses "the same section twice" $'[a]\n[b]\n[a]\n' 3 "this section was there before"
refuses "the same key twice" $'[a]\ndirty_bytes=1M\ndirty_bytes=2M\n' 3 "line 2 has set dirty_bytes"
refuses "both of a pair" $'[a]\ndirty_bytes=1M\ndirty_ratio=2\n' 3 "line 2 has set dirty_bytes"
put $local/bad.conf $'x\n[a]\ny\n'
try apply
check "every fault is named" equals "$(grep -c bad.conf <<<"$err")" 2
check "a bad file keeps the good ones from being applied, too" test ! -e "$tree/$nginx"
rm "$machine/$local"/*

try unset $backup

# Names: what set keeps, apply must read as the same name.
# shellcheck disable=SC1003,SC2016 # backslashes and dollars as they are
names=(
	'with space' ' leading' 'trailing ' ' ' '[brackets]' ']' 'a]b[c' '#comment' ';semi' 'key=value'
	'dev-disk\x2dby\x2did.mount' 'home-my\x20dir.mount' 'octal\040here' '\\' 'back\' '\134'
	$'tab\tin' $'\ttab' $'bell\a' $'del\x7f' 'größe-数据' $'not\xffutf8' '"quotes"' "it's" '-dash' '...' 'a$b`c'
)
for name in "${names[@]}"; do
	cgroup "$name/in side"
	try set --force -- "/$name" dirty_bytes=1M
	try set --force -- "/$name/in side" dirty_bytes=2M
done
check "all names are kept" equals "$(grep -c '^\[' "$set_file")" $((2 * ${#names[@]}))
inventory() {
	(cd "$tree" && find . -name dirty_bytes -print0 | sort -z | xargs -0 grep -H . | sha256sum)
}
before=$(inventory)
find "$tree" -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +
ends "apply hostile names" 0 apply
check "they are what they were" equals "$(inventory)" "$before"
check "a systemd escape stands for itself" grep -qF '[dev-disk\x2dby\x2did.mount]' "$set_file"
check "also that of a blank" grep -qF '[home-my\x20dir.mount]' "$set_file"
check "a backslash before octal digits is escaped" grep -qF '[octal\134040here]' "$set_file"
cgroup $'new\nline'
put $local/line.conf $'[new\\012line]\ndirty_bytes=1M\n'
try apply --dry-run
prints "a newline can be written" 'new\012line: add'
rm "$machine/$local/line.conf"
for name in "${names[@]}"; do
	try unset -- "/$name/in side"
	try unset -- "/$name"
done
check "all can be unset" equals "$(find "$tree" -mindepth 1 -type d)" ""
check "and the file is gone" test ! -e "$set_file"

mv "$tree" "$tree.away"
ends "without the module" 3 apply
finish
