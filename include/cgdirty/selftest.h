/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgdirty/selftest.h - prove at load that each hook fires
 */
#ifndef CGDIRTY_SELFTEST_H
#define CGDIRTY_SELFTEST_H

int cgd_selftest(void);

#endif /* CGDIRTY_SELFTEST_H */
