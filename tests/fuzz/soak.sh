#!/bin/sh
# SPDX-License-Identifier: MIT
# soak.sh PROGRAM COUNT WARM [FOLDER...]: soak over our own small models and, when folders are given, over
# the small models in them. Memory after WARM thumbnails and after COUNT differs by 2 MiB at most.
#   half an hour: sh tests/fuzz/soak.sh build/ci/tests/fuzz/soak 200000 10000 ../shared/assets
set -eu
program=$1 count=$2 warm=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/run"
{
    find "$root/tests/fuzz/corpus/models" "$root/tests/fuzz/corpus/gltf" "$root/tests/fuzz/corpus/m3d" -type f
    find "$root/scenes/models" -name '*.glb' -size -12k
    for folder in "$@"; do
        find -L "$folder" -path '*/invalid' -prune -o -type f -size -128k \
            \( -name '*.glb' -o -name '*.gltf' -o -name '*.m3d' \) -print
    done
} | LC_ALL=C sort | tr '\n' '\0' >"$work/files"
xargs -0 -x -n 4000 "$program" "$count" "$warm" "$work/run" <"$work/files"
