#!/bin/sh
# SPDX-License-Identifier: MIT
# test: criteria by mesh, material, node and bone, and the names of what changed.
. "$(dirname "$0")/expect.sh"
# A helmet and a strap; before the one glass and a net, before the other a speck. GREEN of each but the strap, and NAME.
model() {
  sed 's/P(\([0-4]\))/{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": \1}]}/g; s/{"prim/{"name": "Helmet", "prim/
    s/M(\([^|]*\)|\([^|]*\)|\([A-Z]*\))/{"name": "\1", "alphaMode": "\3", "extensions": {"KHR_materials_unlit": {}}, "pbrMetallicRoughness": {"baseColorFactor": [0.5, \2, 0.1, 0.6]}}/g' <<END
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2, 3, 4]}], "extensionsUsed": ["KHR_materials_unlit"], "nodes": [
{"name": "right", "mesh": 1}, {"name": "left", "mesh": 0, "translation": [-1, 0, 0]}, {"name": "pane", "mesh": 2, "translation": [-0.9, 0.1, 0.1], "scale": [0.3, 0.3, 1]},
{"name": "net", "mesh": 3, "translation": [-0.5, 0.5, 0.1], "scale": [0.3, 0.3, 1]}, {"name": "speck", "mesh": 4, "translation": [0.5, 0.5, 0.1], "scale": [0.0029, 0.0023, 1]}],
"meshes": [P(0), P(1), P(2), P(3), P(4)],
"materials": [M(${5-helmet}|$1|OPAQUE), M(strap|0.5|OPAQUE), M(glass|$2|BLEND), M(net|$3|MASK), M(dot|$4|OPAQUE)],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}, {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
"bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}], "buffers": [{"byteLength": 60, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAABAAIAAAACAAMA"}]}
END
}
suite() { # CRITERIA [KEYS]
  printf 'format: 1\ndefaults: { file: m.gltf, margin: 0, ortho: true, samples: 1, ground: none, background: transparent, %s }\nshots: [ { name: a }, { name: pair, file: pair.yaml }, { name: arm, file: arm.glb }, { name: own, criteria: { max_diff: 8 } } ]\ncriteria: %s\n' "${2-size: 200x100}" "$1" >s.yaml
}
cp "$SOURCE/scenes/models/arm.glb" .
model 0.5 0.5 0.5 0.5 >m.gltf
cp m.gltf n.gltf
printf 'format: 1\nmodels: [ { file: m.gltf }, { file: n.gltf, transform: { translate: [0, 1, 0] } } ]\n' >pair.yaml
suite '{ max_diff: 0 }'
run 0 test s.yaml --update all
model 0.5 0.6 0.55 0.5 >m.gltf # glass belongs to what is behind it, a net to itself
prints 1 "object: material net: 588 of 588 pixels by up to 8" test s.yaml a
out_has "object: material helmet: 588 of 5787"
cmp -s goldens/arm.objects - <<'END' || fail "the list of objects: $(cat goldens/arm.objects)"
bone forearm
bone upper_arm
material arm
mesh skin
node skin
END
sed 's/"nodes": \[0, 1, 2, 3, 4\]/"nodes": [0, 1, 2, 4]/' m.gltf >gone.gltf
mv gone.gltf m.gltf
suite '[ { material: net, share: 100 } ]'
prints 1 "a: material net: gone" test s.yaml a
out_has "object: mesh net: gone"
rm goldens/a.objects
prints 1 "a: not equal" test s.yaml a
run 0 test s.yaml --update a --untrusted
is_file goldens/a.objects
run 0 compare goldens goldens
model 0.5 0.5 0.5 0.5 >m.gltf
run 0 test s.yaml --update a
model 0.55 0.5 0.5 0.5 >m.gltf # the helmet of both models of the pair, and what is seen through the glass
while IFS='|' read -r code shot criteria text; do
  suite "$criteria" 'size: 200x100, exposure: 0.2'
  prints "$code" "$text" test s.yaml "$shot" -v --untrusted
done <<'END'
0|a|[ { material: helmet, max_diff: 8 }, { material: glass, max_diff: 0 } ]|a: material helmet: within the limits: max 8 of 8
1|a|[ { max_diff: 0 }, { material: helmet, max_diff: 7 } ]|a: material helmet: max 8 is above 7
0|a|[ { node: left, pixels: 5787 } ]|node left
1|a|{ node: left, pixels: 5786 }|a: node left: pixels over 0 5787 is above 5786
1|a|[ { mesh: Helmet, max_diff: 8 }, { mesh: Helmet, share: 99.9 } ]|a: mesh Helmet: share over 0 100 % is above 99.9 %
1|a|[ { mesh: right, max_diff: 8 } ]|a: not equal
0|a|{ of: covered, share: 45.39 }|a: within
1|a|{ of: covered, share: 45.38 }|share over 0 45.3882 % is above 45.38 %
1|pair|[ { material: helmet, share: 49.93 } ]|  object: material helmet: 1656 of 3316 pixels by up to 8
0|own|[ { material: helmet, max_diff: 7 } ]|own: within the limits: max 8 of 8
1|arm|[ { bone: forearm, max_diff: 14 } ]|  object: bone upper_arm: 798 of 798 pixels by up to 14
1|arm|[ { bone: forearm, max_diff: 13 }, { bone: upper_arm, max_diff: 13 } ]|arm: bone forearm: max 14 is above 13
END
prints 0 "arm: bone upper_arm: within the limits: max 14 of 20" test s.yaml arm --max-diff 20 -v
while IFS='|' read -r criteria text; do
  suite "$criteria"
  warns 4 "zoetrope: s.yaml:4:$text" check s.yaml
  warns 4 "zoetrope: s.yaml:4:$text" test s.yaml arm a
done <<'END'
[ { pixels: 9 }, { mesh: Helmt } ]|36: no mesh 'Helmt' in the scene (did you mean 'Helmet'?
{ bone: left }|19: no bone 'left' in the scene (there are none)
{ material: glass, of: covered }|13: material with
[ { mesh: right }, { mean: 1 }, { mean: 2 } ]|43: criteria without an object again
END
# 20 pixels of eight millions; and a name that is no text for pages and terminals.
suite '{ max_diff: 0 }' 'size: 3840x2160'
model 0.5 0.5 0.5 0.5 >m.gltf
run 0 test s.yaml --update a
model 0.5 0.5 0.5 0.55 >m.gltf
prints 1 "  object: material dot: 20 of 20 pixels by up to 8" test s.yaml a
suite '[ { material: "<b>\x1b[2J", share: 0 } ]'
model 0.5 0.5 0.5 0.5 '<b>\u001b[2J' >m.gltf
run 0 test s.yaml --update a
model 0.55 0.5 0.5 0.5 '<b>\u001b[2J' >m.gltf
prints 1 "a: material <b>?[2J: share" test s.yaml a --html page.html --junit junit.xml --markdown m.md
grep -q '; <code>mesh Helmet' m.md || fail "an object in Markdown: $(cat m.md)"
out_has "object: material <b>?[2J: 5787 of 5787 pixels by up to 8"
grep -q '<p class="object">material &lt;b&gt;.*: 5787 of 5787' page.html || fail "an object in a page"
prints 1 '"objects":["mesh Helmet: 5787 of 5787 pixels by up to 8","material <b\u003E?[2J: 5787' test s.yaml a --json
! grep -q "$(printf '\033')" page.html junit.xml .out || fail "a control character in a report"
# An object has its pixels in both pictures of two checkouts.
model 0.5 0.5 0.7 0.5 >m.gltf
suite '[ { material: net, share: 100 } ]'
mkdir new new/.git && cp ./*.yaml ./*.gltf ./*.glb new && cp -r new old
sed -i 's/-0.5, 0.5, 0.1/-0.52, 0.5, 0.1/' new/m.gltf
prints 0 "a: material net: within" test new/s.yaml a --against old -v
finish
