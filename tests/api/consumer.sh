#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into an empty prefix, moves it, and builds a foreign project against it, by CMake package
# and by pkg-config; all must render the same picture.
#   consumer.sh BUILD_DIR SOURCE_DIR LIBDIR CC
set -eu
build=$1 source=$2 libdir=$3 cc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
model=$source/tests/cli/models/triangle.gltf

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved"
prefix=$work/moved
LD_LIBRARY_PATH=$prefix/$libdir
PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH

cmake -S "$source/tests/api/consumer" -B "$work/build" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
cmake --build "$work/build" >"$work/build.log"
make -s -C "$source/tests/api/consumer" CC="$cc" OUT="$work"

"$work/build/consumer_shared" "$model" "$work/shared.png"
"$work/build/consumer_static" "$model" "$work/static.png"
"$work/consumer_pc" "$model" "$work/pc.png"
"$prefix/bin/zoetrope" compare "$work/shared.png" "$work/static.png"
"$prefix/bin/zoetrope" compare "$work/shared.png" "$work/pc.png"
"$prefix/bin/zoetrope" --version
