#!/bin/sh
# SPDX-License-Identifier: MIT
# conformance.sh [FOLDER [OUT]]: renders every model below FOLDER and writes OUT/index.html, a page
# with each picture, its file and what the program said about it. The pictures of test models tell
# themselves what is right (check marks, arrows, matching halves): they are for looking.
# Exit code 1 when a model crashed the program or met an internal error, or none was found.
#   ZOETROPE=build/ci/zoetrope   the program (default: the first preset that is built)
#   SIZE=256                     side of the pictures
set -eu
cd "$(dirname "$0")/.."
folder=${1:-${ZT_ASSETS:-../shared/assets}}
out=${2:-build/conformance}
size=${SIZE:-256}
program=${ZOETROPE:-$(ls build/*/zoetrope 2>/dev/null | head -n 1)}
[ -x "$program" ] || {
    echo "conformance: no program; build one or set ZOETROPE"
    exit 1
}
[ -d "$folder" ] || {
    echo "conformance: $folder is absent: skipped"
    exit 0
}
mkdir -p "$out"
list=$out/models.txt
log=$out/log.txt
# Broken files have no picture; they are the fuzz targets' and unit tests' concern.
find "$folder" -type f \( -name '*.gltf' -o -name '*.glb' -o -name '*.m3d' \) ! -path '*/invalid/*' |
    LC_ALL=C sort >"$list"

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

{
    echo '<!doctype html><meta charset="utf-8"><title>Models</title>'
    echo '<style>body{font:14px sans-serif;background:#222;color:#ddd}div{display:inline-block;'
    echo 'vertical-align:top;width:'"$size"'px;margin:6px}img{background:#555}'
    echo 'p{margin:2px;overflow-wrap:anywhere;font-size:11px}.failed{color:#f77}.said{color:#fc6}</style>'
} >"$out/index.html"

count=0 failed=0 crashed=0 warned=0
while IFS= read -r file; do
    count=$((count + 1))
    code=0
    "$program" thumbnail "$file" "$out/$count.png" --size "$size" >/dev/null 2>"$log" || code=$?
    name=${file#"$folder"/}
    {
        if [ "$code" -eq 0 ]; then
            printf '<div><img src="%s.png" width="%s" height="%s">' "$count" "$size" "$size"
        else
            printf '<div><p class="failed">exit code %s</p>' "$code"
        fi
        printf '<p>%s</p><p class="said">' "$(printf '%s' "$name" | escape)"
        sed "s|^zoetrope: ||; s|$folder/||g" "$log" | escape | sed 's/$/<br>/'
        echo '</p></div>'
    } >>"$out/index.html"
    [ ! -s "$log" ] || warned=$((warned + 1))
    [ "$code" -eq 0 ] || {
        failed=$((failed + 1))
        echo "conformance: $name: exit code $code: $(head -n 1 "$log")"
    }
    [ "$code" -ne 9 ] && [ "$code" -lt 128 ] || crashed=$((crashed + 1))
done <"$list"
rm -f "$log"
echo "conformance: $count models, $failed without a picture, $warned with notes: $out/index.html"
[ "$count" -gt 0 ] && [ "$crashed" -eq 0 ]
