#!/bin/sh
# SPDX-License-Identifier: MIT
# Broken files of other projects, when they are there: each gives a picture, or one line and the code
# for it. Pictures are shown on a model that names them.
. "$(dirname "$0")/expect.sh"
find_assets invalid

# show NAME FILE: a picture of the file, or a failure with a message.
show() {
  checks=$((checks + 1))
  timeout 20 "$ZOETROPE" thumbnail "$2" picture.png --size 24 --threads 1 --max-memory 1G >.out 2>.err
  code=$?
  words=$1
  grep -v -e '^zoetrope: warning: ' .err >errors
  case $code in
  0)
    [ -s picture.png ] || fail "$1: exit 0 without a picture"
    [ ! -s errors ] || fail "$1: exit 0 with an error: $(head -1 errors)"
    ;;
  3 | 4 | 5 | 8)
    [ "$(wc -l <errors)" -eq 1 ] || fail "$1: exit $code and $(wc -l <errors) lines"
    grep -q '^zoetrope: ' errors || fail "$1: exit $code: $(head -1 errors)"
    [ ! -e picture.png ] || fail "$1: exit $code with a picture"
    ;;
  *) fail "$1: exit $code: $(head -1 errors)" ;;
  esac
  echo "$code" >>codes
  rm -f picture.png
}

printf '%s' '{"asset":{"version":"2.0"},"images":[{"uri":"shown"}],"textures":[{"source":0}],
  "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"normalTexture":{"index":0}}],
  "buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
  "bufferViews":[{"buffer":0,"byteLength":36}],
  "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],
  "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":0},"material":0}]}],
  "nodes":[{"mesh":0}]}' | sed 's/"TEXCOORD_0":0/"TEXCOORD_0":1/; s/"count":3}\]/"count":3},{"bufferView":0,"componentType":5126,"type":"VEC2","count":3}]/' >shows.gltf

: >codes
find "$assets/invalid" -type f >files
while IFS= read -r file; do
  name=${file#"$assets/invalid/"}
  case $name in
  *.gltf | *.glb | *.m3d) show "$name" "$file" ;;
  *.png | *.jpg | *.webp | *.ktx2 | *.dds | *.basis | *.bmp | *.tga | *.ico)
    cp "$file" shown
    show "$name" shows.gltf
    ;;
  esac
done <files
[ "$checks" -gt 100 ] || fail "only $checks files"
echo "exit codes: $(sort codes | uniq -c | tr -s ' \n' ' ')"
finish
