# SPDX-License-Identifier: GPL-2.0
#
# Included by Kbuild. Each scripts/probe/NAME.c asks one question of the kernel:
# does this compile? All are compiled in parallel, by the compiler and with the
# flags that the module is built with; the answers become HAVE_NAME in
# cgdirty-probed.h, which every object of the module waits for. To ask another
# question, add a file.

probe-dir := scripts/probe
probe-answers := $(patsubst $(src)/%.c,%.answer,$(wildcard $(src)/$(probe-dir)/*.c))
probe-tables := $(addprefix $(src)/$(probe-dir)/,apis exports)

# Only what makes a form of an API wrong may fail a probe: not an unused
# variable, and not a warning that W=1 or this kernel's CONFIG_WERROR adds.
probe-cflags := -fsyntax-only -Wno-error -Werror=implicit-function-declaration \
		-Werror=incompatible-pointer-types -Werror=int-conversion \
		$(if $(CONFIG_CC_IS_GCC),-Werror=discarded-qualifiers)

# The release in the command makes another kernel ask again. An answer holds
# what the compiler said, and a last line "yes" if it agreed.
cmd_probe = { $(CC) $(c_flags) $(probe-cflags) -DPROBED_RELEASE='"$(KERNELRELEASE)"' $< 2>&1 && \
	      echo yes; } > $@ || :; rm -f $(depfile)

$(obj)/$(probe-dir)/%.answer: $(src)/$(probe-dir)/%.c $(objtree)/include/generated/autoconf.h FORCE
	$(call if_changed,probe)

quiet_cmd_probed = PROBED  $@
      cmd_probed = $(CONFIG_SHELL) $(src)/$(probe-dir)/collect $(src) $(obj) $(abspath $(objtree)) > $@

$(obj)/cgdirty-probed.h: $(src)/$(probe-dir)/collect $(probe-tables) \
			 $(addprefix $(obj)/,$(probe-answers)) FORCE
	$(call if_changed,probed)

$(addprefix $(obj)/,$(cgdirty-y)): $(obj)/cgdirty-probed.h

targets += $(probe-answers) cgdirty-probed.h
