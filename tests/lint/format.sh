#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is as clang-format 14 leaves it. usage: format.sh SOURCE_DIR [CLANG_FORMAT]
# Exits 77 (skipped) without clang-format, or with another major version: they disagree on details.
set -u
root=$1
tool=${2:-clang-format}
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
faults=0
count=0
for file in $(find src include tests bench scenes -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.inl' \) 2>/dev/null | LC_ALL=C sort); do
    count=$((count + 1))
    report=$("$tool" --dry-run -Werror --style=file "$file" 2>&1)
    status=$?
    if [ "$status" -gt 128 ]; then
        echo "format: $file: clang-format crashed (ragged nested initialisers do that to it)"
        faults=1
    elif [ "$status" -ne 0 ]; then
        printf '%s\n' "$report" | grep -m 1 'error:' || echo "format: $file: status $status"
        faults=1
    fi
done
[ "$count" -gt 0 ] || { echo "format: no file was found: the search is broken"; exit 1; }
[ "$faults" -eq 0 ] || exit 1
echo "format: $count files"
