#!/bin/sh
# SPDX-License-Identifier: MIT
# run_afl.sh SECONDS [TARGET...]: every fuzz target for so long by AFL++ (apt-get install afl++), from its
# corpus, one after the other, with AddressSanitizer and UndefinedBehaviorSanitizer. An input that
# crashes or hangs fails it and stays in build/afl/findings.
# Do not pause it with SIGSTOP: to AFL++ that is the end of an input, so the next one replaces it while
# it is read, and a crash is reported that no run repeats.
set -eu
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || {
    echo "usage: run_afl.sh SECONDS [TARGET...]"
    exit 2
}
seconds=$1
shift
export AFL_QUIET=1 AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0
export UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:symbolize=0
cmake --preset afl >/dev/null
targets=$*
[ -n "$targets" ] || targets=$(sh tests/fuzz/targets.sh)
# shellcheck disable=SC2046,SC2086
cmake --build --preset afl --target $(printf 'fuzz_%s ' $targets) -- --quiet

findings=$PWD/build/afl/findings failed=0
mkdir -p "$findings"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in $targets; do
    out=$work/$target
    if ! afl-fuzz -i "tests/fuzz/corpus/$target" -o "$out" -t 10000 -m none -V "$seconds" \
        -- "build/afl/tests/fuzz/fuzz_$target" >"$out.log" 2>&1; then
        tail -n 20 "$out.log"
        echo "afl: FAILED: $target did not run"
        failed=1
        continue
    fi
    stats=$out/default/fuzzer_stats
    echo "afl: $target: $(sed -n 's/^execs_done *: //p' "$stats") inputs," \
        "$(sed -n 's/^corpus_count *: //p' "$stats") kept, $(sed -n 's/^bitmap_cvg *: //p' "$stats") of its branches"
    for file in "$out"/default/crashes/id* "$out"/default/hangs/id*; do
        [ -f "$file" ] || continue
        kept=$findings/$target-$(cksum <"$file" | cut -d ' ' -f 1)
        cp "$file" "$kept"
        echo "afl: FAILED: $target: $kept"
        failed=1
    done
done
exit $failed
