#!/bin/sh
# SPDX-License-Identifier: MIT
# Opening models: what comes of it depends neither on threads nor on the memory that they share.
. "$(dirname "$0")/expect.sh"
walker=$MODELS/../../../scenes/models/walker.glb

# Two images, reduced for a small picture.
run 0 thumbnail "$walker" one.png -q --size 64 --threads 1 --json
sed 's/"seconds":[0-9.]*//g' .out >one.json
for threads in 2 7; do
  run 0 thumbnail "$walker" one.png -q --size 64 --threads $threads --json
  sed 's/"seconds":[0-9.]*//g' .out | cmp -s - one.json || fail "a thumbnail depends on $threads threads"
done

# Whether a model fits into the memory limit, and the message when it does not.
limit=2000
step=${ZT_OPEN_STEP:-900} # KiB; sanitizers take larger ones
outcomes=0
before=
while [ $limit -lt 30000 ]; do
  for threads in 1 2 7; do
    ZT_THREADS=$threads "$ZOETROPE" check "$walker" --max-memory ${limit}K >.out 2>.err
    echo "$?" >>.err
    [ $threads -eq 1 ] && cp .err one.err
    checks=$((checks + 1))
    cmp -s .err one.err || fail "--max-memory ${limit}K depends on $threads threads"
  done
  [ "$before" = "$(tail -1 one.err)" ] || outcomes=$((outcomes + 1))
  before=$(tail -1 one.err)
  limit=$((limit + step))
done
[ $outcomes -ge 2 ] || fail "no limit made a difference"
# A cube map instead of a picture: its first face, and a line that says so.
mkdir cube
cp "$MODELS/../../../scenes/models/walker.m3d" "$MODELS/../../../scenes/models/walker-normal.dds" cube
cp "$MODELS/../../fuzz/corpus/dds/rgba8_cube.dds" cube/walker-color.dds
warns 0 "walker-color.dds: the first of 6 cube faces is used" thumbnail cube/walker.m3d cube/out.png --size 32
[ "$(wc -l <.err)" -eq 1 ] || fail "a cube map has more than one line of warning"
refuse 8 "walker-color.dds: the first of 6 cube faces is used" thumbnail cube/walker.m3d strict.png --strict

finish
