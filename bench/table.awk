# SPDX-License-Identifier: MIT
# Results (JSON lines) against bench/targets.txt. usage:
#     awk -v threads=2 -v suffix= -v wide=1 -f table.awk targets.txt results.jsonl
# suffix=_cpu compares processor time instead of the clock wherever both were measured; wide=0: the
# best instruction set is AVX2.
function text_of(line, key) {
    if (!match(line, "\"" key "\":\"[^\"]*\""))
        return ""
    return substr(line, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
}
function number_of(line, key) {
    if (!match(line, "\"" key "\":[-0-9.]+"))
        return -1
    return substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}
function trim(s) {
    gsub(/^[ \t]+|[ \t]+$/, "", s)
    return s
}
function shown(x) {
    return x < 0 ? "-" : sprintf(x >= 1000 ? "%.0f" : x >= 100 ? "%.1f" : "%.2f", x)
}
# The first of the names in `who` that a case has a result of; -1 without.
function result(name, who,    list, count, i) {
    if (suffix != "" && ((name suffix) in cases))
        name = name suffix
    count = split(who, list, ",")
    for (i = 1; i <= count; i++)
        if ((name, list[i]) in least)
            return least[name, list[i]]
    return -1
}
# 1 when `ours` (with `ratio` to the peer) meets `wanted`, 0 when not, -1 when it cannot be said.
function meets(ours, ratio, wanted) {
    if (wanted == "-")
        return -1
    if (wanted ~ /x$/)
        return ratio < 0 ? -1 : ratio >= wanted + 0
    return ours < 0 ? -1 : ours <= wanted + 0
}
function verdict(a, b) {
    if (a < 0 && b < 0)
        return "-"
    return a != 0 && b != 0 ? "yes" : "no"
}
FNR == NR {
    if ($0 !~ /^#/ && NF)
        row[++rows] = $0
    next
}
{
    name = text_of($0, "case")
    if (number_of($0, "min") < 0)
        next
    cases[name] = 1
    least[name, text_of($0, "who")] = number_of($0, "min")
}
END {
    if (!wide)
        print "AVX2 is the best here: what is required of it counts"
    head = "%-46s %9s %9s %9s %8s %8s  %-18s %-5s %-7s %s\n"
    printf head, "workload", "ours avx2", "ours best", "peer", "x avx2", "x best",
        "required best/avx2", "met", "goal", "met"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, "|")
        for (k in f) {
            f[k] = trim(f[k])
            gsub(/@/, threads, f[k])
        }
        narrow = result(f[2], "zoetrope avx2,avx2,fast,c")
        best = result(f[2], "zoetrope best,zoetrope avx512,avx512,zoetrope neon,neon,zoetrope avx2,avx2,fast,c")
        if (narrow >= 0)
            narrow /= f[3]
        if (best >= 0)
            best /= f[3]
        if (!wide && narrow >= 0 && best >= 0) # both ran the same code
            narrow = best = best < narrow ? best : narrow
        times = 1
        who = f[5]
        if (match(who, /\*[0-9]+$/)) {
            times = substr(who, RSTART + 1) + 0
            who = substr(who, 1, RSTART - 1)
        }
        if (who ~ /^=/)
            peer = substr(who, 2) + 0
        else
            peer = result(f[4], who)
        if (peer >= 0)
            peer *= times
        x2 = peer >= 0 && narrow > 0 ? peer / narrow : -1
        xb = peer >= 0 && best > 0 ? peer / best : -1
        need = f[6] == f[7] ? f[6] : f[6] " / " f[7]
        printf head, f[1], shown(narrow), shown(best), shown(peer), shown(x2), shown(xb),
            need, verdict(wide ? meets(best, xb, f[6]) : -1, meets(narrow, x2, f[7])),
            f[8], verdict(meets(best, xb, f[8]), -1)
    }
}
