# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bash completion for cgdirty. Verbs and options come from the command's own
# help, names from the cgroups that there are.

_cgdirty_verbs() {
	cgdirty --help | sed -n 's/^  \([a-z]\{3,\}\) .*/\1/p'
}

_cgdirty_options() {
	cgdirty "$1" --help | sed -n 's/^ .* \(--[a-z-]*\).*/\1/p'
}

# The names that a verb takes: what can be unset is in the tree.
_cgdirty_cgroups() {
	local top=${CGDIRTY_ROOT-}/sys/fs/cgroup

	[[ ! -d $top/memory ]] || top+=/memory
	[[ $1 != unset ]] || top=${CGDIRTY_ROOT-}/sys/kernel/config/cgdirty
	find "$top" -mindepth 1 -type d -printf '%P\n' 2>/dev/null
}

_cgdirty_keys() {
	printf '%s\n' dirty_{,background_}{bytes,ratio}
}

# Which of the lines on stdin begin with $1, quoted for the command line. What
# has been typed of it may be quoted, too.
_cgdirty_reply() {
	local typed line

	typed=$(xargs printf %s <<<"$1" 2>/dev/null) || typed=$1
	while IFS= read -r line; do
		[[ $line != "$typed"* ]] || COMPREPLY+=("$(printf %q "$line")")
	done
}

_cgdirty() {
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} word
	local -a arguments=()

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		_cgdirty_reply "$current" < <(_cgdirty_verbs; printf '%s\n' --help --version)
		return
	fi
	for word in "${COMP_WORDS[@]:2:COMP_CWORD - 2}"; do
		[[ $word == -* ]] || arguments+=("$word")
	done
	case $current,$before,$verb in
	*,--pid,*) _cgdirty_reply "$current" < <(cd /proc && printf '%s\n' [0-9]*) ;;
	*,--sort,top | *,-s,top) _cgdirty_reply "$current" < <(printf '%s\n' dirty usage writeout throttled name) ;;
	-*) _cgdirty_reply "$current" < <(_cgdirty_options "$verb") ;;
	*,apply) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
	*,run) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
	*,set | *,unset | *,show)
		if ((!${#arguments[@]})); then
			_cgdirty_reply "$current" < <(_cgdirty_cgroups "$verb")
		elif [[ $verb == set && $before != = && $current != = ]]; then
			_cgdirty_reply "$current" < <(_cgdirty_keys | sed 's/$/=/')
			compopt -o nospace 2>/dev/null
		elif [[ $verb == unset ]]; then
			_cgdirty_reply "$current" < <(_cgdirty_keys)
		fi
		;;
	esac
}

complete -F _cgdirty cgdirty
