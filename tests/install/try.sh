#!/bin/sh
# SPDX-License-Identifier: MIT
# Tries what cmake/release.sh made, as a new user would: the static program on other systems, the packages and the
# container on a new Debian 12. By hand, as root; it takes some minutes and needs the network.
#   tests/install/try.sh RELEASE_FOLDER [static|packages|container...]
# Needs debootstrap; lintian for the packages, buildah for the container. New systems are kept in
# ZT_ROOTS, by default ~/.cache/zoetrope-roots, and copied for each try. For Ubuntu debootstrap needs the keyring of
# Ubuntu, or a mirror (https) in ZT_UBUNTU.
set -eu
release=$(cd "$1" && pwd)
shift
source=$(cd "$(dirname "$0")/../.." && pwd)
roots=${ZT_ROOTS:-$HOME/.cache/zoetrope-roots}
hash=cdc824d6b09b6261 # of walk, in golden/manifest.txt
mkdir -p "$roots"
work=$(mktemp -d "$roots/try.XXXXXX")

finish() {
    for mount in "$work"/*/proc; do
        umount "$mount" 2>/dev/null || true
    done
    rm -rf --one-file-system "$work"
}
trap finish EXIT
say() { echo "try: $*"; }

# system SUITE: a new system in $work/SUITE, copied from one that debootstrap made once, from its mirror for SUITE.
system() {
    [ -e "$roots/$1.done" ] || {
        rm -rf "${roots:?}/$1"
        mirror=""
        [ "$1" != jammy ] || mirror=${ZT_UBUNTU:-}
        debootstrap --variant=minbase "$1" "$roots/$1" ${mirror:+"$mirror"} >"$roots/$1.log" 2>&1 || {
            say "$1: debootstrap failed, see $roots/$1.log"
            return 1
        }
        touch "$roots/$1.done"
    }
    cp -a "$roots/$1" "$work/$1"
    cp /etc/resolv.conf "$work/$1/etc/"
    mkdir "$work/$1/try" "$work/$1/try/source" "$work/$1/try/deb"
    git -C "$source" archive HEAD | tar -x -C "$work/$1/try/source"
    mount -t proc proc "$work/$1/proc"
}

# inside SUITE COMMAND: runs a command of the shell in the sources on that system.
inside() {
    env -i HOME=/try PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        chroot "$work/$1" /bin/sh -ec "cd /try/source; $2"
}

try_static() {
    for suite in bullseye bookworm trixie jammy; do
        system "$suite" || continue
        tar -x -C "$work/$suite/usr/local" --strip-components=1 -f "$release"/zoetrope-*-linux-"$(uname -m)".tar.gz
        inside "$suite" "
            zoetrope --version | grep -q '^without: OpenEXR'
            zoetrope render scenes/tests/explorer.yaml --frames 8 --threads 4 --sandbox require --verify $hash -q
            zoetrope thumbnail scenes/models/walker.glb ../walker.png --sandbox require -q
            printf 'v/1\001' >../light.exr
            zoetrope render scenes/models/walker.glb --environment ../light.exr --time 0 2>../said && exit 1
            [ \$? -eq 8 ] && grep -q OpenEXR ../said"
        say "static: $(sed -n 's/^PRETTY_NAME=//p' "$work/$suite/etc/os-release")"
    done
}

try_packages() {
    if command -v lintian >/dev/null; then
        lintian --fail-on error,warning --allow-root "$release"/*.deb
        say "packages: lintian has no errors and no warnings"
    else
        say "packages: no lintian here"
    fi
    system bookworm
    cp "$release"/*.deb "$work/bookworm/try/deb/"
    inside bookworm "
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends /try/deb/zoetrope_*.deb >../log 2>&1 || { tail ../log; exit 1; }
        zoetrope --version
        zoetrope render scenes/tests/explorer.yaml --frames 8 --verify $hash -q
        apt-get install -y -qq --no-install-recommends gcc g++ libc6-dev make cmake pkg-config \
            /try/deb/libzoetrope*.deb /try/deb/zoetrope-doc_*.deb >../log 2>&1 || { tail ../log; exit 1; }
        version=\$(zoetrope --version | sed -n '1s/^zoetrope \([0-9.]*\).*/\1/p')
        model=tests/cli/models/triangle.gltf example=/try/source/docs/examples/embed.c
        cmake -S tests/api/consumer -B ../consumer -DVERSION=\$version -DEXAMPLE=\$example >../log
        cmake --build ../consumer >>../log || { tail ../log; exit 1; }
        make -s -C tests/api/consumer OUT=/try/consumer EXAMPLE=\$example
        for program in shared static pc; do
            ../consumer/consumer_\$program \$model ../\$program.png
            zoetrope compare ../shared.png ../\$program.png
        done
        apt-get purge -y -qq zoetrope zoetrope-doc 'libzoetrope*' >../log 2>&1 || { tail ../log; exit 1; }
        left=\$(find /usr /etc /var -iname '*zoetrope*' ! -path '*/apt/*' ! -path '/var/lib/dpkg/*')
        [ -z \"\$left\" ] || { echo \"left behind: \$left\"; exit 1; }"
    say "packages: installed, compiled against, and removed without a trace"
}

try_container() {
    command -v buildah >/dev/null || {
        say "container: no buildah here"
        return 0
    }
    system bookworm || return 0
    umount "$work/bookworm/proc"
    rm -rf "$work/bookworm/try"
    base=$(buildah from scratch)
    buildah add -q "$base" "$work/bookworm" / >/dev/null
    buildah commit -q --rm "$base" localhost/debian:12-slim >/dev/null
    buildah bud --isolation chroot --pull-never -q -t zoetrope-try "$source" >/dev/null
    made=$(buildah from --pull-never zoetrope-try)
    mkdir "$work/pictures"
    cp "$source/scenes/models/walker.glb" "$work/pictures/"
    buildah run --isolation chroot -v "$work/pictures:/pictures" "$made" -- \
        zoetrope thumbnail walker.glb walker.png
    [ -s "$work/pictures/walker.png" ]
    say "container: $(buildah images --format '{{.Size}}' zoetrope-try), made a thumbnail"
    buildah rm "$made" >/dev/null
    buildah rmi -f zoetrope-try >/dev/null
}

[ $# -gt 0 ] || set -- static packages container
for part in "$@"; do
    "try_$part"
    finish
    mkdir -p "$work"
done
