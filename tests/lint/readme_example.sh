#!/bin/sh
# SPDX-License-Identifier: MIT
# The library example of README.md is the marked part of tests/api/api_example.c, which is compiled
# and run. usage: readme_example.sh SOURCE_DIR
set -u
root=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

sed -n '/^\/\/ README begins$/,/^\/\/ README ends$/p' "$root/tests/api/api_example.c" |
    sed '1d;$d' >"$folder/source.c"
sed -n '/^<!-- api_example\.c -->$/,/^<!-- end of api_example\.c -->$/p' "$root/README.md" |
    sed '1,2d' | sed '$d' | sed '$d' >"$folder/readme.c"

for name in source readme; do
    if ! grep -q 'zt_render(' "$folder/$name.c"; then
        echo "readme_example: no example was found ($name): the search is broken"
        exit 1
    fi
done
if ! diff -u "$folder/source.c" "$folder/readme.c"; then
    echo "readme_example: README.md differs from tests/api/api_example.c"
    exit 1
fi
echo "readme_example: $(wc -l <"$folder/source.c") lines agree"
