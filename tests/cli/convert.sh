#!/bin/sh
# SPDX-License-Identifier: MIT
# convert: the same picture before and after, losses are reported, files are whole or absent.
. "$(dirname "$0")/expect.sh"
scenes=$MODELS/../../../scenes/models
corpus=$MODELS/../../fuzz/corpus

hash_flags="--size 64"

# same A B [FLAG...]: the same picture, which is there.
same() {
  first=$1 second=$2
  shift 2
  checks=$((checks + 1))
  a=$(hash "$first" "$@")
  b=$(hash "$second" "$@")
  [ -n "$a" ] || fail "$first gives no picture"
  [ "$a" = "$b" ] || fail "$second looks other than $first"
}

# glTF -> glTF keeps everything: also under --strict, compressed or not, twice and back.
for name in interpolation vertex_colors wraps mirrored_instance weights; do
  file=$scenes/$name.glb
  run 0 convert "$file" "$name.gltf" --strict
  run 0 convert "$name.gltf" "$name.glb" --strict
  same "$file" "$name.gltf"
  same "$file" "$name.glb"
done
is_file wraps.bin
for file in "$corpus"/models/*.glb "$corpus"/gltf/*; do
  run 0 convert "$file" packed.glb --strict
  run 0 convert packed.glb packed.gltf --strict
  same "$file" packed.glb
  same "$file" packed.gltf
done

# The character crosses over both ways, moving: to the bit.
run 0 convert "$scenes/walker.glb" w.m3d
is_file w.m3d w-color.dds
same "$scenes/walker.glb" w.m3d --clip 0 --time 0.4
# Its textures are made PNG: parts of 64 x 64 pixels take less time.
cp "$scenes/walker.m3d" .
for map in color:2048 normal:16384; do
  file=walker-${map%:*}.dds
  { head -c 12 "$scenes/$file" && printf '\100\0\0\0\100\0\0\0' && tail -c +21 "$scenes/$file" | head -c 108
    tail -c +320129 "$scenes/$file" | head -c "${map#*:}"; } >"$file"
done
run 0 convert walker.m3d x.gltf --strict
is_file x.bin x-walker-color.dds x-walker-color.png
same walker.m3d x.gltf --clip 0 --time 0.4
run 0 convert x.gltf y.m3d
same walker.m3d y.m3d --clip 0 --time 0.4
run 0 convert y.m3d z.glb
same walker.m3d z.glb --clip 0 --time 0.4

# The front of an .m3d shown bare is at -z of the file: one character, one picture, from each side.
same "$scenes/walker.glb" "$scenes/walker.m3d" --view front
same "$scenes/walker.glb" "$scenes/walker.m3d" --azimuth 75 --clip 1 --time 0.2
# Of a left-handed file, whose z is mirrored, and of a right-handed one.
cp "$MODELS/hinge.m3d" left.m3d
awk '/^[*]*Triangles/ {on = 1; print; next} /^[*]*Bone/ {on = 0}
  on && NF == 3 {print $1, $3, $2; next} {print}' left.m3d >right.m3d
for hand in left right; do
  run 0 convert $hand.m3d $hand.glb
  same $hand.m3d $hand.glb --time 0.3
  same $hand.m3d $hand.glb --view front --time 0.3
  run 0 convert $hand.glb back.m3d
  same $hand.m3d back.m3d --time 0.3
done
# Geometry stays as the file has it: the visor is at -z.
run 0 inspect "$scenes/walker.glb" --full
box=$(sed -n 's/^rest_bounds: min [^ ]* [^ ]* \([^,]*\), max [^ ]* [^ ]* \(.*\) m/\1 \2/p' .out)
run 0 inspect "$scenes/walker.m3d" --full
sed -n 's/^rest_bounds: min [^ ]* [^ ]* \([^,]*\), max [^ ]* [^ ]* \(.*\) m/\2 \1/p' .out |
  sed 's/^/-/; s/ -/ /' | grep -qx -- "$box" || fail "bounds of walker.m3d are not those of the file ($box)"

# A skin without clips keeps its pose, in a clip of one key.
sed 's/"animations"/"unread"/' x.gltf >still.gltf
run 0 convert still.gltf still.m3d
grep -q 'rest pose' .err && fail "still.m3d: $(cat .err)"
grep -q '^AnimationClip rest$' still.m3d || fail "still.m3d has no rest pose"
same still.gltf still.m3d --time 0

# Alpha clipping of .m3d has a cutoff of its own, which glTF's default is not.
sed 's/^AlphaClip: 0/AlphaClip: 1/' "$MODELS/hinge.m3d" >clip.m3d
run 0 convert clip.m3d clip.gltf --strict
grep -q '"alphaMode": *"MASK"' clip.gltf || fail "clip.gltf is not masked"
grep -Eq '"alphaCutoff": *0\.(1|10000|09999)' clip.gltf || fail "clip.gltf has another alphaCutoff"
run 0 convert clip.gltf back.m3d
grep -q '^AlphaClip: 1' back.m3d || fail "back.m3d has no alpha clip"

# Glossiness becomes roughness, its other way round.
sed 's/"materials"/"was"/; s/^{/{"materials":[{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"glossinessFactor":0.25}}}],/' \
  "$MODELS/triangle.gltf" >glossy.gltf
cp "$MODELS"/triangle*.bin . 2>/dev/null || true
run 0 convert glossy.gltf glossy.m3d
grep -q '^Roughness: 0.75$' glossy.m3d || fail "glossy.m3d: $(grep '^Roughness' glossy.m3d)"

# What .m3d cannot hold: a line each, in the document too, and under --strict exit 8 and no file.
warns 0 "face.m3d: the morph targets of" convert "$scenes/face.glb" face.m3d --json
out_has '"lost":["face.m3d: ' '"code":0}'
refuse 8 "strict.m3d: " convert "$scenes/face.glb" strict.m3d --strict
no_file strict.m3d

# Rigid parts, mirrored too, and bones of rigid parts: to the bit.
run 0 convert "$scenes/mirrored_instance.glb" m.m3d --strict
same "$scenes/mirrored_instance.glb" m.m3d
run 0 convert "$scenes/door.glb" d.m3d
same "$scenes/door.glb" d.m3d --clip 0 --time 0.5

# Steps and splines: but for single pixels of the edges.
warns 0 "splines of the clip 'move' are sampled at 60 keys a second" convert "$scenes/interpolation.glb" i.m3d
for time in 0.15 0.55 0.9; do
  run 0 thumbnail "$scenes/interpolation.glb" before.png --size 96 --clip 0 --time $time
  run 0 thumbnail i.m3d after.png --size 96 --clip 0 --time $time
  run 0 compare before.png after.png --mean 0.05
done

# Places of nodes are those of the file.
echo 'xof 0303txt 0032 Frame f { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 457000.5,0,5428000.25,1;; } Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,2,1;; } }' >far.x
run 0 inspect far.x --pose-json
grep -q '0.0,0.0,0.0,1.0\],\[.*,457000.5,0.0,-5428000.25,1.0\]' .out || fail "places of a .x far from zero"
# A text of triangles far from its origin, with maps made of two files and tangents that it lacks.
cp "$scenes/relief_object.png" "$scenes/head_brow.png" "$scenes/head_mouth.png" .
cat >far.mtl <<'MTL'
newmtl m
Kd 0.9 0.8 0.7
map_Kd head_brow.png
map_d head_mouth.png
map_Pr head_brow.png
map_Pm head_mouth.png
norm relief_object.png
Pc 0.5
Pcr 0.25
MTL
cat >far.obj <<'OBJ'
mtllib far.mtl
v 400000.1 0.2 -600000.3
v 400001.2 0.2 -600000.3
v 400001.2 1.4 -600000.9
vt 0 0
vt 1 0
vt 1 1
usemtl m
f 1/1 2/2 3/3
OBJ
run 0 convert far.obj far.glb
same far.obj far.glb
run 0 convert far.obj far.gltf --strict
prints 0 "from (4e+05 0.2 -6e+05) to (4e+05 1.4 -6e+05)" inspect far.glb
cp "$corpus/bmp/bits4.bmp" "$corpus/tga/bits24_rle.tga" .
printf 'newmtl m\nmap_Kd bits4.bmp\nnorm bits24_rle.tga\n' >far.mtl
run 0 convert far.obj maps.gltf --strict
same far.obj maps.gltf
[ -f maps-bits4.png ] && [ -f maps-bits24_rle.png ] || fail "BMP and TGA were not written as PNG"
sed 's/^usemtl.*/usemtl other/; /^mtllib/d' far.obj >bare.obj
run 0 convert bare.obj bare.gltf
! grep -q TANGENT bare.gltf || fail "bare.gltf has tangents"

# A picture inside of the package.
run 0 convert "$corpus/threemf/deflated.3mf" packed.glb
same "$corpus/threemf/deflated.3mf" packed.glb

# An FBX: its morph target, camera and light come along; dual quaternions do not.
run 0 convert "$corpus/fbx/six.fbx" six.glb
same "$corpus/fbx/six.fbx" six.glb --time 0.5
warns 0 "dual quaternions of skins are not written (1)" convert "$corpus/fbx/all.fbx" all.glb
prints 0 "Smile" inspect all.glb

# Usage, and nothing half.
refuse 8 "a USD file (.usdc), which is not written (expected OUT.glb, OUT.gltf or OUT.m3d)" convert "$scenes/wraps.glb" out.usdc
refuse 8 "a format for input, which is not written (expected OUT.glb, OUT.gltf or OUT.m3d)" convert "$scenes/wraps.glb" out.fbx
refuse 8 "a format for input, which is not written" convert "$scenes/wraps.glb" out.obj
refuse 2 "expected OUT.glb, OUT.gltf or OUT.m3d" convert "$scenes/wraps.glb" out.png
refuse 2 "convert with 1 name (expected" convert "$scenes/wraps.glb"
refuse 3 "cannot open" convert nothing.glb out.glb
refuse 4 "" convert "$MODELS/../expect.sh" out.glb
refuse 6 "" convert "$scenes/wraps.glb" /dev/null/out.glb
refuse 5 "" convert "$scenes/walker.glb" out.m3d --max-memory 8M
no_file out.glb out.m3d
[ -z "$(find . -name '.*.tmp-*')" ] || fail "temporary files stay"

# Files that the source refers to stay as they are, whatever the output is called.
mkdir sides
run 0 convert "$scenes/ball.glb" sides/in.gltf
sed 's/in\.bin/out.bin/' sides/in.gltf >sides/source.gltf
mv sides/in.bin sides/out.bin
cp sides/out.bin kept.bin
for turn in 1 2; do
  run 0 convert sides/source.gltf sides/out.gltf
  cmp -s sides/out.bin kept.bin || fail "convert changes the buffer of its input"
  is_file sides/out-2.bin
  run 0 thumbnail sides/out.gltf sides/out.png --size 16
done
no_file sides/out-3.bin
cp sides/source.gltf before.gltf
refuse 6 "was read as an input" convert sides/source.gltf sides/source.gltf
cmp -s before.gltf sides/source.gltf || fail "convert replaces its input"

# json_of GLB: its beginning, as text.
json_of() { tr -d '\000' <"$1" | head -c 9000; }

# What lies beyond the edges of a picture: of OBJ, FBX and 3MF.
cat >wraps.obj <<'OBJ'
mtllib wraps.mtl
v 0 0 0
v 1 0 0
v 0 1 0
vt 0 0
vt 3 0
vt 0 3
usemtl m
f 1/1 2/2 3/3
OBJ
for clamp in off on; do
  printf 'newmtl m\nmap_Kd -clamp %s bits4.bmp\n' $clamp >wraps.mtl
  run 0 convert wraps.obj wraps-$clamp.glb
  same wraps.obj wraps-$clamp.glb
done
[ "$(hash wraps-on.glb)" != "$(hash wraps-off.glb)" ] || fail "-clamp changes nothing"
json_of wraps-on.glb | grep -q '"wrapS":33071,"wrapT":33071' || fail "-clamp is not written"
sed 's/RelativeFilename: "a\\b.png"/& Properties70: { P: "WrapModeV", "enum", "", "",1 }/' "$corpus/fbx/all.fbx" >wraps.fbx
run 0 convert wraps.fbx wraps.glb
json_of wraps.glb | grep -q '"wrapS":10497,"wrapT":33071' || fail "WrapModeV is not written"
python3 - "$corpus/threemf/deflated.3mf" <<'TILES' 2>/dev/null && {
import sys, zipfile
source, out = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile("tiles.3mf", "w")
for name in source.namelist():
    data = source.read(name)
    out.writestr(name, data.replace(b"texture2d id", b'texture2d tilestyleu="mirror" tilestylev="none" id'))
out.close()
TILES
  run 0 convert tiles.3mf tiles.glb
  json_of tiles.glb | grep -q '"wrapS":33648,"wrapT":33071' || fail "tile styles are not written"
  same tiles.3mf tiles.glb
}

# glTF has no times below 0, no normal of length 0, no joint twice in a skin, no light above 1.
sed 's/KeyTime: \*3 { a: 0,23093079000/KeyTime: *3 { a: -46186158000,-1/
  s/P: "LocalStop"/P: "LocalStart", "KTime", "Time", "",-46186158000\n&/' "$corpus/fbx/all.fbx" >early.fbx
run 0 convert early.fbx early.glb
json_of early.glb | grep -q '"min":\[0.0\],"max":\[2.0\]' || fail "a clip does not begin at 0"
json_of early.glb | grep -q '"emissiveStrength":2.0' || fail "a light above 1 is lost"
same early.fbx early.glb --time 0
printf 'ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 1 1\n' \
  >points.ply
run 0 convert points.ply points.glb
json_of points.glb | grep -q NORMAL && fail "points without normals have some"
same points.ply points.glb
run 0 convert "$corpus/xfile/binary.x" skinned.glb
json_of skinned.glb | grep -q '"joints":\[1,2\]' || fail "a joint is twice in a skin"
same "$corpus/xfile/binary.x" skinned.glb

# Names of maps may be long, each of them.
a=$(printf 'a%099d' 0) b=$(printf 'b%099d' 0) stem=$(printf 'x%0139d' 0)
python3 - "$scenes/wraps.glb" "$a" "$b" <<'NAMES' 2>/dev/null && {
import json, struct, sys
data = open(sys.argv[1], "rb").read()
size = struct.unpack("<I", data[12:16])[0]
model = json.loads(data[20:20 + size])
image = model["images"][0]
model["images"] = [dict(image, name=sys.argv[2]), dict(image, name=sys.argv[3])]
model["textures"] = [{"source": 0}, {"source": 1}]
model["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "normalTexture": {"index": 1}}]
for mesh in model["meshes"]:
    for primitive in mesh["primitives"]:
        primitive["material"] = 0
text = json.dumps(model).encode()
text += b" " * (-len(text) % 4)
rest = data[20 + size:]
open("long.glb", "wb").write(struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest)
NAMES
  run 0 convert long.glb sides/$stem.m3d
  run 0 thumbnail sides/$stem.m3d sides/out.png --size 16
}

# All of the files or none: a name that cannot be is known before the others have theirs.
long=$(printf '%0251d' 0)
echo old >sides/$long.bin
refuse 6 "cannot create: File name too long" convert "$scenes/ball.glb" sides/$long.gltf
[ "$(cat sides/$long.bin)" = old ] || fail "half of a conversion replaced a file"
[ -z "$(find sides -name '.*')" ] || fail "temporary files stay"
finish
