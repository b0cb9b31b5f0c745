#!/bin/sh
# SPDX-License-Identifier: MIT
# Both libraries export the functions of the public header and nothing else: an internal name must
# not meet one of the program that links us.
# usage: public_symbols.sh NM HEADER STATIC_LIBRARY SHARED_LIBRARY
set -u
nm=$1
header=$2
faults=0

declared=$(sed -n 's/^ZT_API .*[ *]\(zt_[a-z0-9_]*\)(.*/\1/p' "$header" | LC_ALL=C sort)
if [ -z "$declared" ]; then
    echo "public_symbols: no function was found in $header"
    exit 1
fi

# check LIBRARY NM_OPTIONS
check() {
    defined=$("$nm" "$2" --defined-only "$1" | awk 'NF >= 3 { print $3 }' | LC_ALL=C sort)
    if [ "$defined" != "$declared" ]; then
        echo "public_symbols: $1 does not export what $header declares:"
        for symbol in $defined; do
            printf '%s\n' "$declared" | grep -qx "$symbol" || echo "  $symbol is internal"
        done
        for symbol in $declared; do
            printf '%s\n' "$defined" | grep -qx "$symbol" || echo "  $symbol is missing"
        done
        faults=1
    fi
}
check "$3" -g
check "$4" -gD
[ "$faults" -eq 0 ] || exit 1
echo "public_symbols: $(printf '%s\n' "$declared" | wc -l) functions, nothing else"
