#!/bin/sh
# SPDX-License-Identifier: MIT
# Model files of other programs, when they are there: each has the triangles, points and bounds that
# their list says; broken ones give a picture, or one line and a code for it.
. "$(dirname "$0")/expect.sh"
find_assets formats/MANIFEST.md
assets=$assets/formats

# A row that differs by design: bounds are those of triangles with an area.
bounds_differ=stl/made_degenerate.stl
# A list in the vertices without a length; UTF-16.
refused='ply/issue623.ply obj/box_UTF16BE.obj'
# Four of its faces have corners without a vertex.
triangles_differ=obj/synthetic_partial_attrib_0_obj.obj

# Without a ground, which depends on the last bit of bounds.
hash_flags="--size 48 --preset flat --threads 1"

# The list's rows as FILE|TRIANGLES|BOUNDS: of the text, the first number of triangles and bounds.
awk -F' *[|] *' '$2 ~ /^(obj|ply|stl)\// && $2 !~ /hostile|\.(jpg|png|mtl)$/ {
  text = $NF == "" ? $(NF - 1) : $NF
  triangles = ""; bounds = ""
  if (match(text, /[0-9]+ triangles/)) { triangles = substr(text, RSTART, RLENGTH); sub(/ .*/, "", triangles) }
  measured = text
  sub(/.*measured: /, "", measured)
  if (match(measured, /[0-9]+ triangles/)) { triangles = substr(measured, RSTART, RLENGTH); sub(/ .*/, "", triangles) }
  if (match(measured, /bounds \[[^\]]*\]/)) { bounds = substr(measured, RSTART + 8, RLENGTH - 9); gsub(/ \.\. /, " ", bounds) }
  print $2 "|" triangles "|" bounds
}' "$assets/MANIFEST.md" >rows

# numbers KEY: of a list in the JSON on standard input, on one line.
numbers() { tr -d '\n ' | sed -n "s/.*\"$1\":\\[\\([^]]*\\)\\].*/\\1/p" | tr ',' ' '; }

while IFS='|' read -r file triangles bounds; do
  checks=$((checks + 1))
  case " $refused " in *" $file "*) run 4 inspect "$assets/$file"; continue ;; esac
  "$ZOETROPE" inspect "$assets/$file" --json >.json 2>.err || { fail "$file: $(head -1 .err)"; continue; }
  got=$(sed -n 's/^  "triangles": \([0-9]*\),$/\1/p' .json)
  "$ZOETROPE" convert "$assets/$file" out.glb -q 2>.err || fail "$file: convert: $(head -1 .err)"
  [ "$(hash "$assets/$file")" = "$(hash out.glb)" ] || fail "$file looks other as .glb"
  [ "$got" = "$triangles" ] || [ "$file" = "$triangles_differ" ] || fail "$file: $got triangles (expected $triangles)"
  [ -n "$bounds" ] && [ "$file" != "$bounds_differ" ] || continue
  echo "$bounds $(numbers mesh_min <.json) $(numbers mesh_max <.json)" |
    awk '{ for (i = 1; i <= 6; i++) { d = $i - $(i + 6); s = $i < 0 ? -$i : $i
             if (NF != 12 || d > 1e-5 * (1 + s) || d < -1e-5 * (1 + s)) bad = 1 } } END { exit bad }' ||
    fail "$file: bounds $(numbers mesh_min <.json) $(numbers mesh_max <.json) (expected $bounds)"
done <rows
[ "$(wc -l <rows)" -gt 140 ] || fail "only $(wc -l <rows) rows"

# Poses and bounds of FBX files are compared in unit_fbx_poses.c. One lasts for days.
for file in "$assets"/fbx/*.[fF][bB][xX]; do
  case $file in
  *_[235][80]00_*) run 8 inspect "$file" ;;
  *) run 0 thumbnail "$file" picture.png --size 24 --threads 1 ;;
  esac
done
for name in blender440_shape_weight_anim_7400_binary maya_ortho_camera_400x200_7700_ascii \
  motionbuilder_lights_7700_ascii; do
  run 0 convert "$assets/fbx/$name.fbx" out.glb -q
  [ "$(hash "$assets/fbx/$name.fbx")" = "$(hash out.glb)" ] || fail "$name looks other as .glb"
done

rm -f picture.png
# The skinned ones look the same as .m3d and as .glb.
for file in "$assets"/x/*.[xX]; do
  run 0 thumbnail "$file" picture.png --size 24 --threads 1
done
for name in tiny.x Testwuson.X; do
  run 0 convert "$assets/x/$name" out.m3d -q
  run 0 convert "$assets/x/$name" out.glb -q
  run 0 thumbnail "$assets/x/$name" picture.png --size 100 --threads 1
  for other in out.m3d out.glb; do
    run 0 thumbnail $other other.png --size 100 --threads 1
    run 0 compare picture.png other.png --flip 0.01
  done
done
rm -f picture.png
for file in "$assets"/threemf/*.3[mM][fF]; do
  case $file in
  *Unsupported* | *encrypted*) run 8 inspect "$file" ;;
  *)
    run 0 thumbnail "$file" picture.png --size 24 --threads 1
    run 0 convert "$file" out.glb -q
    [ "$(hash "$file")" = "$(hash out.glb)" ] || fail "$file looks other as .glb"
    ;;
  esac
done
rm -f picture.png

for file in "$assets"/*/hostile/*.obj "$assets"/*/hostile/*.ply "$assets"/*/hostile/*.stl \
  "$assets"/fbx/hostile/*.fbx "$assets"/x/hostile/*.x "$assets"/threemf/hostile/*.3mf; do
  checks=$((checks + 1))
  timeout 20 "$ZOETROPE" thumbnail "$file" picture.png --size 24 --threads 1 --max-memory 1G >.out 2>.err
  code=$?
  grep -v '^zoetrope: warning: ' .err >errors
  case $code in
  0) [ -s picture.png ] && [ ! -s errors ] || fail "$file: exit 0: $(head -1 errors)" ;;
  4 | 5 | 8)
    [ "$(wc -l <errors)" -eq 1 ] && [ ! -e picture.png ] || fail "$file: exit $code: $(head -1 errors)"
    ;;
  *) fail "$file: exit $code: $(head -1 errors)" ;;
  esac
  rm -f picture.png
done
finish
