#!/bin/sh
# SPDX-License-Identifier: MIT
# compare: files and folders, limits, difference pictures.
. "$(dirname "$0")/expect.sh"
tri=$MODELS/triangle.gltf
shot="--size 32x32 --time 0 -q"
# shellcheck disable=SC2086 # $shot is several words throughout
run 0 render "$tri" $shot -o a/x.png
run 0 render "$tri" $shot -o b/x.png
run 0 render "$tri" $shot --azimuth 80 -o b/y.png
run 0 render "$tri" --size 16x16 --time 0 -q -o small.png

prints 0 "a/x.png b/x.png: equal" compare a/x.png b/x.png
for name in red blue; do
  run 0 render "$tri" --size 1 --time 0 --zoom 0.001 --background $name -q -o $name.png
done
prints 1 "red.png blue.png: 1 pixels differ by up to 255, mean 127.5, first at (0, 0), " compare red.png blue.png
prints 1 "pixels differ" compare a/x.png b/y.png --diff diff.png
is_file diff.png
cp diff.png none.png # of an earlier run
run 0 compare a/x.png b/x.png --diff none.png
no_file none.png
prints 0 "within the limits" compare a/x.png b/y.png --max-diff 255
run 0 compare a/x.png b/y.png --mean 255
run 1 compare a/x.png b/y.png --mean 0.001
run 1 compare a/x.png b/y.png --max-diff 255 --mean 0.001
prints 1 "different size: 32 x 32 and 16 x 16; 135 of 256 common pixels differ" compare a/x.png small.png --diff sizes.png
is_file sizes.png
prints 1 '"compared":57,' compare a/x.png small.png --mask a/x.png --html sizes.html --json
grep -q '"differing":\[9,4,7,12\],"problem":"pictures of different size' .out && grep -q 'figure class="differences"' sizes.html ||
  fail "what two sizes have in common is not shown"

# One picture a file: other formats, and frames that would not be looked at, are refused.
run 0 render "$tri" --size 8 --frames 0-1 -q -o two.apng
run 0 render "$tri" --size 8 --time 0 -q -o one.apng
run 0 render "$tri" --size 8 --time 0 -q -o one.jpg
refuse 8 "two.apng: an animated PNG (expected one picture)" compare two.apng two.apng
run 0 compare one.apng one.apng
# Each format that is written is read, alone and in folders; goldens keep theirs.
run 0 render "$tri" --size 8 --frames 0-1 -q -o two.webp
refuse 8 "two.webp: an animated WebP (expected one picture)" compare two.webp two.webp
mkdir kinds kinds_b
for kind in png webp jpg; do
  run 0 render "$tri" --size 8 --time 0 -q -o kinds/one.$kind
  run 0 compare kinds/one.$kind one.apng --max-diff 40
  run 0 render "$tri" --size 8 --time 0.5 -q -o kinds_b/one.$kind
done
sed 's|"pbrMetallicRoughness": *{|"pbrMetallicRoughness":{"baseColorTexture":{"index":0},|
  s|"asset"|"images":[{"uri":"kinds/one.png"}],"textures":[{"source":0}],"asset"|' "$tri" >textured.gltf
"$ZOETROPE" convert textured.gltf kinds/t.m3d -q 2>.err || fail "convert"
dds=$(cd kinds && find . -name '*.dds')
run 0 compare kinds/one.png "kinds/$dds"
cp "kinds/$dds" "kinds_b/$dds"
for folder in kinds kinds_b; do # in folders a suffix chooses what is compared, not how it is read
  for name in one.jpg.png two.tga two.bmp two.ktx2; do cp $folder/one.png $folder/$name; done
done
prints 1 "7 of 8 differ" compare kinds kinds_b --diff kinds_diff
is_file kinds_diff/one.png kinds_diff/one.jpg.png kinds_diff/one.webp.png kinds_diff/one.jpg.png.png kinds_diff/two.tga.png
run 0 compare --print-hashes kinds
[ "$(wc -l <.out)" -eq 8 ] || fail "--print-hashes: $(cat .out)"
rm kinds/two.* kinds_b/two.*
run 1 compare kinds_b/one.jpg "kinds/$dds" --html kinds.html
[ "$(grep -oE '(golden|picture|differences)" width.*image/[a-z]*;base64,.{4}' kinds.html | sed 's/".*image/ image/' | tr '\n' ' ')" = \
  "golden image/jpeg;base64,/9j/ picture image/png;base64,iVBO differences image/png;base64,iVBO " ] || fail "the types of pictures in a page"
refuse 2 "(expected one format)" compare kinds/one.png kinds/one.jpg --accept
refuse 2 "one.webp, a WebP file (expected one format)" compare golden.bmp kinds/one.webp --accept
mkdir strange
cp kinds_b/one.webp strange/one.jpg
warns 2 "strange/one.jpg, a WebP file (expected one format)" compare kinds strange --accept all
run 0 compare kinds kinds_b --accept all
run 0 compare kinds kinds_b

prints 1 "only in the second folder" compare a b
cp b/y.png a/y.png
run 0 compare a b
cp a/x.png a/y.png
run 1 compare a b --diff diffs --json
is_file diffs/y.png
no_file diffs/x.png
python -c 'import json,sys
d = json.load(open(sys.argv[1]))
assert [p["pass"] for p in d["pairs"]] == [True, False] and d["code"] == 1, d' .out ||
    fail "compare --json"
mkdir first_a first_b # the first pair differs, the last is equal
cp a/x.png first_a/1.png
cp b/y.png first_b/1.png
cp a/x.png first_a/2.png
cp a/x.png first_b/2.png
run 1 compare first_a first_b
cp small.png first_b/1.png
run 1 compare first_a first_b --max-diff 255
mkdir empty_a empty_b
refuse 3 "hold no pictures" compare empty_a empty_b
refuse 2 "expected two of a kind" compare a small.png
refuse 3 "nowhere: No such file or directory (expected a folder, as a is)" compare a nowhere
refuse 3 "nowhere: No such file or directory (expected a folder, as a is)" compare nowhere a

# What is compared is never written over, and nothing is passed over in silence.
refuse 2 "--diff b is compared itself" compare a b --diff b
refuse 2 "--diff a/../b/y.png is compared itself" compare a/x.png b/y.png --diff a/../b/y.png
mkdir link_a link_b link_diff
mkdir link_a/in link_b/in
cp a/x.png link_a/in/x.png
cp a/x.png link_b/in/x.png
ln -s ../link_b/in link_diff/in
run 0 compare link_a link_b --diff link_diff
is_file link_b/in/x.png
cp b/y.png link_b/in/x.png
run 6 compare link_a link_b --diff link_diff
cmp -s b/y.png link_b/in/x.png || fail "a picture of differences replaced what is compared"

# A folder of differences in which other pictures are compared, or other masks are, is refused before
# anything is written or removed.
mkdir -p in_a/one/two in_b in_masks/one
cp a/x.png in_a/x.png
cp a/x.png in_a/one/two/x.png
cp b/y.png in_b/x.png
cp a/x.png in_masks/one/x.png
ln -s in_a/one link_one
refuse 2 "--diff would replace in_a/one/two/x.png (expected another folder)" compare in_a in_b --diff in_a/one/two
refuse 2 "--diff would replace in_a/one/two/x.png" compare in_b in_a --diff link_one/two/../two
refuse 2 "--diff would replace in_masks/one/x.png" compare in_a in_b --mask in_masks --diff in_masks/one
cmp -s a/x.png in_a/one/two/x.png || fail "a picture of differences replaced another golden"
run 1 compare in_a in_b --diff in_a/one
is_file in_a/one/x.png
deep=deep/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25/26/27/28/29/30/31/32/33
mkdir -p $deep
cp a/x.png deep/x.png
refuse 5 "expected at most 32" compare deep deep
rm -r deep

# Criteria: all must be met, and the one that decides is named.
prints 0 "within the limits: rms " compare a/x.png b/y.png --rms 200 --psnr 1 --share 100 --ssim -1 --flip 1
for criterion in "--rms 0.5|rms " "--psnr 90|is below 90 dB" "--pixels 1|pixels over 0 " "--share 0.1|is above 0.1 %" \
  "--threshold 3|pixels over 3 " "--ssim 0.999|is below 0.999" "--flip 0.001|is above 0.001" "--max-diff 1|max "; do
  # shellcheck disable=SC2086
  prints 1 "${criterion#*|}" compare a/x.png b/y.png ${criterion%%|*} --mean 200
done
run 0 compare a/x.png b/y.png --pixels 1 --threshold 255
# Between the mean and the root of the mean square, which is larger.
run 1 compare a/x.png b/y.png --json
between=$(tr , '\n' <.out | awk -F: '$1 == "\"mean\"" { m = $2 } $1 == "\"rms\"" { print (m + $2) / 2 }')
run 0 compare a/x.png b/y.png --mean "$between"
run 1 compare a/x.png b/y.png --rms "$between"
run 2 compare a b --share 101

# Masks and rectangles.
run 0 compare a/x.png b/y.png --ignore 0,0,32x20 --ignore "0,20,32x6;0,26,32x6"
run 1 compare a/x.png b/y.png --ignore 31,31,1x1
run 2 compare a/x.png b/y.png --ignore 1,2,0x5
prints 0 "no pixel is compared" compare a/x.png b/y.png --ignore 0,0,32x32 --ignore-antialiasing
err_has "b/y.png is left out as a whole"
run 2 compare a b --mask small.png
# Differences never take the place of a mask, nor remove it.
cp small.png mask.png
refuse 2 "--diff and --mask are both 'mask.png'" compare a/x.png a/x.png --mask mask.png --diff mask.png
mkdir one_mask mask_links
cp a/x.png one_mask/x.png
ln -s ../one_mask/x.png mask_links/x.png
refuse 2 "--diff and --mask are both" compare a a --mask one_mask --diff ./one_mask
run 0 compare a a --mask mask_links --diff one_mask
cmp -s a/x.png one_mask/x.png || fail "a mask was removed"
run 3 compare a b --mask nowhere.png
# A folder of masks: by name; a picture without one counts as a whole.
mkdir -p plain/in other/in masks/in
cp a/x.png plain/one.png
cp b/y.png other/one.png
cp a/x.png plain/in/two.png
cp b/y.png other/in/two.png
# shellcheck disable=SC2086
run 0 render "$tri" $shot --background white --exposure -20 --zoom 2 -o masks/one.png
run 1 compare plain other --mask masks --html masks.html --threshold 1
out_has "in/two.png" "1 of 2 differ"
cp masks/one.png masks/in/two.png
run 0 compare plain other --mask masks
cp masks/one.png masks/three.png
warns 0 "masks/three.png is the mask of no picture" compare plain other --mask masks
echo "no picture" >masks/in/two.png
run 4 compare plain other --mask masks
run 2 compare a/x.png b/y.png --mask masks
run 0 compare a/x.png a/x.png --mask a/x.png --ignore-antialiasing --straight

# Four classes, folders in folders, and accepting by name.
mkdir -p gold/in new/in/deep
cp a/x.png gold/same.png
cp a/x.png new/same.png
cp a/x.png gold/changed.png
cp b/y.png new/changed.png
cp a/x.png gold/in/gone.png
cp b/y.png "new/in/deep/it's new.png"
cp a/x.png gold/sized.png
cp small.png new/sized.png
echo no picture >gold/broken.png
cp a/x.png new/broken.png
run 4 compare gold new --diff heat --flip-diff --json
is_file heat/changed.png
rm -r heat
prints 4 "accept it: zoetrope compare gold new --accept 'in/deep/it'\\''s new.png'" compare gold new
out_has "5 of 6 differ: 1 changed, 1 new, 1 missing, 1 of another size, 1 with an error"
run 2 compare gold new --accept
run 3 compare gold new --accept nothing.png
prints 0 "all 2 pass" compare gold new --accept "in/*/*.png" changed.png
is_file "gold/in/deep/it's new.png"
cmp -s gold/changed.png new/changed.png || fail "the picture was not taken over"
cmp -s gold/same.png gold/sized.png || fail "a picture that was not named was taken over"
run 0 compare gold/sized.png new/sized.png --accept
rm gold/in/gone.png gold/broken.png new/broken.png
prints 0 "all 4 pass" compare gold new
run 0 compare "gold/in" "new/in" --sandbox auto

# Names of files: no line of theirs, no terminal, no wildcards, no flag. A pipe is not waited for.
mkdir odd_a odd_b
cp a/x.png odd_a/plain.png
for name in plain '*' -x "$(printf 'all\n5 pass\033[2J')"; do cp b/y.png "odd_b/$name.png"; done
prints 1 "odd_b/all?5 pass?[2J.png: only in the second" compare odd_a odd_b
[ "$(wc -l <.out)" -eq 5 ] || fail "a name has made a line"
run 0 compare odd_a odd_b --accept '[*].png' '[-]x.png' # as the lines before have it
cmp -s a/x.png odd_a/plain.png || fail "a picture that was not named was taken over"
warns 2 "a name of several lines" compare --print-hashes odd_b
mkfifo odd_a/pipe.png odd_b/pipe.png
warns 3 "odd_a/pipe.png is a pipe or device" compare odd_a odd_b

# Hidden colours do not count, blank pictures are pointed out.
if command -v python3 >/dev/null; then
  python3 -c 'import struct, sys, zlib
def png(path, color, kind):
    chunk = lambda n, d: struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d))
    rows = b"".join(b"\0" + bytes(color) * 4 for y in range(4))
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, kind, 0, 0, 0)) +
                           chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
png("clear.png", (0, 0, 0, 0), 6)
png("hidden.png", (9, 8, 7, 0), 6)'
  prints 0 "equal (blank: all pixels are equal)" compare clear.png hidden.png
  err_has "hidden.png is blank"
  run 1 compare clear.png hidden.png --straight
  run 1 compare clear.png a/x.png --html blank.html
  grep -q "The golden is blank" blank.html || fail "the page has no blank golden"
fi

# Reports.
run 1 compare a b --flip 0.001 --diff heat --flip-diff --html page.html --junit tests.xml
grep -q "FLIP: mean" page.html || fail "the page has no FLIP"
grep -q 'class="summary bad">1 of 2 differ' page.html || fail "a page with a failure is not bad"
run 0 compare a a --html good.html
grep -q 'class="summary good">all 2 pass' good.html || fail "a page without a failure is not good"
grep -q 'failures="1"' tests.xml || fail "no failure in the JUnit file"
refuse 2 "--junit - (expected a file" compare a b --junit -
# Nor do reports.
for name in a/x.png ./b/y.png small.png; do
  refuse 2 "--html '$name' (expected the name of a report)" compare a/x.png b/y.png --html $name
done
cp a/x.png plain_name
refuse 2 "--junit 'plain_name' is an input" compare a/x.png plain_name --junit plain_name
refuse 2 "--html and --mask are both" compare a/x.png a/x.png --mask plain_name --html ./plain_name
refuse 2 "--html and --diff are both 'd'" compare a/x.png b/y.png --diff d --html d
refuse 2 "--html and --hashes are both 'list'" compare --hashes list --html list
cmp -s a/x.png plain_name || fail "a report replaced a picture"
refuse 2 "--accept with standard input" compare - a/x.png --accept
mkfifo pipe # is not opened again for the page
cat b/y.png >pipe &
run 1 compare a/x.png pipe --html page.html
grep -q "cannot be read: <bdi>pipe" page.html || fail "the page has a pipe"
# The page shows the differences as they were measured.
run 1 compare a/x.png b/y.png --html part.html --ignore 0,0,32x16
run 1 compare a/x.png b/y.png --diff part.png --ignore 0,0,32x16
grep -qF "base64,$(base64 <part.png | tr -d '\n')" part.html || fail "the page shows other differences than --diff"

# Lists of hashes.
run 0 compare --print-hashes gold
cp .out list.txt
run 0 compare --hashes list.txt gold
out_has "same.png: OK" "all 4 pass"
cp b/y.png gold/same.png
run 1 compare --hashes list.txt gold
out_has "same.png: FAILED" "1 of 4 differ: 1 changed"
rm gold/same.png
run 3 compare --hashes list.txt gold --json
echo "no hash" >bad.txt
run 4 compare --hashes bad.txt gold
{ cat list.txt; echo "no hash"; } >bad.txt # no last line for a part of a list
run 4 compare --hashes bad.txt gold
! grep -q "differ:\|pass" .out || fail "a list with a fault has a last line"
run 0 compare --print-hashes "$work/a/x.png"
cp .out list.txt
run 0 compare --hashes list.txt --sandbox off
refuse 2 "--hashes with criteria" compare --hashes list.txt --max-diff 3
refuse 3 "cannot read: Is a directory" compare --hashes gold gold
mkdir spaces
cp a/x.png 'spaces/ * two  spaces.png'
run 0 compare --print-hashes spaces
cp .out list.txt
run 0 compare --hashes list.txt spaces
run 3 compare --hashes nowhere.txt gold
mkdir form_a form_b
cp a/x.png "form_a/$(printf '\303\234').png"
cp a/x.png "form_b/$(printf 'U\314\210').png"
run 1 compare form_a form_b
[ "$(grep -c "folder; differs from 'form_[ab]/.*.png' only in its Unicode normal form (NFC and NFD)" .out)" -eq 2 ] ||
  fail "two forms of a name are not told"
# A link that leads out is none in the other normal form of its name.
ln -s ../a/x.png "gold/$(printf 'U\314\210').png"
printf '0000000000000000  \303\234.png\n' >list.txt
run 3 compare --hashes list.txt gold --untrusted --sandbox off
err_has "cannot open"
finish
