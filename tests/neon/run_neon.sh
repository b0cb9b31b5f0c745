#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds for arm64 and runs the kernel tests and a share of the goldens under an emulator: NEON must give
# the same bits. The packages to build against go to build/neon-sysroot, the build to build/neon.
# --build-only stops before the tests.
set -eu
cd "$(dirname "$0")/../.."
ZT_SYSROOT=$PWD/build/neon-sysroot
export ZT_SYSROOT
[ -d "$ZT_SYSROOT" ] || sh cmake/arm64_sysroot.sh "$ZT_SYSROOT"

# The studio's light is made by a program of this machine where there is one: an emulator takes 20 s.
# tests/golden/matrix.sh makes it under the emulator.
tools=""
if [ -f build/ci/CMakeCache.txt ]; then
    cmake --build --preset ci --target zt_make_studio -- --quiet
    tools=$PWD/build/ci
fi
cmake --no-warn-unused-cli --preset ci -B build/neon -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/arm64.cmake" \
    -DZT_HOST_TOOLS="$tools" -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DZT_KERNEL_LEVEL=-O3 -DZT_SCALAR_LEVEL=-O1 \
    -DZT_BUILD_GENERATORS=OFF -DZT_BUILD_BENCH=OFF -DZT_ASSERTS=OFF -DZT_DRACO=OFF -DZT_OPENEXR=OFF -DZT_GIF=OFF >/dev/null
cmake --build build/neon -- --quiet
[ "${1:-}" != --build-only ] || exit 0

ZT_GOLDEN_RUNNER="qemu-aarch64 -L $ZT_SYSROOT"
export ZT_GOLDEN_RUNNER
log=build/neon/ctest.log
ctest --test-dir build/neon -j 2 --no-tests=error --output-on-failure >"$log" 2>&1 || {
    tail -n 200 "$log"
    exit 1
}
grep 'tests passed' "$log"
