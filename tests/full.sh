#!/bin/sh
# Every check, in the order of how soon it tells something; stops at the first that fails.
#   gcc and clang, release; address and undefined-behaviour sanitizers; thread sanitizer (goldens at
#   -O2 among it); the goldens at -O0; NEON under qemu; a negative control; short fuzz runs.
# The end says which cells of the matrix of tests/golden/matrix.sh were run, and how long the parts
# took. ZT_FULL_ONLY="gcc tsan ..." runs only these parts; o2 (all goldens at -O2) runs only then.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc)
started=$(date +%s)
summary="" cells="" times="" part="" began=$started

# wanted PART TEXT: whether to run it; says how long the one before took.
wanted() {
    now=$(date +%s)
    [ -z "$part" ] || times="$times $part $((now - began)) s,"
    part="" began=$now
    [ -z "${ZT_FULL_ONLY:-}" ] || case " $ZT_FULL_ONLY " in *" $1 "*) ;; *) return 1 ;; esac
    part=$1
    echo "== $1: $2"
}

# build_and_test NAME PRESET TARGETS ctest-arguments...: builds what these tests run, and runs them.
build_and_test() {
    name=$1 preset=$2 targets=$3
    shift 3
    cmake --preset "$preset" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >/dev/null
    # shellcheck disable=SC2086
    cmake --build --preset "$preset" -j "$jobs" --target $targets -- --quiet
    log=build/$preset/ctest.log
    if ! ctest --test-dir "build/$preset" -j "$jobs" --no-tests=error --output-on-failure "$@" \
        >"$log" 2>&1; then
        # What the failed ones printed, then the list of them.
        awk '/ Test +#.*\*\*\*/ { shown = 1 } /^ +Start / { shown = 0 } shown' "$log" | tail -n 300
        sed -n '/tests passed/,$p' "$log"
        echo "FAILED: $name"
        exit 1
    fi
    grep -E 'tests passed|skipped' "$log" || true
    summary="$summary
$name: $(grep -E 'tests passed' "$log")"
    cells_of "$name" "build/$preset/Testing/Temporary/LastTest.log"
}

# cells_of NAME LOG: remembers the cells of the matrix that a log lists.
cells_of() {
    cells="$cells
$(sed -n "s/^\([a-z0-9]*, [0-9]* threads: .*\)/$1: \1/p; s/^matrix: \(.* cells run.*\)/$1: \1/p
        s/^\([a-z0-9]* in C, [0-9]* threads: .*\)/$1: \1/p; s/^\([a-z0-9]*: not run.*\)/$1: \1/p
        s/^\([a-z0-9]* in C: not run.*\)/$1: \1/p" "$2" | LC_ALL=C sort -u)"
}

wanted gcc "gcc, release, all tests" && build_and_test gcc ci all
# Lints of the sources need no second run; those of the objects do. Each golden by itself, through the
# program, neither: the matrix has them all.
wanted clang "clang, release, all tests" && build_and_test clang clang all \
    -E 'lint_(includes|file_size|words|format|docs|self_test)|^golden[.]'
wanted asan "address and undefined-behaviour sanitizers" &&
    build_and_test asan asan all -LE 'lint|api' -E '^golden[.]'
wanted tsan "thread sanitizer" &&
    build_and_test tsan tsan "matrix jobs_stress zoetrope" -R 'golden_matrix$|jobs_stress|cli_open'
kernels=$(sed -n 's/^zt_unit_test(\(kernels_[a-z_]*\).*/\1/p' tests/kernels/CMakeLists.txt)
wanted debug "goldens at -O0" &&
    build_and_test debug debug "matrix $(echo $kernels)" -R 'golden_matrix|kernels' -E in_c
if [ -n "${ZT_FULL_ONLY:-}" ] && wanted o2 "goldens at -O2"; then
    ZT_MATRIX_THREADS=7 ZT_MATRIX_ORDERS=shuffle:1 sh tests/golden/matrix.sh gcc-O2
    cells_of o2 build/gcc-O2/matrix.log
fi
wanted neon "aarch64 under qemu" && {
    sh tests/neon/run_neon.sh
    cells_of neon build/neon/Testing/Temporary/LastTest.log
    summary="$summary
neon: goldens agree under qemu-aarch64"
}
wanted control "a build with contraction must be caught" && {
    sh tests/golden/negative_control.sh gcc
    summary="$summary
control: contraction was caught"
}
wanted fuzz "short fuzz runs" && {
    sh tests/fuzz/run_fuzz.sh "${ZT_FUZZ_SECONDS:-5}"
    summary="$summary
fuzz: no finding"
}

echo "cells of the matrix (threads x {one frame, one frame per thread} x orders of jobs):$cells"
echo "$summary"
[ -z "$part" ] || times="$times $part $(($(date +%s) - began)) s,"
echo "time:${times%,}"
part=""
echo "all parts passed in $(($(date +%s) - started)) s"
# The totals of the first part, last: what a reader of the log looks for.
! wanted gcc "totals" || sed -n '/tests passed/,$p' build/ci/ctest.log
