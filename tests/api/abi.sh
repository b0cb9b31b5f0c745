#!/bin/sh
# SPDX-License-Identifier: MIT
# The declarations of the public header are those of abi.txt, one a line without comments: who changes
# the interface says so there, and in the CHANGELOG. usage: abi.sh HEADER LIST [--update]
set -u
declared=$(sed -E 's|//.*||; /^#/d; /^extern "C"/d' "$1" | tr '\n' ' ' | awk '
    { # ends at each semicolon outside of braces
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            depth += (c == "{") - (c == "}")
            if (c != ";" || depth > 0) { line = line c; continue }
            gsub(/ +/, " ", line)
            sub(/^ /, "", line)
            sub(/^ZT_API /, "", line)
            print line ";"
            line = ""
        }
    }' | LC_ALL=C sort)
[ "$(printf '%s\n' "$declared" | wc -l)" -gt 80 ] || {
    echo "abi: few declarations were found in $1: the search is broken"
    exit 1
}
if [ "${3:-}" = --update ]; then
    printf '%s\n' "$declared" >"$2"
    exit 0
fi
changes=$(printf '%s\n' "$declared" | diff "$2" - | grep '^[<>]') && {
    echo "abi: $1 is not what $2 lists (<: listed, >: declared). When this is meant, say it in the"
    echo "CHANGELOG, and run: sh tests/api/abi.sh include/zoetrope/zoetrope.h tests/api/abi.txt --update"
    printf '%s\n' "$changes"
    exit 1
}
echo "abi: $(printf '%s\n' "$declared" | wc -l) declarations"
