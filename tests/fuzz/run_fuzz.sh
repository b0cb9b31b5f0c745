#!/bin/sh
# SPDX-License-Identifier: MIT
# run_fuzz.sh SECONDS [TARGET...]: every libFuzzer target for so long, on a copy of its corpus and the
# small real files of its kind when they are there. An input that crashes, hangs or takes too much
# memory fails it and stays in build/fuzz/findings. ZT_FUZZ_SEED=0 takes another way each time.
set -eu
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || {
    echo "usage: run_fuzz.sh SECONDS [TARGET...]"
    exit 2
}
seconds=$1
shift
assets=${ZT_ASSETS:-../shared/assets}
cmake --preset fuzz -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >/dev/null
targets=$(sh tests/fuzz/targets.sh)
# shellcheck disable=SC2046
cmake --build --preset fuzz --target $(printf 'fuzz_%s ' $targets) -- --quiet
[ $# -eq 0 ] || targets=$*

findings=$PWD/build/fuzz/findings
mkdir -p "$findings"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# real_files SIZE PATTERN...: files of these names below so many KiB become seeds. Packed pictures
# unpack to many times their size, and slow ones are worth little.
real_files() {
    [ -d "$assets" ] || return 0
    limit=${1}k
    shift
    for pattern in "$@"; do
        find "$assets" -type f -iname "$pattern" -size -"$limit"
    done | LC_ALL=C sort | while IFS= read -r file; do
        cp "$file" "$corpus/$(printf '%s' "$file" | cksum | tr -d ' ')"
    done
}

# fuzz_one TARGET: leaves its report in .said, and a .failed when it is bad.
fuzz_one() {
    target=$1
    corpus=$work/$target log=$work/$target.log said=$work/$target.said
    cp -r "tests/fuzz/corpus/$target" "$corpus"
    case $target in
    draw)
        real_files 16 '*.gltf' '*.glb' '*.m3d'
        for file in "$corpus"/[0-9]*; do # how it is drawn
            [ ! -e "$file" ] || printf '\000\025\203\004\000\000\000\000' >>"$file"
        done
        ;;
    gltf) real_files 32 '*.gltf' '*.glb' ;;
    scene) real_files 32 '*.yaml' ;;
    jpeg) real_files 8 '*.jpg' '*.jpeg' ;;
    png) real_files 4 '*.png' ;;
    *) real_files 32 "*.$target" ;;
    esac
    if ! "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -seed="${ZT_FUZZ_SEED:-1}" \
        -rss_limit_mb=2048 -timeout=10 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$findings/$target-" "$corpus" >"$log" 2>&1; then
        grep -vE '^#[0-9]+' "$log" | tail -n 40 >"$said"
        echo "fuzz: FAILED: $target: $(grep -o "$findings/[^ ]*" "$log" | tail -n 1)" >>"$said"
        touch "$work/$target.failed"
        return
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    [ "${runs:-0}" -gt 0 ] || {
        echo "fuzz: FAILED: $target ran no input" >"$said"
        touch "$work/$target.failed"
        return
    }
    echo "fuzz: $target: $runs inputs, $(find "tests/fuzz/corpus/$target" -type f | wc -l) seeds of ours," \
        "$(sed -n 's/^#[0-9]*.*DONE *cov: \([0-9]*\).*/\1/p' "$log") branches" >"$said"
}

# As many at a time as there are cores.
jobs=$(nproc) running=0
for target in $targets; do
    fuzz_one "$target" &
    running=$((running + 1))
    [ $((running % jobs)) -ne 0 ] || wait
done
wait
[ "$running" -gt 0 ]
cat "$work"/*.said
! ls "$work"/*.failed >/dev/null 2>&1
