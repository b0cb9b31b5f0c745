#!/bin/sh
# SPDX-License-Identifier: MIT
# No file of the library above 600 lines (its header: 650), no other one above 800, and no two files of
# one name. usage: file_size.sh SOURCE_DIR
set -u
root=$1
faults=0

files=$(cd "$root" && find src include tests bench scenes cmake -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.inl' -o -name '*.sh' -o -name '*.py' \
    -o -name '*.cmake' \) 2>/dev/null | LC_ALL=C sort)
if [ -z "$files" ]; then
    echo "file_size: no file was found below $root: the search is broken"
    exit 1
fi

# shellcheck disable=SC2086
long=$(cd "$root" && wc -l $files | awk '{
    limit = $2 ~ /^include\// ? 650 : $2 ~ /^src\// ? 600 : 800
    if ($2 != "total" && $1 > limit)
        print "file_size: " $2 ": " $1 " lines (at most " limit " were expected)" }')
[ -z "$long" ] || {
    printf '%s\n' "$long"
    faults=1
}

twice=$(printf '%s\n' "$files" | sed 's|.*/||' | LC_ALL=C sort | uniq -d)
for name in $twice; do
    echo "file_size: more than one file is called $name"
    faults=1
done
[ "$faults" -eq 0 ] || exit 1
echo "file_size: $(printf '%s\n' "$files" | wc -l) files are short and have names of their own"
