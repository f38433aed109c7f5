#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# top on a terminal: it starts, follows keys and a change of size, and ends.
. "$(dirname "$0")/lib.sh"

plan 8

long='a slice with a long name.slice/and an even longer one below it.slice/leaf.service'
try set system.slice/nginx.service dirty_bytes=100M
try set --force "$long" dirty_bytes=10M
sed -i 's/^file_dirty.*/file_dirty 80000000/' "$tree/system.slice/nginx.service/stat"

# terminal ROWS COLUMNS KEYS ROWS2: what top writes to a terminal of that size,
# which then gets the keys, one after another, and becomes ROWS2 high before the
# last one.
terminal() {
	CGDIRTY_ROOT=$machine /usr/bin/python3 - "$TOOL" "$@" <<-'END'
	import fcntl, os, pty, select, signal, struct, sys, termios, time
	tool, rows, columns, keys, rows2 = sys.argv[1:]
	def resize(height):
	    size = struct.pack("HHHH", int(height), int(columns), 0, 0)
	    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
	def listen(seconds):
	    end = time.time() + seconds
	    while time.time() < end:
	        if select.select([terminal], [], [], 0.1)[0]:
	            try:
	                sys.stdout.buffer.write(os.read(terminal, 65536))
	            except OSError:
	                return
	pid, terminal = pty.fork()
	if not pid:
	    time.sleep(0.3)
	    os.environ["TERM"] = "xterm"
	    os.execv(tool, [tool, "top", "-d", "0.3"])
	resize(rows)
	listen(1.2)
	for key in keys[:-1]:
	    os.write(terminal, key.encode())
	    listen(0.4)
	resize(rows2)
	listen(0.5)
	os.write(terminal, keys[-1].encode())
	listen(1)
	for _ in range(50):
	    done, status = os.waitpid(pid, os.WNOHANG)
	    if done:
	        sys.exit(os.waitstatus_to_exitcode(status) if hasattr(os, "waitstatus_to_exitcode") else status)
	    time.sleep(0.1)
	os.kill(pid, signal.SIGKILL)
	sys.exit("it does not end")
	END
}

has() {
	grep -qaF -- "$1" "$machine/screen"
}

terminal 24 80 nq 10 >"$machine/screen"
check "q ends it" test $? = 0
check "a group is shown" has system.slice/nginx.service
check "with a bar" has '########..'
check "of a name that is too long, the end" has 'slice/leaf.service'
check "in colour" grep -qaE $'\033\\[[0-9;]*3[123]' "$machine/screen"
check "keys sort" has "name"
check "a change of size is followed" has $'\033[10'
NO_COLOR=1 terminal 24 80 q 24 >"$machine/screen"
check "no colour with NO_COLOR" test "$(grep -caE $'\033\\[[0-9;]*3[123]m' "$machine/screen")" = 0
finish
