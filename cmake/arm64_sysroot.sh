#!/bin/sh
# SPDX-License-Identifier: MIT
# arm64_sysroot.sh DIR: fills DIR with what a cross build for arm64 Linux needs, from Debian's packages.
# They are downloaded and unpacked; nothing is installed, and apt's own lists and settings are not
# touched, so it needs no root.
set -eu
[ $# -eq 1 ] || {
    echo "usage: arm64_sysroot.sh DIR"
    exit 2
}
packages="libc6-dev libpng-dev libcglm-dev libyaml-dev libjpeg62-turbo-dev libturbojpeg0-dev libdeflate-dev libwebp-dev \
libmeshoptimizer-dev libzstd-dev libdraco-dev libgif-dev"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # apt may download as another user
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/log" "$work/root/usr"
: >"$work/status" # no package is there: apt takes all that the wanted ones depend on

# An apt for arm64 with folders of its own; mirrors, keys and proxies are this machine's.
apt_arm64() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
        -o Dir::State="$work" -o Dir::State::status="$work/status" \
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work" \
        -o Dir::Cache::archives="$work/archives" -o Dir::Log="$work/log" \
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o Debug::NoLocking=true "$@"
}
apt_arm64 update
# shellcheck disable=SC2086
apt_arm64 install -y --no-install-recommends --download-only $packages >"$work/log/download"

# Debian 12 merges /usr: the old folders are links into it.
for folder in bin lib sbin; do
    mkdir "$work/root/usr/$folder"
    ln -s "usr/$folder" "$work/root/$folder"
done
for package in "$work"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
        tar -x -C "$work/root" --keep-directory-symlink --no-same-owner --exclude='./usr/share/doc' \
            --exclude='./usr/share/man' --exclude='./usr/share/locale'
done
# Absolute links would lead out of the folder.
find "$work/root" -type l -lname '/*' | while read -r link; do
    ln -sfn --relative "$work/root$(readlink "$link")" "$link"
done
[ -e "$work/root/lib/ld-linux-aarch64.so.1" ] || {
    echo "arm64_sysroot.sh: no arm64 loader came with the packages"
    exit 1
}
# Whole or not at all: whoever finds DIR can use it.
rm -rf "$1" "$1.part"
mkdir -p "$(dirname "$1")"
cp -a "$work/root" "$1.part"
mv "$1.part" "$1"
echo "$1: $(find "$work/archives" -name '*.deb' | wc -l) packages"
