#!/bin/sh
# SPDX-License-Identifier: MIT
# matrix.sh [BUILD...]: every golden in every cell of
#   {scalar, sse2, avx2, avx512, neon under qemu-aarch64} x {gcc, clang} x {-O0 scalar, -O2, -O3}
#   x threads {1, 2, 7, 16} x {one frame over all threads, one frame per thread}
#   x order of jobs {forward, reverse, shuffled by seed},
# and says which cells ran and how many agreed; where one does not, which stage differs first.
# BUILD: gcc-O3 gcc-O2 gcc-O0 clang-O3 clang-O2 clang-O0, and the same after "neon-"; default all.
set -eu
cd "$(dirname "$0")/../.."
started=$(date +%s)
builds=${*:-gcc-O3 gcc-O2 gcc-O0 clang-O3 clang-O2 clang-O0 neon-gcc-O3 neon-gcc-O2 neon-gcc-O0 \
neon-clang-O3 neon-clang-O2 neon-clang-O0}
ZT_SYSROOT=$PWD/build/neon-sysroot
export ZT_SYSROOT
mkdir -p build
result=build/matrix.txt
: >"$result"

# configure NAME: configures the build and sets $dir. The builds that full.sh makes are shared.
configure() {
    case $1 in
    *-O3) type=Release ;;
    *-O2) type=RelWithDebInfo ;;
    *-O0) type=Debug ;;
    esac
    case $1 in
    gcc-O3) dir=build/ci && cmake --preset ci >/dev/null ;;
    gcc-O0) dir=build/debug && cmake --preset debug >/dev/null ;;
    gcc-O2) dir=build/$1 && cmake --preset ci -B "$dir" -DCMAKE_BUILD_TYPE=$type >/dev/null ;;
    clang-O3) dir=build/clang && cmake --preset clang >/dev/null ;;
    clang-O[02]) dir=build/$1 && cmake --preset clang -B "$dir" -DCMAKE_BUILD_TYPE=$type >/dev/null ;;
    neon-gcc-O[023] | neon-clang-O[023])
        [ -d "$ZT_SYSROOT" ] || sh cmake/arm64_sysroot.sh "$ZT_SYSROOT"
        dir=build/$1 clang=OFF
        case $1 in *clang*) clang=ON ;; esac
        cmake --no-warn-unused-cli --preset ci -B "$dir" -DZT_CROSS_CLANG=$clang \
            -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/arm64.cmake" -DCMAKE_BUILD_TYPE=$type \
            -DZT_BUILD_GENERATORS=OFF -DZT_ASSERTS=OFF -DZT_DRACO=OFF -DZT_OPENEXR=OFF -DZT_GIF=OFF >/dev/null
        ;;
    *)
        echo "matrix.sh: no such build: $1"
        exit 2
        ;;
    esac
}

status=0
for build in $builds; do
    configure "$build"
    cmake --build "$dir" --target matrix -- --quiet
    isas=scalar,sse2,avx2,avx512,neon
    case $build in *O0) isas=scalar ;; esac
    runner=
    case $build in neon-*) runner="qemu-aarch64 -L $ZT_SYSROOT" ;; esac
    echo "== $build"
    # shellcheck disable=SC2086
    $runner "$dir/tests/golden/matrix" . --isas $isas --threads "${ZT_MATRIX_THREADS:-1,2,7,16}" \
        --orders "${ZT_MATRIX_ORDERS:-forward,reverse,shuffle:1}" >"$dir/matrix.log" || status=1
    cat "$dir/matrix.log"
    sed -n "s/^matrix: /$build: /p; s/^\([a-z0-9]*: not run\)/$build, \1/p" "$dir/matrix.log" >>"$result"
done
echo "== all cells, $(($(date +%s) - started)) s"
cat "$result"
[ $status -eq 0 ] && echo "matrix: all cells agree" || echo "matrix: FAILED"
exit $status
