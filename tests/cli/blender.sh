#!/bin/sh
# SPDX-License-Identifier: MIT
# The walker by Debian's Blender, once as FBX and once as glTF, is the same turntable for each of its
# clips. 50 frames a second: all clips end on one, where both exporters cut them. Keys are not
# simplified.
. "$(dirname "$0")/expect.sh"
if ! command -v blender >/dev/null; then
  echo "skipped: no Blender"
  exit 0
fi
cat >export.py <<'SCRIPT'
import bpy, numpy, sys
numpy.bool = bool  # which the importer of Blender 3.4 uses
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 50
bpy.ops.import_scene.gltf(filepath=sys.argv[-1])
for image in bpy.data.images:
    if image.packed_file:  # FBX names a picture by its file
        image.filepath_raw, image.file_format = "//" + image.name + ".png", "PNG"
        image.save()
        image.unpack(method="USE_ORIGINAL")
bpy.ops.export_scene.fbx(filepath="walker.fbx", bake_anim_simplify_factor=0.0, path_mode="COPY",
                         embed_textures=True, add_leaf_bones=False)
bpy.ops.export_scene.gltf(filepath="walker.glb", export_format="GLB")
SCRIPT
blender -b -P export.py -- "$SOURCE/scenes/models/walker.glb" >blender.log 2>&1
if [ ! -s walker.fbx ] || [ ! -s walker.glb ]; then
  echo "skipped: Blender exported nothing ($(grep -m 1 'Error' blender.log))"
  exit 0
fi
for clip in idle walk run; do
  rm -rf fbx gltf
  run 0 turntable walker.fbx --clip "Armature|${clip}_Armature" --count 12 --size 256 -o 'fbx/##.png'
  run 0 turntable walker.glb --clip "$clip" --count 12 --size 256 -o 'gltf/##.png'
  run 0 compare fbx gltf --flip 0.01
done
finish
