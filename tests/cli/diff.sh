#!/bin/sh
# SPDX-License-Identifier: MIT
# diff: two models, their reports and pictures. Edits of models: tests/unit/unit_model_diff.c.
. "$(dirname "$0")/expect.sh"
cp "$MODELS/triangle.gltf" old.gltf
sed -e 's/0.8, 0.1, 0.1/0.1, 0.1, 0.8/; s/"name": "body"/"name": "torso"/' old.gltf >new.gltf
prints 0 "equal" diff old.gltf old.gltf
run 1 diff old.gltf new.gltf
out_has "node/torso: renamed from 'body'" "material/red: base_color 0.8 0.1 0.1 1 -> 0.1 0.1 0.8 1"
out_has "2 of 2 differ: 2 changed"
run 1 diff old.gltf new.gltf --strict-names
out_has "node/torso: only in the new model" "node/body: only in the old model"
# Formats are no difference.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >tri.obj
cp "$SOURCE/tests/fuzz/corpus/fbx/binary.fbx" box.fbx
cp "$SOURCE/scenes/models/walker.m3d" .
for file in tri.obj box.fbx walker.m3d; do
  run 0 convert "$file" -o same.glb -q
  prints 0 "equal" diff "$file" same.glb -q
done
# Pictures are of one camera: what stays is at its place though the model grew.
cat >big.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 4 0 0
v 5 0 0
v 4 1 0
f 1 2 3
f 4 5 6
END
run 1 diff tri.obj big.obj --results pictures --size 64x32 --html page/diff.html --junit diff.xml
out_has "vertices: 0 gone, 3 new; triangles: 1 -> 2" "picture/rest: not equal"
is_file pictures/0.old.png pictures/0.new.png pictures/0.diff.png page/diff.html diff.xml
run 0 compare pictures/0.old.png pictures/0.new.png --ignore 32,0,32x32
cp pictures/0.old.png pictures/1.old.png
run 0 diff tri.obj tri.obj --results pictures
no_file pictures/0.old.png pictures/0.new.png pictures/0.diff.png
is_file pictures/1.old.png
run 6 diff tri.obj big.obj --results tri.obj/x # what was found stands all the same
out_has "vertices: 0 gone, 3 new" "2 of 2 differ"
run 1 diff tri.obj big.obj --html page/more.html
is_file page/more.html.pictures/0.old.png
sed -e 's/AAAAAAAAAAAAAAAAAACAPwAAAAA="/AAAAAAAAAAAAAAAAAAAAQAAAAAA="/' old.gltf >higher.gltf
run 1 diff old.gltf higher.gltf --results clips --json
out_has '"name":"clip/rise"' '"name":"picture/rise"' '"code":1'
no_file clips/0.old.png
# Faults of one side.
head -c 300 "$ZOETROPE" >bad.glb
refuse 4 "bad.glb" diff old.gltf bad.glb
refuse 3 "nothing.glb" diff nothing.glb old.gltf --untrusted
refuse 2 "expected OLD NEW" diff old.gltf
refuse 2 "two model files" diff old.gltf -
refuse 2 "two model files" diff old.gltf scene.yaml
finish
