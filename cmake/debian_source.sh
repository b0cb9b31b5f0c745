#!/bin/sh
# SPDX-License-Identifier: MIT
# Downloads the archives of a Debian source package from where this system takes its packages.
#   usage: debian_source.sh PACKAGE FOLDER
set -eu
package=$1
cd "$2"
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
mkdir -p "$lists/sources" "$lists/state/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    sed 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$file" >"$lists/sources/$(basename "$file")"
done
mv "$lists/sources/sources.list" "$lists/sources/main.list" 2>/dev/null || true
set -- -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$lists/sources" -o Dir::State::lists="$lists/state"
apt-get "$@" update
apt-get "$@" source --download-only "$package"
