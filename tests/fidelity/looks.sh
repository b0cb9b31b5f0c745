#!/bin/sh
# SPDX-License-Identifier: MIT
# looks.sh BUILD_DIR OUT.png [NAME...]: one sheet of models in the default light, each next to the default
# picture of another viewer: ours left, theirs right. BUILD_DIR has the program and the generators
# (preset ci or dev). ZT_LOOKS names the folder of their pictures (../shared/looks), ZT_ASSETS that of the
# models (../shared/assets); without them nothing is done. ZT_LOOKS_FLAGS are added to each rendering.
set -eu
[ $# -ge 2 ] || {
    echo "usage: looks.sh BUILD_DIR OUT.png [NAME...]"
    exit 2
}
here=$(dirname "$0")
looks=${ZT_LOOKS:-$here/../../../shared/looks}
assets=${ZT_ASSETS:-$here/../../../shared/assets}
build=$1 out=$2
shift 2
[ -d "$looks" ] && [ -d "$assets" ] || {
    echo "looks: skipped: no folders $looks and $assets"
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A picture is named after its model: the path below the assets, with _ for each /.
find "$assets" -name '*.glb' -o -name '*.gltf' | LC_ALL=C sort | while IFS= read -r model; do
    name=${model#"$assets"/}
    printf '%s\t%s\n' "$(printf '%s' "${name%.*}" | tr / _)" "$model"
done >"$work/models"

[ $# -gt 0 ] || set -- $(cd "$looks" && ls -- *.png | sed 's/[.]png$//')
count=0
for name in "$@"; do
    model=$(awk -F '\t' -v name="$name" '$1 == name { print $2; exit }' "$work/models")
    [ -n "$model" ] || {
        echo "looks: no model for $name"
        continue
    }
    count=$((count + 1))
    pair=$work/$(printf '%02d' "$count")
    # shellcheck disable=SC2086
    "$build/zoetrope" thumbnail "$model" "$pair-a.png" --size 512 --background ffffff --azimuth 30 -q ${ZT_LOOKS_FLAGS:-}
    cp "$looks/$name.png" "$pair-b.png"
    echo "looks: $count $name"
done
"$build/scenes/generate/contact_sheet" 6 "$out" "$work"/*-[ab].png
