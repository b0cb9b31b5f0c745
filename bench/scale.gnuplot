# SPDX-License-Identifier: MIT
# Draws what bench_scale measured, a panel for each series, both axes logarithmic. usage:
#   gnuplot -e "results='scale.jsonl'; picture='scale.png'" bench/scale.gnuplot
# Blue is time (left axis), orange the peak of memory (right axis). The grey line through the last
# time is linear in x: a curve that is steeper anywhere grows faster. Of threads it is the ideal.
set terminal pngcairo size 1600,840 font "sans,11"
set output picture
set logscale xyy2
set format x "%.0s%c"
set format y "%.0s%c"
set format y2 "%.0s%c"
set grid xtics ytics linecolor rgb "#e8e9ec"
set ytics nomirror textcolor rgb "#1c62be"
set y2tics nomirror textcolor rgb "#d67014"
set autoscale xfix
unset key

# Lines of a series as: x, milliseconds, MiB.
rows(series, time) = sprintf("< awk -v FS='[:,{}]' '/\"series\":\"%s\"/ { for (i = 1; i < NF; i++) { if ($i == \"\\\"x\\\"\") x = $(i + 1); if ($i == \"\\\"%s\\\"\") t = $(i + 1); if ($i == \"\\\"peak_mib\\\"\") m = $(i + 1) } if (x > 0 && t > 0 && m > 0) print x, t, m }' '%s'", series, time, results)

names = "triangles_mesh triangles_instances pixels lights models frames threads_one_frame threads_sequence"
titles = "'triangles of one mesh' 'triangles of instances' pixels lights 'models in a scene' 'frames of a sequence, 64 x 64' 'threads, one frame' 'threads, 32 frames'"
set multiplot layout 2,4 title "Time and memory as the work grows"
do for [i = 1:words(names)] {
    series = word(names, i)
    threads = series[1:7] eq "threads"
    data = rows(series, threads ? "frame_ms" : "cpu_ms")
    last_x = 0
    stats data using (last_x = $1, last_t = $2) nooutput
    if (last_x == 0) {
        set multiplot next
        continue
    }
    set title word(titles, i)
    set ylabel (threads ? "ms by the clock" : "ms of processor time") textcolor rgb "#1c62be" offset 1
    set y2label "MiB at the peak" textcolor rgb "#d67014" offset -1
    plot data using 1:(threads ? last_t * last_x / $1 : last_t * $1 / last_x) with lines linecolor rgb "#c4c6ca", \
         data using 1:2 with linespoints linewidth 2 pointtype 5 linecolor rgb "#1c62be", \
         data using 1:3 axes x1y2 with linespoints linewidth 2 pointtype 5 linecolor rgb "#d67014"
}
unset multiplot
