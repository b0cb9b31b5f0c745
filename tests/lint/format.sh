#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is as clang-format 14 leaves it. usage: format.sh SOURCE_DIR [CLANG_FORMAT [PASSED]]
# PASSED: a file that keeps the hashes of what has passed, so that only what changed is read again.
# Exits 77 (skipped) without clang-format, or with another major version: they disagree on details.
set -u
root=$1
tool=${2:-clang-format}
passed=${3:-}
wanted=14
if ! version=$("$tool" --version 2>/dev/null); then
    echo "format: skipped, there is no clang-format here"
    exit 77
fi
case "$version" in
*"version $wanted."*) ;;
*)
    echo "format: skipped, clang-format $wanted was expected: $version"
    exit 77 ;;
esac

cd "$root" || exit 1
# What a file's formatting depends on: itself, the style, the tool.
style=$(cat .clang-format - <<EOF | cksum
$version
EOF
)
hashes=$(find src include tests bench scenes docs -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.inl' \) -exec cksum {} + 2>/dev/null |
    LC_ALL=C sort -k 3 | sed "s/\$/ $style/")
[ -n "$hashes" ] || { echo "format: no file was found: the search is broken"; exit 1; }
count=$(printf '%s\n' "$hashes" | wc -l)
new=$hashes
if [ -n "$passed" ] && [ -f "$passed" ]; then
    new=$(printf '%s\n' "$hashes" | grep -vxFf "$passed")
fi

# A few files at once in each of two processes. A crash, which says nothing of a file, is looked for
# one by one: ragged nested initialisers do that to clang-format.
files=$(printf '%s\n' "$new" | cut -d ' ' -f 3)
if [ -n "$files" ]; then
    report=$(printf '%s\n' "$files" |
        xargs -n 8 -P 2 "$tool" --dry-run -Werror --style=file 2>&1)
    status=$?
    faults=$(printf '%s\n' "$report" | grep 'error:' | awk -F: '!seen[$1]++ { print "format: " $0 }')
    if [ "$status" -ne 0 ] && [ -z "$faults" ]; then
        for file in $files; do
            "$tool" --dry-run -Werror --style=file "$file" >/dev/null 2>&1 ||
                echo "format: $file: clang-format crashed"
        done
        exit 1
    fi
    [ -z "$faults" ] || { printf '%s\n' "$faults"; exit 1; }
fi
if [ -n "$passed" ]; then
    printf '%s\n' "$hashes" >"$passed.new" && mv "$passed.new" "$passed"
fi
echo "format: $count files, $(printf '%s\n' "$new" | grep -c .) of them read"
