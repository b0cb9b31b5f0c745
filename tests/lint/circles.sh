#!/bin/sh
# SPDX-License-Identifier: MIT
# No circles of calls between files, by the symbols of their objects: whoever reads a file need not
# read those that call it. And no call from a folder to one that it may not include.
# usage: circles.sh SOURCE_DIR NM OBJECT...
set -u
root=$1
nm=$2
shift 2
faults=0
edges=$(mktemp) || exit 1
trap 'rm -f "$edges"' EXIT

# One "caller called" a line, as folder/file.c.
[ $# -eq 0 ] || "$nm" -A "$@" | sed -E 's|/zoetrope(_manual)?\.dir/([^/]*:)|/cli/\2|; s|^.*/([^/]+/[^/]+)\.o:|\1 |' | awk '
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

# A call is an include in disguise, whatever header declares the function. The program calls all
# that is public.
{
    sh "$(dirname "$0")/includes.sh" "$root" law | sed 's/^/law /; s/:/ /'
    sed 's|/| |g' "$edges"
} | awk '
    $1 == "law" { named[$2] = 1; for (i = 3; i <= NF; i++) may[$2, $i] = 1; next }
    $1 ~ /^(report|suite|thumbnail|cli)$/ || $1 == $3 || !($1 in named) || !($3 in named) { next }
    !(($1, $3) in may) { print "circles: src/" $1 "/" $2 " calls src/" $3 "/" $4 ", which src/" $1 " may not include"; bad = 1 }
    END { exit bad }' || faults=1
[ "$faults" -eq 0 ] || exit 1
echo "circles: $(wc -l <"$edges") calls between files go one way"
