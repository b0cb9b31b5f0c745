#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures and animations in each format, read back by other programs where they are installed.
. "$(dirname "$0")/expect.sh"
tri=$MODELS/triangle.gltf
small="--size 48x32 -q"
# shellcheck disable=SC2086 # $small is several words throughout

# has PROGRAM: whether it is installed; says what is not looked at otherwise.
has() {
  command -v "$1" >/dev/null && return 0
  echo "skipped: no $1"
  return 1
}

# WebP stills are the pixels of the PNG. JPEG is the picture with its background.
run 0 turntable "$tri" $small --count 3 -o png/##.png
run 0 turntable "$tri" $small --count 3 -o webp/##.webp
run 0 turntable "$tri" $small --count 3 -o jpeg/##.jpg -v
is_file webp/00.webp webp/02.webp jpeg/00.jpg jpeg/02.jpg
if has dwebp; then
  for k in 0 1 2; do dwebp -quiet webp/0$k.webp -o webp/0$k.png; done
  rm webp/*.webp
  run 0 compare png webp
fi
run 0 turntable "$tri" --size 48x32 --count 3 -o noted/##.jpeg -v
err_has "note: the background is the colour of the scene"
if has ffmpeg; then
  run 0 turntable "$tri" $small --count 3 --frames 0 --background 303338 -o opaque.png
  ffmpeg -v error -i jpeg/00.jpg jpeg.png </dev/null || fail "ffmpeg reads no JPEG of ours"
  run 0 compare opaque.png jpeg.png --mean 1.5
fi
run 0 render "$tri" $small --frames 0 --format jpeg -o - --jpeg-quality 30
[ "$(od -An -tx1 -N3 .out | tr -d ' ')" = ffd8ff ] || fail "no JPEG on standard output"
run 0 render "$tri" $small --frames 0-1 --format webp
is_file triangle-0000.webp
refuse 2 "--jpeg-quality" render "$tri" -o a.jpg --jpeg-quality 101
refuse 5 "at most 16383 a side" render "$tri" -o a.webp --size 16384x1 --frames 0

# --resume knows frames in these formats too.
for suffix in webp jpg; do
  run 0 render "$tri" $small --frames 0-2 -o again/#.$suffix
  printf 'x' | dd of=again/1.$suffix bs=1 seek=100 conv=notrunc 2>/dev/null
  run 0 render "$tri" $small --frames 0-2 -o again/#.$suffix --resume --json
  [ "$(grep -o skipped .out | wc -l)" -eq 2 ] || fail "--resume of .$suffix"
done

# Thumbnails.
run 0 thumbnail "$tri" t.webp --size 16 -q
run 0 thumbnail "$tri" t.jpg --size 16 -q
is_file t.webp t.jpg
touch -d 2001-01-01 t.webp
run 0 thumbnail "$tri" t.webp --size 16 -q --resume
[ -z "$(find t.webp -newermt 2002-01-01)" ] || fail "--resume made a WebP thumbnail again"
refuse 2 "expected OUT.png" thumbnail "$tri" t.gif
finish
