#!/bin/sh
# SPDX-License-Identifier: MIT
# The law of includes: which folder of src/ may include which. usage: includes.sh SOURCE_DIR
# Each line of the law lists all that a folder may include besides itself. The program (report,
# suite, thumbnail, cli) sees the public header and src/base; suite reads its file as scenes do. A
# struct of a folder which may not be included is not to be named either: a forward declaration is
# an include in disguise.
set -u
root=$1

# A reader of models is a folder FOLDER whose FOLDER/FOLDER.h load.c includes.
readers=$(sed -nE '/"load\//d; s|^#include "([a-z0-9]+)/\1\.h"$|\1|p' "$root/src/load/load.c" | tr '\n' ' ')

law="
base:
simd:
json: base
image: base
texture: image base
compare: image base
mesh: base
model: texture mesh image base
retarget: model mesh base
load: $readers retarget model image base
convert: load retarget $readers model texture mesh image json base
document: image json base
scene: document load retarget model texture mesh image base
shot: scene document retarget model image base
pose: scene model mesh base
raster: base
geometry: raster model mesh base
environment: image base
surface: geometry raster model mesh texture image base
view: geometry raster base
shadow: view surface geometry raster base
shade: shadow surface view environment geometry raster model mesh texture image base
film: shade environment raster texture image base
kernels: film shade shadow surface environment geometry raster pose model mesh simd base
render: kernels film shade shadow view surface environment geometry raster pose scene load model mesh image base
inspect: render kernels geometry raster pose scene load retarget model mesh image json base
bake: render kernels film shade shadow surface environment geometry raster pose scene convert load $readers model mesh image json base
report: base
suite: report shot scene document base
thumbnail: base
cli: report suite thumbnail base
"
for reader in $readers; do
    law="$law
$reader: model texture mesh image json base
"
done

# What awk reads: the law, the folders and files that there are, and each include and struct.
cd "$root" || exit 1
{
    printf '%s\n' "$law" | sed -n 's/^\([a-z0-9]*\):/law \1/p'
    for path in src/*/; do echo "folder $(basename "$path")"; done
    (find src include -name '*.[ch]' -o -name '*.inl') | LC_ALL=C sort | sed 's/^/header /'
    find src include \( -name '*.[ch]' -o -name '*.inl' \) -exec grep -nE \
        '^[[:space:]]*#[[:space:]]*include|(struct|union)[[:space:]]+[a-z_]' /dev/null {} +
} | awk '
function fault(text) { print "includes: " text; faults++ }
function folder_of(file) {
    if (file ~ /^include\//) return "include"
    sub(/^src\//, "", file)
    sub(/\/.*/, "", file)
    return file
}
function include_seen(place, file, folder, target, name, wanted) {
    includes++
    name = target
    gsub(/[<>"]/, "", name)
    wanted = name
    sub(/\/.*/, "", wanted)
    if (target ~ /intrin\.h>$/ || target ~ /^<arm_/) {
        if (folder != "simd") fault(place ": " target " outside src/simd")
    } else if (target ~ /^[<"]cglm/) {
        if (file != "src/base/trs.h") fault(place ": cglm outside src/base/trs.h")
    } else if (target ~ /^<zoetrope\//) {
    } else if (target ~ /^</) {
        if (("src/" name) in exists) fault(place ": " target " is ours and wants quotes")
    } else if (target !~ /^"/)
        fault(place ": an include that cannot be read: " target)
    else if (folder == "include")
        fault(place ": a public header includes " target)
    else if (!(("src/" name) in exists))
        fault(place ": there is no src/" name)
    else if (wanted != folder && !((folder, wanted) in allowed))
        fault(place ": src/" folder " may not include src/" wanted)
}
# Names of structs and unions on a line without its comment; a definition ends in a brace.
function tags_seen(place, folder, text, tag) {
    sub(/\/\/.*/, "", text)
    while (match(text, /(struct|union)[ \t]+[a-z_][a-z0-9_]*[ \t]*[{]?/)) {
        tag = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(/^(struct|union)[ \t]+/, "", tag)
        if (sub(/[ \t]*[{]$/, "", tag)) {
            defined[tag] = defined[tag] " " folder
            continue
        }
        sub(/[ \t]+$/, "", tag)
        if (folder == "include") public[tag] = 1
        mentions++
        mention_tag[mentions] = tag
        mention_folder[mentions] = folder
        mention_place[mentions] = place
    }
}
/^law / { named[$2] = 1; for (i = 3; i <= NF; i++) allowed[$2, $i] = 1; next }
/^folder / {
    if (!($2 in named)) fault("src/" $2 ": the law of includes does not name this folder")
    next
}
/^header / { exists[$2] = 1; next }
{
    at = index($0, ":")
    file = substr($0, 1, at - 1)
    rest = substr($0, at + 1)
    line = rest + 0
    text = substr(rest, index(rest, ":") + 1)
    place = file ":" line
    folder = folder_of(file)
    if (text ~ /^[ \t]*#[ \t]*include/) {
        target = text
        sub(/^[^"<]*/, "", target)
        if (match(target, /^[<"][^">]*[">]/)) target = substr(target, 1, RLENGTH)
        include_seen(place, file, folder, target)
    } else
        tags_seen(place, folder, text)
}
END {
    for (i = 1; i <= mentions; i++) {
        tag = mention_tag[i]
        folder = mention_folder[i]
        if (!(tag in defined) || (tag in public) || folder == "include") continue
        count = split(defined[tag], homes, " ")
        seen = 0
        for (k = 1; k <= count; k++)
            seen = seen || homes[k] == folder || ((folder, homes[k]) in allowed)
        if (!seen)
            fault(mention_place[i] ": src/" folder " may not know struct " tag " of src/" homes[1])
    }
    if (!includes) fault("no include was found: the search is broken")
    if (faults) exit 1
    print "includes: " includes " includes obey the law"
}'
