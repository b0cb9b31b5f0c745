#!/bin/sh
# SPDX-License-Identifier: MIT
# memcheck.sh BUILD [TARGET...]: valgrind's memcheck, which also sees reads of memory that was never
# written, over the corpus of each fuzz target, with and without memory, and over the models of the
# tests of the command line. Fails on an error or a definite leak. Minutes.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -ge 1 ] || {
    echo "usage: memcheck.sh BUILD [TARGET...]"
    exit 2
}
build=$1 failed=0 files=0
shift
targets=$*
[ -n "$targets" ] || targets=$(sh tests/fuzz/targets.sh)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# check WORD... : runs it; the exit codes of refused files are no errors.
check() {
    valgrind -q --suppressions=tests/fuzz/memcheck.supp --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        --log-file="$work/log" "$@" >"$work/out" 2>&1
    code=$?
    # valgrind 3.19 says that it does not know openat2, and the calls of the sandbox.
    grep -v '^--' "$work/log" >"$work/said"
    if [ $code -eq 99 ] || [ $code -gt 128 ] || [ -s "$work/said" ]; then
        cat "$work/out" "$work/said"
        echo "memcheck: FAILED: $*"
        failed=1
    fi
}

for target in $targets; do
    refusals=30
    [ "$target" != draw ] || refusals=4
    check "$build/tests/fuzz/fuzz_replay_$target" 3 $refusals "tests/fuzz/corpus/$target"
    echo "memcheck: $target: $(cat "$work/out")"
done

[ $# -eq 0 ] || exit $failed
for model in tests/cli/models/*.gl* tests/cli/models/*.m3d tests/fuzz/corpus/models/* scenes/models/*.glb; do
    [ "$(wc -c <"$model")" -lt 150000 ] || continue
    check "$build/zoetrope" thumbnail "$model" "$work/out.png" --size 24x24 --threads 1 -q --no-cache --sandbox off
    check "$build/zoetrope" convert "$model" "$work/out.gltf" -q --sandbox off
    files=$((files + 1))
done
echo "memcheck: $files models drawn and converted"
exit $failed
