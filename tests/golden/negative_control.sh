#!/bin/sh
# SPDX-License-Identifier: MIT
# Proves that the goldens notice contraction: in builds where the compiler may fuse a multiply and an
# add, gcc's and clang's, the matrix must fail for every instruction set that can fuse. It has nothing
# to prove on a machine that has none. -fexpensive-optimizations lets gcc fuse at -O1, which compiles sooner.
#   negative_control.sh [COMPILER...]: default gcc clang
# ZT_CONTROL_GOLDENS="walk ..." draws these alone.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- gcc clang
for compiler in "$@"; do
    case $compiler in
    gcc) dir=build/contracted compilers="" ;;
    clang) dir=build/contracted-clang compilers="-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++" ;;
    *)
        echo "negative_control.sh: no such compiler: $compiler"
        exit 2
        ;;
    esac
    # shellcheck disable=SC2086
    cmake --preset contracted -B $dir $compilers >/dev/null
    cmake --build $dir --target matrix zoetrope -- --quiet
    here=$($dir/zoetrope --version | sed -n 's/ [a-z0-9]* (not on this machine)//g; s/^instruction sets: //p')
    for isa in avx2 avx512; do
        case " $here " in
        *" $isa "*) ;;
        *)
            echo "control: $isa: not run (not on this machine)"
            continue
            ;;
        esac
        log=$dir/control-$isa.log status=0
        $dir/tests/golden/matrix . --isas $isa --threads 2 --orders forward \
            --schedules together ${ZT_CONTROL_GOLDENS:-} >"$log" 2>&1 || status=$?
        differ=$(grep -c "^matrix: $isa, .* the first that differs: " "$log") || true
        if [ $status -ne 1 ] || [ "$differ" -eq 0 ]; then
            tail -n 5 "$log"
            echo "control: FAILED: $compiler, $isa: exit status $status, and no golden notices"
            exit 1
        fi
        stages=$(sed -n 's/.* the first that differs: //p' "$log" | sort | uniq -c | tr -s ' \n' ' ')
        echo "control: $compiler, $isa: contraction changes $differ goldens; the first that differs:$stages"
    done
done
