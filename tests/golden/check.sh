#!/bin/sh
# check.sh ZOETROPE SOURCE_DIR OUT_DIR NAME: renders one golden with the program, by the best
# instruction set and 2 threads (ZT_GOLDEN_ISAS and ZT_GOLDEN_THREADS may list others). On a mismatch
# leaves NAME.actual.png and NAME.diff.png in OUT_DIR and says which stage differs first from the
# scalar kernels, or that all agree among themselves. ZT_GOLDEN_RUNNER may hold a command to run the
# binary with (an emulator).
set -eu
zoetrope=$1 source_dir=$2 out_dir=$3 name=$4
. "$(dirname "$0")/manifest.sh"
golden_line "$name"
runner=${ZT_GOLDEN_RUNNER:-}
isas=${ZT_GOLDEN_ISAS:-$($runner "$zoetrope" --version | sed -n 's/^in use: //p')}
threads=${ZT_GOLDEN_THREADS:-2}
unset ZT_ISA ZT_THREADS || true
ran=0 failed=""
for isa in $isas; do
    for count in $threads; do
        # shellcheck disable=SC2086
        if ! $runner "$zoetrope" render "$scene" $arguments -q --isa "$isa" --threads "$count" \
            --verify "$hash"; then
            failed="$isa with $count threads"
            break 2
        fi
        ran=$((ran + 1))
    done
done
if [ -z "$failed" ]; then
    echo "$name: $hash in $ran runs ($isas; threads $threads)"
    [ "$ran" -gt 0 ]
    exit
fi

mkdir -p "$out_dir"
# shellcheck disable=SC2086
$runner "$zoetrope" render "$scene" $arguments -q --isa "$isa" --threads "$count" \
    -o "$out_dir/$name.actual.png" || true
$runner "$zoetrope" compare "$out_dir/$name.actual.png" "$source_dir/golden/$name.png" \
    --diff "$out_dir/$name.diff.png" || true
stages() {
    # shellcheck disable=SC2086
    $runner "$zoetrope" render "$scene" $arguments -q --isa "$1" --threads "$2" --hash-stages \
        -o "$out_dir/$name.actual.png"
}
stages scalar 1 >"$out_dir/$name.scalar.txt"
stages "$isa" "$count" >"$out_dir/$name.$isa.txt"
echo "$name: FAILED on $failed; see $out_dir/$name.actual.png and $name.diff.png"
first=$(diff "$out_dir/$name.scalar.txt" "$out_dir/$name.$isa.txt" | sed -n 's/^> //p' | head -1)
if [ -n "$first" ]; then
    echo "$name: first stage that differs from scalar with 1 thread: $first"
else
    echo "$name: scalar gives the same: the picture changed, not the instruction set"
fi
exit 1
