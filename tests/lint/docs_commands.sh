#!/bin/sh
# SPDX-License-Identifier: MIT
# Every line of the shell in the documentation is a command that tests/docs/run_commands.sh runs, or its
# block has a reason why it is not run; and every scene that a page shows is checked. Counts the reasons.
# usage: docs_commands.sh SOURCE_DIR
set -u
root=$1
blocks=$(cd "$(dirname "$0")/../docs" && pwd)/commands.awk
faults=0
cd "$root" || exit 1

found=$(for page in ./*.md docs/*.md bench/*.md; do
    [ ! -f "$page" ] || awk -f "$blocks" "$page" | sed "s|^|${page#./}	|"
done)
# lines KIND: page, line and text of what was found.
lines() { printf '%s\n' "$found" | awk -F '\t' -v kind="$1" '$2 == kind { print $1 ":" $3 ": " $4 }'; }

if [ -z "$(lines run)" ]; then
    echo "docs_commands: no command was found below $root: the search is broken"
    exit 1
fi
if [ -n "$(lines other)" ]; then
    lines other | sed 's|^|docs_commands: |; s|$| (expected zoetrope, cmake, ctest or ./setup.sh, or "<!-- not run: REASON -->" before the block)|'
    faults=1
fi
if [ -n "$(lines scene)" ]; then
    lines scene | sed 's|^|docs_commands: |; s|$|a scene without "<!-- file: NAME -->" before it|'
    faults=1
fi
[ "$faults" -eq 0 ] || exit 1
lines mark | sed 's|^|docs_commands: not run: |'
echo "docs_commands: $(lines run | wc -l) commands, $(lines mark | wc -l) blocks that are not run"
