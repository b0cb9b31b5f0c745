#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes all files of a release from the commit that is checked out:
#   cmake/release.sh OUT
#     zoetrope-VERSION.tar.gz                        the source
#     zoetrope-VERSION-linux-MACHINE.tar.gz          the static program, man pages, completions, licences: for x86-64,
#                                                    and arm64, which runs once under qemu-user
#     zoetrope_VERSION_ARCH.deb, libzoetrope*.deb, zoetrope-doc_VERSION_all.deb
#     *.tgz, *.whl                                   that program for npm and pip (src/bindings)
#     SHA256SUMS
# On Debian 12 for x86-64 with the packages of ./setup.sh install, and dpkg-dev, file, gzip, g++-aarch64-linux-gnu,
# qemu-user, npm, python3-setuptools and python3-wheel; the static programs also need the network. Times in the files
# are that of the commit: another run on the same system gives the same bytes.
set -eu
[ $# -eq 1 ] || {
    sed -n '3,13s/^# \{0,1\}//p' "$0"
    exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
say() { echo "release: $*"; }

[ -z "$(git status --porcelain)" ] || {
    say "files differ from the commit (expected a clean checkout)"
    exit 1
}
[ -z "$(ls -A "$out")" ] || {
    say "$out is not empty (expected a new folder)"
    exit 1
}
version=$(sed -n 's/^#define ZT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/zoetrope/zoetrope.h | paste -s -d .)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
LC_ALL=C TZ=UTC
export SOURCE_DATE_EPOCH LC_ALL TZ
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build FOLDER TARGET ARGUMENT...: configures with these arguments, and builds.
build() {
    folder=$1 target=$2
    shift 2
    if ! { cmake -B "$folder" "$@" && cmake --build "$folder" --target "$target"; } >"$work/log" 2>&1; then
        tail -n 20 "$work/log"
        exit 1
    fi
}

# pack FOLDER: a folder of $work as an archive that depends on its files only.
pack() {
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$1" |
        gzip -9n >"$out/$1.tar.gz"
    say "$1.tar.gz"
}

git archive --prefix="zoetrope-$version/" HEAD | gzip -9n >"$out/zoetrope-$version.tar.gz"
say "zoetrope-$version.tar.gz"
# The builds see the commit, and nothing that is not in it.
git -c advice.detachedHead=false clone -q --no-hardlinks . "$work/source"
cd "$work/source"

say "building the packages"
build build/package package --preset package
cp build/package/*.deb "$out"
(cd "$out" && ls ./*.deb) | sed 's|^\./|release: |'

# static MACHINE RUNNER ARGUMENT...: the static program for MACHINE, which RUNNER runs; its pixels are checked.
walk=$(awk '$1 == "walk" { print $5 }' golden/manifest.txt)
static() {
    say "building the static program for $1"
    name=zoetrope-$version-linux-$1 runner=$2 built=build/static-$1
    shift 2
    build "$built" all --preset static "$@"
    for component in program licences; do
        cmake --install "$built" --strip --prefix "$work/$name" --component $component >"$work/log"
    done
    # What is linked in, by the package that it came from; the texts that these name are in common-licenses.
    licences=$work/$name/share/doc/zoetrope/licences
    mkdir -p "$licences"
    for package in libc6-dev libstdc++-12-dev libpng-dev zlib1g-dev libdeflate-dev libzstd-dev libjpeg62-turbo-dev \
        libwebp-dev libyaml-dev libmeshoptimizer-dev libdraco-dev libcglm-dev; do
        cp -L "/usr/share/doc/$package/copyright" "$licences/$package.txt"
    done
    for text in Apache-2.0 GPL-3 LGPL-2.1; do
        cp -L "/usr/share/common-licenses/$text" "$licences/$text.txt"
    done
    $runner "$work/$name/bin/zoetrope" --version | sed 's/^/release:   /'
    $runner "$work/$name/bin/zoetrope" render scenes/tests/explorer.yaml --frames 8 -q --verify "$walk"
    size=$(wc -c <"$work/$name/bin/zoetrope")
    [ "$size" -le $((10 << 20)) ] || {
        say "the static program has $size bytes (expected at most 10 MiB)"
        exit 1
    }
    pack "$name"
}
static x86_64 ""
x64=$work/$name/bin/zoetrope
say "unpacking Debian's libraries for arm64"
ZT_SYSROOT=$work/sysroot
export ZT_SYSROOT
sh cmake/arm64_sysroot.sh "$ZT_SYSROOT" >"$work/log"
static aarch64 qemu-aarch64 --toolchain cmake/arm64.cmake -DZT_HOST_TOOLS="$PWD/build/static-x86_64"
arm64=$work/$name/bin/zoetrope

sh src/bindings/npm/pack.sh "$out" "$x64" "$arm64"
sh src/bindings/python/wheel.sh "$out" "$x64" x86_64
sh src/bindings/python/wheel.sh "$out" "$arm64" aarch64

(cd "$out" && sha256sum -- * >SHA256SUMS)
say "done: $out/SHA256SUMS"
