#!/bin/sh
# SPDX-License-Identifier: MIT
# Lists that pages repeat by hand are those of the source: suffixes of models and pictures, extensions of glTF,
# words of flags, presets, options, packages. Workflows run scripts that are there. No page has a number of a version that goes stale.
#   usage: docs_lists.sh SOURCE_DIR
set -u
cd "$1" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
: >"$scratch/faults"
: >"$scratch/names"
fault() { echo "docs_lists: $*" >>"$scratch/faults"; }
# named_in PAGE [BEFORE]: the page has each name on standard input, after a quote, a space or a prefix.
named_in() {
    cat >"$scratch/list"
    [ "$(wc -l <"$scratch/list")" -ge 3 ] || fault "a list for $1 is too short: the search is broken"
    cat "$scratch/list" >>"$scratch/names"
    while read -r name; do
        tr '\n' ' ' <"$1" | grep -qE "${2:-[\`a-zD ]}${name}[\` =]" || fault "$1 does not name $name"
    done <"$scratch/list"
}

# A paragraph, or a row of a table, that names three of the formats of models besides glTF and .m3d has all of them.
formats=$(grep -oE '\{"\.[a-z0-9]+", "' src/base/model_names.c | tr -cd 'a-z0-9\n' | grep -vxE 'glb|gltf|vrm|m3d')
awk -v formats="$(printf '%s ' $formats)" '
    function check(text,    i, lacking, count) {
        text = " " tolower(text) " "
        gsub(/[^a-z0-9]/, " ", text)
        for (i = 1; i <= total; i++)
            if (index(text, " " name[i] " "))
                count += length(name[i]) > 1
            else
                lacking = lacking " " name[i]
        if (count >= 3 && lacking != "")
            print FILENAME ": formats without" lacking ": " substr(text, 1, 60)
    }
    BEGIN { total = split(formats, name, " "); RS = "" }
    { rows = /^[|]/ ? split($0, row, "\n") : 0 }
    !rows { check($0) }
    { for (r = 1; r <= rows; r++) check(row[r]) }' README.md docs/*.md | sed 's/^/docs_lists: /' >>"$scratch/faults"

grep -oE 'suffix = "\.[a-z0-9]+"' src/image/picture_writer.c | cut -d '"' -f 2 | sed 's/\./[.]/' | named_in docs/formats.md
grep -rhoE '"(KHR|EXT|MSFT|VRMC)_[A-Za-z_]+"' src/gltf src/model | tr -d '"' | sed 's/KHR_materials//' | sort -u |
    named_in docs/formats.md
for flag in preset:light look:light tone-map:light ground:scenes; do
    grep "^| \`--${flag%:*} " docs/cli.md | cut -d '|' -f 2,5 | sed 's/` or `/, /g' | grep -oE '([a-z]+, )+[a-z]+( or [a-z]+)?' |
        sed 's/ or / /; s/, / /g' | tr ' ' '\n' | named_in "docs/${flag#*:}.md" '`'
done
awk '/"buildPresets"/ { exit } /"displayName"/' CMakePresets.json | cut -d '"' -f 4 | named_in docs/building.md
grep -hoE '(^option\(|^set\()ZT_[A-Z0-9_]+ .*(OFF|ON|CACHE)' CMakeLists.txt cmake/*.cmake tests/kernels/CMakeLists.txt |
    grep -oE 'ZT_[A-Z0-9_]+' | sort -u | named_in docs/building.md
sed -n '/_packages="/,/"$/p' setup.sh | sed 's/.*="//' | tr -s '"\\ ' '\n' | grep . | named_in docs/building.md
for script in $(grep -hoE '(\./|cmake/|tests/)[a-z_/]*\.sh' .github/workflows/*.yml Dockerfile); do
    [ -x "$script" ] || fault "a workflow runs $script, which is no program"
done
grep -n 'libzoetrope[0-9]' README.md docs/*.md | sed 's/$/ (expected libzoetropeX.Y)/' >>"$scratch/faults"
cat "$scratch/faults"
[ ! -s "$scratch/faults" ] || exit 1
echo "docs_lists: $(wc -l <"$scratch/names") names are in their pages"
