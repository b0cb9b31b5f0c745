#!/bin/sh
# SPDX-License-Identifier: MIT
# convert of a scene: the same picture before and after, what is lost is said, nothing half.
. "$(dirname "$0")/expect.sh"
scenes=$MODELS/../../../scenes

# scene NAME MORE: a scene of the baked file NAME.glb, seen and lit as the one before.
scene() {
  { printf 'format: 1\nmodels:\n  - name: baked\n    file: %s.glb\n    animation: shot\n' "$1"
    printf '%s\n' "$2"; } >"$1.yaml"
}

# alike NAME SIZE FRAME...: pictures of both scenes, but for pixels at edges. The size has the shape
# of the scene's own, for which its camera was framed.
alike() {
  name=$1 size=$2
  shift 2
  for frame in "$@"; do
    run 0 render "$scenes/tests/$name.yaml" -o before.png --frames "$frame" --size $size --preset flat -q
    run 0 render "$name.yaml" -o after.png --frames "$frame" --size $size --preset flat -q
    run 0 compare before.png after.png --mean 0.02
  done
}

# Feet on steps with root motion; a robot arm of bones that the scene keys; parents that change.
# The cameras are in the file too.
camera='camera: { model: { model: baked, camera: camera } }'
for name in ik_stairs bones rider; do
  run 0 convert "$scenes/tests/$name.yaml" $name.glb --one-clip -q
  frames=$(sed -n 's/.*frames: \([0-9-]*\).*/\1/p' "$scenes/tests/$name.yaml" | head -1)
  fps=$(sed -n 's/.*fps: \([0-9]*\).*/\1/p' "$scenes/tests/$name.yaml" | head -1)
  scene $name "output: { frames: $frames, fps: ${fps:-30}, samples: 4 }
$camera"
done
alike ik_stairs 160x120 0 37 74
alike bones 80x80 5
alike rider 320x150 30 150

# One clip for each model, the camera and the lights; and .gltf with its files.
run 0 convert "$scenes/tests/ik_rifle.yaml" rifle.gltf
is_file rifle.gltf rifle.bin
for clip in explorer rifle ball; do
  grep -q "\"name\": *\"$clip\"" rifle.gltf || fail "rifle.gltf has no clip $clip"
done
run 0 check rifle.gltf --strict
run 0 convert "$scenes/tests/follow_lights.yaml" lights.gltf
grep -q KHR_lights_punctual lights.gltf || fail "lights.gltf has no lights"
# The same bytes with one thread, and with the plain kernels.
run 0 convert "$scenes/tests/bones.yaml" threads.glb -q
run 0 convert "$scenes/tests/bones.yaml" one.glb -q --threads 1
export ZT_ISA=scalar
run 0 convert "$scenes/tests/bones.yaml" plain.glb -q
unset ZT_ISA
cmp -s threads.glb one.glb || fail "one thread bakes other bytes"
cmp -s threads.glb plain.glb || fail "the scalar kernels bake other bytes"
# A larger error gives fewer keys, and the error that was reached is said.
warns 0 "keys are off by at most" convert "$scenes/tests/ik_stairs.yaml" fine.glb --frames 30-59 --bake-error 1e-5 --verbose
run 0 convert "$scenes/tests/ik_stairs.yaml" coarse.glb --frames 30-59 --bake-error 1e-2
[ "$(wc -c <coarse.glb)" -lt "$(wc -c <fine.glb)" ] || fail "coarse.glb is not smaller than fine.glb"
# A part of the shot: its clip begins at 0.
run 0 convert "$scenes/tests/ik_stairs.yaml" part.glb --frames 30-59 --one-clip
prints 0 "shot 0 1" render --list-clips part.glb

# What glTF cannot hold: a line each, in the document too; an error with --strict.
prints 0 '"lost":["out.glb: presets' convert "$scenes/tests/ik_stairs.yaml" out.glb --frames 0-1 --json
rm out.glb
refuse 8 "presets and environments of light are not written" \
  convert "$scenes/tests/ik_stairs.yaml" out.glb --strict

# Parts of clips that are shorter than any frame, and numbers beyond a file.
part() {
  printf 'format: 1\noutput: { frames: 0-29 }\nmodels:\n  - file: %s/models/tentacle.glb\n    %s\n' "$scenes" "$1" >part.yaml
}
part 'animation: { clip: curl, from: 0, to: 1e-30, speed: 1000 }'
run 0 convert part.yaml short.glb -q
part 'animation: { clip: curl, from: 0, to: 1e-4, loop: ping_pong }'
run 0 convert part.yaml short.glb -q

# Usage, and nothing half.
refuse 2 "(expected OUT.glb or OUT.gltf of a scene)" convert "$scenes/tests/bones.yaml" out.m3d
refuse 2 "with a model" convert "$scenes/models/rod.glb" out.glb --bake-error 0.1
refuse 2 "with a model" convert "$scenes/models/rod.glb" out.glb --one-clip
refuse 2 "--bake-error" convert "$scenes/tests/bones.yaml" out.glb --bake-error 2
refuse 3 "cannot open" convert nothing.yaml out.glb
refuse 6 "" convert "$scenes/tests/bones.yaml" /dev/null/out.glb -q
refuse 5 "" convert "$scenes/tests/ik_stairs.yaml" out.glb --max-memory 8M
refuse 5 "the output is larger than" convert "$scenes/tests/bones.yaml" out.glb --max-output 1000 -q
no_file out.glb out.m3d
[ -z "$(find . -name '.*.tmp-*')" ] || fail "temporary files stay"
finish
