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
warns 3 "holds no models" thumbnail --outdir t --size 16 work
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
warns 3 "run git lfs pull" compare lfs/p.png real.png
warns 3 "run git lfs pull" test lfs/suite.yaml
refuse 3 "run git lfs pull" thumbnail - lfs.png --size 16 <lfs/p.glb
sed 's|"pbrMetallicRoughness": *{|"pbrMetallicRoughness":{"baseColorTexture":{"index":0},|
  s|"asset"|"images":[{"uri":"p.png"}],"textures":[{"source":0}],"asset"|' "$MODELS/triangle.gltf" >lfs/textured.gltf
refuse 3 "run git lfs pull" thumbnail lfs/textured.gltf lfs.png --size 16

# Other formats are passed over with one line and a count.
mkdir -p mixed/deep
cp "$MODELS/triangle.gltf" mixed
touch mixed/a.dae mixed/b.USDZ mixed/deep/c.blend mixed/readme.txt mixed/.hidden.dae
prints 0 '"passed_over":3' thumbnail --outdir t --size 8 mixed --json
[ "$(grep -c "3 files of other formats are passed over, such as mixed/a.dae" .err)" -eq 1 ] || fail "$(cat .err)"
run 0 thumbnail --outdir t --size 8 mixed --json-lines -q
[ "$(wc -l <.out)" -eq 2 ] || fail "two lines of JSON: $(cat .out)"
out_has '"passed_over":3,"first":"mixed/a.dae","code":0}'

# Links that lead out of a folder are counted, with the flag that follows them.
mkdir links
ln -s "$MODELS/triangle.gltf" links/a.gltf
ln -s "$MODELS/triangle.gltf" links/b.gltf
refuse 3 "links: holds no models: its links lead out of it: 2 (expected --follow-links)" thumbnail --outdir t --size 8 links
cp "$MODELS/triangle.gltf" links/c.gltf
warns 0 "2 links are left out: they lead out of the folder, such as links/a.gltf (expected --follow-links)" thumbnail --outdir t --size 8 links
run 0 thumbnail --outdir t --size 8 links --follow-links
! grep -q link .err || fail "$(cat .err)"

# No output replaces what the command was read from, by whichever name; and test removes only what
# it wrote.
mkdir in
run 0 convert "$scenes/walker.glb" in/w.gltf -q
for file in in/w*.png; do ln -s "$(basename "$file")" in/link.png; break; done
texture=$(readlink in/link.png)
printf 'format: 1\nmodels: [ { file: w.gltf } ]\n' >in/walk.yaml
cp "$MODELS/../../../scenes/models/courtyard.hdr" in/sky.hdr
cp -r in kept
same() { diff -r in kept >/dev/null || { fail "$1: an input was replaced"; rm -r in; cp -r kept in; }; }
cd in || exit 1
for words in "render w.gltf --frames 0 --size 16 -o $texture" "render w.gltf --frames 0 --size 16 -o link.png" \
  "render walk.yaml --frames 0 --size 16 -o ./$texture" "turntable w.gltf --count 1 --size 16 -o $texture" \
  "thumbnail --outdir . --size 16 --name w.bin w.gltf" "thumbnail w.gltf $texture --size 16" \
  "convert w.gltf w.glb w.bin" "convert walk.yaml w.gltf" "convert w.gltf w.gltf" \
  "sheet w.gltf --directions 1 --frames 0 --size 16 -o $texture"; do
  # shellcheck disable=SC2086
  "$ZOETROPE" $words -q >../.out 2>../.err
  code=$?
  checks=$((checks + 1))
  [ $code -ne 0 ] && [ -s ../.err ] || fail "zoetrope $words: exit $code: $(cat ../.err)"
  (cd .. && same "zoetrope $words")
done
cp ../kept/w.gltf mine.png
cp mine.png ../kept
stem=${texture%.png}
printf 'format: 1\nresults: .\ngoldens: gold\nshots: [ { name: %s, file: w.gltf, size: 8 }, { name: a/mine, file: w.gltf, size: 8 }, { name: mine, file: nowhere.gltf, size: 8 } ]\n' \
  "$stem" >suite.yaml
cp suite.yaml ../kept
"$ZOETROPE" test suite.yaml >../.out 2>../.err
[ -e a/mine.png ] || fail "a shot has no picture"
grep -q '^[0-9a-f]\{16\} a/mine.png$' .written || fail "results have no list"
rm -r a .written
cd .. || exit 1
same "test"
printf 'format: 1\ndefaults: { file: in/w.gltf, size: 8 }\nshots: [ { name: s/a }, { name: s/b } ]\n' >again.yaml
run 1 test again.yaml
is_file results/s/a.png results/s/b.png results/.written
run 0 test again.yaml --update --filter '*'
run 0 test again.yaml
no_file results
finish
