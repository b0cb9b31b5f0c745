#!/bin/sh
# SPDX-License-Identifier: MIT
# Planes: which files commands make of them, and which commands are refused.
# shellcheck disable=SC2086 # several words
. "$(dirname "$0")/expect.sh"
printf 'format: 1\noutput: { size: 16, planes: [depth, id] }\nmodels: [{ file: %s }]\n' "$tri" >scene.yaml
sed 's/depth, id/id, object/' scene.yaml >twice.yaml
sed 's/depth, id//' scene.yaml >none.yaml
small="--size 16 --frames 0"

# A line: the exit code; the files in the folder `made`, or the message; the words behind `render`.
while IFS='|' read -r exit_code expected line; do
  rm -rf made
  mkdir made
  if [ "$exit_code" -ne 0 ]; then
    refuse "$exit_code" "$expected" render $line
  else
    run 0 render $line -q
    [ "$(ls made | tr '\n' ' ')" = "$expected " ] || fail "$words made $(ls made), expected $expected"
  fi
done <<TABLE
0|a-color.png a-depth.png|$tri $small -o made/a-{plane}.png --planes depth,color
0|a-color.png|$tri $small -o made/a-{plane}.png
0|a.png|$tri $small -o made/a.png --planes color
0|0-normal.png 1-normal.png|$tri --size 16 --frames 0-1 -o made/{frame}-{plane}.png --planes normal
0|a-depth-0000.png a-depth-0001.png|$tri --size 16 --frames 0-1 -o made/a-{plane}.png --planes depth
0|triangle-depth-0000.png|$tri $small -o made/ --planes depth
0|triangle-depth.png|$tri --size 16 -o made/ --planes depth
0|all.exr|$tri $small -o made/all.exr --planes all,depth
0|a-albedo.png a-coverage.png a-diffuse.png|$tri $small -o made/a-{plane}.png --planes albedo,coverage,diffuse
0|a-depth.exr a-uv.exr|$tri $small -o made/a-{plane}.exr --planes uv,depth --untrusted
0|a-depth.png a-object.png|scene.yaml -o made/a-{plane}.png
0|a.exr|$tri --frames 0 --size 512 --max-memory 156M --threads 1 -o made/a.exr --planes all
0|scene-depth-0000.png scene-object-0000.png|scene.yaml --frames 0 -o made/
0|scene-depth-0000.png|scene.yaml --frames 0 -o made/ --planes depth
0|scene-0000.exr|scene.yaml --frames 0 -o made/ --format exr
0|all-0000.npz all-0001.npz|$tri --size 16 --frames 0-1 -o made/all-####.npz --planes all --bits 16
0|a.webp|scene.yaml -o made/a.webp --planes color
2|made/a.png: a PNG holds one plane (expected {plane}: made/a-{plane}.png)|$tri $small -o made/a.png --planes color,depth
2|(expected {plane}: made/{plane}-##.png)|$tri $small -o made/##.png --planes depth
2|(expected {plane}: {plane}/a-{plane}.png)|$tri $small -o {plane}/a.png --planes depth
2|(expected {plane}: a-{plane}.png)|scene.yaml -o a.png
2|'position' as such a PNG (expected .exr)|$tri $small -o a-{plane}.png --planes depth,position
2|WebP holds no plane 'depth' (expected |$tri $small -o a-{plane}.webp --planes color,depth
2|holds no plane 'depth'|scene.yaml -o a.apng
2|unknown plane 'dept' (expected one of color, albedo, |$tri -o a.exr --planes dept
2|plane 'object' twice|$tri -o a.exr --planes id,object
4|twice.yaml:2:34: plane 'object' twice|twice.yaml -o a.exr
4|none.yaml:2:29: found a list|none.yaml -o a.exr
2|{plane} 2 times (expected once)|$tri -o {plane}-{plane}.png
2|column 3: a malformed field (expected {plane})|$tri -o a-{plane.png
2|2 planes as one PNG (expected one plane)|$tri $small -o - --planes color,depth
2|2 frames as one NumPy (expected one frame, or |$tri --size 16 --frames 0-1 -o - --format npz
5|the file of a frame: does not fit|$tri --frames 0-3 --size 512 --max-memory 128M -o made/##.exr --planes all --threads 3
5|the file of a frame: does not fit|$tri --frames 0 --size 512 --max-memory 128M -o - --format exr --planes all
TABLE
rm -rf made
mkdir -p made/a-depth.png
refuse 6 "made/a-depth.png" render $tri $small -o made/a-{plane}.png --planes color,depth
[ "$(ls made)" = a-depth.png ] || fail "a late fault leaves $(ls made)"
refuse 2 "'--planes' is not a flag of thumbnail" thumbnail "$tri" a.png --planes depth

# Each file is that of its plane alone, and of any number of threads; a stream is the same bytes.
turn="turntable $tri --size 16 --count 3"
rm -rf made
run 0 $turn --planes color,depth,id -o "made/{plane}-{frame}.png" --threads 3
err_has "frame 0 (1/9) made/color-0.png" "frame 2 (9/9) made/object-2.png" "zoetrope: 9 files in "
run 0 $turn --planes depth -o "alone/{plane}-{frame}.png" --threads 1 -q
run 0 $turn --shard 2/2 --planes id -o "alone/{plane}-{frame}.png" -q
run 0 $turn -o "alone/color-{frame}.png" --frames 2 -q
[ "$(ls alone | wc -l)" -eq 5 ] || fail "the files of a shard are $(ls alone)"
for file in alone/*; do
  cmp "$file" "made/${file#*/}" || fail "$file differs from that of several planes"
done
run 0 $turn --frames 1 --planes depth -o - -q
cmp .out made/depth-1.png || fail "a stream of a plane"

# OpenEXR: a stream has the same bytes; other programs read all planes, and parts of light add up in halves.
run 0 render "$tri" $small --planes all -o all.exr -q
run 0 render "$tri" $small --planes all --format exr -o - -q
cmp .out all.exr || fail "a stream of OpenEXR"
if installed oiiotool && installed exrheader; then
  exrheader all.exr | grep -qF 'be359d6/conversion (type string): "uint32_to_float32"' || fail "exrheader reads no names"
  [ "$(oiiotool --info -v all.exr | grep 'channel list' | tr ',' '\n' | wc -l)" -eq 78 ] || fail "oiiotool lists other channels"
  ! oiiotool --stats all.exr | grep NanCount | grep -q '[1-9]' || fail "an OpenEXR has NaN"
  for scene in explorer glass toon; do
    run 0 render "$SOURCE/scenes/tests/$scene.yaml" --planes color,diffuse,specular,transmitted,emission --frames 0 --size 48 -q -o l.exr
    sum=
    for part in diffuse specular transmission emission; do sum="$sum l.exr --ch $part.R,$part.G,$part.B ${sum:+--add}"; done
    oiiotool $sum l.exr --ch R,G,B --absdiff l.exr --ch R,G,B --mulc 0.002 --sub --rangecheck -9,-9,-9 1e-6,1e-6,1e-6 >.out
    out_has " 0  > 1e-6" "2304  within"
  done
fi

# NumPy: colours are those of the picture, or light, and a stream has the same bytes.
run 0 render "$tri" $small -q --format rgba -o -
cp .out rgba
run 0 render "$tri" $small --planes color,id -o made/a.npz -q
run 0 render "$tri" $small --planes color,id --format npz -o - -q
cmp .out made/a.npz || fail "a stream of NumPy"
python3 - made/a.npz rgba <<'END' || fail "arrays of NumPy"
import struct, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
color, ids = (z.read(name + ".npy") for name in ("color", "object"))
assert z.namelist() == ["color.npy", "object.npy"] and color[128:] == open(sys.argv[2], "rb").read()
assert set(struct.unpack("<256I", ids[128:])) == {0, 1} and b"(16, 16), }" in ids[:128] and b"<u4" in ids
END
run 0 render "$tri" $small --planes color -o made/a.npz --encoding linear -q
[ "$(wc -c <made/a.npz)" -eq $((22 + 30 + 46 + 18 + 128 + 16 * 256)) ] || fail "light as NumPy"

run 0 render "$tri" $small --planes color,depth -o "made/{plane}.png" --progress none
[ ! -s .err ] || fail "a line about frames: $(cat .err)"
run 0 render "$tri" $small --planes color,depth -o a.exr --json -q
out_has '"file":"a.exr","hash":"'
run 0 render "$tri" $small --planes depth -o a.exr
! grep -q 'nothing is visible' .err || fail "depth shows the triangle"
refuse 2 "matte 'blau' (expected" render "$tri" $small -o a.png --matte blau

# A missing file and that of another plane are made again, and no other.
rm made/color.png made/depth.png
cp -r made whole
rm made/depth-1.png
cp made/object-0.png made/depth-0.png
touch -d @9 made/*
run 0 $turn --resume --planes color,depth,id -o "made/{plane}-{frame}.png" --json -q
out_has '"plane":"depth","file":"made/depth-1.png"}' '"plane":"color","file":"made/color-0.png","skipped":true}'
[ "$(grep -o skipped .out | wc -l)" -eq 7 ] || fail "--resume skips $(grep -o skipped .out | wc -l) of 7 files"
[ "$(find made -newermt @9 | grep -c png)" -eq 2 ] || fail "--resume wrote $(find made -newermt @9)"
diff -r made whole >.out || fail "--resume leaves other files"
finish
