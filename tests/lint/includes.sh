#!/bin/sh
# SPDX-License-Identifier: MIT
# The law of includes: which folder of src/ may include which. usage: includes.sh SOURCE_DIR
# Each line of the law lists all that a folder may include besides itself; cli sees the public
# header alone.
set -u
root=$1
faults=0

law="
base:
simd:
image: base
mesh: base
model: mesh image base
gltf: model mesh image base
m3d: model mesh image base
load: gltf m3d model image base
convert: load gltf m3d model mesh image base
scene: load model mesh image base
pose: scene model mesh base
raster: base
geometry: raster model mesh base
shade: geometry raster model mesh image base
kernels: pose geometry raster shade model mesh simd base
render: base image mesh model gltf load scene pose geometry raster shade kernels
cli:
"

fault() {
    echo "includes: $1"
    faults=$((faults + 1))
}

# Both directions: a folder that the law does not name, and an include that it does not allow.
for path in "$root"/src/*/; do
    folder=$(basename "$path")
    case "$law" in
    *"
$folder:"*) ;;
    *) fault "src/$folder: the law of includes does not name this folder" ;;
    esac
done

includes=$(cd "$root" && grep -rnE '^[[:space:]]*#[[:space:]]*include' src include \
    --include='*.c' --include='*.h' --include='*.inl')
if [ -z "$includes" ]; then
    fault "no include was found below $root: the search is broken"
fi

while IFS= read -r line; do
    [ -n "$line" ] || continue
    file=${line%%:*}
    rest=${line#*:}
    place=$file:${rest%%:*}
    target=$(printf '%s\n' "$rest" | sed -E 's/^[^"<]*([<"][^">]*[">]).*/\1/')
    folder=${file#src/}
    folder=${folder%%/*}
    case "$file" in include/*) folder=include ;; esac
    case "$target" in
    *intrin.h\> | \<arm_*\>)
        [ "$folder" = simd ] || fault "$place: $target outside src/simd" ;;
    \<cglm* | \"cglm*)
        [ "$file" = src/base/trs.h ] || fault "$place: cglm outside src/base/trs.h" ;;
    \<zoetrope/*) ;;
    \<*)
        [ ! -e "$root/src/$(printf '%s' "$target" | tr -d '<>')" ] ||
            fault "$place: $target is ours and wants quotes" ;;
    \"*)
        name=$(printf '%s' "$target" | tr -d '"')
        wanted=${name%%/*}
        if [ "$folder" = include ]; then
            fault "$place: a public header includes $target"
        elif [ ! -e "$root/src/$name" ]; then
            fault "$place: there is no src/$name"
        elif [ "$wanted" != "$folder" ]; then
            allowed=$(printf '%s' "$law" | sed -n "s/^$folder://p")
            case " $allowed " in
            *" $wanted "*) ;;
            *) fault "$place: src/$folder may not include src/$wanted" ;;
            esac
        fi ;;
    *) fault "$place: an include that cannot be read: $target" ;;
    esac
done <<EOF
$includes
EOF

[ "$faults" -eq 0 ] || exit 1
echo "includes: $(printf '%s\n' "$includes" | wc -l) includes obey the law"
