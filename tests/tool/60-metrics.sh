#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# metrics, read by Prometheus's own parser.
. "$(dirname "$0")/lib.sh"

plan 15

hostile=$'quote" back\\slash\nline größe'
cgroup "$hostile" plain
mkdir -p "$tree"
try set --runtime plain dirty_bytes=8M
try set --force --runtime pending dirty_bytes=8M
# The module takes no newline; what is printed must be right all the same.
cp -r "$tree/plain" "$tree/$hostile"
sed -i 's/^throttled_usec.*/throttled_usec 1234567/; s/^throttled .*/throttled 9/' "$tree/plain/stat"

# parsed EXPRESSION: over `families`, by name, and `samples`, (name, labels) to value.
parsed() {
	/usr/bin/python3 - "$machine/out" "$1" <<-'END' 2>&1
	import sys
	from prometheus_client.parser import text_string_to_metric_families as parse
	families, samples = {}, {}
	for family in parse(open(sys.argv[1], encoding="utf-8", newline="\n").read()):
	    families[family.name] = family
	    for sample in family.samples:
	        samples[(sample.name,) + tuple(sample.labels.values())] = sample.value
	print(eval(sys.argv[2]))
	END
}

ends "metrics" 0 metrics
check "can be parsed" test "$(parsed 'len(families) > 10')" = True
check "ends with a newline" test -z "$(tail -c 1 "$machine/out")"
check "a limit" equals "$(parsed 'samples["cgdirty_limit_bytes", "plain"]')" 8388608.0
check "no limit" equals "$(parsed 'samples["cgdirty_background_bytes", "plain"]')" inf
check "a count" equals "$(parsed 'samples["cgdirty_throttled_total", "plain"]')" 9.0
check "seconds, not microseconds" equals "$(parsed 'samples["cgdirty_throttled_seconds_total", "plain"]')" 1.234567
check "whether a cgroup is there" equals \
	"$(parsed 'samples["cgdirty_attached", "plain"], samples["cgdirty_attached", "pending"]')" '(1.0, 0.0)'
check "a hook" equals "$(parsed 'samples["cgdirty_hook_hits_total", "dirty"]')" 12.0
check "the version" equals "$(parsed '[key[1] for key in samples if key[0] == "cgdirty_info"]')" "['$(<"$top/VERSION")']"
check "a name is what it was" equals \
	"$(parsed '("cgdirty_limit_bytes", "quote\" back\\slash\nline größe") in samples')" True
check "every family has its HELP and its TYPE once" equals \
	"$(awk '/^# (HELP|TYPE) / { n[$2 $3]++ } END { for (k in n) if (n[k] > 1) print k }' "$machine/out")" ""
check "counters, and only they, end with _total" equals \
	"$(awk '/^# TYPE / && ($4 == "counter") != ($3 ~ /_total$/)' "$machine/out")" ""
check "no family without a sample" equals "$(parsed '[f.name for f in families.values() if not f.samples]')" '[]'
mv "$tree" "$tree.away"
ends "without the module" 3 metrics
finish
