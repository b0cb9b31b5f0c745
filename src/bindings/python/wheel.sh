#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the wheel zoetrope-render of a program: wheel.sh OUT PROGRAM MACHINE (x86_64, aarch64)
# On Debian 12 with python3-setuptools and python3-wheel, offline. With SOURCE_DATE_EPOCH the bytes depend on the
# files alone. Licences of what is linked in lie in share/doc/zoetrope/licences, next to the folder of PROGRAM.
set -eu
[ $# -eq 3 ] || {
    sed -n '3,5s/^# //p' "$0"
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
mkdir -p "$1" "$work/zoetrope"
cp "$here/README.md" "$here/setup.py" "$here/../../../LICENSE" "$here/../../../THIRD-PARTY.md" "$work"
cp "$here"/zoetrope/*.py "$here/zoetrope/py.typed" "$work/zoetrope"
install -m 755 "$2" "$work/zoetrope/program"
licences=$(dirname "$2")/../share/doc/zoetrope/licences
[ ! -d "$licences" ] || cp -r "$licences" "$work/licences"
ZOETROPE_VERSION=$(sed -n 's/^#define ZT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$here/../../../include/zoetrope/zoetrope.h" |
    paste -s -d .)
export ZOETROPE_VERSION ZOETROPE_MACHINE="$3"
out=$(cd "$1" && pwd)
cd "$work"
"${PYTHON:-python3}" setup.py -q bdist_wheel --dist-dir "$out" >&2
ls "$out"/zoetrope_render-"$ZOETROPE_VERSION"-*"$3".whl
