#!/bin/sh
# SPDX-License-Identifier: MIT
# The law of includes: which folder of src/ may include which. usage: includes.sh SOURCE_DIR [law]
# Each line of the law lists all that a folder may include besides itself, and nothing that no file
# of it needs: readers of models share a line, which lists what some of them need. The program
# (report, suite, thumbnail, cli) sees the public header and src/base; suite reads its file as
# scenes do. Two includes in disguise count as includes: the name of a struct of another folder, and
# a call between loops, which are static and pasted together. With `law` it prints the law alone.
set -u
root=$1

# A reader of models is a folder FOLDER whose FOLDER/FOLDER.h load.c includes.
readers=$(sed -nE '/"load\//d; s|^#include "([a-z0-9]+)/\1\.h"$|\1|p' "$root/src/load/load.c" 2>/dev/null | tr '\n' ' ')

law="
base:
simd:
json: base
image: base
texture: image base
compare: image base
mesh: base
model: texture mesh image base
retarget: model base
load: $readers model base
convert: load gltf model texture image json base
document: json base
scene: document load retarget model texture image base
shot: scene retarget model base
pose: scene model base
raster: base
geometry: raster model mesh base
environment: image base
surface: geometry
view: geometry raster base
shadow: view surface geometry raster base
shade: shadow surface environment geometry raster model texture image base
film: shade environment raster image base
trace: geometry base
kernels: trace film shade shadow surface environment geometry raster pose simd base
render: kernels trace film shade shadow view environment geometry raster pose scene model image json base
inspect: render kernels pose scene retarget model json base
diff: render pose scene model base
bake: render kernels pose scene convert load gltf model json base
report: json base
suite: report render scene model document base
thumbnail: base
cli: diff report suite thumbnail json base
"
for reader in $readers; do
    law="$law
$reader: model texture mesh image json base
"
done
law=$(printf '%s\n' "$law" | sed '/^$/d; s/  */ /g; s/ *$//')
[ "${2:-}" = law ] && {
    printf '%s\n' "$law"
    exit
}

# What awk reads: the law, the folders and files that there are, the functions of loops and their
# calls, and each include and struct.
cd "$root" || exit 1
{
    printf '%s\n' "$law" | sed -n 's/^\([a-z0-9]*\):/law \1/p'
    for path in src/*/; do [ "$path" = src/bindings/ ] || echo "folder $(basename "$path")"; done # no C is there
    for reader in $readers; do echo "reader $reader"; done
    (find src include -name '*.[ch]' -o -name '*.inl' -o -name '*.cpp') | LC_ALL=C sort | sed 's/^/header /'
    # The definitions first: names at the begin of a line, before a parenthesis.
    find src -name '*.inl' -exec grep -nE '^(ZT_LANE_OP|static)[^=;]*[ *]([a-z0-9_]+)\(' /dev/null {} + |
        sed -E 's|^src/([^/]*)/[^:]*:[0-9]+:[^(]*[ *]([a-z0-9_]+)\(.*|loop \1 \2|'
    find src -name '*.inl' -exec grep -noE '\b[a-z][a-z0-9_]*\(' /dev/null {} + |
        sed -E 's|^(src/([^/]*)/[^:]*:[0-9]+):([a-z0-9_]+)\(|call \1 \2 \3|'
    find src include \( -name '*.[ch]' -o -name '*.inl' -o -name '*.cpp' \) -exec grep -nE \
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
    else if (!may(folder, wanted))
        fault(place ": src/" folder " may not include src/" wanted)
}
# True if the law allows what a file needs; then the law needs this line.
function may(folder, wanted) {
    if (folder == wanted) return 1
    used[folder, wanted] = 1
    if (folder in reader) used["a reader", wanted] = 1
    return (folder, wanted) in allowed
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
/^reader / { reader[$2] = 1; next }
/^loop / { loop_home[$3] = $2; next }
/^call / {
    if ($4 in loop_home) {
        calls++
        if (!may($3, loop_home[$4]))
            fault($2 ": " $4 "() is of src/" loop_home[$4] ", which src/" $3 " may not include")
    }
    next
}
/^folder / {
    there[$2] = 1
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
            seen = seen || (homes[k] == folder || ((folder, homes[k]) in allowed) && may(folder, homes[k]))
        if (!seen)
            fault(mention_place[i] ": src/" folder " may not know struct " tag " of src/" homes[1])
    }
    for (arrow in allowed) {
        split(arrow, end, SUBSEP)
        if ((end[1] in there) && (end[2] in there) && !(arrow in used) &&
            !((end[1] in reader) && (("a reader", end[2]) in used)))
            fault("the law allows src/" end[1] " to include src/" end[2] ", and no file of it does")
    }
    if (!includes) fault("no include was found: the search is broken")
    if (faults) exit 1
    print "includes: " includes " includes obey the law"
}'
