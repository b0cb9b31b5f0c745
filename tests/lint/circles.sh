#!/bin/sh
# SPDX-License-Identifier: MIT
# No circles of calls. Between files of the library, by the symbols of their objects: whoever reads
# a file need not read those that call it. And between loops, which are static and pasted together:
# a function of an .inl file is called by .inl files of folders that may include its own alone.
# usage: circles.sh SOURCE_DIR NM OBJECT...
set -u
root=$1
nm=$2
shift 2
faults=0
edges=$(mktemp) || exit 1
trap 'rm -f "$edges"' EXIT

# One "caller called" a line, as folder/file.c.
[ $# -eq 0 ] || "$nm" -A "$@" | sed -E 's|^.*/([^/]+/[^/]+)\.o:|\1 |' | awk '
    $2 == "U" { caller[calls] = $1; symbol[calls++] = $3 }
    $3 ~ /^[TDBRVW]$/ { owner[$4] = $1 }
    BEGIN { calls = 0 }
    END {
        for (i = 0; i < calls; i++)
            if (symbol[i] in owner && owner[symbol[i]] != caller[i]) print caller[i], owner[symbol[i]]
    }' | sort -u >"$edges"
if [ $# -gt 0 ] && [ ! -s "$edges" ]; then
    echo "circles: no call between files was found: the search is broken"
    exit 1
fi
loops=$(tsort "$edges" 2>&1 >/dev/null | sed 's/^tsort: //' | grep -v 'contains a loop' | tr '\n' ' ')
if [ -n "$loops" ]; then
    echo "circles: these files call each other: $loops"
    faults=1
fi

# What a folder may include, from the law; itself and simd besides.
law=$(sed -n '/^law="/,/^"/p' "$root/tests/lint/includes.sh" | grep -E '^[a-z0-9]+:')
loops=$(cd "$root" && find src -name '*.inl' | LC_ALL=C sort)
[ -z "$loops" ] || (cd "$root" && {
    printf '%s\n' "$law" | sed 's/^/law /'
    # The definitions first: names at the begin of a line, before a parenthesis.
    # shellcheck disable=SC2086
    grep -nE '^(ZT_LANE_OP|static)[^=;]*[ *]([a-z0-9_]+)\(' $loops | sed -E 's/^([^:]*):[0-9]+:[^(]*[ *]([a-z0-9_]+)\(.*/def \1 \2/'
    # shellcheck disable=SC2086
    grep -noE '\b[a-z][a-z0-9_]*\(' $loops | sed -E 's/^([^:]*):([0-9]+):([a-z0-9_]+)\(/use \1 \2 \3/'
} | awk '
    $1 == "law" { folder = $2; sub(/:$/, "", folder); may[folder, folder] = 1
        for (i = 3; i <= NF; i++) may[folder, $i] = 1 }
    $1 == "def" { split($2, p, "/"); owner[$3] = p[2] }
    $1 == "use" && $4 in owner {
        split($2, p, "/"); calls++
        if (owner[$4] != p[2] && !((p[2], owner[$4]) in may)) {
            print "circles: " $2 ":" $3 ": " $4 "() is of src/" owner[$4] ", which src/" p[2] " may not include"
            bad = 1
        }
    }
    END {
        if (!calls) { print "circles: no call between loops was found: the search is broken"; bad = 1 }
        exit bad
    }') || faults=1
[ "$faults" -eq 0 ] || exit 1
echo "circles: $(wc -l <"$edges") calls between files go one way"
