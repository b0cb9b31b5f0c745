#!/bin/sh
# Zoetrope from nothing on Debian 12:
#   ./setup.sh demo          installs what is missing, builds, renders the demo scene to out/
#   ./setup.sh test          installs, builds, runs all tests (gcc, release)
#   ./setup.sh test --full   the same for every compiler, sanitizer and instruction set: what CI runs
#   ./setup.sh install       only installs the packages that building needs
set -eu
cd "$(dirname "$0")"

build_packages="gcc g++ libc6-dev cmake ninja-build pkg-config libpng-dev libcglm-dev libcriterion-dev \
libyaml-dev libjansson-dev libturbojpeg0-dev libdeflate-dev libwebp-dev libzstd-dev \
libdraco-dev libmeshoptimizer-dev"
test_packages="make binutils clang-format"
full_packages="clang llvm libclang-rt-14-dev qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"

need() {
    missing=""
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    echo "installing:$missing"
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    # shellcheck disable=SC2086
    $as_root apt-get update -qq
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        $missing >/dev/null
}

# shellcheck disable=SC2086
case "${1:-}" in
install)
    need $build_packages
    ;;
demo)
    need $build_packages
    cmake --preset release >/dev/null
    cmake --build --preset release --target zoetrope
    build/release/zoetrope render scenes/walk.yaml -o out/walk-####.png
    echo "Look at out/walk-0000.png and the frames after it."
    ;;
test)
    need $build_packages $test_packages
    if [ "${2:-}" = --full ]; then
        need $full_packages
        exec sh tests/full.sh
    fi
    cmake --preset ci >/dev/null
    cmake --build --preset ci
    ctest --preset ci
    ;;
*)
    sed -n '2,6s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
