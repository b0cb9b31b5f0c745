#!/bin/sh
# SPDX-License-Identifier: MIT
# Proves that the goldens notice contraction: in a build where the compiler may fuse a multiply and
# an add, at least one of them must fail. It has nothing to prove on a machine without AVX2.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset contracted >/dev/null
cmake --build --preset contracted --target zoetrope -- --quiet
zoetrope=build/contracted/zoetrope
case " $("$zoetrope" --version | sed -n 's/ [a-z0-9]* (not on this machine)//g; s/^instruction sets: //p') " in
*" avx2 "*) ;;
*)
    echo "control: skipped: this machine has no AVX2"
    exit 0
    ;;
esac

source_dir=$PWD
. tests/golden/manifest.sh
caught="" kept=0
for name in $(sed -n 's/^\([a-z][a-z0-9_]*\)  .*/\1/p' golden/manifest.txt); do
    golden_line "$name"
    status=0
    # shellcheck disable=SC2086
    "$zoetrope" render "$scene" $arguments -q --isa avx2 --threads 2 --verify "$hash" \
        >/dev/null 2>&1 || status=$?
    case $status in
    0) kept=$((kept + 1)) ;;
    1) caught="$caught $name" ;;
    *)
        echo "control: $name: exit status $status, where 0 or 1 (another hash) was expected"
        exit 1
        ;;
    esac
done
if [ -z "$caught" ]; then
    echo "control: FAILED: $kept goldens, and none notices contraction"
    exit 1
fi
echo "control: contraction changes$caught ($kept others do not)"
