# SPDX-License-Identifier: GPL-2.0
#
# fish completion for cgdirty. Verbs and options come from the command's own
# help, names from the cgroups that there are.

function __cgdirty_verbs
	cgdirty --help | sed -n 's/^  \([a-z]\{3,\}\)  *\(.*\)/\1\t\2/p'
end

function __cgdirty_verb
	set -l words (commandline -opc)
	test (count $words) -gt 1; and echo $words[2]
end

function __cgdirty_options
	set -l verb (__cgdirty_verb)
	cgdirty $verb --help | sed -n 's/^ .* \(--[a-z-]*\)\( [A-Z]*\)\?  *\(.*\)/\1\t\3/p'
end

function __cgdirty_cgroups
	set -l top $CGDIRTY_ROOT/sys/fs/cgroup
	test -d $top/memory; and set top $top/memory
	test (__cgdirty_verb) = unset; and set top $CGDIRTY_ROOT/sys/kernel/config/cgdirty
	find $top -mindepth 1 -type d -printf '%P\n' 2>/dev/null
end

# The arguments behind the verb that are no options.
function __cgdirty_arguments
	set -l words (commandline -opc)
	string match -v -- '-*' $words[3..-1]
end

function __cgdirty_wants
	set -l verb (__cgdirty_verb)
	contains -- "$verb" $argv[2..-1]; or return 1
	set -l arguments (__cgdirty_arguments)
	switch $argv[1]
		case cgroup
			test (count $arguments) -eq 0
		case key
			test (count $arguments) -gt 0
	end
end

set -l keys dirty_bytes dirty_ratio dirty_background_bytes dirty_background_ratio
set -l assigned {$keys}=

complete -c cgdirty -f
complete -c cgdirty -n 'not __cgdirty_verb >/dev/null' -a '(__cgdirty_verbs)'
complete -c cgdirty -n '__cgdirty_verb >/dev/null; and string match -q -- "-*" (commandline -ct)' -a '(__cgdirty_options)'
complete -c cgdirty -n '__cgdirty_wants cgroup set unset show' -a '(__cgdirty_cgroups)'
complete -c cgdirty -n '__cgdirty_wants key set' -a "$assigned"
complete -c cgdirty -n '__cgdirty_wants key unset' -a "$keys"
complete -c cgdirty -n '__cgdirty_wants cgroup apply' -F
complete -c cgdirty -n '__cgdirty_wants cgroup run' -a '(__fish_complete_command)'
