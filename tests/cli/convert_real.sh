#!/bin/sh
# SPDX-License-Identifier: MIT
# convert on files of other makers, when they are there: .glb gives the same picture to the bit, and
# .m3d does so too or tells what it does not hold.
. "$(dirname "$0")/expect.sh"
find_assets skinned geom

# Without ground and occlusion: they depend on bounds, which differ in the last bit where instances
# became vertices.
hash_flags="--size 96 --preset flat --threads 1"

# cross FILE [FLAG...]: through both formats. A file that is not there is passed over.
crossed=0
cross() {
  file=$assets/$1
  shift
  [ -f "$file" ] || return 0
  crossed=$((crossed + 1))
  before=$(hash "$file" "$@")
  [ -n "$before" ] || fail "$file gives no picture"
  run 0 convert "$file" out.glb
  [ "$before" = "$(hash out.glb "$@")" ] || fail "$file looks other as .glb"
  run 0 convert "$file" out.m3d
  checks=$((checks + 4))
  after=$(hash out.m3d "$@")
  [ -n "$after" ] || after=$(hash out.m3d) # its clips may be lost
  [ -n "$after" ] || fail "out.m3d of $file gives no picture"
  if [ "$before" != "$after" ]; then
    grep -q '^zoetrope: warning: out\.m3d: ' .err || fail "$file looks other as .m3d, and nothing says why"
  fi
}

moving="--clip 0 --time 0.3"
for file in skinned/RiggedSimple.glb skinned/SimpleSkin/SimpleSkin.gltf skinned/Fox.glb \
  skinned/quaternius_platformer_game_Bouncer.glb m3d/tiny.m3d m3d/bouncer.m3d anim/BoxAnimated.glb \
  anim/InterpolationTest.glb anim/AnimatedTriangle/AnimatedTriangle.gltf morph/AnimatedMorphCube.glb \
  morph/SimpleMorph/SimpleMorph.gltf compressed/RiggedSimple-Draco/RiggedSimple.gltf; do
  # shellcheck disable=SC2086 # two words
  cross "$file" $moving
done
for file in skinned/greenman_sword.glb geom/VertexColorTest.glb geom/OrientationTest.glb \
  geom/MeshPrimitiveModes/MeshPrimitiveModes.gltf geom/MultipleScenes/MultipleScenes.gltf \
  geom/SimpleSparseAccessor/SimpleSparseAccessor.gltf geom/TwoSidedPlane/TwoSidedPlane.gltf \
  texture/TextureSettingsTest.glb texture/TextureTransformTest/TextureTransformTest.gltf \
  ext/UnlitTest.glb ext/EmissiveStrengthTest.glb ext/SimpleInstancing.glb ext/lights/lights.gltf \
  ext/BoxTextured-specGloss/BoxTextured.gltf compressed/BoxMeshopt.glb \
  compressed/AnimatedMorphCube-Quantized/AnimatedMorphCube.gltf \
  compressed/webp-box/box-textured-separate.gltf; do
  cross "$file"
done
[ "$crossed" -gt 0 ] || echo "skipped: none of the models is there"

finish
