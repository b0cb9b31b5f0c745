#!/bin/sh
# SPDX-License-Identifier: MIT
# mutants.sh PROGRAM COUNT|SECONDSs SEED [FOLDER...]: fuzz_models over our own small models and pictures
# and, when folders are given, over the small models in them. A file that breaks the program stays in
# $ZT_FINDINGS (build/findings).
#   an hour: cmake --build --preset asan --target fuzz_models
#            sh tests/fuzz/mutants.sh build/asan/tests/fuzz/fuzz_models 3600s 1 ../shared/assets
set -u
program=$1 amount=$2 seed=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
findings=${ZT_FINDINGS:-$root/build/findings}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/run"

{
    find "$root/tests/fuzz/corpus/models" "$root/tests/fuzz/corpus/gltf" "$root/tests/fuzz/corpus/m3d" \
        "$root/tests/fuzz/corpus/ktx2" "$root/tests/fuzz/corpus/dds" "$root/tests/fuzz/corpus/png" \
        "$root/tests/fuzz/corpus/jpeg" "$root/tests/fuzz/corpus/webp" "$root/tests/fuzz/corpus/bmp" \
        "$root/tests/fuzz/corpus/tga" -type f
    find "$root/scenes/models" -name '*.glb' -size -32k
    for folder in "$@"; do
        find -L "$folder" -path '*/invalid' -prune -o -type f -size -256k \
            \( -name '*.glb' -o -name '*.gltf' -o -name '*.m3d' \) -print
    done
} | LC_ALL=C sort | tr '\n' '\0' >"$work/files"

xargs -0 -x -n 4000 "$program" "$amount" "$seed" "$work/run" <"$work/files"
code=$?
[ "$code" -eq 0 ] && exit 0
mkdir -p "$findings"
for file in "$work/run"/current.*; do
    [ -f "$file" ] || continue
    kept=$findings/$(cksum <"$file" | cut -d ' ' -f 1).${file##*.}
    cp "$file" "$kept"
    echo "mutants: FAILED: $kept"
done
exit 1
