# SPDX-License-Identifier: MIT
# Writes a small glTF that is much work: as many nodes as `nodes` says show one triangle, one above
# the other. `mode` is the alphaMode of its material: OPAQUE, MASK (every texel is cut out) or
# BLEND. `keys`: all nodes move along one spline, which a format without splines must sample.
BEGIN {
  printf "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":["
  for (i = 0; i < nodes; i++) printf "%s%d", i ? "," : "", i
  printf "]}],\"nodes\":["
  for (i = 0; i < nodes; i++) printf "%s{\"mesh\":0}", i ? "," : ""
  printf "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
  printf "\"materials\":[{\"alphaMode\":\"%s\",\"alphaCutoff\":0.9,", mode
  printf "\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,0.5]}}],"
  printf "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
  printf "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1000000]},"
  printf "{\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"}],"
  printf "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":8}],"
  printf "\"buffers\":[{\"byteLength\":44,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAkdEk=\"}]"
  if (keys) {
    printf ",\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2,\"interpolation\":\"CUBICSPLINE\"}],\"channels\":["
    for (i = 0; i < nodes; i++) printf "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"translation\"}}", i ? "," : "", i
    printf "]}]"
  }
  printf "}\n"
}
