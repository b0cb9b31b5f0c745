#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into an empty prefix, moves it, checks that all parts are there and of one version, and
# builds a foreign project against it, by CMake package and by pkg-config; all must render the same
# picture.
#   consumer.sh BUILD_DIR SOURCE_DIR LIBDIR CC
set -eu
build=$1 source=$2 libdir=$3 cc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
model=$source/tests/cli/models/triangle.gltf
example=$source/docs/examples/embed.c

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved"
prefix=$work/moved
LD_LIBRARY_PATH=$prefix/$libdir
PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH

header=$prefix/include/zoetrope/zoetrope.h
version=$(sed -n 's/^#define ZT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$header" | paste -s -d .)
for file in bin/zoetrope include/zoetrope/zoetrope.h "$libdir/libzoetrope.a" "$libdir/libzoetrope.so" \
    "$libdir/libzoetrope.so.${version%.*}" "$libdir/libzoetrope.so.$version" \
    "$libdir/pkgconfig/zoetrope.pc" "$libdir/cmake/Zoetrope/ZoetropeConfig.cmake" \
    share/doc/zoetrope/LICENSE share/doc/zoetrope/THIRD-PARTY.md share/doc/zoetrope/README.md share/doc/zoetrope/CHANGELOG.md \
    share/doc/zoetrope/docs/performance.md share/man/man1/zoetrope.1 share/man/man1/zoetrope-render.1 \
    share/bash-completion/completions/zoetrope share/zsh/site-functions/_zoetrope \
    share/fish/vendor_completions.d/zoetrope.fish; do
    [ -s "$prefix/$file" ] || {
        echo "consumer: $file is not installed"
        exit 1
    }
done
# same WHAT FOUND: the version that a part states is the header's.
same() {
    [ "$2" = "$version" ] || {
        echo "consumer: version $2 in $1, $version in the header"
        exit 1
    }
}
same zoetrope.pc "$(pkg-config --modversion zoetrope)"
# The program adds the commit in brackets when it was built from a checkout.
stated=$("$prefix/bin/zoetrope" --version | sed -n '1s/^zoetrope //p')
case $stated in
"$version" | "$version-dev" | "$version (g"*")" | "$version-dev (g"*")") ;;
*) same "the program" "$stated" ;;
esac

cmake -S "$source/tests/api/consumer" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DVERSION="$version" -DEXAMPLE="$example" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
cmake --build "$work/build" >"$work/build.log"
make -s -C "$source/tests/api/consumer" CC="$cc" OUT="$work" EXAMPLE="$example"

"$work/build/consumer_shared" "$model" "$work/shared.png"
"$work/build/consumer_static" "$model" "$work/static.png"
"$work/consumer_pc" "$model" "$work/pc.png"
LD_LIBRARY_PATH='' "$work/consumer_pc_static" "$model" "$work/pc_static.png"
"$prefix/bin/zoetrope" compare "$work/shared.png" "$work/static.png"
"$prefix/bin/zoetrope" compare "$work/shared.png" "$work/pc.png"
"$prefix/bin/zoetrope" compare "$work/shared.png" "$work/pc_static.png"
echo "consumer: $stated"
