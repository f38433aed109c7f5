#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What show, list and top print: for people, and as JSON.
. "$(dirname "$0")/lib.sh"

plan 57

nginx=system.slice/nginx.service
try set $nginx dirty_bytes=100M dirty_background_ratio=5
try set --runtime system.slice dirty_bytes=48M
try set --force --runtime 'user.slice/größe here' dirty_ratio=10

# stat CGROUP DIRTY WRITEBACK LIMIT THROTTLED_USEC WRITEOUT
stat() {
	printf '%s\n' "file_dirty $2" "file_writeback $3" "limit $4" 'background 1048576' \
		'peak 9437184' 'throttled 7' "throttled_usec $5" "writeout_bytes $6" \
		'writeout_usec 2500000' >"$tree/$1/stat"
}
stat $nginx 3145728 1572864 104857600 3400000 1288490189
stat system.slice 4194304 1572864 50331648 0 0

ends "show" 0 show $nginx
prints "says whether the cgroup is there" "$nginx (attached)"
prints "what is set, and by which line" "dirty_bytes=100M by $set_file:5"
prints "what is in force, and from where" "limit 48M from system.slice (its own is 100M), background 1M"
prints "what is dirty" "3M dirty, 1.5M under writeback; peak 9M"
prints "who waited" "7 waits, 3.4s in all; 1.2G written out in 2.5s"
ends "show with a unit's name" 0 show nginx.service
ends "show of what has no directory" 0 show ssh.service
prints "says so" "system.slice/ssh.service (not in the tree)"
prints "and what holds it all the same" "limit 48M from system.slice"
ends "show" 0 show system.slice
prints "what is not in a file" "dirty_bytes=48M until the next boot"
ends "show of all" 0 show
prints "has those whose cgroup is not there" "größe here (pending: no such cgroup now)"
ends "show --bytes" 0 show --bytes $nginx
prints "is exact" "limit 50331648 from system.slice (its own is 104857600)"
ends "show of an unknown cgroup" 1 show system.slice/nginx.servic
says "suggests one" "did you mean system.slice/nginx.service?"
check "and prints nothing" equals "$out" ""
ends "show of two" 2 show a b
ends "show --json" 0 show --json $nginx
json "has a versioned envelope" '.output_version | "\(.command) \(.major) \(.minor)"' 'cgdirty show 1 0'
json "numbers are numbers" '.groups[0].dirty_bytes | type' number
json "what is not set is null" '.groups[0].dirty_ratio_percent' null
json "all keys are snake_case" '[.. | objects | keys[]] | map(select(test("^[a-z0-9_]+$") | not)) | length' 0
json "what is in force" '.groups[0].in_force | "\(.limit_bytes) \(.limit_from)"' '50331648 system.slice'
json "where it is kept" '.groups[0].kept_by.dirty_bytes.line' 5

ends "list" 0 list
check "one line a group, and a heading" equals "$(wc -l <"$machine/out")" 5
check "children follow their parent" equals "$(awk 'NR > 1 { print $1 }' "$machine/out" | head -n 2)" \
	"system.slice"$'\n'"$nginx"
check "the limit that holds is in brackets if it is another's" equals \
	"$(awk -v n=$nginx '$1 == n { print $2, $3, $4, $5, $6 }' "$machine/out")" '3M 1.5M (48M) 9M 3.4s'
check "columns are aligned in spite of UTF-8" equals \
	"$(while read -r line; do echo $((${#line} - $(wc -m <<<"${line##* }"))); done <"$machine/out" | sort -u | wc -l)" 1
check "no colour where there is no terminal" equals "$(grep -c $'\033' "$machine/out")" 0
ends "list --all" 0 list --all
prints "has what is not in the tree" system.slice/backup.service
ends "list --json" 0 list --json
json "has the names as they are" '.groups[-1].cgroup' 'user.slice/größe here'
ends "list --all --json" 0 list --all --json
json "has the kernel's counts" '.groups[] | select(.cgroup == "system.slice/ssh.service") | .file_dirty_bytes' 4096

# Names that would break lines, drive terminals, or are not UTF-8.
cgroup $'new\nline' $'not\xffutf8' $'esc\033[31m'
for name in $'not\xffutf8' $'esc\033[31m'; do
	try set --runtime "/$name" dirty_bytes=1M
done
ends "hostile names" 0 list --all
check "take one line" equals "$(grep -c 'new\\012line' "$machine/out")" 1
check "drive no terminal" equals "$(grep -c $'\033' "$machine/out")" 0
ends "in JSON" 0 list --all --json
json "control characters are intact" '[.groups[].cgroup] | index("new\nline") != null' true
json "what is not UTF-8 is escaped" '[.groups[].cgroup] | index("not\\377utf8") != null' true

ends "top --batch" 0 top --batch -n 2 -d 0.1
check "two tables" equals "$(grep -c ^CGROUP "$machine/out")" 2
check "with a bar" grep -qE "$nginx +4.5M +100M +\.{10} " "$machine/out"
ends "top over a pipe" 0 top -n 1 -d 0.1 --sort name
check "sorted by name" equals "$(awk 'NR == 2 { print $1 }' "$machine/out")" 'esc\033[31m'
ends "top --json" 0 top --json -d 0.1
json "one sample" '.samples | length' 1
json "with rates" '.samples[0][0] | has("writeout_bytes_per_second") and has("throttled_share")' true
(sleep 1 && stat $nginx 3145728 1572864 104857600 4400000 $((1288490189 + 100 * 1048576))) &
try top --json -d 2
wait
json "100 MiB in two seconds" '.samples[0][] | select(.cgroup == "'$nginx'") | .writeout_bytes_per_second | . > 1e7 and . < 9e7' true
json "and a second of waiting" '.samples[0][] | select(.cgroup == "'$nginx'") | .throttled_share | . > 0.1 and . < 0.9' true
ends "top --sort of no key" 2 top --sort size
ends "top -n 0" 2 top -n 0
finish
