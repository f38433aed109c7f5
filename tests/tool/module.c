// SPDX-License-Identifier: GPL-2.0
/*
 * module.c - an object file that modinfo and depmod take for our module
 */
#define INFO(name, text) \
	static const char name[] __attribute__((used, section(".modinfo"))) = text

INFO(name, "name=cgdirty");
INFO(version, "version=" VERSION);
INFO(license, "license=GPL");
INFO(vermagic, "vermagic=6.1.0-1-test SMP mod_unload ");
#ifdef REFUSES
INFO(refuses, "refuses=" REFUSES);
#endif
