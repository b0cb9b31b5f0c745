#!/bin/sh
# Every check, in the order of how soon it tells something; stops at the first that fails.
#   gcc and clang, release; address and undefined-behaviour sanitizers; thread sanitizer; the goldens
#   at -O0; NEON under qemu; a negative control; short fuzz runs.
# ZT_FULL_ONLY="gcc tsan ..." runs only these parts.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc)
started=$(date +%s)
summary=""

wanted() {
    [ -z "${ZT_FULL_ONLY:-}" ] || case " $ZT_FULL_ONLY " in *" $1 "*) ;; *) return 1 ;; esac
    echo "== $1: $2"
}

# build_and_test NAME PRESET ctest-arguments...
build_and_test() {
    name=$1 preset=$2
    shift 2
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -j "$jobs" -- --quiet
    log=build/$preset/ctest.log
    if ! ctest --test-dir "build/$preset" -j "$jobs" --no-tests=error --output-on-failure "$@" \
        >"$log" 2>&1; then
        tail -n 200 "$log"
        echo "FAILED: $name"
        exit 1
    fi
    grep -E 'tests passed|skipped' "$log" || true
    summary="$summary
$name: $(grep -E 'tests passed' "$log")"
}

wanted gcc "gcc, release, all tests" && build_and_test gcc ci
wanted clang "clang, release, all tests but lint" && build_and_test clang ci-clang -LE lint
# One thread count is enough under sanitizers, and one instruction set for threads.
export ZT_GOLDEN_THREADS=2
wanted asan "address and undefined-behaviour sanitizers" && build_and_test asan ci-asan -LE 'lint|api'
export ZT_GOLDEN_THREADS=7
wanted tsan "thread sanitizer" && ZT_GOLDEN_ISAS=avx2 build_and_test tsan ci-tsan -L 'golden|unit' \
    -R 'golden|jobs_stress'
unset ZT_GOLDEN_THREADS
wanted debug "goldens at -O0" && ZT_GOLDEN_THREADS=2 build_and_test debug ci-debug -L 'golden|kernels'
wanted neon "aarch64 under qemu" && {
    sh tests/neon/run_neon.sh
    summary="$summary
neon: goldens agree under qemu-aarch64"
}
wanted control "a build with contraction must be caught" && {
    sh tests/golden/negative_control.sh
    summary="$summary
control: contraction was caught"
}
wanted fuzz "short fuzz runs" && {
    sh tests/fuzz/run_fuzz.sh "${ZT_FUZZ_SECONDS:-20}"
    summary="$summary
fuzz: no finding"
}

echo "$summary"
echo "all parts passed in $(($(date +%s) - started)) s"
# The totals of the first part, last: what a reader of the log looks for.
! wanted gcc "totals" || sed -n '/tests passed/,$p' build/ci/ctest.log
