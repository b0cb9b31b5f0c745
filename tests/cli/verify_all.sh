#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders all goldens, and thumbnails of all models of ../shared/assets, with --metadata full and verifies them.
#   usage: verify_all.sh ZOETROPE [TABLE.md]: also a table of the pixel hashes of the models
set -u
zoetrope=$1 table=${2:-/dev/null}
source=$(cd "$(dirname "$0")/../.." && pwd)
assets=${ZT_ASSETS:-$source/../shared/assets}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: >"$work/faults"
# check FOLDER WORD...: the picture of these words, which may be none.
check() {
  folder=$1
  shift
  "$zoetrope" "$@" --metadata full --json -q -o "$work/a.png" >"$work/out" 2>/dev/null || return 1
  "$zoetrope" verify "$work/a.png" --inputs "$folder" -q 2>"$work/err" || echo "$*: $(cat "$work/err")" >>"$work/faults"
}
awk -F'  +' '!/^#/ && $3 !~ /^sheet/ { print $2, ($3 == "-" ? "" : $3) }' "$source/golden/manifest.txt" >"$work/goldens"
while read -r scene words; do
  # shellcheck disable=SC2086 # words
  check "$source/scenes" render "$source/scenes/$scene" $words || echo "$scene: no picture" >>"$work/faults"
done <"$work/goldens"
printf '# Pixel hashes\n\nMade by `tests/cli/verify_all.sh`: `zoetrope thumbnail MODEL --size 256`.\n\n```text\n' >"$table"
[ -d "$assets" ] || echo "skipped: no $assets"
find "$assets" -type f 2>/dev/null | grep -E '\.(glb|gltf|m3d|obj|ply|stl|3mf|fbx|x|vrm)$' | LC_ALL=C sort | while read -r model; do
  check "$(dirname "$model")" thumbnail "$model" --size 256 --timeout 60 &&
    echo "$(sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/' "$work/out") ${model#"$assets/"}"
done >"$work/hashes"
# As many as a line has room for.
awk 'length(line $0) > 115 { print line; line = "" } { line = line (line ? "   " : "") $0 } END { print line }' \
  "$work/hashes" >>"$table"
echo '```' >>"$table"
cat "$work/faults"
[ ! -s "$work/faults" ]
