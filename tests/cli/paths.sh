#!/bin/sh
# SPDX-License-Identifier: MIT
# Names in models never lead out of the folder of the model, whatever links an archive brings.
. "$(dirname "$0")/expect.sh"

mkdir upload upload/in elsewhere
head -c 36 /dev/zero >elsewhere/secret.bin
head -c 36 /dev/zero >upload/own.bin
ln -s /proc/self/environ upload/envlink
ln -s .. upload/dir
ln -s "$work/elsewhere/secret.bin" upload/absolute
ln -s ../elsewhere/secret.bin upload/relative
ln -s own.bin upload/near
ln -s ../own.bin upload/in/near
ln -s in upload/folder

for name in envlink dir/elsewhere/secret.bin absolute relative; do
  uses $name >upload/model.gltf
  refuse 3 "upload/$name: leads out of its folder" convert upload/model.gltf out.glb
  refuse 3 "upload/$name: leads out of its folder" inspect upload/model.gltf
done
for name in own.bin near in/near folder/near; do
  uses $name >upload/model.gltf
  run 0 convert upload/model.gltf out.glb
  is_file out.glb
  (cd upload && "$ZOETROPE" inspect model.gltf >/dev/null) || fail "$name from its own folder"
done

# The slashes of Windows, after the name as it is.
cp upload/own.bin upload/in/deep.bin
for name in '.\\own.bin' 'in\\deep.bin' 'in%5Cdeep.bin'; do
  uses "$name" >upload/model.gltf
  warns 0 "is read as" convert upload/model.gltf out.glb
done
for name in '..\\elsewhere\\secret.bin' '\\\\elsewhere\\secret.bin' 'dir\\elsewhere\\secret.bin'; do
  uses "$name" >upload/model.gltf
  run 3 convert upload/model.gltf out.glb
done

# Names in the other normal form of Unicode; the sandbox opens the folder that a scene or a suite finds one in.
nfc=$(printf '\303\234') nfd=$(printf 'U\314\210')
in="elsewhere/$nfd" as="elsewhere/$nfc"
mkdir "$in"
uses "$nfd.bin" >"$in/$nfd.gltf"
cp upload/own.bin "$in/$nfc.bin"
scene='format: 1\noutput: { size: [8, 8] }\nmodels: [ { file: "%s.gltf" } ]\n'
printf "$scene" "../$as/$nfc" >"upload/$nfd.yaml"
printf "$scene" "$nfc" >"$in/$nfd.yaml"
printf 'format: 1\nshots: [ { name: a, file: %s.yaml } ]\n' "$nfc" >"$in/s$nfd.yaml"
run 0 inspect "$as/$nfc.gltf"
run 0 convert "$as/$nfc.gltf" out.glb
run 0 check "upload/$nfc.yaml"
for flag in -q --untrusted; do
  run 0 render "$as/$nfc.yaml" -o "$nfc.png" $flag
  run 1 test "$as/s$nfc.yaml" $flag
  is_file "$in/results/a.png"
done
printf 'format: 1\nshots: [ { name: %s, file: %s.yaml } ]\n' "$nfc" "$nfc" >"$in/s$nfd.yaml"
run 1 test "$as/s$nfc.yaml" -q
mkdir "$in/goldens"
mv "$in/results/$nfc.png" "$in/goldens/$nfd.png"
run 0 test "$as/s$nfc.yaml" --untrusted
no_file "$as"

# Textures likewise, under their own name, without its folders and in another case.
run 0 render "$MODELS/triangle.gltf" --size 8x8 --time 0 -q -o elsewhere/secret.png
ln -s ../elsewhere/secret.png upload/skin.png
ln -s secret.png elsewhere/near.png
printf '{"asset":{"version":"2.0"},"images":[{"uri":"skin.png"}],"textures":[{"source":0}],
  "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"scene":0,
  "scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[
  {"attributes":{"POSITION":0},"material":0}]}],"buffers":[{"byteLength":36,"uri":"own.bin"}],
  "bufferViews":[{"buffer":0,"byteLength":36}],
  "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}' >upload/skin.gltf
for name in skin.png dir/elsewhere/secret.png SKIN.png DIR/elsewhere/SECRET.png; do
  sed "s|skin.png|$name|" upload/skin.gltf >upload/model.gltf
  run 0 inspect upload/model.gltf
  case $name in
  skin.png | dir/*) out_has "texture \"$name\" leads out of its folder" ;;
  *) out_has "texture \"$name\" not found" ;;
  esac
  warns 0 "image 0 is missing" convert upload/model.gltf skinned.gltf
  no_file skinned-*.png skinned-skin.png
done
# A folder of textures is the user's own, and nothing leads out of it either.
sed "s|skin.png|near.png|" upload/skin.gltf >upload/model.gltf
run 0 inspect upload/model.gltf --texture-dir elsewhere
! grep -q "not found" .err || fail "a link in the folder of textures"

# What the user names may be a link.
ln -s ../upload/in elsewhere/models
uses near >upload/in/model.gltf
cp upload/own.bin upload/in/plain.bin
uses plain.bin >upload/in/model.gltf
run 0 inspect elsewhere/models/model.gltf

finish
