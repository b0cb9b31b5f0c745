#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the packages for npm: zoetrope-VERSION.tgz and zoetrope-linux-CPU-VERSION.tgz, without the network.
#   pack.sh OUT PROGRAM_X64 [PROGRAM_ARM64]
# The programs are static ones. Licences of what is linked in are taken from ../share/doc/zoetrope/licences of a program,
# where cmake/release.sh puts them. The same files and the same npm give the same bytes.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || {
    sed -n '3,6s/^# \{0,1\}//p' "$0"
    exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
version=$(sed -n 's/^#define ZT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$top/include/zoetrope/zoetrope.h" | paste -s -d .)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# pack FOLDER TEMPLATE [CPU]: a folder of $work as a package.
pack() {
    cp "$top/LICENSE" "$work/$1"
    sed "s/@VERSION@/$version/g; s/@CPU@/${3-}/g" "$2" >"$work/$1/package.json"
    (cd "$work/$1" && HOME=$work npm pack --offline --silent --cache "$work/cache" --pack-destination "$out")
}
# platform CPU PROGRAM
platform() {
    install -D -m 755 "$2" "$work/$1/bin/zoetrope"
    licences=$(dirname "$2")/../share/doc/zoetrope/licences
    [ ! -d "$licences" ] || cp -r "$licences" "$work/$1/licences"
    cp "$top/THIRD-PARTY.md" "$work/$1"
    echo "The program of the package \`zoetrope\` for Linux on $1: install that one." >"$work/$1/README.md"
    pack "$1" "$here/platform/package.json" "$1"
}
mkdir "$work/zoetrope"
cp -r "$here"/*.js "$here"/*.d.ts "$here/bin" "$work/zoetrope"
cp "$top/docs/npm.md" "$work/zoetrope/README.md"
pack zoetrope "$here/package.json"
platform x64 "$2"
[ $# -eq 2 ] || platform arm64 "$3"
