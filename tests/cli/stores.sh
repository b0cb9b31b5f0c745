#!/bin/sh
# SPDX-License-Identifier: MIT
# Checkouts of Bazel, DVC and git-annex, in which every file is a link into a store; Git LFS
# pointers in place of files; and files of other formats next to models.
. "$(dirname "$0")/expect.sh"
scenes=$SOURCE/scenes/models
mkdir -p store work/in
run 0 convert "$scenes/figure.glb" store/1.gltf -q
for file in store/1*; do mv "$file" "store/$(basename "$file" | sed 's/^1/m/')"; done
sed 's/"1\.bin"/"m.bin"/' store/m.gltf >store/0
mv store/0 store/m.gltf
run 0 thumbnail store/m.gltf real.png --size 16 -q
for file in store/*; do ln -s "../$file" "work/$(basename "$file")"; done
refuse 3 "--follow-links" thumbnail work/m.gltf o.png --size 16
refuse 2 "--follow-links with --untrusted" thumbnail work/m.gltf o.png --size 16 --follow-links --untrusted
run 0 thumbnail work/m.gltf o.png --size 16 --follow-links -q
cmp -s o.png real.png || fail "a link shows another model"
run 3 thumbnail --outdir t --size 16 work
err_has "holds no models"
ln -s ../../store work/in/folder
ln -s .. work/in/around
ln -s around work/in/again
run 0 thumbnail --outdir t --size 16 --follow-links work -q --json
[ "$(grep -o '"input"' .out | wc -l)" -eq 2 ] || fail "a folder of links: $(cat .out)"

# Pointers are named, whatever they stand for.
pointer() { printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12345\n' 7 >"$1"; }
mkdir lfs
cp store/* lfs
cp "$scenes/walker.m3d" "$scenes/walker-normal.dds" "$MODELS/triangle.gltf" lfs
pointer lfs/p.glb
pointer lfs/walker-color.dds
pointer lfs/p.hdr
pointer lfs/p.png
pointer lfs/m.bin
printf 'format: 1\ngoldens: .\nresults: r\nshots: [ { name: p, file: triangle.gltf, size: 8 } ]\n' >lfs/suite.yaml
for words in "thumbnail lfs/p.glb" "thumbnail lfs/m.gltf" "thumbnail lfs/walker.m3d" \
  "thumbnail $MODELS/triangle.gltf --environment lfs/p.hdr"; do
  # shellcheck disable=SC2086
  refuse 3 "run git lfs pull" $words lfs.png --size 16
done
run 3 compare lfs/p.png real.png
err_has "run git lfs pull"
run 3 test lfs/suite.yaml
err_has "run git lfs pull"
refuse 3 "run git lfs pull" thumbnail - lfs.png --size 16 <lfs/p.glb
sed 's|"pbrMetallicRoughness": *{|"pbrMetallicRoughness":{"baseColorTexture":{"index":0},|
  s|"asset"|"images":[{"uri":"p.png"}],"textures":[{"source":0}],"asset"|' "$MODELS/triangle.gltf" >lfs/textured.gltf
refuse 3 "run git lfs pull" thumbnail lfs/textured.gltf lfs.png --size 16

# Other formats are passed over with one line and a count.
mkdir -p mixed/deep
cp "$MODELS/triangle.gltf" mixed
touch mixed/a.obj mixed/b.STL mixed/deep/c.fbx mixed/readme.txt mixed/.hidden.obj
run 0 thumbnail --outdir t --size 8 mixed --json
out_has '"passed_over":3'
[ "$(grep -c "3 files of other formats are passed over, such as mixed/a.obj" .err)" -eq 1 ] || fail "$(cat .err)"
run 0 thumbnail --outdir t --size 8 mixed --json-lines -q
[ "$(wc -l <.out)" -eq 2 ] || fail "two lines of JSON: $(cat .out)"
out_has '"passed_over":3,"first":"mixed/a.obj","code":0}'
finish
