#!/bin/sh
# SPDX-License-Identifier: MIT
# README.md names every key of the scene reader's tables, every flag of every command, every command
# and every exit code. Each must stand between backquotes in a table row or, for keys, in its text.
# usage: readme_keys.sh SOURCE_DIR ZOETROPE
set -u
root=$1
zoetrope=$2
readme=$root/README.md
faults=0

fault() {
    echo "readme_keys: $1"
    faults=$((faults + 1))
}

# The rows {"key", read_key, KEY_...} of each reader.
keys=$(sed -n 's/^ *{"\([a-z_]*\)", .*KEY_\(OPTIONAL\|REQUIRED\|LATER\) *}.*/\1 \2/p' \
    "$root"/src/scene/scene_*.c | LC_ALL=C sort -u)
if [ "$(printf '%s\n' "$keys" | wc -l)" -lt 40 ]; then
    fault "fewer than 40 keys were found in src/scene: the search is broken"
fi
reference=$(sed -n '/^## Scene files/,/^## Model files/p' "$readme" | grep '^|')
while read -r key presence; do
    rows=$(printf '%s\n' "$reference" | grep -F "\`$key\`")
    if [ -z "$rows" ]; then
        fault "the scene key '$key' is not in the scene reference"
    elif [ "$presence" = LATER ] && ! printf '%s\n' "$rows" | grep -q '\*later\*'; then
        fault "the scene key '$key' is reserved, but the scene reference does not say so"
    fi
done <<EOF
$keys
EOF
# Both directions: a key in the first cell of a reference row is one that the reader knows.
while read -r key; do
    printf '%s\n' "$keys" | grep -q "^$key " || fault "the reader knows no scene key '$key'"
done <<EOF
$(printf '%s\n' "$reference" | cut -d '|' -f 2 | grep -o '`[a-z_]*`' | tr -d '`' | LC_ALL=C sort -u)
EOF

flag_rows=$(sed -n '/^## Flags/,/^### Exit codes/p' "$readme" | grep '^| `')
for pair in render:R turntable:T thumbnail:N compare:C inspect:I check:K; do
    command=${pair%:*}
    letter=${pair#*:}
    flags=$("$zoetrope" "$command" --help | sed -n 's/^  \(-[a-z], \|    \)\(--[a-z-]*\).*/\2/p')
    [ -n "$flags" ] || fault "$command --help names no flags: the search is broken"
    for flag in $flags; do
        row=$(printf '%s\n' "$flag_rows" | grep -E "\`$flag(\`| )")
        if [ -z "$row" ]; then
            fault "the flag $flag of $command is not in the table of flags"
        elif ! printf '%s\n' "$row" | cut -d '|' -f 3 | grep -qE "\<($letter|all)\>"; then
            fault "the table of flags does not say that $command knows $flag"
        fi
    done
    grep -q "^zoetrope $command " "$readme" || fault "no example of $command"
    # And a flag that the table gives to this command is one of its help.
    while read -r flag; do
        [ -z "$flag" ] || printf '%s\n' "$flags" | grep -qx -- "$flag" ||
            fault "the table of flags gives $flag to $command, which does not know it"
    done <<EOF
$(printf '%s\n' "$flag_rows" | awk -F '|' -v letter="$letter" \
        '$3 ~ " " letter " " || $3 ~ /all/ { print $2 }' | grep -o -- '--[a-z-]*')
EOF
done

for name in $(sed -n 's/^    ZT_\(ERR_[A-Z]*\|OK\) = \([0-9]\),.*/\2/p' \
    "$root/include/zoetrope/zoetrope.h"); do
    grep -q "^| $name |" "$readme" || fault "the exit code $name is not in the table"
done

[ "$faults" -eq 0 ] || exit 1
echo "readme_keys: $(printf '%s\n' "$keys" | wc -l) keys and all flags are in README.md"
