#!/bin/sh
# SPDX-License-Identifier: MIT
# One exit code for each way to end, one line on stderr, nothing half done.
. "$(dirname "$0")/expect.sh"
small="--size 32x32 --time 0 -q"

# shellcheck disable=SC2086 # $small is several words
run 0 render "$tri" $small -o a.png
is_file a.png

refuse 3 "nowhere.glb" render nowhere.glb
refuse 3 "nowhere.yaml" check nowhere.yaml
mkdir folder
refuse 3 "folder" inspect folder
refuse 3 "nowhere.png" compare a.png nowhere.png

# Names in files never lead to standard input or to a pipe, which would block.
mkfifo pipe
uses pipe >pipe.gltf
refuse 3 "pipe.gltf:/buffers/0/uri: the buffer cannot be read: pipe is a pipe or device" inspect pipe.gltf
uses - >dash.gltf
refuse 3 "/buffers/0/uri: the buffer cannot be read: -: cannot open" inspect dash.gltf
printf 'format: 1\nmodels:\n  - { file: pipe }\n' >pipe.yaml
refuse 3 "pipe.yaml:3:13: pipe is a pipe or device" check pipe.yaml
printf '{"format": 1, "output": { "exposure": 32.5 }, "models": []}' >huge.json
refuse 4 "huge.json:/output/exposure: found '32.5'" check huge.json

echo "not a model" >bad.glb
refuse 4 "bad.glb" render bad.glb
head -c 100 "$tri" >cut.gltf
refuse 4 "cut.gltf" inspect cut.gltf
: >empty.m3d
refuse 4 "empty.m3d" render empty.m3d
printf 'format: 1\nenvironment: { image: x.hdr }\nmodels: []\n' >later.yaml
refuse 3 "later.yaml:2:23: x.hdr: cannot open" check later.yaml
printf '{"format": 1, "model": []}' >typo.json
refuse 4 "typo.json:/model: unknown key 'model' in scene (did you mean 'models'?)" check typo.json
printf 'format: 1\nmodels:\n  - { file: nosuch.glb }\n' >missing.yaml
refuse 3 "missing.yaml:3:13: nosuch.glb: cannot open" render missing.yaml
printf 'format: 1\nmodels:\n- { name: a, file: %s }\n- { name: a, file: %s }\n' "$tri" "$tri" >twice.yaml
refuse 4 "twice.yaml:4:11: the name 'a' is used twice" check twice.yaml
# A scene under another name, or none.
printf '# a scene\nformat: 1\nmodels: []\n' >scene.txt
refuse 4 "named .yaml, .yml or .json" render scene.txt
echo '{ "format": 1, "models": [] }' >scene.glb
refuse 4 "named .yaml, .yml or .json" inspect scene.glb
"$ZOETROPE" render - <scene.glb >.out 2>.err
[ $? -eq 4 ] && grep -qF "named .yaml, .yml or .json" .err || fail "a scene on standard input"
warns 0 "warning: --texture-dir 'nofolder' is not a folder" render "$tri" --size 32x32 --time 0 --progress none --texture-dir nofolder -o textures.png
echo "not a picture" >bad.png
refuse 4 "bad.png" compare a.png bad.png

refuse 5 "size" render "$tri" --size 16385x16
refuse 5 "" render "$tri" --size 4096x4096 --time 0 --max-memory 1M
refuse 5 "memory limit" thumbnail "$tri" huge.png --size 4096 --max-memory 32M
refuse 5 "memory limit" render "$tri" --size 4096x4096 --time 0 --max-memory 32M -o -
refuse 5 "memory limit" render "$tri" --size 4096x4096 --time 0 --max-memory 32M --verify 0123456789abcdef

: >occupied
refuse 6 "occupied" render "$tri" --size 32x32 --time 0 -q -o occupied/a.png
if [ -w /dev/full ]; then
  "$ZOETROPE" inspect "$tri" >/dev/full 2>.err
  [ $? -eq 6 ] || fail "inspect onto a full disk does not exit 6"
  "$ZOETROPE" render "$tri" --size 32x32 --time 0 -o - >/dev/full 2>.err
  [ $? -eq 6 ] || fail "render -o - onto a full disk does not exit 6"
  "$ZOETROPE" render "$tri" --size 256x256 --frames 0-2 -o - --format rgba -q >/dev/full 2>.err
  [ $? -eq 6 ] || fail "a stream onto a full disk does not exit 6"
  grep -q "standard output" .err || fail "a stream onto a full disk: $(cat .err)"
  "$ZOETROPE" --help >/dev/full 2>.err
  [ $? -eq 6 ] || fail "--help onto a full disk does not exit 6"
fi
# A reader that leaves early, such as head, wants no message.
: <pipe &
{ wait $!; "$ZOETROPE" inspect --json "$tri"; echo $? >.status; } >pipe 2>.err
[ "$(cat .status)" -eq 6 ] && [ ! -s .err ] || fail "a reader that leaves early: exit $(cat .status), $(cat .err)"

# 8: formats of other programs are named, by content under any name, then by suffix.
unread() { # NAME WORDS CONTENT
  printf "$3" >"other/$1"
  refuse 8 "$2" inspect "other/$1"
}
mkdir other
unread a.usda "a USD file in text form (.usda), which is not read (convert it to .glb, for example with Blender)" '#usda 1.0\n'
unread usd.m3d "a USD file (.usdc)" 'PXR-USDC\0\0'
unread a.usdz "a USD package" 'PK\003\004\0\0scene.usdc'
unread a.dae "a COLLADA file" '<?xml version="1.0"?>\n<COLLADA version="1.4.1">\n'
unread a.3ds "a 3D Studio file" 'MM\012\000\000\000xxxx'
unread a.blend "a Blender file" 'BLENDER-v300'
unread a.abc "an Alembic file" 'Ogawa\377'
unread a.step "a STEP file, which is not read (convert it to .glb, for example with FreeCAD)" 'ISO-10303-21;\n'
unread a.zip "a ZIP archive, which is not read (unpack it first)" 'PK\003\004'
unread picture.glb "a PNG picture" '\211PNG\r\n'
for kind in exr gif; do # a build may leave them out
  "$ZOETROPE" render "$tri" --size 8 -q -o some.$kind 2>.err || refuse 8 "this build writes no" render "$tri" -o no.$kind
done
refuse 8 "PNG is no format of pictures of light (expected Radiance HDR or OpenEXR)" render "$tri" --environment other/picture.glb
refuse 8 "a USD file" convert other/a.usda out.glb
unread old.gltf "glTF version 1.0 (expected 2.0; convert the file first" '{"asset":{"version":"1.0"}}'
unread old.glb "GLB version 1 (expected 2; convert the file first" 'glTF\001\000\000\000\014\000\000\000'

# 8: a feature that is ignored, under --strict only.
sed 's/"asset"/"extensionsUsed": ["EXT_unheard_of"], "asset"/' "$tri" >extended.gltf
sed 's/"asset"/"extensionsRequired": ["EXT_unheard_of"], "extensionsUsed": ["EXT_unheard_of"], "asset"/' \
  "$tri" >required.gltf
run 0 check extended.gltf
"$ZOETROPE" check --strict required.gltf >.out 2>.err
code=$?
[ $code -eq 8 ] || [ $code -eq 4 ] || fail "a required extension that nobody knows exits $code"

# 1: --verify. The hash comes from --json.
run 0 render "$tri" --size 32x32 --time 0 -q --json -o b.png
hash=$(sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/' .out)
[ ${#hash} -eq 16 ] || fail "no hash in the result document"
rm -f b.png
run 0 render "$tri" --size 32x32 --time 0 -q --verify "$hash" -o c.png
refuse 1 "$hash" render "$tri" --size 32x32 --time 0 -q --verify 0123456789abcdef
refuse 1 "pixel hash" render "$tri" --size 32x32 --verify 0123456789abcdef # of a bare model the one picture
no_file c.png

# Nothing deeper than 512 levels, as YAML and as JSON, below and above what the parsers take.
for depth in 512 1500 5000 100000; do
  brackets=$(head -c $depth /dev/zero | tr '\0' '[')
  printf 'format: 1\nmodels: %s' "$brackets" >deep.yaml
  refuse 5 "nested too deeply (at most 512 levels)" check deep.yaml
  printf '{"format": 1, "models": %s%s}' "$brackets" "$(echo "$brackets" | tr '[' ']')" >deep.json
  refuse 5 "nested too deeply (at most 512 levels)" check deep.json
done

# A batch exits with the highest code met, and does the rest.
run 4 thumbnail --outdir made --size 16 "$tri" nowhere.glb bad.glb
run 4 thumbnail --outdir made2 --size 16 bad.glb nowhere.glb "$tri"
is_file made/triangle.png
no_file made/bad.png made/nowhere.png
run 4 check "$tri" nowhere.glb bad.glb
run 4 check "$tri" nowhere.glb bad.glb --json
out_has "\"files\":[{\"file\":\"$tri\",\"code\":0,\"message\":\"\"},{\"file\":\"nowhere.glb\",\"code\":3,"
out_has '}],"code":4}'
prints 0 '"message":""}],"code":0}' check "$tri" --json
run 0 thumbnail --outdir twice --size 16 "$tri" "$MODELS/../models/triangle.gltf" --json
[ "$(grep -o '"hash"' .out | wc -l)" -eq 1 ] || fail "a file given twice is rendered twice"
finish
