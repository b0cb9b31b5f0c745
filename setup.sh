#!/bin/sh
# Zoetrope from nothing on Debian 12:
#   ./setup.sh demo          installs what is missing, builds, renders the demo scene to out/: three minutes
#   ./setup.sh test          installs, builds, runs all tests (gcc, release): eleven minutes
#   ./setup.sh test --full   the same for every compiler, sanitizer and instruction set: what CI runs
#   ./setup.sh install       only installs the packages that building needs
set -eu
cd "$(dirname "$0")"

build_packages="gcc g++ libc6-dev cmake make ninja-build pkg-config libpng-dev libcglm-dev libyaml-dev \
libjpeg62-turbo-dev libdeflate-dev libwebp-dev libzstd-dev libdraco-dev \
libmeshoptimizer-dev libopenexr-dev libgif-dev"
test_packages="libcriterion-dev libturbojpeg0-dev libjansson-dev binutils clang-format python3"
node_packages="nodejs npm jest"
full_packages="clang llvm libclang-rt-14-dev qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross bubblewrap \
python3-venv python3-setuptools python3-wheel python3-numpy python3-pil python3-pytest"
# Who has Node from elsewhere cannot have Debian's npm as well.
! command -v npm >/dev/null || node_packages=

began=$(date +%s)
say() { echo "setup: $*"; }
# took WHAT: it is done, with the time since the start.
took() {
    seconds=$(($(date +%s) - began))
    say "  $1 after $((seconds / 60)) min $((seconds % 60)) s"
}

# show_progress: turns what apt-get prints into a line every now and then.
show_progress() {
    awk '
        / newly installed, / { total = $3; print "setup:   " total " packages with all that they need" }
        /^Need to get / { print "setup:   downloading " $4 " " $5 }
        /^Fetched / { print "setup:   downloaded; unpacking" }
        /^Unpacking / && ++unpacked % 25 == 0 { print "setup:   unpacked " unpacked " of " total }
        /^Setting up / && ++ready % 25 == 0 { print "setup:   ready " ready " of " total }
        { fflush() }'
}

# build ARGUMENT...: cmake --build, with a line for each tenth of its steps, and all else that it says.
build() {
    { cmake --build "$@" 2>&1 || echo "build failed"; } | {
        shown=0
        while IFS= read -r line; do
            case $line in
            "build failed") exit 1 ;;
            "["[0-9]*/[0-9]*"] "*)
                step=${line#[}
                total=${step#*/}
                step=${step%%/*} total=${total%%]*}
                [ $((10 * step / total)) -gt "$shown" ] || continue
                shown=$((10 * step / total))
                say "  built $step of $total files" ;;
            *) printf '%s\n' "$line" ;;
            esac
        done
    }
    took built
}

# need PACKAGE...: installs those that are missing.
need() {
    command -v dpkg-query >/dev/null || {
        say "this is no Debian: install what corresponds to these packages yourself, then run cmake:"
        say "$*"
        exit 1
    }
    missing=""
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    say "installing Debian packages:$missing"
    say "  reading the lists of packages"
    $as_root apt-get update -qq
    log=$(mktemp)
    # shellcheck disable=SC2086
    {
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
            $missing 2>&1 || echo "apt-get failed"
    } | tee "$log" | show_progress
    if [ "$(tail -n 1 "$log")" = "apt-get failed" ]; then
        tail -n 20 "$log"
        say "apt-get could not install the packages: see above; all that it said is in $log"
        exit 1
    fi
    rm -f "$log"
    took installed
}

# shellcheck disable=SC2086
case "${1:-}" in
install)
    need $build_packages
    say "all packages that building needs are there. Next:"
    say "  cmake -B build && cmake --build build    the program is build/zoetrope"
    say "  ./setup.sh demo                          builds, and renders a short film"
    ;;
demo)
    say "about three minutes on two cores of 2021, if no package is there: most of them to build"
    need $build_packages
    say "building build/release/zoetrope"
    cmake --preset release >/dev/null
    build --preset release --target zoetrope
    say "rendering scenes/walk.yaml"
    build/release/zoetrope render scenes/walk.yaml -o out/walk-####.png
    took rendered
    say "Look at out/walk-0000.png and the frames after it. Next:"
    say "  build/release/zoetrope turntable scenes/models/walker.glb -o out/turn-####.png"
    say "  build/release/zoetrope --help            all commands"
    say "  cmake --build --preset release && cmake --install build/release    installs it"
    say "  ./setup.sh test                          builds and runs the tests"
    ;;
test)
    [ "${2:-}" = --full ] || say "about eleven minutes on two cores of 2021, if no package is there"
    need $build_packages $test_packages
    if [ "${2:-}" = --full ]; then
        need $full_packages $node_packages
        exec sh tests/full.sh
    fi
    say "building the release build and its tests"
    cmake --preset ci >/dev/null
    build --preset ci
    say "running the tests"
    ctest --preset ci
    took tested
    say "Next:"
    say "  ctest --preset ci -R unit_scene          runs one test again"
    say "  ./setup.sh test --full                   every compiler, sanitizer and instruction set"
    ;;
*)
    sed -n '2,6s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
