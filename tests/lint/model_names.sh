#!/bin/sh
# SPDX-License-Identifier: MIT
# The suffixes of models in src/base/model_names.c are those of the readers and of the desktop files, and
# none of them is among those of formats that are not read. usage: model_names.sh SOURCE_DIR
set -u
cd "$1" || exit 1
names=src/base/model_names.c
faults=0
fault() {
    echo "model_names: $*"
    faults=1
}

# SUFFIX MIME_TYPE, without the dot.
pairs=$(grep -oE '\{"\.[a-z0-9]+", "[a-z./+0-9-]+"\}' $names | sed -E 's/\{"\.([^"]*)", "([^"]*)"\}/\1 \2/')
read=$(cat src/*/*.c | grep -A4 '\.extensions = {{' | grep -oE '\{"[a-z0-9]+", ' | tr -d '{", ')
[ "$(printf '%s\n' "$read" | wc -l)" -ge 8 ] || fault "no readers were found: the search is broken"
for suffix in $read; do
    printf '%s\n' "$pairs" | grep -q "^$suffix " || fault ".$suffix is read and has no row in $names"
done
while read -r suffix type; do
    grep -qF "\".$suffix\"" src/thumbnail/thumbnail_list.c && fault ".$suffix is read (thumbnail_list.c)"
    grep -qF "{\"$suffix\"," src/load/other_formats.c && fault ".$suffix is read (other_formats.c)"
    grep -qE "MODEL_NAMES_TEXT .*\.$suffix[ ,\"]" src/base/model_names.h || fault "no .$suffix in MODEL_NAMES_TEXT"
    tr '=;' '\n\n' <cmake/desktop/zoetrope.thumbnailer | grep -qxF "$type" || fault "no $type in zoetrope.thumbnailer"
    awk -v type="\"$type\"" -v glob="\"*.$suffix\"" '
        index($0, "<mime-type type=" type) { inside = 1 } /<\/mime-type>/ { inside = 0 }
        inside && index($0, glob) { found = 1 } END { exit !found }' cmake/desktop/zoetrope.xml ||
        fault "no *.$suffix of $type in zoetrope.xml"
done <<PAIRS
$pairs
PAIRS
[ "$faults" = 0 ] && echo "model_names: $(printf '%s\n' "$pairs" | wc -l) suffixes"
exit $faults
