#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals and --timeout: exit codes, and no temporary or partial files.
. "$(dirname "$0")/expect.sh"
tri=$MODELS/triangle.gltf

# Long enough that the signal comes in the middle: 30 frames, one thread, many pixels.
whole_or_absent() {
  for name in "$1"/* "$1"/.[!.]*; do
    [ -e "$name" ] || continue
    case $name in
    *.png) "$ZOETROPE" compare "$name" "$name" >/dev/null || fail "$name is not whole" ;;
    *) fail "$name was left behind" ;;
    esac
  done
}

for signal in INT TERM; do
  checks=$((checks + 1))
  # A shell starts background jobs with SIGINT ignored; the program sets its own handler.
  "$ZOETROPE" render "$tri" --size 2000x2000 --samples 16 --threads 1 -q -o "$signal/####.png" &
  pid=$!
  tries=0
  while [ ! -e "$signal/0000.png" ] && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
  kill -$signal $pid
  wait $pid
  code=$?
  wanted=$((128 + $(kill -l $signal 2>/dev/null | grep -x '[0-9]*' || { [ $signal = INT ] && echo 2 || echo 15; })))
  [ $code -eq $wanted ] || fail "SIG$signal: exit $code, expected $wanted"
  [ "$(ls $signal | wc -l)" -lt 30 ] || fail "SIG$signal did not stop the sequence"
  whole_or_absent $signal
done

run 5 render "$tri" --size 2000x2000 --samples 16 --threads 1 -q --timeout 0.5 -o slow/####.png
err_has "timeout"
mkdir -p slow
whole_or_absent slow
run 5 render "$tri" --size 16x16 --time 0 -q --timeout 0.000000001 -o t.png
finish
