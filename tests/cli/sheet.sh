#!/bin/sh
# SPDX-License-Identifier: MIT
# Sprite sheets and contact sheets: pixels, atlas, files that belong together, refusals.
. "$(dirname "$0")/expect.sh"
small="--size 24x16 -q"
# shellcheck disable=SC2086 # $small is several words throughout

# A sheet has the pixels of single renders, here put together as a contact sheet.
run 0 sheet "$tri" $small --directions 2 --frames 0-20x10 --threads 3 -o two/s.png
is_file two/s.png two/s.json
for azimuth in 0 180; do
  run 0 render "$tri" $small --directions 2 --azimuth $azimuth --frames 0-20x10 --background transparent -o "$azimuth-##.png"
done
run 0 sheet -q 0-00.png 0-10.png 0-20.png 180-00.png 180-10.png 180-20.png --columns 3 -o joined.png
run 0 compare two/s.png joined.png
run 0 sheet "$tri" $small --directions 2 --frames 0-20x10 --threads 1 --isa scalar -o one/s.png
cmp -s one/s.png two/s.png && cmp -s one/s.json two/s.json || fail "a sheet depends on threads or instruction set"
run 0 sheet "$tri" $small --frames 10 -o single.png
run 0 render "$tri" $small --frames 10 --background transparent -o rendered.png
run 0 compare single.png rendered.png

# The golden, at which people have looked.
source_dir=$SOURCE
. "$source_dir/tests/golden/manifest.sh"
golden_line sheet_walker
prints 0 "\"hash\":\"$hash\"" sheet "$scene" $arguments -q -o walker.png --json
run 0 compare walker.png "$source_dir/golden/sheet_walker.png"

# Trimmed, with edges; in a list; with names of all kinds.
run 0 sheet "$tri" $small --frames 0-20x10 --trim --padding 2 --extrude 1 --pivot 0 --atlas-format array --atlas a/b.json -o t.png --json
cp .out document.json
is_file t.png a/b.json
# Of one cell, and of several in a row, the last gap is outside.
run 0 sheet "$tri" $small --frames 0 --trim --padding 7 --atlas alone.json -o alone.png -q
run 0 sheet "$tri" $small --frames 0-20x10 --trim --padding 7 --atlas row.json -o row.png -q
run 0 sheet "$tri" --size 40x30 --progress none --captions --background steelblue rendered.png -o contact.png
is_file contact.png contact.json
python - <<'ATLAS' || fail "an atlas is wrong"
import json, struct
def size(name):
    return struct.unpack(">II", open(name, "rb").read()[16:24])
s = json.load(open("two/s.json"))
for name in "alone", "row":
    sheet = json.load(open(name + ".json"))
    frames = [f["frame"] for f in sheet["frames"].values()]
    ends = (max(f["x"] + f["w"] for f in frames), max(f["y"] + f["h"] for f in frames))
    assert ends == size(name + ".png") == (sheet["meta"]["size"]["w"], sheet["meta"]["size"]["h"]), (name, ends)
assert list(s["frames"]) == ["triangle-%s-%04d" % (a, f) for a in ("000", "180") for f in (0, 10, 20)], s
assert size("two/s.png") == (72, 32) == (s["meta"]["size"]["w"], s["meta"]["size"]["h"]), size("two/s.png")
assert s["meta"]["image"] == "s.png" and s["meta"]["app"] == "zoetrope"
for i, f in enumerate(s["frames"].values()):
    assert f["frame"] == {"x": i % 3 * 24, "y": i // 3 * 16, "w": 24, "h": 16} and not f["trimmed"], f
    assert f["duration"] == 333 and abs(f["pivot"]["x"] - 0.5) < 0.5, f
assert [t["from"] for t in s["meta"]["frameTags"]] == [0, 3] and s["meta"]["frameTags"][1]["name"] == "triangle-180"
assert s["animations"]["triangle-000"][2] == "triangle-000-0020"
t = json.load(open("a/b.json"))
w, h = size("t.png")
seen = set()
for f in t["frames"]:
    r, o = f["frame"], f["spriteSourceSize"]
    assert (r["w"], r["h"]) == (o["w"], o["h"]) and o["x"] + o["w"] <= 24 and o["y"] + o["h"] <= 16, f
    assert 1 <= r["x"] and r["x"] + r["w"] + 1 <= w and 1 <= r["y"] and r["y"] + r["h"] + 1 <= h, f
    cells = {(x, y) for x in range(r["x"] - 1, r["x"] + r["w"] + 1) for y in range(r["y"] - 1, r["y"] + r["h"] + 1)}
    assert not cells & seen, f
    seen |= cells
d = json.load(open("document.json"))
assert d["pictures"] == 3 and d["atlas"] == "a/b.json" and (d["width"], d["height"]) == (w, h), d
c = json.load(open("contact.json"))
assert [f["sourceSize"]["w"] for f in c["frames"].values()] == [40, 40] and "animations" not in c, c
ATLAS

# A warning of the shot is printed once.
run 0 sheet "$tri" --size 16x16 --progress none --frames 0-900 --directions 3 -o warned.png
[ "$(grep -c "clamped to the shot" .err)" -eq 1 ] || fail "warnings of a sheet: $(cat .err)"

# rows WIDTH HEIGHT FLAG...: a row for each clip and direction, as long as the longest clip ("spin": 4 frames, "rise": 2).
rows() {
  wide=$1 high=$2
  shift 2
  run 0 sheet "$tri" --size 16x16 -q --fps 4 "$@" -o rows.png
  grep -q "\"size\": {\"w\": $wide, \"h\": $high}" rows.json || fail "rows of $*: $(tail -5 rows.json)"
}
rows 64 32 --clip rise --clip spin
rows 64 32 --clip spin --clip rise
rows 64 64 --clip rise --clip spin --directions 2
rows 32 64 --clip rise --directions 4
rows 64 48 --clip spin --directions 3
rows 32 32 --clip spin
rows 64 32 --clip all
grep -q '"triangle-rise-0001"' rows.json || fail "--clip all: $(cat rows.json)"
# Equal names get the index; a name that reads as a word or a list does stands for its own clip.
sed 's/"rise"/"spin"/' "$tri" >equal.gltf
sed 's/"spin"/"none"/; s/"rise"/"x\\ny"/' "$tri" >words.gltf
run 0 sheet equal.gltf --size 16x16 -q --fps 4 --clip all -o equal.png
run 0 sheet words.gltf --size 16x16 -q --fps 4 --clip all -o words.png
[ "$(grep -cE '"(equal-spin-000[0-3]|equal-spin-1-000[01])": ' equal.json)" -eq 6 ] &&
  [ "$(grep -cE '"words-(none-000[0-3]|x.y-000[01])": ' words.json)" -eq 6 ] || fail "$(cat equal.json words.json)"
rows 96 32 --clip rise --clip spin --columns 6
rows 48 48 --clip rise --clip spin --columns 3
# Every clip stays in its cell, and stands where it does in a sheet that begins with the other.
for clips in "--clip rise --clip spin" "--clip spin --clip rise"; do
  run 0 sheet "$tri" --size 16x16 -q --fps 4 --trim $clips -o rows.png
  grep -o '"spriteSourceSize": {[^}]*}' rows.json | sort >rows.txt
  [ "$(wc -l <rows.txt)" -eq 6 ] && ! grep -q ': 0' rows.txt || fail "$clips: $(cat rows.txt)"
  [ ! -f before.txt ] || cmp -s rows.txt before.txt || fail "$clips: other places"
  mv rows.txt before.txt
done

# Rows go on below where the sheet would be too wide: of frames, and of what was trimmed.
run 0 sheet "$tri" --size 16x16 -q --frames 0-9 --padding 2 --max-width 60 -o narrow.png
grep -q '"size": {"w": 52, "h": 70}' narrow.json || fail "rows of three: $(tail -5 narrow.json)"
run 0 sheet "$tri" --size 16x16 -q --frames 0-9 --trim --max-width 40 -o packed.png
grep -q '"size": {"w": [0-3]' packed.json || fail "packed within 40: $(tail -5 packed.json)"
refuse 5 "at most 12x16384" sheet "$tri" --size 16x16 -q --max-width 12 -o none.png
# One input that fails leaves its cell crossed out; the exit code is its own.
echo "not a model" >bad.glb
warns 4 "bad.glb" sheet bad.glb "$tri" --size 20x20 --progress none -o crossed.png
is_file crossed.png crossed.json
grep -q '"missing": true' crossed.json || fail "the atlas does not say which picture is missing"

# Both files or none.
mkdir folder
run 6 sheet "$tri" $small --frames 0 --atlas folder -o none.png
no_file none.png none.json
refuse 4 "bad.glb" sheet bad.glb -q -o none.png
refuse 5 "at most 16384x16384" sheet "$tri" --size 1024x16 -q --columns 30 -o none.png
refuse 5 "at most 64x64" sheet "$tri" $small --max-picture 64 -o none.png
refuse 5 "memory" sheet "$tri" --size 2048x2048 -q --max-memory 40M -o none.png
refuse 2 "expected -o OUT.png" sheet "$tri"
refuse 2 "expected OUT.png" sheet "$tri" -o out.gif
refuse 2 "not a flag of sheet" sheet "$tri" -o none.png --format jpeg
# Keys of the atlas differ, also of inputs that are one file, or whose names JSON cannot tell apart.
printf 'a\377b.gltf' >.name && cp "$tri" "$(cat .name)"
printf 'a\376b.gltf' >.other && cp "$tri" "$(cat .other)"
run 0 sheet "$tri" "$tri" "$(cat .name)" "$tri" "$(cat .other)" --size 16x16 -o equal.png
[ "$(grep -c '"frame":' equal.json)" -eq 5 ] && [ "$(sed -n 's/^ *\("[^"]*"\): {"frame".*/\1/p' equal.json | sort -u | wc -l)" -eq 5 ] ||
  fail "equal names in an atlas: $(cat equal.json)"
refuse 2 "name of a file" sheet "$tri" -o none.png --atlas -
refuse 2 "would both be" sheet "$tri" -o none.png --atlas ./none.png
refuse 2 "would be replaced" sheet rendered.png -q -o ./rendered.png
# Refused before any of the 12,000 pictures is rendered.
refuse 5 "at most 16384x16384" sheet "$tri" --size 1024 -q --directions 360 --timeout 5 -o none.png
refuse 2 "without an input" sheet -o out.png
refuse 2 "would be replaced" sheet rendered.png single.png -o single.png
refuse 2 "would be replaced" sheet "$tri" -o x.png --atlas "$tri"
refuse 2 "no bone 'nobody'" sheet "$tri" $small --pivot nobody -o none.png
refuse 2 "expected one" sheet "$tri" "$tri" --directions 2 -o none.png
refuse 2 "--captions" sheet "$tri" --trim --captions -o none.png
refuse 2 "camera of the model" sheet "$tri" --directions 4 --camera 0 -o none.png
refuse 2 "not a flag of sheet" sheet "$tri" --shard 1/2 -o none.png
refuse 2 "0 to 64" sheet "$tri" --extrude 65 -o none.png
refuse 2 "0 to 256" sheet "$tri" --padding 257 -o none.png

# Several clips: a row each, frames and animations named by clip, and one scale: the same clip twice is the same rows.
run 0 sheet "$tri" $small --clip spin --clip rise --frames 0-29x10 -o clips.png
! grep -q "last one counts" .err || fail "sheet --clip --clip warns"
grep -q '{"name": "triangle-rise", "from": 3, "to": 4, "direction": "forward"}' clips.json || fail "no tag of a clip"
grep -q '"triangle-spin": \["triangle-spin-0000", "triangle-spin-0010", "triangle-spin-0020"\]' clips.json ||
  fail "no animation of a clip"
grep -q '"triangle-rise-0000": {"frame": {"x": 0, "y": 16, "w": 24, "h": 16}' clips.json || fail "a clip begins no row"
run 0 sheet "$tri" $small --clip spin --clip spin --frames 0-20x10 -o twice.png
run 0 sheet "$tri" $small --clip spin --frames 0-20x10 -o once.png
grep -q '"triangle-0000": {"frame"' once.json || fail "one clip is in the names of its frames: $(cat once.json)"
run 0 sheet "$tri" $small --clip spin --clip rise --directions 2 --frames 0-10x10 --trim -o turned.png
grep -q '"triangle-rise-180-0010"' turned.json || fail "no frame of a clip and a direction"
run 1 compare twice.png once.png
warns 2 "no clip 'fly'" sheet "$tri" $small --clip spin --clip fly -o none.png
warns 2 "2 clips with 2 inputs" sheet "$tri" "$tri" $small --clip spin --clip rise -o none.png

# Planes of one cell are the files of a render, and the colour is that of a sheet without them.
planes="--planes id,depth,emission,coverage,normal --depth-unit 0.1 --space world"
run 0 sheet "$tri" $small --frames 10 $planes -o "p-{plane}.png" --json
out_has '"atlas":"p-color.json","planes":{"object":"p-object.png","depth":"p-depth.png",' '"normal":"p-normal.png"},'
grep -q '"planes": {"object": "p-object.png", "depth": "p-depth.png", ' p-color.json || fail "no planes: $(cat p-color.json)"
run 0 render "$tri" $small --frames 10 $planes --metadata none --background transparent -o "r-{plane}.png"
cmp p-color.png single.png || fail "planes change the colour of a sheet"
for plane in object depth emission coverage normal; do
  cmp "p-$plane.png" "r-$plane.png" || fail "the plane $plane of a sheet is not that of a render"
done
# Of several cells each is in its place.
run 0 sheet "$tri" $small --directions 2 --frames 0-20x10 $planes --threads 3 -o three/s.png
cmp three/s.png two/s.png || fail "planes change a sheet"
for azimuth in 0 180; do
  run 0 render "$tri" $small --directions 2 --azimuth $azimuth --frames 0-20x10 $planes -o "$azimuth-{plane}-##.png"
done
for plane in object depth coverage normal; do
  run 0 sheet -q 0-$plane-*.png 180-$plane-*.png --columns 3 -o joined.png
  run 0 compare three/s_$plane.png joined.png
done
# Nothing faces the camera.
away="--size 16 --frames 0 --look-at 99,99,0"
run 0 sheet "$tri" $away --planes normal --bits 8 -o void.png
run 0 render "$tri" $away --background "#8080ff" -o flat.png
run 0 compare void_normal.png flat.png
# A lamp over a sheet is the lamp of the render, in the same rectangles.
for model in figure:wood,joint strider:paint,steel,rubber walker:suit,rubber,shell,visor; do
  printf 'format: 1\nlights: [ { directional: { direction: [-0.6, -0.7, -0.55] } } ]\noutput: { tone_map: linear }\n' >lamp.yaml
  printf 'models:\n  - file: %s\n    materials:\n' "$source_dir/scenes/models/${model%:*}.glb" >>lamp.yaml
  echo "${model#*:}" | tr , '\n' | sed 's/.*/      &: { roughness: 1, metallic: 0 }/' >>lamp.yaml
  for y in up down; do
    run 0 sheet lamp.yaml -q --size 256 --frames 0 --directions 2 --elevation 0 --lights camera --trim --padding 2 --extrude 1 \
      --planes albedo,normal --normal-y $y -o lamp.png
    difference=$("$LAMP" lamp -0.6 -0.7 -0.55)
    echo "$model $y $difference" | awk '{ exit !($2 == "up" ? $3 <= 4 : $3 > 12) }' || fail "$model lit with y $y: $difference codes"
  done
done
run 6 sheet "$tri" $small --frames 0 --planes normal --atlas folder -o none.png
no_file none.png none_normal.png
refuse 2 "'motion' as such a PNG" sheet "$tri" --planes depth,motion -o none.png
refuse 2 "expected 16 bits" sheet "$tri" --planes depth --bits 8 -o none.png
refuse 2 "unknown plane 'nope'" sheet "$tri" --planes nope -o none.png
refuse 2 "would both be none_object.png" sheet "$tri" --planes id,object -o none.png
refuse 2 "would both be ./none_uv.png" sheet "$tri" --planes uv -o none.png --atlas ./none_uv.png
refuse 2 "one model" sheet "$tri" "$tri" --planes depth -o none.png
refuse 2 "one model" sheet rendered.png --planes depth -o none.png
refuse 5 "memory" sheet "$tri" --size 1024 -q --max-memory 80M --planes albedo,normal,emission -o none.png
finish
