#!/bin/sh
# SPDX-License-Identifier: MIT
# The system refuses memory: one allocation after the other, then all from one on. Each command ends
# with exit 7, one line and no file, or does its work without that memory. ZT_REFUSE_MODELS="a.glb ..."
# takes these models, every allocation and every command: minutes.
. "$(dirname "$0")/expect.sh"
scenes=$MODELS/../../../scenes
corpus=$MODELS/../../fuzz/corpus

first=9 step=23 # in the short form: the first ones, then some
# sweep ALL ARGUMENT...: refuses allocation 1, 2, ... until the program no longer asks for as many.
sweep() {
  all=$1
  shift
  at=1
  "$ZOETROPE" "$@" >whole 2>.err
  [ ! -e out.webp ] || mv out.webp whole.webp
  while :; do
    rm -f said out.*
    ZT_REFUSE_AT=$at ZT_REFUSE_ALL=$all LD_PRELOAD=$REFUSE "$ZOETROPE" "$@" >printed 2>.err 9>said
    code=$?
    [ -s said ] || break
    checks=$((checks + 1))
    case $code in
    0)
      [ ! -s whole ] || cmp -s printed whole ||
        fail "zoetrope $*: another standard output without allocation $at"
      [ ! -e out.webp ] || cmp -s out.webp whole.webp || fail "zoetrope $*: another file without allocation $at" ;;
    7)
      grep -q '^zoetrope: ' .err || fail "zoetrope $*: no message without allocation $at"
      for file in out.*; do
        [ ! -e "$file" ] || fail "zoetrope $*: a file without allocation $at"
      done ;;
    *) fail "zoetrope $*: exit $code without allocation $at (all later ones: $all)" ;;
    esac
    if [ -n "${ZT_REFUSE_MODELS:-}" ] || [ $at -lt $first ]; then
      at=$((at + 1))
    else
      at=$((at + step))
    fi
  done
  [ $at -gt 5 ] || fail "zoetrope $*: nothing was refused"
}

# textured PICTURE: a triangle that shows it, textured.gltf. lit PICTURE: a scene in its light, lit.yaml.
textured() {
  cp "$1" picture
  sed '1s#{#{"images":[{"uri":"picture"}],"textures":[{"source":0}],#; s#"baseColorFactor"#"baseColorTexture":{"index":0},"baseColorFactor"#' \
    "$MODELS/triangle.gltf" >textured.gltf
}
lit() {
  printf 'format: 1\nenvironment: {image: %s}\nmodels:\n  - file: %s\n    name: a\n' "$1" \
    "$MODELS/triangle.gltf" >lit.yaml
}

commands() {
  for all in 0 1; do
    sweep $all inspect --json "$1"
    sweep $all check "$1"
    sweep $all thumbnail "$1" out.png --size 32x32 --threads 2 -q
    sweep $all convert "$1" out.glb
  done
}

if [ -n "${ZT_REFUSE_MODELS:-}" ]; then
  for model in $ZT_REFUSE_MODELS; do
    commands "$model"
  done
else
  mkdir -p tree/a
  cp "$MODELS/triangle.gltf" tree/a
  commands "$scenes/models/walker.glb"
  for all in 0 1; do
    sweep $all inspect "$MODELS/hinge.m3d"
    sweep $all convert "$scenes/tests/rider.yaml" out.gltf -q
    sweep $all render "$scenes/tests/glass.yaml" -o out.png --size 32x32 --threads 2 -q
    first=1 step=29 # other libraries
    sweep $all convert "$corpus/models/draco_edgebreaker.glb" out.gltf
    sweep $all inspect "$corpus/models/meshopt.glb"
    sweep $all compare "$corpus/../../../scenes/models/relief_crease.png" "$corpus/../../../scenes/models/relief_crease.png"
    for picture in webp/lossy.webp jpeg/progressive_422.jpg ktx2/uastc_zstd.ktx2 \
      ktx2/etc1s_alpha.ktx2; do
      textured "$corpus/$picture"
      sweep $all convert textured.gltf out.m3d
    done
    for picture in exr/zip_layer.exr exr/piz.exr hdr/components.hdr; do
      lit "$corpus/$picture"
      sweep $all check lit.yaml
    done
    sweep $all thumbnail "$MODELS/triangle.gltf" out.webp --size 32x32 --threads 1 -q
    sweep $all turntable "$MODELS/triangle.gltf" out.gif --count 2 --size 32x32 --threads 1 -q
    sweep $all render "$MODELS/triangle.gltf" -o out.exr --planes all --frames 0 --size 32x32 --threads 1 -q
    sweep $all thumbnail "$MODELS/triangle.gltf" out.jpg --size 32x32 --threads 1 -q
    first=50 step=23 # folders are read
    sweep $all thumbnail --outdir kept tree --size 32 --skip time --threads 1 -q
    first=9
    sweep $all render "$scenes/walk.yaml" --format y4m -o - --frames 0-2 --size 32x32 --threads 2 -q
  done
  first=1 step=1 # libwebp calls broken files whole
  mkdir long # names for which a list asks for memory again
  for i in $(seq 10 29); do cp "$scenes/models/relief_crease.png" "long/$i$(printf '%0220d' 0).png"; done
  sweep 0 compare long long
  sweep 0 thumbnail "$scenes/models/walker.glb" out.webp --size 24 --threads 1 --samples 1 --supersample 1 -q
  sweep 0 thumbnail "$MODELS/triangle.gltf" out.webp --size 24 --threads 1 --lossy 50 -q
fi

# A server of requests: all answers are there and those that lack memory say so, or it ends with 7.
printf '{"id":1,"command":"thumbnail","inputs":["%s"],"flags":{"size":32}}\n' a.glb b.glb a.glb | awk '{ sub(/1/, NR) } 1' >asked
cp "$scenes/models/walker.glb" a.glb
cp "$scenes/models/ball.glb" b.glb
for all in 0 1; do
  for at in 1 2 3 4 5 7 9 11 13 15 17 20 25 31 40 60 100 200 400 800; do
    checks=$((checks + 1))
    ZT_REFUSE_AT=$at ZT_REFUSE_ALL=$all LD_PRELOAD=$REFUSE "$ZOETROPE" serve --stdio --root . --jobs 1 <asked \
      >printed 2>.err 9>said
    code=$?
    told=$(grep -ao '{"id":[1-3],"code":[0-9]*,' printed | grep -c .)
    case $code in
    0) [ "$told" -eq 3 ] || fail "serve: $told answers without allocation $at (all later ones: $all)" ;;
    7) grep -q '^zoetrope: ' .err || fail "serve: no message without allocation $at" ;;
    *) fail "serve: exit $code without allocation $at (all later ones: $all)" ;;
    esac
  done
done

# A suite in workers: of memory that is refused to all processes from one allocation on, shots fail.
printf 'format: 1\ngoldens: none\ndefaults: { size: 32 }\nshots: [ { name: a, file: %s }, { name: b, file: %s } ]\n' \
  "$MODELS/triangle.gltf" "$scenes/models/walker.glb" >suite.yaml
for at in 1 5 20 60 150 400 700 1000; do
  ZT_REFUSE_AT=$at ZT_REFUSE_ALL=1 LD_PRELOAD=$REFUSE "$ZOETROPE" test suite.yaml --jobs 2 >.out 2>.err 9>said
  code=$?
  checks=$((checks + 1))
  case $code in 1 | 7) ;; *) fail "a suite: exit $code without memory from allocation $at on: $(cat .err)" ;; esac
  ! grep -q 'by signal' .out .err || fail "a worker dies without memory from allocation $at on: $(cat .out .err)"
done

# A text of many pieces ends when the first finds no memory: open_memstream() asked for each again.
{
  printf '{"asset":{"version":"2.0"},"nodes":[{}'
  awk 'BEGIN { for (i = 0; i < 20000; i++) printf ",{\"name\":\"%d\"}", i }'
  printf ']}'
} >nodes.gltf
for at in 101 103 105 107 109 111 113 115 117; do
  ZT_REFUSE_AT=$at ZT_REFUSE_ALL=1 LD_PRELOAD=$REFUSE "$ZOETROPE" inspect --full nodes.gltf >printed 2>.err 9>said
  asked=$(wc -l <said)
  checks=$((checks + 1))
  [ "$asked" -lt 100 ] || fail "inspect asks $asked times for memory that is refused from allocation $at on"
done
finish
