#!/bin/sh
# SPDX-License-Identifier: MIT
# Small files of many parts take time in proportion to their size: where each part is compared with
# each other, these take minutes, and otherwise a second or two.
. "$(dirname "$0")/expect.sh"
patience="--timeout 30"

# many COUNT TEXT: as many copies of TEXT, commas between; each @ is the number of the copy, counted
# down to 0.
many() {
  awk -v count="$1" -v text="$2" 'BEGIN {
    pieces = split(text, piece, "@")
    for (i = count - 1; i >= 0; i--) {
      printf "%s", piece[1]
      for (k = 2; k <= pieces; k++) printf "%06d%s", i, piece[k]
      if (i) printf ","
    }
  }' </dev/null
}

# gltf NAME MEMBERS: a file of these members.
gltf() {
  printf '{"asset":{"version":"2.0"},%s}\n' "$2" >"$1.gltf"
}

# A mesh of one triangle whose corners lie in the origin, as an accessor without data.
accessor='"accessors":[{"componentType":5126,"type":"VEC3","count":3}]'
position='"attributes":{"POSITION":0}'

# Directives of YAML, each compared with those before it, before the document and after it.
directives=$(awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%%TAG !a%d! x\n", i }' </dev/null)
printf '%s\n---\nformat: 1\n' "$directives" >before.yaml
refuse 4 "before.yaml:1:1: tags are not part of scene files (expected no %TAG)" check before.yaml $patience
printf 'format: 1\n...\n%s\n---\nformat: 1\n' "$directives" >after.yaml
refuse 4 "after.yaml:3:1: tags are not part of scene files (expected no %TAG)" check after.yaml $patience
printf 'format: 1\nmodels:\n- file: "x\n%%TAG !a! x"\n' >text.yaml
refuse 3 "x %TAG !a! x" check text.yaml

# Lights of unknown types, and nodes that might show them.
gltf lights "\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[$(many 200000 '{}')]}},
  \"nodes\":[$(many 200000 '{}'),{\"extensions\":{\"KHR_lights_punctual\":{\"light\":7}}}]"
prints 0 "lights/3: the light is left out" inspect lights.gltf $patience

# Primitives without triangles, and morph targets.
gltf targets "$accessor,\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[
  {$position,\"targets\":[$(many 200000 '{}')]},$(many 200000 '{}')]}]"
run 0 inspect targets.gltf $patience

# Springs of VRM 0: roots without a node below them, and roots that lie below each other.
vrm() {
  gltf springs "\"extensions\":{\"VRM\":{\"secondaryAnimation\":{\"boneGroups\":[{\"bones\":[$1]}]}}},
    \"nodes\":[$2]"
}
roots=$(seq -s , 0 59999)
vrm "$roots" "$(many 60000 '{}')"
run 0 inspect springs.gltf $patience --max-memory 512M
vrm "$(many 60000 @ | sed 's/00*\([0-9]\)/\1/g')" \
  "$(seq 60000 | sed '60000 s/.*/{}/; 60000! s/.*/{"children":[&]}/' | paste -s -d , -)"
refuse 5 "springs have over 10000000 nodes below their roots" inspect springs.gltf $patience

# Parents by name, and bones by path.
gltf bone '"nodes":[{"name":"x"}]'
{
  printf 'format: 1\nmodels:\n- file: bone.gltf\n  instances:\n'
  seq 99999 | sed 's/.*/  - {name: a&, parent: {model: a100000, bone: x}}/'
  printf '  - {name: a100000}\n'
} >parents.yaml
run 0 check parents.yaml $patience
gltf bones "\"nodes\":[{\"name\":\"x\",\"children\":[$(seq -s , 10000)]},$(many 10000 '{"name":"@"}')]"
{
  printf 'format: 1\nmodels:\n- file: bones.gltf\n  name: a\n- file: bone.gltf\n  instances:\n'
  seq 10000 | sed 's|.*|  - {parent: {model: a, bone: x/000000}}|'
} >paths.yaml
refuse 5 "paths of bones are compared with over 100000000 nodes" check paths.yaml $patience

# Names of morph targets, each of which comes before the others in order.
gltf names "$accessor,\"nodes\":[{\"mesh\":0}],\"meshes\":[{
  \"extras\":{\"targetNames\":[$(many 1000000 '"@"')]},
  \"primitives\":[{$position,\"targets\":[$(many 1000000 '{}')]}]}]"
run 0 inspect names.gltf $patience

# Every target reads the million vertices between the first and the last index.
span="\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":1000000},
  {\"bufferView\":0,\"componentType\":5125,\"type\":\"SCALAR\",\"count\":3}],
  \"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],
  \"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAEAAAA/Qg8A\"}],\"nodes\":[{\"mesh\":0}]"
for count in 600 601; do
  gltf span$count "$span,\"meshes\":[{\"primitives\":[{$position,\"indices\":1,
    \"targets\":[$(many $count '{}')]}]}]"
done
run 0 inspect span600.gltf
refuse 5 "times morph targets, are more than 600000000 in all" inspect span601.gltf

# Clips are examined for the speeds of feet: a million joints in all poses of each.
gltf clips "\"nodes\":[$(many 8000 '{}')],\"buffers\":[{\"byteLength\":32,
  \"uri\":\"data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAgD8=\"}],
  \"bufferViews\":[{\"buffer\":0,\"byteLength\":32}],\"accessors\":[
  {\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":2},
  {\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"type\":\"VEC3\",\"count\":2}],
  \"animations\":[$(many 2000 '{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
    "samplers":[{"input":0,"output":1}]}')]"
prints 0 "clips are not examined for the speeds of their feet" inspect clips.gltf $patience

# Materials of different pairs of textures.
picture=data:image/png\;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNoaGgAAAMEAYFL09IQAAAAAElFTkSuQmCC
awk -v pictures=450 -v picture="$picture" 'BEGIN {
  printf "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"images\":["
  for (i = 0; i < pictures; i++) printf "%s{\"uri\":\"%s\"}", i ? "," : "", picture
  printf "],\"textures\":["
  for (i = 0; i < pictures; i++) printf "%s{\"source\":%d}", i ? "," : "", i
  printf "],\"materials\":["
  for (i = 0; i < pictures * pictures; i++)
    printf "%s{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":%d},\"metallicRoughnessTexture\":{\"index\":%d}}}",
      i ? "," : "", i / pictures, i % pictures
  printf "],\"meshes\":[{\"primitives\":["
  for (i = 0; i < pictures * pictures; i++) printf "%s{\"material\":%d}", i ? "," : "", i
  printf "]}]}\n"
}' </dev/null >pairs.gltf
run 0 thumbnail pairs.gltf pairs.png --size 16 $patience

finish
