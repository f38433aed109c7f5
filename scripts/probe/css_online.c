// SPDX-License-Identifier: GPL-2.0
/*
 * Do memory cgroups come and go by way of css_online() and css_offline()?
 */
#include <linux/cgroup.h>

static int online(struct cgroup_subsys_state *css)
{
	return 0;
}

static void offline(struct cgroup_subsys_state *css)
{
}

struct cgroup_subsys probe = {
	.css_online = online,
	.css_offline = offline,
};
