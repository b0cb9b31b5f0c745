# SPDX-License-Identifier: MIT
# Lines of bench_scale as a table, with how fast each column grows from one point to the next: the
# exponent of x, 1 for linear. An exponent of time above 1.15 is marked. usage: awk -f scale.awk FILE
function number_of(line, key) {
    if (!match(line, "\"" key "\":[-0-9.]+"))
        return 0
    return substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}
function exponent(old, new) {
    return old > 0 && new > 0 && x > last_x ? log(new / old) / log(x / last_x) : 0
}
BEGIN {
    printf "%-20s %10s %10s %6s %10s %6s %9s %6s %9s %6s %10s %s\n", "series", "x", "cpu ms", "grows",
        "load ms", "grows", "frame MiB", "grows", "peak MiB", "grows", "clock ms", "asked for memory"
}
{
    match($0, /"series":"[^"]*"/)
    series = substr($0, RSTART + 10, RLENGTH - 11)
    x = number_of($0, "x")
    cpu = number_of($0, "cpu_ms")
    load = number_of($0, "load_cpu_ms")
    held = number_of($0, "frame_mib")
    peak = number_of($0, "peak_mib")
    same = series == last
    c = same ? exponent(last_cpu, cpu) : 0
    l = same ? exponent(last_load, load) : 0
    h = same ? exponent(last_held, held) : 0
    p = same ? exponent(last_peak, peak) : 0
    note = c > 1.15 || (l > 1.15 && load > 5) ? "  <- faster than linear" : ""
    printf "%-20s %10d %10.2f %6.2f %10.1f %6.2f %9.2f %6.2f %9.1f %6.2f %10.2f %d then %d%s\n", series,
        x, cpu, c, load, l, held, h, peak, p, number_of($0, "frame_ms"), number_of($0, "asked_first"),
        number_of($0, "asked"), note
    last = series
    last_x = x
    last_cpu = cpu
    last_load = load
    last_held = held
    last_peak = peak
}
