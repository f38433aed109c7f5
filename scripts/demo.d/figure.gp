# SPDX-License-Identifier: GPL-2.0
#
# The figure of scripts/demo, for gnuplot: the writer's dirty pages above, the
# neighbour's progress below, on one time axis, as out.svg and out.png.
# scripts/demo sets out, csv (the guest's events, see demo.d/guest), disk_rate
# and whatever the guest said in its setup and result lines.

# Okabe and Ito's colours: told apart by all eyes, and in grey by brightness.
blue = "#0072B2"
red = "#D55E00"
grey = "#6b6b6b"

mib = 2.0 ** 20
rows(run) = sprintf("< grep '^sample,%s,' '%s'", run, csv)
# From the start of tar to its last file.
tar_rows(run, start) = sprintf("< awk -F, '$1 == \"sample\" && $2 == \"%s\" && $3 >= %d && !done { print; done = $5 == %d }' '%s'", \
	run, start * 1000000, tar_files, csv)
took(text, usec) = sprintf("%s: %.1f s", text, usec / 1e6)

set datafile separator ","
stats "< grep '^sample,' '".csv."'" using ($3 / 1e6):($4 / mib) name "all" nooutput
x_end = ceil(all_max_x / 5) * 5

title = "One writer floods the page cache; its neighbour unpacks an archive"
subtitle = sprintf("Writer: dd of %d MiB. Neighbour: tar -x of %d files of %d KiB, another cgroup, same disk.", \
	writer_bytes / mib, tar_files, tar_file_bytes / 1024)
source = sprintf("Linux %s, ext4 on a disk of %d MB/s. Upper curves: file\\_dirty + file\\_writeback in memory.stat.", \
	kernel, disk_rate / 1000000)

set border 3 lc rgb grey
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lc rgb "#e4e4e4" lw 0.6
set xrange [0:x_end]
set xtics 5
set lmargin at screen 0.075
set rmargin at screen 0.97
set key reverse Left horizontal right bottom samplen 1.6 width -3 at graph 1.01, 1.02
set arrow 1 from tar_after, graph 0 to tar_after, graph 1 nohead lc rgb grey lw 1 dt 3

do for [suffix in "svg png"] {
	if (suffix eq "svg") {
		set terminal svg size 900,640 enhanced background "#ffffff" \
			font "DejaVu Sans,Helvetica,Arial,sans-serif,13"
	} else {
		set terminal pngcairo size 1800,1280 enhanced background "#ffffff" \
			font "DejaVu Sans" fontscale 1.85 linewidth 2
	}
	set output out.".".suffix
	set multiplot

	set label 1 "{/*1.25:Bold ".title."}" at screen 0.02, 0.965
	set label 2 subtitle at screen 0.02, 0.92 textcolor rgb grey
	set label 3 "{/*0.85 ".source."}" at screen 0.02, 0.02 textcolor rgb grey
	set label 4 "{/:Bold Writer's dirty + writeback, MiB}" at graph 0, 1.07
	set label 5 "{/*0.9 neighbour starts}" at tar_after, graph 0.95 offset 0.6, 0 textcolor rgb grey

	set tmargin at screen 0.82
	set bmargin at screen 0.50
	set format x ""
	set yrange [0:all_max_y * 1.12]
	set ytics 50
	plot rows("unlimited") using ($3 / 1e6):($4 / mib) \
			with lines lc rgb red lw 2 title "no limit", \
		rows("limited") using ($3 / 1e6):($4 / mib) \
			with lines lc rgb blue lw 2 title "limited", \
		limit_bytes / mib with lines lc rgb blue lw 1 dt 2 \
			title sprintf("its limit, %d MiB", limit_bytes / mib)

	unset label
	set label 4 "{/:Bold Neighbour: files unpacked}" at graph 0, 1.07
	set tmargin at screen 0.41
	set bmargin at screen 0.13
	set format x "%g"
	set xlabel "seconds since the writer began" offset 0, 0.3
	set yrange [0:tar_files * 1.1]
	set ytics tar_files / 3
	plot tar_rows("unlimited", tar_after) using ($3 / 1e6):5 \
			with lines lc rgb red lw 2 title took("no limit", unlimited_tar_usec), \
		tar_rows("limited", tar_after) using ($3 / 1e6):5 \
			with lines lc rgb blue lw 2 title took("limited", limited_tar_usec), \
		tar_rows("idle", 0) using ($3 / 1e6 + tar_after):5 \
			with lines lc rgb grey lw 2 dt (4,3) title took("no writer", idle_tar_usec)

	unset label
	unset xlabel
	unset multiplot
	unset output
}
