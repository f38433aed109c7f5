# SPDX-License-Identifier: GPL-2.0
#
# The targets for people; `make help` lists them. What kbuild reads is Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
RELEASE = $(or $(shell sed -n 's/.*"\(.*\)"/\1/p' $(KDIR)/include/generated/utsrelease.h 2>/dev/null), \
	       $(error there are no kernel headers in $(KDIR): install them, or set KDIR=))
VERSION := $(shell cat VERSION)
DKMS_SRC := $(DESTDIR)/usr/src/cgdirty-$(VERSION)
DKMS_FILES := Kbuild VERSION LICENSE dkms.conf $(wildcard include/*/*.h src/*.[ch] scripts/probe/*.c) \
	      $(addprefix scripts/probe/,apis collect config exports rules.mk) \
	      $(addprefix scripts/dkms/,build refusal.c verdict)

# What kbuild leaves behind, as in .gitignore.
BUILT := bench-out demo-out deb-out rpm-out Module.symvers cgdirty-probed.h compile_commands.json modules.order .tmp_* *.ko *.mod \
	 *.mod.c $(foreach dir,. src scripts/probe,$(addprefix $(dir)/,*.o .*.o .*.cmd .*.d *.answer))

# The probes are many and small: use all CPUs unless told otherwise.
KBUILD = $(MAKE) $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc)) -C $(KDIR) M=$(CURDIR)

.PHONY: all install dkms-install dkms-remove tool install-tool check check-packages check-debug deb rpm demo bench clean help
.DEFAULT_GOAL := all

all: ## build cgdirty.ko for the running kernel, or for the one in KDIR=
	@test -n '$(RELEASE)'
	+$(KBUILD) modules

# Not by kbuild's modules_install: without the distributor's key and System.map
# it only complains.
install: all ## install the module; below DESTDIR= if given
	install -D -m 644 cgdirty.ko $(DESTDIR)/lib/modules/$(RELEASE)/updates/cgdirty.ko
ifeq ($(DESTDIR),)
	depmod $(RELEASE)
endif

dkms-install: ## let DKMS build and install it, now and for every later kernel
ifeq ($(DESTDIR),)
	@dkms remove -m cgdirty -v $(VERSION) --all >/dev/null 2>&1 || true
endif
	rm -rf $(DKMS_SRC)
	install -d $(DKMS_SRC)
	cp --parents $(DKMS_FILES) $(DKMS_SRC)
ifeq ($(DESTDIR),)
	dkms install -m cgdirty -v $(VERSION) -k $(RELEASE) --force
	@test -z "$$(modinfo -k $(RELEASE) -F refuses cgdirty)"
endif

dkms-remove: ## take it out of DKMS, for all kernels
	dkms remove -m cgdirty -v $(VERSION) --all
	rm -rf $(DKMS_SRC)

tool: ## build the command, src/tool/cgdirty
	+$(MAKE) -C src/tool

install-tool: ## install the command, its manual pages and completions; below DESTDIR= if given
	+$(MAKE) -C src/tool install

check: ## run every test; KERNELS="6.1 7.3" TESTS=limit runs a part
	scripts/check "$(KERNELS)" "$(TESTS)"

check-packages: ## run the tests of the Debian packages, on three releases
	RELEASES="bullseye bookworm trixie" scripts/check "" packages

deb: ## build the Debian packages, for SUITE=, into deb-out
	scripts/deb $(SUITE)

rpm: ## build the RPM source package, into rpm-out; needs rpmbuild
	scripts/rpm

check-debug: ## run what measures no time on kernels that watch; KERNELS=debug TESTS=limit
	scripts/check "$(or $(KERNELS),debug kcsan)" "$(TESTS)"

demo: ## show in a virtual machine what a limit does
	scripts/demo

bench: ## measure what it costs, in virtual machines; KERNELS="6.1 7.3" RUNS=5
	KERNELS="$(KERNELS)" RUNS="$(RUNS)" scripts/bench

clean: ## leave the tree as it was cloned
	rm -rf $(BUILT)
	+$(MAKE) -C src/tool clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16
