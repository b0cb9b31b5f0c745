#!/bin/sh
# SPDX-License-Identifier: MIT
# Files and streams: names, frames, shards, resuming, standard input and output, JSON.
. "$(dirname "$0")/expect.sh"
hinge=$MODELS/hinge.m3d
small="--size 24x16 -q"
# shellcheck disable=SC2086 # $small is several words throughout

# Names.
run 0 render "$tri" $small --frames 0-2
is_file triangle-0000.png triangle-0001.png triangle-0002.png
run 0 render "$tri" $small --frames 1 -o deep/er/one.png
is_file deep/er/one.png
run 0 render "$tri" $small --frames 0-1 -o p.png
is_file p-0000.png p-0001.png
run 0 render "$tri" $small --frames 0-1 -o 'q%03d.png'
is_file q000.png q001.png
run 0 render "$tri" $small --frames 0-1 -o 'r{frame:2}.png'
is_file r00.png r01.png
run 0 render "$tri" $small --frames=1 --output=s-##.png
is_file s-01.png

# Folders are no patterns, and neither is one # or a % without digits and d.
run 0 render "$tri" $small --frames 1 -o 'Chair #2.png'
run 0 render "$tri" $small --frames 1 -o 'Shot #3/pic.png'
run 0 render "$tri" $small --frames 1 -o '50%/{frame:9}/####/a.png'
run 0 render "$tri" $small --frames 1 -o '50%/a\#\#b%%04d.png'
run 0 turntable "$tri" $small --count 2 -o 'Shot #3/t-####.png'
is_file 'Chair #2.png' 'Shot #3/pic.png' '50%/{frame:9}/####/a.png' '50%/a##b%04d.png' 'Shot #3/t-0001.png'
cp "$tri" 'a##b%d{frame}.gltf'
run 0 render 'a##b%d{frame}.gltf' $small --frames 0-1
is_file 'a##b%d_frame}-0001.png'

# The shot of a bare model is its first clip at 30 fps: 1 s is 30 frames.
run 0 render "$tri" $small -o full/####.png
[ "$(ls full | wc -l)" -eq 30 ] || fail "the shot has $(ls full | wc -l) frames, expected 30"
run 0 render "$tri" $small --clip rise --fps 10 -o rise/####.png
[ "$(ls rise | wc -l)" -eq 5 ] || fail "half a second at 10 fps is not 5 frames"
run 0 render "$tri" $small --clip none -o none.png
is_file none.png

# Without a word about frames it is one picture, the first, and a line says so.
for as in "-o first.png" first.png ""; do
  warns 0 "zoetrope: frame 0 of 30 (#### in the name for all)" render "$tri" --size 24x16 $as
  [ -f first.png ] || mv triangle.png first.png
  cmp -s first.png full/0000.png || fail "render $as is not frame 0"
  no_file first-0000.png triangle-0003.png
  rm first.png
done
warns 0 ", --frames 0-29 for one film)" render "$tri" --size 24x16 -o first.webp
! grep -qa ANIM first.webp || fail "a bare model is a film in WebP"
run 0 render "$tri" $small -o -
cmp -s .out full/0000.png && [ ! -s .err ] || fail "a bare model on standard output"
run 0 render "$tri" $small -o film.y4m
[ "$(wc -c <film.y4m)" -gt $((30 * 24 * 16 * 3)) ] || fail "a film of a bare model has not all frames"
turned="--size 24x16 -q --directions 4 --lights camera --azimuth 70 --clip rise"
run 0 render "$tri" $turned -o turned.png
run 0 render "$tri" $turned --frames 0 -o zero.png
cmp -s turned.png zero.png || fail "the first frame of a bare model is not that of --frames 0"
# A line reports numbers that nobody asked for.
warns 0 "zoetrope: t-0000.png to t-0001.png (#### in the name is the number" turntable "$tri" --size 8 --count 2 --progress none -o t.png
warns 0 "triangle-0004.png (####" render "$tri" --size 8 --frames 4
run 0 turntable "$tri" --size 8 --count 2 --progress none -o t##.png
! grep -q "####" .err || fail "names that were asked for are reported: $(cat .err)"

# Every command takes its output as -o FILE and as a second name, and a folder for it.
printf 'format: 1\nmodels: [{ file: %s }]\n' "$tri" >baked.yaml
while read -r made given command; do
  for as in "-o $given" "$given"; do
    rm -rf both
    run 0 $command $as -q
    is_file "both/$made"
  done
done <<BOTH
a.png both/a.png render $tri --size 8
triangle.png both/ render $tri --size 8
triangle-0001.png both/ render $tri --size 8 --frames 0-1
triangle.apng both/ render $tri --size 8 --format apng
01.png both/##.png turntable $tri --size 8 --count 2
triangle-0001.jpg both/ turntable $tri --size 8 --count 2 --format jpeg
a.webp both/a.webp thumbnail $tri --size 8
triangle.png both/ thumbnail $tri --size 8
hinge.png both/ thumbnail $tri $hinge --size 8
a.json both/a.png sheet $tri --size 8 --frames 0
triangle.json both/. sheet $tri --size 8 --frames 0
sheet.png both/ sheet $tri $hinge --size 8
a.m3d both/a.m3d convert $tri
triangle.glb both/ convert $tri
a.gltf both/a.gltf convert baked.yaml
baked.glb both/ convert baked.yaml
BOTH

# A frame by itself is the frame of the sequence; so is one of a shard.
run 0 render "$tri" $small --frames 7 -o alone.png
cmp -s alone.png full/0007.png || fail "frame 7 alone differs from frame 7 of the sequence"
run 0 render "$tri" $small --shard 2/3 -o shard/####.png
[ "$(ls shard | wc -l)" -eq 10 ] || fail "a third of 30 frames is not 10"
for name in shard/*.png; do
  cmp -s "$name" "full/$(basename "$name")" || fail "$name differs from the sequence's"
done
no_file shard/0000.png shard/0002.png
is_file shard/0001.png shard/0004.png
run 0 render "$tri" $small --threads 1 -o one/####.png --isa scalar
for name in one/*.png; do
  cmp -s "$name" "full/$(basename "$name")" || fail "$name depends on threads or instruction set"
done

# Springs remember: a frame alone takes the steps that the sequence took before it.
springs=$MODELS/../../../scenes/tests/springs.yaml
run 0 render "$springs" --size 90x40 -q --frames 10-60x10 --threads 3 -o swung/####.png
run 0 render "$springs" --size 90x40 -q --frames 50 --threads 1 --isa scalar -o swung.png
cmp -s swung.png swung/0050.png || fail "springs of frame 50 alone differ from those of the sequence"
run 0 render "$springs" --size 90x40 -q --frames 10-60x10 --shard 2/3 -o third/####.png
for name in third/0020.png third/0050.png; do
  cmp -s "$name" "swung/$(basename "$name")" || fail "springs of $name differ from the sequence's"
done

# Resuming renders what is missing, broken or of another scene, size, frame or way to encode, and
# touches nothing else.
rm full/0003.png
head -c 60 one/0004.png >full/0004.png
cp one/0006.png full/0005.png
cat one/0006.png one/0006.png >full/0006.png
printf 'x' | dd of=full/0007.png bs=1 seek=100 conv=notrunc 2>/dev/null
touch -d '2001-01-01' full/0008.png
run 0 render "$tri" $small --resume -o full/####.png --json
for k in 3 4 5 6 7; do
  cmp -s full/000$k.png one/000$k.png || fail "--resume did not render frame $k"
  ! grep -q "000$k.png\",\"skipped" .out || fail "--resume skipped frame $k"
done
[ "$(grep -o skipped .out | wc -l)" -eq 25 ] || fail "--resume rendered whole frames again"
[ -z "$(find full/0008.png -newermt 2002-01-01)" ] || fail "--resume wrote a whole frame again"
cp "$tri" same.gltf
run 0 render same.gltf $small --resume -o full/####.png --json
[ "$(grep -o skipped .out | wc -l)" -eq 30 ] || fail "the name of the model matters"
sed 's/"asset"/ "asset"/' "$tri" >other.gltf
for change in "other.gltf --frames 2" "$tri --frames 2 --exposure 1" "$tri --frames 2 --png small" \
  "$tri --frames 2" "$tri --frames 2 --quality final" "$tri --frames 2 --quality final --light-samples 16"; do
  run 0 render $change --size 24x16 -q --resume -o full/####.png --json
  ! grep -q skipped .out || fail "--resume took a frame of another scene: $change"
done
run 0 render "$tri" --size 25x16 -q --frames 2 --resume -o full/####.png --json
! grep -q skipped .out || fail "--resume took a frame of another size"

# Temporaries of dead processes go, those of the living and of others stay.
mkdir swept
touch swept/.0001.png.tmp-1-0 swept/.other.jpg.tmp-1-0 swept/.0001.png.tmp-x
if command -v flock >/dev/null; then
  touch swept/.0002.png.tmp-999999-0
  flock swept/.0002.png.tmp-999999-0 "$ZOETROPE" render "$tri" $small --frames 0-1 --resume -o swept/####.png
  is_file swept/0001.png
  [ -e swept/.0002.png.tmp-999999-0 ] || fail "--resume removed the temporary of a living process"
fi
run 0 render "$tri" $small --frames 0-1 --resume -o swept/####.png
no_file swept/.0001.png.tmp-1-0 swept/.0002.png.tmp-999999-0
[ -e swept/.other.jpg.tmp-1-0 ] && [ -e swept/.0001.png.tmp-x ] || fail "--resume removed files of others"
touch swept/.f.apng.tmp-1-0
touch -d 2020-01-01 swept/.c.glb.tmp-1-0
run 0 convert "$tri" swept/c.glb -q
run 0 render "$tri" $small --frames 0-1 -o swept/f.apng
no_file swept/.c.glb.tmp-1-0 swept/.f.apng.tmp-1-0

# A stream is whole.
for flag in "--shard 1/2" --resume; do
  # shellcheck disable=SC2086
  {
    refuse 2 "${flag%% *} with -o - (expected files" render "$tri" $small $flag --format y4m -o -
    refuse 2 "${flag%% *} with -o - (expected files" turntable "$tri" --count 3 -q $flag --format rgba -o -
  }
done

# A thumbnail is done when it is whole and of this size.
run 0 thumbnail "$tri" thumb.png --size 16 -q
touch -d '2001-01-01' thumb.png
run 0 thumbnail "$tri" thumb.png --size 16 -q --resume
[ -z "$(find thumb.png -newermt 2002-01-01)" ] || fail "--resume made a thumbnail again"
head -c 60 thumb.png >cut.png
run 0 thumbnail "$tri" cut.png --size 16 -q --resume
cmp -s thumb.png cut.png || fail "--resume left half a thumbnail"

# Beyond the largest file that the system allows: exit 6, and nothing is left.
mkdir limited
(ulimit -f 1 && exec "$ZOETROPE" render "$tri" --size 300x300 -q --frames 0 --background '#123456' \
  --ground checker -o limited/a.png) >.out 2>.err
[ $? -eq 6 ] || fail "a file beyond ulimit -f: not exit 6"
[ -z "$(ls -A limited)" ] || fail "a file beyond ulimit -f leaves a temporary"

# Clamping warns, on stderr only.
warns 0 "warning: frames '28-40' clamped to the shot (0..29)" render "$tri" --size 24x16 --progress none --frames 28-40 -o clamp/####.png
[ "$(ls clamp | wc -l)" -eq 2 ] || fail "clamped to a wrong number of frames"
[ ! -s .out ] || fail "render writes to stdout"

# A scene: paths are relative to its file; YAML and JSON are the same; flags override.
mkdir scenes
cp "$tri" scenes/one.gltf
cat >scenes/two.yaml <<'SCENE'
format: 1
output: { size: [24, 16], frames: 0-4, fps: 10, background: "#204060" }
models:
  - { name: left, file: one.gltf, transform: { translate: [-1, 0, 0] }, animation: spin }
  - { name: right, file: one.gltf, transform: { translate: [1, 0, 0] }, animation: rise }
camera: { orbit: { azimuth: [[0, 0], [0.5, 90]] }, fov: 40 }
SCENE
cat >scenes/two.json <<'SCENE'
{ "format": 1,
  "output": { "size": [24, 16], "frames": "0-4", "fps": 10, "background": "#204060" },
  "models": [
	{ "name": "left", "file": "one.gltf", "transform": { "translate": [-1, 0, 0] }, "animation": "spin" },
	{ "name": "right", "file": "one.gltf", "transform": { "translate": [1, 0, 0] }, "animation": "rise" } ],
  "camera": { "orbit": { "azimuth": [[0, 0], [0.5, 90]] }, "fov": 40 } }
SCENE
run 0 check scenes/two.yaml scenes/two.json
run 0 render scenes/two.yaml -q -o yaml/####.png
run 0 render scenes/two.json -q -o json/####.png
run 0 compare yaml json
[ "$(ls yaml | wc -l)" -eq 5 ] || fail "the scene has $(ls yaml | wc -l) frames, expected 5"
warns 0 "raster" render scenes/two.yaml -q --frames 3 --stats -o flags.png --samples 1 --size 32x16
run 1 compare flags.png yaml/0003.png

# Standard input and output.
cat "$tri" | "$ZOETROPE" render - --size 24x16 --frames 7 -q -o - >stdout.png 2>.err ||
  fail "a model from standard input"
cmp -s stdout.png alone.png || fail "standard output differs from the file"
run 0 render "$tri" --size 24x16 --frames 0-3 -q -o - --format rgba
[ "$(wc -c <.out)" -eq $((24 * 16 * 4 * 4)) ] || fail "rgba of 4 frames has a wrong size"
run 0 render "$tri" --size 24x16 --frames 0-3 -q -o - --format y4m --fps 30000/1001
head -1 .out | grep -qxF 'YUV4MPEG2 W24 H16 F30000:1001 Ip A1:1 C444 XCOLORRANGE=LIMITED' || fail "y4m header"
header=$(head -1 .out | wc -c)
[ "$(wc -c <.out)" -eq $((header + 4 * (6 + 24 * 16 * 3))) ] || fail "y4m has a wrong size"

# Without -o the name is the input's; what would be a frame field in it is part of the name.
cp "$tri" "odd#2%.gltf"
run 0 render "odd#2%.gltf" $small --frames 0 -q
is_file odd#2%-0000.png

# Turntable: N frames, transparent, the first one not repeated.
run 0 turntable "$tri" $small --count 4 --clip none -o turn/##.png
[ "$(ls turn | wc -l)" -eq 4 ] || fail "a turntable of 4 has $(ls turn | wc -l) frames"
cmp -s turn/00.png turn/02.png && fail "the turntable does not turn"
run 0 turntable "$tri" $small -o turn36/##.png
[ "$(ls turn36 | wc -l)" -eq 36 ] || fail "a turntable has 36 frames by default"

# Transparent: alpha in every file, also where all pixels are covered; opaque: none.
kind_is() {
  checks=$((checks + 1))
  [ "$(od -An -tu1 -j25 -N1 "$2" | tr -d ' ')" -eq "$1" ] || fail "$2 is not of colour type $1"
}
near="--size 16x16 --time 0 -q --zoom 50"
run 0 render "$tri" $near -o opaque.png
kind_is 2 opaque.png
run 0 render "$tri" $near --background transparent -o covered.png
kind_is 6 covered.png
run 0 compare opaque.png covered.png
run 0 render "$tri" $near --background transparent -o -
kind_is 6 .out
run 0 turntable "$tri" --size 16x16 -q --zoom 50 --count 2 -o covered/{frame}.png
kind_is 6 covered/0.png
kind_is 6 covered/1.png
run 0 thumbnail "$tri" covered-t.png --size 16 -q --zoom 50
kind_is 6 covered-t.png

# Thumbnails.
run 0 thumbnail "$tri" t.png -q
run 0 thumbnail "$tri" t256.png -q --size 256x256
cmp -s t.png t256.png || fail "a thumbnail is not 256 x 256"
run 0 thumbnail "$tri" "a#b%d.png" -q --size 16
is_file "a#b%d.png"
run 0 thumbnail --outdir batch --size 16 -q "$tri" "$hinge"
is_file batch/triangle.png batch/hinge.png
# A batch in parts, and again: what is there stays.
for part in 1 2; do
  run 0 thumbnail --outdir parts --size 16 -q --shard $part/2 --fsync "$tri" "$hinge"
  [ "$(ls parts | wc -l)" -eq $part ] || fail "shard $part/2 of two thumbnails"
done
run 0 compare parts batch
cp parts/triangle.png parts/hinge.png
prints 0 '"file":"parts/hinge.png","skipped":true' thumbnail --outdir parts --size 16 -q --resume --json "$tri" "$hinge"
cmp -s parts/triangle.png parts/hinge.png || fail "thumbnail --resume wrote a file that was there"
refuse 2 "--shard of one" thumbnail "$tri" t.png --shard 1/2
run 8 thumbnail --outdir failed --size 16 -q --json "$tri" parts/hinge.png
out_has '"code":8,"message":' '],"code":8}'
is_file failed/triangle.png
run 0 thumbnail "$tri" - --size 16 -q
cmp -s .out "a#b%d.png" || fail "a thumbnail on standard output differs"
run 0 thumbnail --size 16 -q -- "$tri" --odd.png
is_file ./--odd.png

# Clips and descriptions.
run 0 render "$tri" --list-clips
printf '0 spin 0 1\n1 rise 0 0.5\n' | cmp -s - .out || fail "--list-clips"
run 0 inspect "$tri" --full
out_has "spin" "triangles: 1" "version: 2.0" "rest_bounds: min -0.5 0 0, max 0.5 1 0 m" "start 0 s, end 1 s, duration 1 s" "fov 40.107 degrees" "posed_bounds: min "
run 0 inspect "$MODELS/lamps.gltf" --full
out_has "intensity 2 lux" "intensity 30 candela" "file_size: 1265 bytes"
run 0 inspect "$MODELS/lamps.gltf" --json
python -c 'import json,sys; d=json.load(open(sys.argv[1]))
assert d["extensions_used"]==["KHR_lights_punctual"] and d["extensions_required"]==[], d
assert d["scenes"]==[""] and d["scene"]==0 and d["file_size"]>1000 and d["memory"]>1000, d
assert d["rest_bounds"]=={"min":[-0.5,0.0,0.0],"max":[0.5,1.0,0.0]} and "posed_bounds" not in d, d' \
  .out || fail "inspect --json does not describe the file"
run 0 inspect "$MODELS/../../../scenes/models/points_lines.glb" --full
out_has "triangles: 12" "lines: 401" "points: 1084"
run 0 inspect "$hinge" --json
python -c 'import json,sys; d=json.load(open(sys.argv[1])); assert d["clips"][0]["name"]=="Swing", d' \
  .out || fail "inspect --json is not the JSON expected"
# The bones: a tree of all, at rest or posed, and their matrices over the shot.
arm=$MODELS/../../../scenes/models/robot_arm.glb
prints 0 "7 bones, at rest, in the space of the model, in metres" inspect "$arm" --rig
out_has "    3       elbow                             0.0000    0.9800    0.0000   1.000  0.000  0.000"
prints 0 "bones, frame 0, in the world" inspect "$hinge" --rig --clip Swing --time 0.5
# The number of a node in the file stands next to the index of a bone: parents come first there.
printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[1]}],"nodes":[{"name":"hand"},{"name":"arm","children":[0]}]}' \
  >order.gltf
prints 0 "index bone" inspect order.gltf --rig
grep -q "^    0 arm .*  *1$" .out && grep -q "^    1   hand .*  *0$" .out || fail "--rig does not say the nodes: $(cat .out)"
run 0 inspect order.gltf --rig --json
tr -d ' \n' <.out | grep -q '"index":0,"node":1,"name":"arm"' || fail "--rig --json does not say the nodes"
# They need no pictures, and say nothing about them.
sed '1s#{#{"images":[{"uri":"absent.png"}],"textures":[{"source":0}],#; s#"baseColorFactor"#"baseColorTexture":{"index":0},"baseColorFactor"#' \
  "$MODELS/triangle.gltf" >unpainted.gltf
warns 0 "absent.png" check unpainted.gltf
run 0 inspect unpainted.gltf --rig
[ ! -s .err ] || fail "inspect --rig reports textures"
refuse 2 "expected --rig for the bones of a pose" inspect "$hinge" --clip Swing
refuse 2 "expected one of them" inspect "$hinge" --rig --pose-json
if command -v python3 >/dev/null; then
  run 0 inspect "$hinge" --rig --json --frames 7 --fps 24
  cp .out rig.json
  run 0 inspect "$hinge" --pose-json --frames 6-7 --fps 24
  python3 - rig.json .out <<'EOF' || fail "--pose-json is not what --rig says"
import json, sys
rig, poses = (json.load(open(f)) for f in sys.argv[1:])
bones, (first, last) = rig["instances"][0]["bones"], poses["frames"]
assert rig["frame"] == 7 and [b["index"] for b in bones] == list(range(len(bones)))
assert [n["name"] for n in poses["instances"][0]["nodes"]] == [b["name"] for b in bones]
assert bones[1]["path"] == "Bone0/Bone1" and bones[1]["parent"] == 0
assert (last["frame"], poses["fps"]) == (7, 24) and abs(last["time"] - 7 / 24) < 1e-9
assert [m[12:15] for m in last["world_from_node"][0]] == [b["position"] for b in bones]
assert first["world_from_node"] != last["world_from_node"]
EOF
fi
cat >layers.yaml <<EOF
format: 1
models:
  - file: $hinge
    animation: [Swing, { clip: Swing, weight: 0.5 }]
    skinning: dual_quaternion
    instances: { grid: { count: [2, 1] } }
EOF
run 0 inspect layers.yaml --full
out_has "instances: 2" "clip Swing, layers Swing Swing, skinning dual_quaternion"

# A colour paints what has no material in its file, whatever the format, and nothing else.
printf 'solid\nfacet normal 0 0 1\nouter loop\nvertex -1 -1 0\nvertex 1 -1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n' >bare.stl
printf 'v -1 -1 0\nv 1 -1 0\nv 0 1 0\nusemtl absent\nf 1 2 3\n' >bare.obj
printf 'xof 0303txt 0032\nMesh { 3; -1;-1;0;,0;1;0;,1;-1;0;; 1; 3;0,1,2;; }\n' >bare.x
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n-1 -1 0\n1 -1 0\n0 1 0\n3 0 1 2\n' >bare.ply
sed 's/^property float z/&\nproperty uchar red\nproperty uchar green\nproperty uchar blue/; s/^\([-01]* [-1]* 0\)$/\1 9 8 7/' bare.ply >vivid.ply
sed 's/"material": *[0-9]*,//; s/, *"material": *[0-9]*//' "$tri" >bare.gltf
printf 'format: 1\nmodels: [ { shape: box, color: "#f80" } ]\n' >bare.yaml
for file in bare.stl bare.obj bare.x bare.ply bare.gltf bare.yaml vivid.ply "$tri"; do
  case $file in bare*) want="ff 88 00" ;; vivid*) want="09 08 07" ;; *) want="e7 59 59" ;; esac
  "$ZOETROPE" render $file --up y --look albedo --view front --zoom 4 --size 9 --time 0 --color '#f80' --format rgba -o - 2>.err |
    od -An -tx1 -j 160 -N 3 | grep -q "$want" || fail "--color of $file"
  case $file in bare*) ! grep color .err || fail "--color of $file warns" ;; *) err_has "paints nothing" ;; esac
done
refuse 2 "did you mean 'tomato'?" render bare.stl --color tomatto
# For people it is short, and every list fits into its line.
models=$MODELS/../../../scenes/models
run 0 inspect "$models/walker.glb"
out_has "walker.glb: glTF 2.0, 1.2 MB (" "geometry   15,808 triangles, 9,098 vertices in 1 mesh, 41 nodes"
out_has "materials  4: suit, rubber, shell, visor" "size       1.28 x 1.8 x 0.474 m in x, y and z" "color 1024x1024 px"
for file in "$models/still_life.glb" "$models/transmission.glb" "$models/../walk.yaml" "$models/../crowd.yaml"; do
  run 0 inspect "$file"
  [ "$(wc -l <.out)" -le 20 ] || fail "inspect $file: $(wc -l <.out) lines"
  [ "$(awk '/^[a-z]* *[0-9]*: / { n = length($0) > n ? length($0) : n } END { print n + 0 }' .out)" -le 105 ] ||
    fail "inspect $file: a long line"
done
out_has "instances  500: explorer x500"
refuse 2 "expected one of them" inspect "$hinge" --full --rig

# What a picture lacks: inspect lists it, render says each line once, and strictly it is refused.
lacking=$MODELS/lacking.gltf
run 0 inspect "$lacking" --full
out_has "/asset/extras (title Lacking)" "dc:creator nobody"
out_has "KHR_materials_clearcoat (clearcoatFactor 0.5, clearcoatRoughnessFactor 0.25)"
sed -n '/^notes: /,/^[a-z]*_bounds/s/^  [0-9]*: //p' .out >notes
[ "$(wc -l <notes)" -eq 4 ] || fail "inspect does not list four lines: $(cat notes)"
run 0 render "$lacking" --size 16x16 -o lacking.png
while read -r line; do
  [ "$(grep -cF -- "$line" .err)" -eq 1 ] || fail "render does not say once: $line"
done <notes
for command in inspect render check; do
  run 8 "$command" "$lacking" --strict
done
run 0 inspect "$lacking" --json
python -c 'import json,sys; d=json.load(open(sys.argv[1]))
assert d["extras"]["/nodes/0/extras"]==7 and d["extras"]["/asset/extras"]=={"title":"Lacking"}, d
assert d["node_list"]==[{"name":"root","mesh":0}], d
layers=d["materials"][0]["layers"]
assert layers["KHR_materials_transmission"]["transmissionFactor"]==1.0, d' \
  .out || fail "inspect --json does not list extras, nodes and layers"

# Result documents are JSON, whatever the names.
cp "$tri" 'odd "name.gltf'
run 0 render 'odd "name.gltf' --size 16x16 --frames 0-1 --json -q
python -c 'import json,sys
d = json.load(open(sys.argv[1]))
assert len(d["files"]) == 2 and d["input"] == "odd \"name.gltf", d
assert d["stats"]["frames"] == 2' .out || fail "render --json is not the JSON expected"

# Every document holds the version that --version prints, with the commit when there is one.
run 0 --version
printed=$(sed -n 's/^zoetrope //p' .out)
states_version() {
  run 0 "$@" --json
  grep -q "\"zoetrope\": *\"$printed\"" .out || fail "$*: the document does not state the version $printed"
}
run 0 render "$tri" $small --time 0 -o version.png --json
# The bounds of a scene over its shot: the triangle, moved by 2.
printf 'format: 1\nmodels: [ { file: %s, transform: { translate: [2, 0, 0] } } ]\n' "$tri" >bounds.yaml
prints 0 "size       1 x 1 x 0 m in x, y and z, from (1.5 0 0) to (2.5 1 0)" inspect bounds.yaml
run 0 inspect bounds.yaml --full
grep -q '^posed_bounds: min 1.5 0 0, max 2.5 1 0 m$' .out || fail "inspect of a scene prints no bounds"
# With --hash-stages still one document.
run 0 render "$tri" $small --time 0 -o stages.png --json --hash-stages -q
python -c 'import json,sys; d=json.load(open(sys.argv[1])); assert len(d["stage_hashes"]["pixels"])==16, d' \
  .out || fail "render --json --hash-stages is not one document"
hash=$(sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/' .out)
states_version render "$tri" $small --time 0 -o version.png
states_version render "$tri" $small --time 0 --verify "$hash"
states_version turntable "$tri" $small --count 1 -o version.png
states_version thumbnail "$tri" version-t.png --size 16
states_version compare version.png version.png
states_version inspect "$tri"
states_version check "$tri"
states_version convert "$tri" version.glb
# JSON shows a terminal no controls and no marks of writing direction either.
printf '{"asset":{"version":"2.0"},"nodes":[{"name":"a\302\23331m\342\200\256b"}],"scenes":[{"nodes":[0]}]}' >marks.gltf
prints 0 'a\u009B31m\u202Eb' inspect marks.gltf --json
# /dev/stdout is a link to what standard output is: written to, not replaced.
ln -s /proc/self/fd/1 out-link.png
echo head >streamed
"$ZOETROPE" thumbnail "$tri" out-link.png --size 16 >>streamed 2>.err || fail "a link to standard output: $?"
"$ZOETROPE" thumbnail "$tri" plain.png --size 16 2>.err
{ echo head; cat plain.png; } | cmp -s - streamed || fail "a link to standard output: other bytes"
[ -L out-link.png ] || fail "a link to standard output was replaced"
# A picture in which no model is visible; a ground is no model.
printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{}]}' >empty.gltf
warns 0 "empty.gltf: nothing is visible" thumbnail empty.gltf empty.png --size 16 --ground none
warns 0 "empty.gltf: nothing is visible" render empty.gltf -o empty.png --size 16x16 --ground none
cat >away.yaml <<EOF
format: 1
models: [{ file: $MODELS/triangle.gltf }]
ground: plane
camera: { look_at: { position: [0, 1, 5], target: [0, 0, 10] } }
EOF
warns 0 "away.yaml: nothing is visible" render away.yaml --time 0 -o away.png --size 16x16
run 0 render "$MODELS/triangle.gltf" --time 0 -o seen.png --size 16x16
grep -q "nothing is visible" .err && fail "a triangle is said to be invisible"

# A first clip of one key, though others move, is shown with a word.
sed 's|"bufferView": 2, "componentType": 5126, "count": 2|"bufferView": 2, "componentType": 5126, "count": 1|
  s|^ "max": \[1\]}, {"bufferView": 3, "componentType": 5126, "count": 2| "max": [0]}, {"bufferView": 3, "componentType": 5126, "count": 1|
  s|{"input": 4, "output": 5}\]|{"input": 4, "output": 5}, {"input": 2, "output": 3}]|
  s|"path": "translation"}}|&, {"sampler": 1, "target": {"node": 0, "path": "rotation"}}|' \
  "$tri" >tpose.gltf
for command in render turntable; do
  warns 0 "the first clip, 'spin', is one pose, and others move (expected --clip 'rise'" $command tpose.gltf --size 8 --frames 0 -o still.png
  run 0 $command tpose.gltf --size 8 --frames 0 --clip spin -o still.png
  ! grep -q "one pose" .err || fail "$command --clip speaks of the first clip"
done
run 0 render tpose.gltf --size 8 -o still.png # one picture of a shot that is applied twice
[ "$(grep -c "one pose" .err)" -eq 1 ] || fail "the first clip: $(cat .err)"
# Clips have the name of their armature before their own in FBX files of Blender.
sed 's/"spin"/"Rig|spin"/' tpose.gltf >rig.gltf
run 0 render rig.gltf --size 8 --frames 0 --clip spin -q -o rig.png
run 0 render tpose.gltf --size 8 --frames 0 --clip spin -q -o still.png
run 0 compare rig.png still.png
refuse 2 "no clip 'pin'" render rig.gltf --clip pin
sed 's/"rise"/"Low|spin"/' rig.gltf >two.gltf
refuse 2 "no clip 'spin'" render two.gltf --clip spin
run 0 thumbnail tpose.gltf still.png --size 8
! grep -q "one pose" .err || fail "thumbnail speaks of the first clip"

# What is hidden, by model, node or material, leaves no trace: no shadow, no reflection, no framing.
scene_of() {
  cat <<EOF
format: 1
output: { size: [64, 48] }
models:
  - { shape: box }
$1
preset: studio
ground: shadow
EOF
}
scene_of "" >alone.yaml
scene_of "  - { shape: sphere, visible: false, transform: { translate: [0, 2, 0] } }" >model.yaml
scene_of "  - { shape: sphere, opacity: 0, transform: { translate: [0, 2, 0] } }" >opacity.yaml
scene_of "  - { shape: sphere, nodes: { sphere: { visible: [[0, false], [1, true]] } }, transform: { translate: [0, 2, 0] } }" >node.yaml
scene_of "  - { shape: sphere, materials: { sphere: { visible: false } }, transform: { scale: 0.9 } }" >material.yaml
for name in alone model opacity node material; do
  run 0 render $name.yaml -o $name.png -q
done
for name in model opacity node material; do
  run 0 compare $name.png alone.png
done

# A clip whose keys begin late, in a scene that ends before: one picture, and a word of why.
sed 's|AAAAAAAAAACAPwAAAAAA|AAAAAKBAAADAQAAAAAAA|
  s|"count": 2, "type": "SCALAR", "min": \[0\],$|"count": 2, "type": "SCALAR", "min": [5],|; s|"max": \[1\]|"max": [6]|' \
  "$tri" >late.gltf
for start in 0 5; do
  cat >late.yaml <<EOF
format: 1
output: { size: [8, 8], frames: 0-29 }
models:
  - { file: late.gltf, animation: none, instances: { grid: { count: [2, 1] } } }
  - { file: late.gltf, animation: { clip: spin, start: $start }, instances: { grid: { count: [3, 1] } } }
EOF
  run 0 render late.yaml -o late-##.png --progress none
  if [ $start = 0 ]; then
    [ "$(grep -c "late.yaml: clip 'spin' begins at 5 s of its own, and is played from 0 s: it shows" .err)" -eq 1 ] ||
      fail "a crowd with a late clip: $(cat .err)"
  else
    ! grep -q "begins at" .err || fail "a clip that is started where it begins is said to be late"
  fi
done
# It is also said of a shot that ends after it began, also in a layer, and of a path without a speed.
cat >late.yaml <<EOF
format: 1
output: { size: [8, 8], frames: 0-160 }
models:
  - file: late.gltf
    animation: [none, { clip: spin, start: 0, weight: 0.5 }]
    transform: { path: { points: [[0, 0, 0], [1, 0, 0]] } }
EOF
run 0 render late.yaml -o late-##.png --progress none --frames 0,160
err_has "clip 'spin' begins at 5 s of its own, and is played from 0 s: it shows its first pose until then (expected 'start: 5' with the clip)"
err_has "the model 'late.gltf' stands still on its path (expected 'speed' with the path, or 'root_motion' with a clip)"

# A scene's turn that does not close says what closes it, and that does.
for speed in 1 0.9677; do
  cat >turn.yaml <<EOF
format: 1
output: { size: [8, 8], fps: 30 }
models: [{ file: $tri, animation: { clip: spin, speed: $speed } }]
EOF
  run 0 turntable turn.yaml --count 31 -o turn-##.png --progress none
  if [ $speed = 1 ]; then
    err_has "the clip 'spin' has 30 frames and the turn 31: the motion jumps from the last frame to the first (expected 'speed: 0.9677' with the clip, or --loops)"
  else
    ! grep -q jumps .err || fail "the suggested speed does not close the turn"
  fi
done
warns 2 "--clip with inspect, which describes a file and all of its clips (expected --rig for the bones of a pose" inspect "$tri" --clip 0

# A trace has every piece of work, of all threads.
run 0 render "$tri" --size 200x200 --frames 0-2 --threads 3 -q --trace t.json -o tr-##.png
for name in file meshes open framing pose geometry raster shade film encode write; do
  grep -q "\"name\":\"$name\"" t.json || fail "no $name in the trace"
done
[ "$(grep -c '^{"ph":"X","pid":1,"tid":[0-9]*,"ts":[0-9.]*,"dur":[0-9.]*,"name":"[a-z ]*"},*$' t.json)" -eq "$(($(wc -l <t.json) - 2))" ] ||
  fail "a line of the trace: $(head -3 t.json)"
run 3 render nowhere.gltf --trace none.json -o none.png
no_file none.json
refuse 2 "--trace -" render "$tri" --trace - -o none.png
refuse 2 "is an input" render "$tri" --trace "$tri" -o none.png
refuse 2 "--trace with many models" thumbnail "$tri" --outdir none --trace none.json
run 6 render "$tri" --size 8x8 --frames 0 -q --trace /dev/null/t.json -o tr-##.png
# A wall behind a clear one, each before all 256 pixels: both are shaded.
printf '%s\n' 'format: 1' 'output: { size: [16, 16], samples: 1 }' 'ground: none' 'models:' \
  '  - { shape: box, transform: { translate: [0, 0, -9], scale: 9 } }' \
  '  - { shape: box, opacity: 0.5, transform: { scale: [9, 9, 1] } }' \
  'camera: { look_at: { position: [0, 0, 5], target: [0, 0, 0] }, fov: 30 }' >walls.yaml
prints 0 '"pixels_shaded":512,' render walls.yaml -q -o walls.png --json
finish
