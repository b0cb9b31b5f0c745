#!/bin/sh
# SPDX-License-Identifier: MIT
# Proves that the goldens notice contraction: with kernels in which the compiler may fuse a multiply and
# an add, gcc's and clang's, the matrix must fail. It has nothing to prove on a machine without AVX2.
#   negative_control.sh [COMPILER...]: default gcc clang
# ZT_CONTROL_GOLDENS="walk ..." draws these alone.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- gcc clang
for compiler in "$@"; do
    case $compiler in
    gcc) preset=ci ;;
    clang) preset=clang ;;
    *)
        echo "negative_control.sh: no such compiler: $compiler"
        exit 2
        ;;
    esac
    cmake --preset $preset >/dev/null
    cmake --build --preset $preset --target matrix_contracted zoetrope -- --quiet
    if ! build/$preset/zoetrope --version | grep -E '^instruction sets: .*avx2' | grep -vq 'avx2 (not'; then
        echo "control: not run (this machine has no AVX2)"
        exit 0
    fi
    log=build/$preset/control.log status=0
    # shellcheck disable=SC2086
    build/$preset/tests/golden/matrix_contracted . --isas avx2 --threads 2 --orders forward \
        --schedules together ${ZT_CONTROL_GOLDENS:-} >"$log" 2>&1 || status=$?
    differ=$(grep -c "^matrix: avx2, .* the first that differs: " "$log") || true
    if [ $status -ne 1 ] || [ "$differ" -eq 0 ]; then
        tail -n 5 "$log"
        echo "control: FAILED: $compiler: exit status $status, and no golden notices"
        exit 1
    fi
    stages=$(sed -n 's/.* the first that differs: //p' "$log" | sort | uniq -c | tr -s ' \n' ' ')
    echo "control: $compiler: contraction changes $differ goldens; the first that differs:$stages"
done
