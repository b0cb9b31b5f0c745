#!/bin/sh
# SPDX-License-Identifier: MIT
# Texts of pictures, and verify, which renders by them again: what was edited, what is missing, and texts of
# strangers, which read nothing outside of the folder and write nothing.
# shellcheck disable=SC2086 # words
. "$(dirname "$0")/expect.sh"
mkdir in moved
cp "$MODELS/triangle.gltf" in/tri.gltf
cp "$SOURCE/scenes/models/walker.glb" "$SOURCE/scenes/models/courtyard.hdr" in
uses 'corners äö.bin' >in/split.gltf
head -c 36 "$SOURCE/scenes/models/walker.glb" >'in/corners äö.bin'
printf 'format: 1\noutput: { frames: 0-9 }\nmodels: [ { file: in/walker.glb } ]\n' >scene.yaml
sed s,in/,../in/, scene.yaml >moved/up.yaml
small="--size 24 -q"

# ---- Texts --------------------------------------------------------------------------------------

# text FILE: its JSON.
text() { LC_ALL=C tr -d '\000' <"$1" | LC_ALL=C sed -n 's/.*<!\[CDATA\[//; t rest; d; :rest; s/]]>.*//p'; }
for kind in png webp; do
  for metadata in none default full; do
    for run in 1 2; do
      run 0 render in/tri.gltf --frames 3 --azimuth 20 --environment "$work/in/courtyard.hdr" $small --metadata $metadata -o $run-$metadata.$kind
    done
    cmp -s 1-$metadata.$kind 2-$metadata.$kind || fail "$metadata $kind: two runs differ"
    ! grep -aqF -e "$HOME/" -e "$work" 1-$metadata.$kind || fail "$metadata $kind: a folder is in the file"
  done
  ! grep -aqE 'tEXt|iTXt|XMP |[Zz]oetrope' 1-none.$kind || fail "$kind: texts without metadata"
  hash='"[0-9a-f]{16}"'
  text 1-default.$kind | sed "s/$version/V/" | grep -qxE '\{"version":V,"scene":'$hash',"frame":3,"time":0\.1,"pixels":'$hash'\}' ||
    fail "$kind: $(text 1-default.$kind)"
  text 1-full.$kind | grep -qE '"settings":\{"command":"render","flags":\["--azimuth","20","--size","24","--environment","courtyard.hdr"\],"inputs":\["[0-9a-f]{16} '"$(wc -c <in/tri.gltf | tr -d ' ')"' tri.gltf","' ||
    fail "$kind: $(text 1-full.$kind)"
  run 0 verify 1-full.$kind --inputs in
  refuse 8 'has no settings' verify 1-default.$kind --inputs in
  refuse 4 'says nothing of itself' verify 1-none.$kind --inputs in
done
for text in "$(text 1-full.png)" "$(text 1-default.webp)" "$(text 1-full.webp)"; do # bands of rows, and all at once
  pixels=$(printf %s "$text" | grep -o '"pixels":"[0-9a-f]*"')
  text 1-default.png | grep -qF "$pixels" || fail "not $pixels: $(text 1-default.png)"
done
run 0 render in/tri.gltf --metadata full --untrusted --size 24 -o strange.png
refuse 8 'has no settings' verify strange.png --inputs in
run 0 render in/tri.gltf --frames 3 $small --metadata none --resume -o again.png
run 0 render in/tri.gltf --frames 3 --size 24 --metadata none --resume -o again.png --json
! grep -q skipped .out || fail "a frame without texts is known"

# ---- Verified, edited, missing ------------------------------------------------------------------

while read -r words; do
  run 0 $words $small --metadata full -o made.png
  run 0 verify made.png --inputs .
done <<'TABLE'
render moved/up.yaml --frames 5 --look-at 0,1,0
thumbnail in/walker.glb
thumbnail in/walker.glb --frames 9 --no-cache
turntable in/walker.glb --count 5 --frames 2 --direction cw --clip walk
render in/walker.glb --time 0.2 --quality final --light-samples 16
render in/walker.glb --frames 4 --shutter 0.1s --aperture f/2 --focus head --blades 5 --max-samples 64
TABLE
run 0 render in/walker.glb --frames 5 $small --metadata full -o "made-{plane}.exr" --planes color,crypto_bone --exr zip --max-texture 16
prints 0 '"verified":true' verify made-color.exr --inputs in --json
run 0 verify made-crypto_bone.exr --inputs in
refuse 5 'stopped by --timeout' verify made-crypto_bone.exr --inputs in --timeout 0.0001
grep -aqF '"middle1_l":"0cc0e7fa",' made-crypto_bone.exr || fail "a manifest without 8 digits"
! text made-color.exr | grep -q "$work" || fail "an OpenEXR names a folder"
printf x | dd of=made-color.exr bs=1 seek=2000 conv=notrunc 2>/dev/null
run 1 verify made-color.exr --inputs in
run 0 render in/tri.gltf --frames 3 $small --metadata none -o none.exr
run 0 render in/tri.gltf --frames 3 $small --metadata none --planes color,depth --bits 16 -o "none-{plane}.png"
! grep -aqE 'xmp|tEXt|iTXt|[Zz]oetrope' none.exr none-color.png none-depth.png || fail "planes: texts without metadata"
run 0 render in/tri.gltf --frames 0 --size 24 --max-texture 16 --max-samples 64 --metadata full -o made.png
text made.png | grep -qF '"--max-texture","16","--max-samples","64"' || fail "settings without limits"
run 0 thumbnail --outdir batch in/walker.glb in/tri.gltf --metadata full -q
run 0 verify batch/tri.png --inputs in
mkdir -p pair/a pair/b other/1 'odd]]>'
cp in/walker.glb pair/a/m.glb
cp "$SOURCE/scenes/models/ball.glb" pair/b/m.glb
printf 'format: 1\noutput: { frames: 0 }\nmodels: [ { file: a/m.glb }, { file: b/m.glb } ]\n' >pair/s.yaml
run 0 render pair/s.yaml --size 24 --metadata full -o pair.png
mv pair/a/m.glb other/1/x.glb
mv pair/b/m.glb other/m.glb
cp pair/s.yaml other
run 0 verify pair.png --inputs other
cp in/tri.gltf 'odd]]>/a]]>.gltf'
run 0 render 'odd]]>/a]]>.gltf' --frames 0 --size 24 --metadata full -o odd.png
run 0 verify odd.png --inputs 'odd]]>'
run 0 render in/tri.gltf --frames 0 --size 24 --lossy 80 --metadata full -o lossy.webp
warns 0 'a lossy picture' verify lossy.webp --inputs in
size=$(($(wc -c <1-full.webp) + 4)) # of RIFF, with the chunk
{
  printf 'RIFF%b\0\0' "$(printf '\\0%o\\0%o' $((size % 256)) $((size / 256)))"
  head -c 30 1-full.webp | tail -c +9
  printf 'JUNK\4\0\0\0junk'
  tail -c +31 1-full.webp
} >junk.webp
run 0 verify junk.webp --inputs in
! grep -q lossy .err || fail "a lossless picture counts as lossy"
many=$(printf '%0131000d' 1)
none=$(printf '%0131000d' 0)
warns 0 'no settings are written' render in/tri.gltf --frames 0 --size 24 --metadata full -o many.png --azimuth $many --elevation $many --zoom $many --exposure $many --fov $many --directions $many --time $many --margin $none
refuse 8 'has no settings' verify many.png --inputs in
refuse 2 'expected one picture' verify - --inputs in
prints 0 '"command":"verify","zoetrope":'"$version"',"file":"odd.png"' verify odd.png --inputs 'odd]]>' --json
mkdir -p "in/$(printf '%040d' 0 | sed 's,0,d/,g')"
run 0 verify 1-full.png --inputs in
run 0 render scene.yaml --frames 5 $small --metadata full -o in/scene.png
mv in/walker.glb moved/other.glb
run 3 verify in/scene.png --inputs in/../in
run 0 verify in/scene.png --inputs .
printf x | dd of=moved/other.glb bs=1 seek=900 conv=notrunc 2>/dev/null
mv moved/other.glb in/walker.glb
cp scene.yaml in
refuse 3 'walker.glb with the hash' verify in/scene.png
cp "$SOURCE/scenes/models/walker.glb" in/walker.glb
run 0 render in/split.gltf --frames 0 --size 24 --metadata full -o in/split.png
run 0 verify in/split.png
rm in/corners*
refuse 3 'corners äö.bin with the hash' verify in/split.png

# ---- Texts of strangers -------------------------------------------------------------------------

# forge TEXT PNG: the picture with this text behind it, as forged.png; PNG begins with its pixels then.
forge() {
  { sed 's/zoetrope:picture/zoetrope:nothing/' "$2" && printf '<zoetrope:picture><![CDATA[%s]]>' "$1"; } >forged.png
}
run 0 render in/tri.gltf --frames 3 --size 24 --azimuth 20 --look clay -o b.png
true_text=$(text 1-full.png)
forge "$true_text" b.png
run 1 verify forged.png --inputs in
grep -qE '^zoetrope: [1-9][0-9]* pixels differ$' .err || fail "an edited picture: no number of pixels"
err_has 'its pixels were changed after it was written'
run 1 verify forged.png --inputs in --json -q
forge "$(printf %s "$true_text" | sed 's/"version":"[^"]*"/"version":"0.0.1"/')" 1-full.png
warns 0 'made by version 0.0.1' verify forged.png --inputs in
forge "$(printf %s "$true_text" | sed 's/"version":"[^"]*"/"version":"\\u001b[31m"/')" 1-full.png
warns 0 'made by version ?[31m' verify forged.png --inputs in
while IFS='|' read -r plane words edit; do # 16 bits: the edit changes low bytes
  run 0 render in/tri.gltf --frames 3 $small --planes $plane $words --metadata full -o "p-{plane}.png"
  run 0 render in/tri.gltf --frames 3 $small --planes $plane $edit -o "q-{plane}.png"
  run 0 verify p-$plane.png --inputs in
  forge "$(text p-$plane.png)" q-$plane.png
  refuse 1 'it was changed after it was written' verify forged.png --inputs in
done <<'TABLE'
depth|--depth-unit 2|--depth-unit 2.00003
normal|--space camera --png small|--space camera --azimuth 0.001
coverage|--bits 8|--bits 8 --azimuth 90
object||--azimuth 90
color|--bits 16|--bits 16 --exposure 0.001
color|--bits 16 --encoding linear --background transparent|--bits 16
TABLE
forge "$(text p-depth.png | sed 's/"2"/"3"/')" p-depth.png
prints 1 '"file":"forged.png","verified":false' verify forged.png --inputs in --json
forge "$(text p-depth.png | sed 's/"planes":"depth/&,normal/')" p-depth.png
refuse 4 'forged.png: 2 planes as one PNG' verify forged.png --inputs in
cp in/walker.glb secret.glb
ln -s ../secret.glb in/link.glb
secret=$(text in/scene.png | grep -oE '[0-9a-f]{16} [0-9]+ in/walker' | sed 's,in/walker,,')
rm in/walker.glb
printf 'format: 1\nmodels: [ { file: ../secret.glb } ]\n' >in/out.yaml
run 0 render in/out.yaml --frames 0 $small --metadata full -o in/out.png
refuse 3 'secret.glb with the hash' verify in/out.png
forge "$(text in/out.png | sed 's/,"[^"]*secret.glb"//')" 1-full.png
refuse 3 'secret.glb' verify forged.png --inputs in
deep=$(printf '%0300d' 0 | tr 0 '[')
head -c 90 1-full.png >cut.png
refuse 4 "says nothing" verify cut.png --inputs in
while IFS='|' read -r code said change; do
  forge "$(printf %s "$true_text" | sed "$change")" 1-full.png
  refuse "$code" "$said" verify forged.png --inputs in
done <<TABLE
3|with the hash|s|"[^"]* tri.gltf"|"$secret../secret.glb"|
3|with the hash|s|"[^"]* tri.gltf"|"$secret$work/secret.glb"|
3|with the hash|s|"[^"]* tri.gltf"|"0123456789abcdef 1 ../../../etc/passwd"|
4|decides no picture|s|"--azimuth"|"-o"|
4|decides no picture|s|"--azimuth"|"--output"|
4|decides no picture|s|"--azimuth"|"--texture-dir"|
4|decides no picture|s|"--azimuth"|"--trace"|
4|decides no picture|s|"--azimuth"|"--list-clips"|
4|expected|s|"20"|"north"|
3|: not found among the inputs|s|"courtyard.hdr"|"../../etc/passwd"|
4|renders no frame|s|"render"|"sheet"|
4|forged.png: |s|"frame":3|"frame":3000000|
4|names no frame|s|"frame":3|"frame":3.5|
4|forged.png: |s|"--azimuth","20"|"--clip","nope"|
4|names no command|s|"command":"render"|"command":7|
4|names no hash|s|"pixels":"|&0|
4|names no planes|s|"pixels":|"planes":5,&|
4|names no inputs|s|"inputs":.*\]|"inputs":[]|
4|without hash and size|s|"[^"]* tri.gltf"|"tri.gltf"|
4|must not hold|s|tri.gltf"|a\\\\u0000b"|
4|nested deeper|s|"flags":\[|"flags":$deep|
1|16384 x 16384|s|"24"|"16384"|
TABLE
finish
