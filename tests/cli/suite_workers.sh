#!/bin/sh
# SPDX-License-Identifier: MIT
# Suites in workers: the same results with any number of them; a shot whose process is killed costs
# itself; and what a stop leaves.
. "$(dirname "$0")/expect.sh"
cp "$MODELS/triangle.gltf" tri.gltf
cp "$SOURCE/scenes/models/walker.glb" walker.glb
printf '{"asset":{"version":"2.0"},"images":[{"uri":"none.png"}],"textures":[{"source":0}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0,"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}' >warns.gltf
{
  printf 'format: 1\ngoldens: goldens\ndefaults: { size: 32 }\nshots:\n'
  for i in $(seq 4); do
    printf '  - { name: walk/%d, file: walker.glb, clip: walk, frame: %d }\n' "$i" "$i"
    printf '  - { name: tri-%d, file: tri.gltf, azimuth: %d }\n' "$i" "$((i * 10))"
    printf '  - { name: warns-%d, file: warns.gltf, azimuth: %d }\n' "$i" "$((i * 10))"
  done
  printf '  - { name: none, file: none.glb }\n  - { name: late, file: walker.glb, frame: 99999 }\n'
} >many.yaml
run 0 test many.yaml --update --filter '[tw]*' -q
same_results() { sed -E 's/"seconds":[0-9.e-]+//g; s/in [0-9.]+ s//; s/[0-9]+ threads//' "$1"; }
cp goldens/tri-4.png goldens/tri-3.png
rm goldens/walk/2.png
for jobs in 1 2 5; do
  run 4 test many.yaml --jobs $jobs --results results$jobs --json
  same_results .out | sed "s/results$jobs/results/g" >json$jobs
  run 4 test many.yaml --jobs $jobs --results results$jobs
  same_results .out | sed "s/results$jobs/results/g" >text$jobs
  sed "s/results$jobs/results/g" .err >err$jobs
done
[ "$(grep -c 'none.png' err1)" -eq 1 ] || fail "a warning comes $(grep -c 'none.png' err1) times"
grep -q '1 changed, 1 new, 2 with an error' text1 || fail "not one changed, one new, two broken: $(tail -1 text1)"
for jobs in 2 5; do
  cmp -s json1 json$jobs || fail "results of 1 and $jobs workers: $(diff json1 json$jobs | head -4)"
  diff -r -x .written results1 results$jobs >/dev/null || fail "pictures of 1 and $jobs workers"
done
for jobs in 2 5; do
  cmp -s text1 text$jobs || fail "lines of 1 and $jobs workers: $(diff text1 text$jobs | head -4)"
  sort err1 >sorted1
  sort err$jobs | cmp -s - sorted1 || fail "messages of 1 and $jobs workers: $(sort err$jobs | diff sorted1 - | head -4)"
done
refuse 2 "1 to 64)" test many.yaml --jobs 65

# A shot that takes minutes, between two that do not; its process is killed, twice.
awk -v nodes=20000 -v mode=BLEND -f "$MODELS/../many_nodes.awk" </dev/null >slow.gltf
printf 'format: 1\ngoldens: slow\ndefaults: { size: 256, samples: 16 }\nshots: [ { name: a, file: tri.gltf, size: 16 }, { name: b, file: slow.gltf }, { name: c, file: tri.gltf, size: 16 } ]\n' >slow.yaml
run 0 test slow.yaml --update a c
other_than() {
  now=$(pgrep -P $parent | head -1)
  [ -n "$now" ] && [ "$now" != "$1" ]
}
worker() {
  await other_than "$1"
  sleep 2
  pgrep -P $parent | head -1
}
if command -v pgrep >/dev/null; then
  "$ZOETROPE" test slow.yaml --jobs 1 --json >.out 2>.err &
  parent=$!
  first=$(worker none)
  kill -KILL "$first"
  kill -KILL "$(worker "$first")"
  wait $parent
  [ $? -eq 9 ] || fail "a worker that is killed: $(cat .err)"
  grep -q '"message":"b: slow.gltf: its process was ended by signal 9' .out || fail "a worker that is killed: $(cat .out)"
  [ "$(grep -c '"class":"passed"' .out)" -eq 2 ] || fail "a worker that is killed costs others: $(cat .out)"
  "$ZOETROPE" test slow.yaml --jobs 2 >.out 2>.err &
  parent=$!
  worker none >/dev/null
  kill -TERM $parent
  wait $parent
  [ $? -eq 143 ] || fail "a suite that gets SIGTERM"
  [ "$(cat .err)" = "zoetrope: stopped by a signal" ] || fail "a suite that gets SIGTERM: $(cat .err)"
fi

# A worker that no longer runs is ended after the time of its shots.
if command -v pgrep >/dev/null; then
  "$ZOETROPE" test slow.yaml --jobs 1 --shot-timeout 4 --json >.out 2>.err &
  parent=$!
  kill -STOP "$(worker none)"
  wait $parent
  [ $? -eq 5 ] || fail "a worker that stands still: $(cat .err)"
  [ "$(grep -c '"class":"passed"' .out)" -eq 2 ] || fail "a worker that stands still costs others: $(cat .out)"
  [ -z "$(pgrep -P $parent)" ] || fail "the worker that stands still is left"
fi

# A full disk: shots whose pictures do not fit fail, with a line each.
printf 'format: 1\ngoldens: full\ndefaults: { size: 256 }\nshots: [ { name: a, file: walker.glb }, { name: b, file: walker.glb, azimuth: 9 } ]\n' >full.yaml
(ulimit -f 1; "$ZOETROPE" test full.yaml --update a b --jobs 2 --json 2>.err; echo "exit $?") | cat >.out
grep -q '^exit 6$' .out && [ "$(grep -c '"message":"full/[ab].png: cannot write' .out)" -eq 2 ] ||
  fail "a full disk: $(cat .err)"
no_file full/.*.tmp-* full/*.png
finish
