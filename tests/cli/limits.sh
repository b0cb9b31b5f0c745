#!/bin/sh
# SPDX-License-Identifier: MIT
# Limits: each has a flag, --print-limits prints them, --untrusted makes them strict.
. "$(dirname "$0")/expect.sh"
models=$MODELS/../../../scenes/models

# Both ends of each range; one above is refused.
for row in max-triangles:50000000 max-joints:65536 max-depth:512 max-texture:16384 \
  max-picture:16384 max-frames:1000000 max-fragments:2000000000 max-light-samples:4096 max-samples:4096 max-rays:1000000000000; do
  flag=--${row%%:*} most=${row##*:}
  run 0 --print-limits $flag 1
  run 0 --print-limits $flag $most
  out_has "$flag" " $most "
  refuse 2 "1 to $most" inspect "$tri" $flag $((most + 1))
  refuse 2 "1 to $most" inspect "$tri" $flag 0
done
run 0 thumbnail "$tri" --outdir half --model-timeout 0.5
refuse 2 "--model-timeout" thumbnail "$tri" --outdir half --model-timeout 0
refuse 2 "up to 4G" inspect "$tri" --max-file 4294967297
refuse 2 "up to 4G" inspect "$tri" --max-file 0
run 0 inspect "$tri" --max-file 4G

# Springs take steps from the start of the shot: a frame a month later is refused, not waited for.
printf '%s\n' 'format: 1' 'output: { size: [16, 16], frames: "0,90000000" }' \
  "models: [ { file: $models/critter.glb } ]" >far.yaml
refuse 5 "far.yaml: springs take 360000120 steps" render far.yaml -o far-####.png

# Each is exceeded, and met exactly.
refuse 5 "larger than the limit of 100 bytes" inspect "$tri" --max-file 100
refuse 5 "more than" inspect "$models/walker.glb" --max-triangles 10
refuse 5 "joints" inspect "$models/walker.glb" --max-joints 2
refuse 5 "nested deeper than 3 levels" inspect "$tri" --max-depth 3
refuse 5 "at most 3 levels" check "$MODELS/../../../scenes/walk.yaml" --max-depth 3
refuse 5 "1 to 64 a side" thumbnail "$tri" out.png --size 65 --max-picture 64
run 0 thumbnail "$tri" out.png --size 64 --max-picture 64
refuse 5 "1 to 64 a side" check "$MODELS/../../../scenes/walk.yaml" --max-picture 64
refuse 5 "takes 120 frames (expected at most 5)" render "$models/walker.glb" --frames 0-5 -o '####.png' --max-frames 5
run 0 thumbnail "$models/walker.glb" out.png --size 16 --max-frames 5
run 0 inspect "$models/walker.glb" --max-frames 5
run 0 turntable "$models/walker.glb" -o 'turn-#.png' --count 2 --size 16 --max-frames 5
# Meshes of one triangle each read all 50 vertices between its indices.
spans() {
  printf '{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"accessors":[{"componentType":5126,
    "type":"VEC3","count":50},{"bufferView":0,"componentType":5121,"type":"SCALAR","count":3}],
    "bufferViews":[{"buffer":0,"byteLength":3}],"buffers":[{"byteLength":3,
    "uri":"data:;base64,AAEx"}],"meshes":[%s]}' "$1"
}
mesh='{"primitives":[{"attributes":{"POSITION":0},"indices":1,"targets":[]}]}'
spans "$mesh" >span.gltf
spans "$mesh,$mesh" >spans.gltf
run 0 inspect span.gltf --max-triangles 10
refuse 5 "of each primitive are more than 80 in all" inspect spans.gltf --max-triangles 10
rm span.gltf spans.gltf
many() { awk -v nodes=100 "$@" -f "$MODELS/../many_nodes.awk" </dev/null; }
for mode in BLEND MASK; do
  many -v mode=$mode >$mode.gltf
  refuse 5 "fragments that blend or test alpha (limit 100000)" thumbnail $mode.gltf out.png --max-fragments 100000
  run 0 thumbnail $mode.gltf out.png --max-fragments 100000000
  rm out.png
done

# Rays: pixels x light samples x kinds of light, of final quality alone; a lamp and occlusion are two kinds.
printf '%s\n' 'format: 1' 'output: { size: [10, 8], quality: final, light_samples: 32 }' \
  "models: [ { file: $tri } ]" 'lights: [ { directional: { direction: [0, -1, 0], shadow: on } } ]' \
  'ambient_occlusion: auto' >rays.yaml
for limit in 5119 1; do
  refuse 5 "the frame takes 5120 rays: 80 pixels x 32 light samples x 2 kinds of light (limit $limit)" render rays.yaml -o out.png --max-rays $limit
done
refuse 5 "takes 20480 rays: 320 pixels x" render rays.yaml -o out.png --max-rays 20479 --supersample 2
refuse 5 "32 light samples (limit 31)" render rays.yaml -o out.png --max-light-samples 31
refuse 5 "80 light samples (limit 64)" thumbnail "$tri" out.png --quality final --light-samples 80 --untrusted
run 0 thumbnail "$tri" out.png --size 8 --quality final --light-samples 80 --untrusted --max-light-samples 80
for flags in "--max-rays 5120 --max-light-samples 32" "--quality fast --max-rays 1 --max-light-samples 1" "--look normals --max-rays 1" \
  "--max-rays 2.56e3 --light-samples 16"; do
  run 0 render rays.yaml -o out.png $flags
done
# Samples of a pixel: sub-frames, too.
each="16 sub-frames x supersample 1 squared x 4 samples (limit 63 of a pixel)"
refuse 5 "$each" thumbnail "$tri" out.png --size 512 --subframes 16 --max-samples 63
refuse 5 "1 sub-frames x supersample 4 squared x 16 samples (limit 64 of a pixel)" thumbnail "$tri" out.png --samples 16 --supersample 4 --untrusted
run 0 thumbnail "$tri" out.png --size 512 --subframes 16 --max-samples 64
printf 'format: 1\nshots: [ { name: a, file: rays.yaml, subframes: 16 } ]\n' >blur-suite.yaml
warns 5 "$each" test blur-suite.yaml --max-samples 63
printf 'format: 1\nshots: [ { name: a, file: rays.yaml, quality: final, light_samples: 48 } ]\n' >rays-suite.yaml
warns 5 "80 pixels x 48 light samples" test rays-suite.yaml --max-rays 1
many -v mode=OPAQUE -v keys=1 -v nodes=1000 >keys.gltf
refuse 5 "triangles or more (limit 999)" thumbnail keys.gltf out.png --max-triangles 999
refuse 5 "the output is larger than the limit of 1048576 bytes" convert keys.gltf out.m3d -q --max-output 1M
refuse 5 "the output is larger than the limit of 100 bytes" convert "$tri" out.glb --max-output 100
run 0 convert "$tri" out.glb --max-output 100K
rm -f out.png out.glb

# Scene files are searched for what they name before they are loaded, within the same limits.
truncate -s 400M huge.yaml
for command in check inspect render; do
  refuse 5 "huge.yaml: larger than the limit of 16777216 bytes" $command huge.yaml
  refuse 5 "huge.yaml: larger than the limit of 1048576 bytes" $command huge.yaml --max-file 1M
done
refuse 5 "huge.yaml: larger than the limit of 16777216 bytes" check huge.yaml --untrusted
rm huge.yaml

# Numbers of things that are multiplied do not wrap: 600 times 2,000 chains of springs, and 65,536 instances with
# materials of their own, each with 65,536.
lists() { # lists COUNT MEMBER: so many empty objects
  awk -v count="$1" -v member="$2" 'BEGIN {
    printf "\"%s\":[{}", member
    for (i = 1; i < count; i++) printf ",{}"
    printf "]"
  }' </dev/null
}
start='{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0},{"name":"a","children":[2]},{"name":"b"}]'
triangle='"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],"accessors":[{"componentType":5126,"type":"VEC3","count":3}]'
{
  printf '%s,"materials":[{}],%s,"extensionsUsed":["VRMC_springBone"],"extensions":{"VRMC_springBone":{"specVersion":"1.0",' "$start" "$triangle"
  lists 2000 springs
  printf '}}}'
} >chains.gltf
{
  printf 'format: 1\nmodels: [ { file: chains.gltf, springs: [ file'
  awk 'BEGIN { for (i = 1; i < 600; i++) printf ", file" }' </dev/null
  printf ' ] } ]\n'
} >chains.yaml
refuse 4 "1200600 chains of springs (expected at most 1048576)" check chains.yaml
{
  printf '%s,%s,' "$start" "$triangle"
  lists 65536 materials
  printf '}'
} >materials.gltf
printf '%s\n' 'format: 1' 'models:' '- file: materials.gltf' "  materials: { '0': { wrinkles: [ { map: mouth.png, joint: b, range: [0, 90] } ] } }" \
  '  instances: { grid: { count: [256, 256] } }' >materials.yaml
cp "$models/head_mouth.png" mouth.png
refuse 5 "materials of a frame: does not fit" render materials.yaml --time 0 --size 16x16 -o out.png --timeout 20

# Nor do weights of morph targets: 16,384 nodes share a mesh of 262,144 targets.
awk 'BEGIN {
  n = 16384; m = 262144
  printf "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":8,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAgD8=\"}],"
  printf "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8}],\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},"
  printf "{\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":2},{\"componentType\":5126,\"type\":\"SCALAR\",\"count\":%d}],", 2 * m
  printf "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{}"
  for (i = 1; i < m; i++) printf ",{}"
  printf "]}]}],\"nodes\":[{\"mesh\":0}"
  for (i = 1; i < n; i++) printf ",{\"mesh\":0}"
  printf "],\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":["
  for (i = 0; i < n; i++) printf "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}", i ? "," : "", i
  printf "]}]}"
}' </dev/null >weights.gltf
refuse 5 "poses of a clip: does not fit" turntable weights.gltf --loops 1 --size 16 -o 'turn-##.png'
rm weights.gltf

# A model's camera where no model is.
printf 'format: 1\nmodels: [ { file: chains.gltf, instances: [] } ]\ncamera: { model: {} }\n' >none.yaml
refuse 4 "none.yaml:3:18: a model's camera in a scene without models" render none.yaml --time 0 --size 16x16 -o out.png

# A texture that is too large is left out.
warns 0 "at most 4 a side" thumbnail "$models/wraps.glb" out.png --size 16 --max-texture 4
is_file out.png
rm out.png
refuse 5 "at most 4 a side" thumbnail "$models/wraps.glb" out.png --size 16 --max-texture 4 --strict
refuse 5 "HDR of 128 x 64 pixels (at most 127 a side)" thumbnail "$tri" out.png --size 16 \
  --environment "$models/courtyard.hdr" --max-texture 127

# The preset; own flags win, and scenes stay in their folder.
run 0 --print-limits --untrusted
for row in memory:1073741824 file:67108864 triangles:5000000 joints:4096 depth:64 texture:8192 \
  picture:4096 frames:10000 fragments:200000000 light-samples:64 samples:64 rays:2000000000 output:268435456; do
  checks=$((checks + 1))
  grep -q "^--max-${row%%:*}  *${row##*:} " .out || fail "--untrusted: no --max-$row"
done
grep -q '^--timeout  *60 ' .out || fail "--untrusted: no --timeout 60"
run 0 --print-limits --untrusted --max-joints 5 --timeout 7
out_has " 5  joints" " 7  give up"
run 0 thumbnail "$tri" out.png --size 16 --untrusted
printf 'format: 1\nmodels:\n  - file: ../%s\n' triangle.gltf >scene.yaml
mkdir inner
cp "$tri" .
mv scene.yaml inner/scene.yaml
run 0 check inner/scene.yaml
run 3 check inner/scene.yaml --untrusted
run 0 inspect "$tri" --print-limits

# A stack that is too small is an error, one that may grow does. Sanitizers need more of it than the program.
if (ulimit -s 64 && "$ZOETROPE" --version) >/dev/null 2>&1; then
  checks=$((checks + 2))
  (ulimit -s 64 && exec "$ZOETROPE" thumbnail "$tri" stack.png --size 16) 2>.err
  [ $? -eq 5 ] && grep -q "the stack is too small" .err || fail "a small stack"
  (ulimit -S -s 64 && exec "$ZOETROPE" render "$tri" --frames 0-2 --threads 2 -o 's-#.png' --size 16 -q) 2>.err || fail "a stack that may grow"
fi
finish
