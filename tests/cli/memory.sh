#!/bin/sh
# SPDX-License-Identifier: MIT
# --max-memory bounds the process: files that are small and ask for much. Each ends with 0 or 5, and
# the memory that was held at any time is at most 1.15 times the limit and 16 MiB. The end is the
# same each time. ZT_MEMORY_FULL=1: larger files, more limits, and a table of all; minutes.
. "$(dirname "$0")/expect.sh"
if [ -n "${ZT_MEMORY_FULL:-}" ]; then
  side=16384 limits="32 64 256 1024" repeat=3
else
  side=2048 limits="24 64" repeat=1
fi
"$CRAFT" $side || exit 1

# bounded ARGUMENT...: under each limit.
bounded() {
  for limit in $limits; do
    first=
    for time in $(seq $repeat); do
      checks=$((checks + 1))
      "$PEAK" $((limit << 20)) "$ZOETROPE" "$@" --max-memory ${limit}M >.out 2>.err
      code=$?
      peak=$(sed -n 's/^peak //p' .err)
      case $code in
      0 | 5) ;;
      99) fail "zoetrope $*: $((peak >> 20)) MiB under ${limit}M" ;;
      *) fail "zoetrope $*: exit $code under ${limit}M" ;;
      esac
      [ -z "$first" ] || [ "$first" = $code ] ||
        fail "zoetrope $*: exit $first, then $code under ${limit}M"
      first=$code
      [ -z "${ZT_MEMORY_FULL:-}" ] || [ $time -gt 1 ] ||
        printf '| `%s` | %s M | %s MiB | %s |\n' "$*" $limit $((peak >> 20)) $code
    done
  done
}

# fits LIMIT ARGUMENT...: ends with 0 under this limit in MiB.
fits() {
  limit=$1
  shift
  checks=$((checks + 1))
  "$PEAK" $((limit << 20)) "$ZOETROPE" "$@" --max-memory ${limit}M >.out 2>.err ||
    fail "zoetrope $*: exit $? under ${limit}M"
}

small="--size 64x64 --threads 4 -q"
bounded thumbnail large.gltf out.png $small
bounded thumbnail many.gltf out.png $small
bounded thumbnail points.gltf out.png $small
bounded thumbnail lines.gltf out.png $small
bounded thumbnail cloud.gltf out.png $small
fits 128 thumbnail cloud.gltf out.png $small
bounded thumbnail triangles.gltf out.png $small
bounded thumbnail scans.gltf out.png $small
bounded inspect lists.gltf -q
bounded inspect --json text.gltf -q
bounded thumbnail nodes.gltf out.png $small
bounded convert text.gltf out.glb -q
bounded convert triangles.gltf out.m3d -q
bounded render crowd.yaml -o out.png --frames 0 $small
bounded thumbnail "$MODELS/../../../scenes/models/ball.glb" out.png --environment light.hdr --no-cache $small
if "$ZOETROPE" --version | grep -q '^with:.*OpenEXR'; then
  for file in text.exr strings.exr; do
    bounded thumbnail "$MODELS/../../../scenes/models/ball.glb" out.png --environment $file --no-cache $small
  done
fi
bounded thumbnail "$MODELS/../../../scenes/models/ball.glb" out.png --size ${side}x$side --threads 4 -q --png small
bounded thumbnail "$MODELS/../../../scenes/models/ball.glb" out.webp --size ${side}x$side --threads 4 -q
bounded thumbnail "$MODELS/../../../scenes/models/ball.glb" out.jpg --size ${side}x$side --threads 4 -q
bounded turntable "$MODELS/../../../scenes/models/walker.glb" -o out.png --count 8 --size 1024x1024 --threads 8 -q
bounded compare black.png spot.png -q --max-diff 255 --diff out.png
finish
