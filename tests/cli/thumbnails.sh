#!/bin/sh
# SPDX-License-Identifier: MIT
# Batches of thumbnails: folder trees, names, what is skipped, lines of JSON, the cache of desktops.
. "$(dirname "$0")/expect.sh"
small="--size 16 -q --samples 1"

# Folders are kept, hidden names and links that lead out are not followed.
mkdir -p tree/a/b tree/c tree/.hidden
for at in tree tree/a tree/a/b tree/c tree/.hidden; do cp "$tri" $at/scene.gltf; done
cp "$tri" tree/c/OTHER.GLTF
ln -s "$(pwd)/tree/a" tree/c/loop
ln -s "$tri" tree/c/out.gltf
ln -s ../scene.gltf tree/c/inside.gltf
run 0 thumbnail --outdir made $small --json tree
(cd made && find . -type f | sort) >list
printf '%s\n' ./a/b/scene.png ./a/scene.png ./c/OTHER.png ./c/inside.png ./c/scene.png ./scene.png |
  sort | cmp -s - list || fail "the tree is not mirrored: $(cat list)"
out_has '"models":6,"made":6,"skipped":0,"failed":0,"empty":0'
grep -o '"input":"[^"]*"' .out >order
printf '"input":"tree/%s"\n' a/b/scene.gltf a/scene.gltf c/OTHER.GLTF c/inside.gltf c/scene.gltf scene.gltf |
  cmp -s - order || fail "models are not in the order of their names: $(cat order)"
run 0 thumbnail --outdir slash $small tree/
run 0 compare made slash

deep=$(printf 'e/%.0s' $(seq 128))e
mkdir -p "$deep"
warns 3 "zoetrope: $deep: the folder cannot be read: it is more than 128 deep" thumbnail --outdir none $small e

# Equal names: folders that differ, then whole names, then numbers; the same file once.
run 0 thumbnail --outdir equal $small tree/a/scene.gltf tree/c/scene.gltf tree/a/b/scene.gltf tree/./c/scene.gltf
(cd equal && find . -type f | sort) >list
printf '%s\n' ./a/b/scene.png ./a/scene.png ./c/scene.png | cmp -s - list || fail "equal names: $(cat list)"
mkdir -p suffix/x
cp "$tri" suffix/x/m.gltf
cp "$tri" suffix/x/m.glb
run 0 thumbnail --outdir whole $small suffix
is_file whole/x/m.glb.png whole/x/m.gltf.png

# A folder that is called like the picture next to it.
mkdir -p folders/x.png && cp "$tri" folders/x.gltf && cp "$tri" folders/x.png/y.gltf
run 0 thumbnail --outdir both $small folders
is_file both/x.gltf.png both/x.png/y.png

# Patterns.
run 0 thumbnail --outdir named $small --name '{dir}/{stem}-{hash}.{ext}' tree/a
ls named/b/scene-????????????????.png named/scene-????????????????.png >/dev/null 2>&1 || fail "--name: $(find named)"
run 0 thumbnail --outdir flat $small --name 'pic.png' tree/a tree/c
is_file flat/pic.png flat/pic-2.png flat/pic-4.png
refuse 2 "unknown field {x}" thumbnail --outdir n $small --name '{x}.png' "$tri"
refuse 2 "leads out of --outdir" thumbnail --outdir n $small --name '../{stem}.png' "$tri"
# Names of models that a pattern makes a way out, or a model again: they fail, the others do not.
mkdir odd && cp "$tri" odd/...glb && cp "$tri" odd/x.glb.gltf && cp "$tri" odd/fine.glb
warns 3 "odd/...glb: its picture would be out of --outdir" thumbnail --outdir out/in $small --name '{stem}/{ext}' --json odd/...glb odd/x.glb.gltf odd/fine.glb
is_file out/in/fine/png out/in/x.glb/png
no_file out/png
warns 3 "would have the name of a model" thumbnail --outdir odd $small --name '{stem}' odd/x.glb.gltf
no_file odd/x.glb
refuse 2 "names models or scenes" thumbnail --outdir odd $small --name '{stem}.glb' odd/fine.glb
cmp -s "$tri" odd/fine.glb || fail "--name replaced a model"
# Whatever a model is called, and by whichever link: no picture replaces it.
mkdir masked && cp "$tri" masked/thing && cp "$tri" masked/model.png && cp "$tri" masked/good.gltf
ln -s model.png masked/link.png && cp masked/thing masked/other.gltf && ln masked/good.gltf masked/other.png
warns 3 "masked/thing: its picture would replace a model" thumbnail --outdir masked $small --name '{stem}' --json masked/thing masked/good.gltf
out_has '"made":1'
warns 3 "masked/model.png: its picture would replace a model" thumbnail --outdir masked $small --json masked/model.png masked/good.gltf masked/other.gltf
err_has "masked/other.gltf: its picture would replace a model"
refuse 2 "masked/model.png would be replaced" thumbnail masked/model.png masked/model.png $small
refuse 2 "masked/model.png would be replaced" thumbnail masked/model.png masked/link.png $small
refuse 2 "masked/thing would be replaced" thumbnail masked/thing ./masked/thing $small --format png
for name in thing model.png good.gltf other.gltf; do
  cmp -s "$tri" masked/$name || fail "a picture replaced masked/$name"
done
# Names of files stay in their line, which cannot control a terminal.
mkdir said && cp "$tri" "$(printf 'said/a\033[31m\nb.gltf')" && cp "$tri" said
warns 0 "out/a?[31m?b.png" thumbnail --outdir out --size 16 --samples 1 said
refuse 2 "no name of a file" thumbnail --outdir n $small --name '{dir}/' "$tri"
refuse 2 "--name without --outdir" thumbnail "$tri" t.png --name x

# One model alone is verified, and its clips are listed as text.
for flag in --list-clips "--verify 0123456789abcdef"; do
  # shellcheck disable=SC2086
  {
    refuse 2 "${flag%% *} with --outdir (expected one model and no picture)" thumbnail --outdir n $flag "$tri"
    refuse 2 "${flag%% *} with --freedesktop" thumbnail --freedesktop --size 128 $flag "$tri"
    refuse 2 "${flag%% *} with --json-lines" thumbnail $flag "$tri" --json-lines
    refuse 2 "expected OUT.png" thumbnail $flag "$tri" tree/scene.gltf
  }
done
warns 2 "--list-clips with --json (expected inspect --json)" thumbnail --list-clips "$tri" --json
run 0 thumbnail --list-clips "$tri" unused.png
prints 1 '"verified":false' thumbnail --verify 0123456789abcdef "$tri" unused.png --size 16 --json
no_file unused.png

# Formats.
run 0 thumbnail --outdir webp $small --format webp tree/a
is_file webp/b/scene.webp
run 0 thumbnail --outdir jpeg $small --name '{stem}.jpg' "$tri"
[ "$(od -An -tx1 -N2 jpeg/triangle.jpg | tr -d ' ')" = ffd8 ] || fail "--name x.jpg is no JPEG"
# The suffix of the pattern decides, not that of a stem.
cp "$tri" stem.jpg.gltf
run 0 thumbnail --outdir stems $small --name '{stem}' stem.jpg.gltf
[ "$(od -An -tx1 -N4 stems/stem.jpg | tr -d ' ')" = 89504e47 ] || fail "the suffix of a stem decided"
run 0 thumbnail --outdir stems $small --name '{stem}.{ext}' stem.jpg.gltf
is_file stems/stem.jpg.png
# JPEG has no transparency: its pixels are those over the background.
warns 0 "has no transparency" thumbnail "$tri" opaque.jpg --size 16 --samples 1 -v --json
hash=$(sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' .out)
[ -n "$hash" ] || fail "no hash of a JPEG thumbnail"
prints 0 "$hash" thumbnail "$tri" opaque.png $small --background '#303338' --json
run 0 thumbnail "$tri" ./.out.XYZ123 $small --format png
[ "$(od -An -tx1 -N4 .out.XYZ123 | tr -d ' ')" = 89504e47 ] || fail "a name without suffix is no PNG"
refuse 2 "expected OUT.png" thumbnail "$tri" other.gltf $small --format png
refuse 2 "expected png, webp or jpeg" thumbnail "$tri" t.png --format y4m

# Skipped: by time, and by what the picture was made from.
touch -d '2001-01-01' tree/scene.gltf tree/a/scene.gltf tree/c/*.gltf tree/c/OTHER.GLTF tree/a/b/scene.gltf
touch -d '2002-01-01' made/scene.png
touch -d '2000-01-01' made/a/scene.png
prints 0 '"made":1,"skipped":5' thumbnail --outdir made $small --skip time --json tree
[ -z "$(find made/scene.png -newermt 2003-01-01)" ] || fail "--skip time wrote over a newer picture"
[ -n "$(find made/a/scene.png -newermt 2003-01-01)" ] || fail "--skip time left an older picture"
head -c 60 made/c/scene.png >cut && cp cut made/c/scene.png
prints 0 '"made":1,"skipped":5' thumbnail --outdir made $small --skip time --json tree
prints 0 '"made":0,"skipped":6' thumbnail --outdir made $small --skip hash --json tree
sed 's/"asset"/ "asset"/' "$tri" >tree/a/scene.gltf
touch -d '2000-01-01' tree/a/scene.gltf
prints 0 '"made":1,"skipped":5' thumbnail --outdir made $small --skip hash --json tree
prints 0 '"made":6,"skipped":0' thumbnail --outdir made $small --skip hash --exposure 1 --json tree
prints 0 '"made":1,"skipped":1' thumbnail --outdir webp $small --format webp --skip hash --json tree/a

# A pipe is not opened to see what is in it: it is an output like others.
for flag in --resume "--skip time" "--skip hash"; do
  rm -f pipe.png && mkfifo pipe.png
  timeout 20 cat pipe.png >piped &
  # shellcheck disable=SC2086
  run 0 thumbnail "$tri" pipe.png $small $flag --timeout 10
  wait
  [ "$(od -An -tx1 -N4 piped | tr -d ' ')" = 89504e47 ] || fail "no picture through a pipe with $flag"
done

# --resume removes what dead processes left where pictures go, and nothing else.
mkdir -p rest/a rest/b cache/thumbnails/normal
for at in rest rest/a rest/b cache/thumbnails/normal; do touch $at/.scene.png.tmp-999999-0 $at/.scene.jpg.tmp-999999-0; done
run 0 thumbnail --outdir rest $small tree/a
is_file rest/scene.png
[ -e rest/.scene.png.tmp-999999-0 ] || fail "temporaries were removed without --resume"
run 0 thumbnail --outdir rest $small tree/a --resume
XDG_CACHE_HOME="$(pwd)/cache" run 0 thumbnail --freedesktop --size 128 -q --samples 1 "$tri" --resume
run 0 thumbnail "$tri" rest/a/scene.png $small --resume
no_file rest/.scene.png.tmp-999999-0 rest/b/.scene.png.tmp-999999-0 rest/a/.scene.png.tmp-999999-0 \
  cache/thumbnails/normal/.scene.png.tmp-999999-0
for at in rest rest/a rest/b; do [ -e $at/.scene.jpg.tmp-999999-0 ] || fail "--resume removed files of others"; done
rm -r cache

# Faults end no batch; lines of JSON as each is done; what is empty is marked.
printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{}]}' >tree/empty.gltf
printf 'glTF' >tree/bad.glb
mkdir hollow
run 4 thumbnail --outdir lines --size 16 --samples 1 --ground none --json-lines hollow tree nowhere.glb
[ "$(wc -l <.out)" -eq 10 ] || fail "--json-lines has $(wc -l <.out) lines for 10 models"
err_has "of 10 models 3 failed, 1 is empty" "hollow: holds no models"
grep '"input":"tree/empty.gltf"' .out | grep -q '"empty":true.*"warnings":\["tree/empty.gltf: nothing is visible' ||
  fail "an empty picture is not marked"
grep '"input":"nowhere.glb"' .out | grep -q '"code":3,"message":' || fail "a line without its code"
python -c 'import json,sys
lines = [json.loads(l) for l in open(sys.argv[1])]
keys = {"input", "file", "hash", "code", "width", "height", "bytes", "seconds", "warnings", "empty", "zoetrope"}
assert all(set(l) == keys for l in lines if l["code"] == 0), lines
assert sorted(l["code"] for l in lines)[-3:] == [3, 3, 4], lines' .out || fail "--json-lines is not the JSON expected"
warns 2 "both are standard output" thumbnail --outdir lines --json --json-lines "$tri"

# The cache of desktops: names, texts, modes, and notes of failures.
export XDG_CACHE_HOME="$(pwd)/cache"
cp "$tri" 'a b;é.gltf'
run 4 thumbnail --freedesktop --size 128 -q --no-cache --samples 1 'a b;é.gltf' tree/bad.glb
md5() { printf '%s' "$1" | md5sum | cut -c1-32; }
base=file://$(pwd)
png=cache/thumbnails/normal/$(md5 "$base/a%20b%3B%C3%A9.gltf").png
is_file "$png" "cache/thumbnails/fail/zoetrope-"*/"$(md5 "$base/tree/bad.glb").png"
for text in "Thumb::URI.$base/a%20b%3B%C3%A9.gltf" "Thumb::MTime.$(stat -c %Y 'a b;é.gltf')" \
  "Thumb::Size.$(stat -c %s "$tri")" "Thumb::Mimetype.model/gltf+json" "Software.Zoetrope"; do
  checks=$((checks + 1))
  tr '\0' '.' <"$png" | grep -aqF "$text" || fail "$png has no text $text"
done
[ "$(stat -c %a "$png")" = 600 ] || fail "a thumbnail has the mode $(stat -c %a "$png")"
[ "$(stat -c %a cache/thumbnails/normal)" = 700 ] || fail "its folder has the mode $(stat -c %a cache/thumbnails/normal)"
run 0 thumbnail --freedesktop --size 128 -q --no-cache --samples 1 --skip time --json 'a b;é.gltf' tree/bad.glb
out_has '"made":0,"skipped":2' 'cache/thumbnails/fail/zoetrope-'
# What other flags may do without is no failure of the model.
echo junk >junk.hdr
sed 's/"asset"/"extensionsUsed":["X_unknown"],"extensionsRequired":["X_unknown"],"asset"/' "$tri" >needs.gltf
for flags in "--environment junk.hdr" "--clip 99"; do
  # shellcheck disable=SC2086
  "$ZOETROPE" thumbnail --freedesktop --size 128 -q --no-cache --samples 1 $flags "$tri" 2>.err &&
    fail "thumbnail $flags has not failed"
done
run 8 thumbnail --freedesktop --size 128 -q --no-cache --samples 1 --strict needs.gltf
[ "$(find cache/thumbnails/fail -name '*.png' | wc -l)" -eq 1 ] || fail "a failure by flags was noted as one of the model"
touch -d 2005-01-01 'a b;é.gltf'
prints 0 '"made":1,"skipped":0' thumbnail --freedesktop --size 128 -q --no-cache --samples 1 --skip time --json 'a b;é.gltf'
echo >>'a b;é.gltf' # another size at the same time
touch -d 2005-01-01 'a b;é.gltf'
prints 0 '"made":1,"skipped":0' thumbnail --freedesktop --size 128 -q --no-cache --samples 1 --skip time --json 'a b;é.gltf'
cp "$tri" cache/thumbnails/in.gltf
refuse 3 "lies in the cache" thumbnail --freedesktop --size 128 cache/thumbnails/in.gltf
refuse 2 "expected 128, 256, 512 or 1024" thumbnail --freedesktop --size 100 "$tri"

# Pipes instead of pictures and of pictures of light in the caches are not waited for, but replaced.
name=$(md5 "$base/a%20b%3B%C3%A9.gltf").png
rm -f cache/thumbnails/normal/"$name"
mkfifo cache/thumbnails/normal/"$name"
timeout 60 "$ZOETROPE" thumbnail --freedesktop --size 128 -q --samples 1 --skip time 'a b;é.gltf' >.out 2>.err ||
  fail "--skip time at a pipe: exit $?: $(cat .err)"
[ -f cache/thumbnails/normal/"$name" ] || fail "a pipe is not replaced"
sky=$MODELS/../../../scenes/models/courtyard.hdr
run 0 thumbnail "$tri" lit.png --size 16 -q --environment "$sky"
light=$(find cache/zoetrope -name 'light-*.bin')
rm "$light"
mkfifo "$light"
timeout 60 "$ZOETROPE" thumbnail "$tri" lit2.png --size 16 -q --environment "$sky" >.out 2>.err ||
  fail "a pipe as a picture of light: exit $?: $(cat .err)"
cmp -s lit.png lit2.png && [ -f "$light" ] || fail "a pipe as a picture of light is not replaced"

# What file managers read. Programs that check it may be absent.
desktop=$MODELS/../../../cmake/desktop
if command -v update-mime-database >/dev/null; then
  mkdir -p mime/packages
  cp "$desktop/zoetrope.xml" mime/packages
  update-mime-database mime 2>.err || fail "update-mime-database: $(cat .err)"
  grep -q 'model/vrm:\*.vrm' mime/globs || fail "*.vrm has no MIME type"
fi
command -v xmllint >/dev/null && { xmllint --noout "$desktop/zoetrope.xml" || fail "zoetrope.xml is no XML"; }
eval "set -- $(sed -n 's/^Exec=zoetrope //p' "$desktop/zoetrope.thumbnailer" | sed "s/%s/64/; s|%i|'$tri'|; s|%o|.thumb.Q1|")"
run 0 "$@"
is_file .thumb.Q1
finish
