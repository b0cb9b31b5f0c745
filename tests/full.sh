#!/bin/sh
# SPDX-License-Identifier: MIT
# What CI runs, in the order of how soon a part finds something; stops at the first that fails.
#   gcc      release build: all tests
#   clang    release build: goldens, some kernels, public API
#   asan     clang with AddressSanitizer and UndefinedBehaviorSanitizer, -O1: unit tests, a
#            sixth of the goldens, command line, mutated files
#   fuzz     libFuzzer targets of the same build, some seconds each (ZT_FUZZ_SECONDS)
#   tsan     gcc with ThreadSanitizer, -O1: goldens, jobs, streams
#   neon     arm64 under qemu: kernels, a share of the goldens
#   control  kernels with fused multiply-add, which some of the goldens must notice
# ZT_FULL_ONLY="gcc tsan ..." runs only these parts. tests/golden/matrix.sh, by hand, runs every golden
# in every cell, at -O0 and -O2 too. build_parts.sh builds the next part while one is tested. The end names the
# cells of the matrix that ran here, and the time of each part by the clock and of the processors.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc)
parts=${ZT_FULL_ONLY:-gcc clang asan fuzz tsan neon control}
scratch=$(mktemp -d)
# Not a child of this shell, which counts the time of its children as that of tests.
# shellcheck disable=SC2086
builder=$(
    setsid nice -n 15 sh tests/build_parts.sh "$scratch" $parts >/dev/null 2>&1 &
    echo $!
)
trap 'kill -- -$builder 2>/dev/null || true; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
started=$(date +%s)
summary="" cells="" times="" part=""

# cpu_seconds: sets $cpu to the processor time of all children so far.
cpu_seconds() {
    times >"$scratch/times" # a pipe would ask a shell of its own
    cpu=$(tr 'ms' '  ' <"$scratch/times" | awk 'END { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }')
}

# finish: notes the times of the part that ran.
finish() {
    [ -n "$part" ] || return 0
    cpu_seconds
    times="$times
$(printf '%-8s built in %3d s of processors, tested in %3d s of processors, %3d s by the clock' "$part" \
        "$(cat "$scratch/$part.seconds")" $((cpu - cpu_began)) $(($(date +%s) - began)))"
    part=""
}

# await PART: waits until it is built.
await() {
    while [ ! -e "$scratch/$1.built" ]; do
        running=yes
        kill -0 $builder 2>/dev/null || running=no
        [ ! -e "$scratch/$1.built" ] || break
        if [ -e "$scratch/$1.failed" ] || [ $running = no ]; then
            cat "$scratch/$1.log"
            echo "FAILED: $1: the build"
            exit 1
        fi
        sleep 0.2
    done
    cat "$scratch/$1.log"
}

# wanted PART TEXT: whether to run it, when it is built.
wanted() {
    finish
    case " $parts " in *" $1 "*) ;; *) return 1 ;; esac
    echo "== $1: $2"
    await "$1"
    part=$1 began=$(date +%s)
    cpu_seconds
    cpu_began=$cpu
}

# run_tests PRESET ctest-arguments...
run_tests() {
    preset=$1 log=build/$1/ctest.log
    shift
    if ! ctest --test-dir "build/$preset" -j "$jobs" --no-tests=error --output-on-failure "$@" \
        >"$log" 2>&1; then
        # What the failed ones printed, then the list of them.
        awk '/ Test +#.*\*\*\*/ { shown = 1 } /^ +Start / { shown = 0 } shown' "$log" | tail -n 300
        sed -n '/tests passed/,$p' "$log"
        echo "FAILED: $part"
        exit 1
    fi
    grep -E 'tests passed|skipped' "$log" || true
    summary="$summary
$part: $(grep -E 'tests passed' "$log")"
    cells_of "build/$preset/Testing/Temporary/LastTest.log"
}

# cells_of LOG: remembers the cells of the matrix that a log lists.
cells_of() {
    cells="$cells
$(sed -n "s/^\([a-z0-9]*, [0-9]* threads: .*\)/$part: \1/p; s/^matrix: \(.* cells run.*\)/$part: \1/p
        s/^\([a-z0-9]* in C, [0-9]* threads: .*\)/$part: \1/p; s/^\([a-z0-9]*: not run.*\)/$part: \1/p
        s/^\([a-z0-9]* in C: not run.*\)/$part: \1/p" "$1" | LC_ALL=C sort -u)"
}

if wanted gcc "gcc, release: all tests"; then
    run_tests ci
fi
if wanted clang "clang, release: goldens, some kernels, public API"; then
    run_tests clang -R 'golden|kernels_(bit_exact|shade)$|api|lint' \
        -E 'generated|lint_(includes|file_size|words|banned_words|format|docs.*|self_test)$'
fi
if wanted asan "clang, address and undefined-behaviour sanitizers: all but lints"; then
    # Slow, and in other parts, or other tests run the same code.
    run_tests fuzz -LE 'lint|api|docs' \
        -E "cli_(flags|interrupt|progress|bake|convert_real|manual|usage)|jobs_stress|generated|kernels_light|\
unit_(bench_scenes|turntable|ik|shadow|springs|unlit)\$"
fi
if wanted fuzz "libFuzzer, seconds for each target"; then
    sh tests/fuzz/run_fuzz.sh "${ZT_FUZZ_SECONDS:-2}"
    summary="$summary
fuzz: no finding"
fi
if wanted tsan "gcc, thread sanitizer: goldens, jobs, streams"; then
    run_tests tsan -R 'golden_matrix$|jobs_stress'
fi
if wanted neon "arm64 under qemu: kernels, a share of the goldens"; then
    sh tests/neon/run_neon.sh
    cells_of build/neon/Testing/Temporary/LastTest.log
    summary="$summary
neon: goldens agree under qemu-aarch64"
fi
if wanted control "kernels with contraction must be caught"; then
    ZT_CONTROL_GOLDENS="walk materials glass point_light lobes_around shadow_soft occlusion transmission" \
        sh tests/golden/negative_control.sh gcc
    summary="$summary
control: contraction was caught"
fi
finish

echo "cells of the matrix (threads x {one frame, one frame per thread} x orders of jobs):$cells"
echo "$summary"
echo "times:$times"
echo "all parts passed in $(($(date +%s) - started)) s"
# Last, the totals of the first part: readers of the log look for them there.
[ ! -f build/ci/ctest.log ] || sed -n '/tests passed/,$p' build/ci/ctest.log
