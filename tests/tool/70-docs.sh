#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The manual pages say what --help says, and are well-formed; completions work;
# everything is installed where it belongs.
. "$(dirname "$0")/lib.sh"

plan 29

pages=$top/docs/man

# Each option of each verb as "VERB -x --name ARGUMENT".
help_options() {
	local verb
	for verb in $(help_verbs); do
		"$TOOL" "$verb" --help |
			sed -nE "/--help/d; s/^  (-[a-z],|   ) (--[a-z-]+( [A-Z]+)?) .*/$verb \1 \2/p"
	done | tr -s ' ,' ' ' | sort
}

help_verbs() {
	"$TOOL" --help | sed -n 's/^  \([a-z]\{3,\}\) .*/\1/p'
}

man_options() {
	awk '
		/^\.It Cm [a-z]+( |$)/ { verb = $3 }
		/^\.It Fl h , / { verb = "" }
		/^\.It Fl / && verb {
			text = verb
			for (i = 3; i <= NF; i++) {
				if ($i == "," || $i == "Fl" || $i == "Ar")
					continue
				text = text " " ($(i - 1) == "Fl" ? "-" : "") $i
			}
			print text
		}' "$pages/cgdirty.8" | sort
}

check "there are eleven verbs" equals "$(help_verbs | wc -l)" 11
check "the manual has the same" equals "$(sed -n 's/^\.It Cm \([a-z]*\)\( .*\)\?$/\1/p' "$pages/cgdirty.8" | sort)" \
	"$(help_verbs | sort)"
check "there are options" test "$(help_options | wc -l)" -gt 15
check "the manual has the same" equals "$(man_options)" "$(help_options)"
for key in dirty_bytes dirty_ratio dirty_background_bytes dirty_background_ratio; do
	check "$key is in every page" equals "$(grep -l "$key" "$pages"/cgdirty.* | wc -l)" 3
done
# What depends on the pages that are installed here is left out.
for page in cgdirty.8 cgdirty.conf.5 cgdirty.4; do
	check "mandoc finds nothing in $page" equals \
		"$(cd "$pages" && mandoc -Tlint -Wstyle $page 2>&1 | grep -vE 'mandoc.db|referenced manual not found')" ""
done

# The examples of the manual.
sed -n '/^\.Bd -literal/,/^\.Ed/{/^\./d; s/\\e/\\/gp; t; p}' "$pages/cgdirty.conf.5" >"$machine/example.conf"
mkdir -p "$machine/etc/cgdirty.d"
ends "the examples of cgdirty.conf(5)" 0 apply "$machine/example.conf"
shows "are taken as they stand" 'system.slice/srv-my\x2ddata.mount' dirty_bytes $((64 << 20))
while read -r -a words; do
	ends "the example ${words[*]}" 0 "${words[@]}"
done < <(sed -n 's/^\.Dl # cgdirty \(.*\)/\1/p' "$pages/cgdirty.8" | sed 's/\\-/-/g; s/ | jq.*//; s/\$\$/self/; s/tar -xf.*/true/')

# Completions.
cgroup 'sp ace'
try set --force gone dirty_bytes=1M
export CGDIRTY_ROOT=$machine PATH=${TOOL%/*}:$PATH
. "$top/src/tool/completion/cgdirty.bash"

# completes NAME WANTED WORD...: in bash, what the last word can become.
completes() {
	local name=$1 wanted=$2
	shift 2
	COMP_WORDS=(cgdirty "$@") COMP_CWORD=$#
	_cgdirty
	check "bash: $name" equals "$(printf '%s\n' "${COMPREPLY[@]}" | sort)" "$wanted"
}

completes "verbs" $'set\nshow' s
completes "options" --batch top --ba
completes "cgroups" $'system.slice/nginx.service' set system.slice/n
completes "names with blanks" 'sp\ ace' show 'sp\ '
completes "keys" $'dirty_ratio=' set x dirty_r
completes "what can be unset" gone unset g
check "zsh: the syntax" zsh -n "$top/src/tool/completion/_cgdirty"
# Some versions offer what has the letters anywhere, too.
check "fish: names and keys" equals "$(HOME=$machine fish -c "source '$top/src/tool/completion/cgdirty.fish'
	complete -C 'cgdirty show sp'; complete -C 'cgdirty set x dirty_r'" 2>&1 | grep -xE 'sp ace|dirty_ratio=|.*rror.*')" \
	$'sp ace\ndirty_ratio='

# Installing.
check "make install-tool" make -s -C "$top" install-tool DESTDIR="$machine/destination" CFLAGS="-O2 -g -Werror"
check "puts things where they belong" equals "$(cd "$machine/destination" && find . -type f | sort)" "\
./usr/sbin/cgdirty
./usr/share/bash-completion/completions/cgdirty
./usr/share/fish/vendor_completions.d/cgdirty.fish
./usr/share/man/man4/cgdirty.4
./usr/share/man/man5/cgdirty.conf.5
./usr/share/man/man8/cgdirty.8
./usr/share/zsh/site-functions/_cgdirty"
check "the version is that of the tree" equals "$("$machine/destination/usr/sbin/cgdirty" --version)" "cgdirty $(<"$top/VERSION")"
finish
