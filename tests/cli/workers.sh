#!/bin/sh
# SPDX-License-Identifier: MIT
# Thumbnails in workers: the same pictures and lines with any number of them, in order; a model that
# crashes, hangs or is killed costs itself; and what a stop leaves.
. "$(dirname "$0")/expect.sh"

# A batch with failures and a warning. The lines, but for times.
mkdir in
for i in $(seq 12); do cp "$tri" "in/m$i.gltf"; done
echo "not a model" >in/m4.gltf
cp "$SOURCE/scenes/models/walker.glb" in/m7.glb
lines() { sed -E 's/"seconds":[0-9.]+//; s/"file":"[a-z0-9]+/"file":"/' "$1"; }
for jobs in 1 2 7; do
  run 4 thumbnail in --outdir "out$jobs" --size 32 -q --jobs $jobs --json-lines
  lines .out >"lines$jobs"
  mv .err "err$jobs"
done
[ "$(wc -l <lines1)" -eq 13 ] || fail "$(wc -l <lines1) lines of 13 models"
for jobs in 2 7; do
  cmp -s lines1 lines$jobs || fail "lines of 1 and $jobs workers: $(diff lines1 lines$jobs | head -4)"
  cmp -s err1 err$jobs || fail "messages of 1 and $jobs workers: $(diff err1 err$jobs | head -4)"
  diff -r out1 out$jobs >/dev/null || fail "pictures of 1 and $jobs workers"
done
grep -q "in/m4.gltf" err1 || fail "no message of a model that is none: $(cat err1)"
run 4 thumbnail in --outdir out0 --size 32 -q --jobs 3 --unordered --json-lines
lines .out | sort >unordered
sort lines1 | cmp -s - unordered || fail "lines of --unordered: $(sort lines1 | diff - unordered | head -4)"
prints 4 '"models":13,"made":12,"skipped":0,"failed":1' thumbnail in --outdir out0 --size 32 -q --json
prints 4 '"models":13,"made":0,"skipped":12,"failed":1' thumbnail in --outdir out0 --size 32 -q --json --resume
refuse 2 "1 to 64)" thumbnail in --outdir none --jobs 65
refuse 2 "--jobs without --outdir" thumbnail "$tri" none.png --jobs 2

# Memory is shared: a model that does not fit into its part fails alone.
prints 5 '"failed":1' thumbnail in/m1.gltf in/m7.glb --outdir shared --size 512 --jobs 2 --max-memory 24M -q --json
err_has "m7.glb"

# A model that takes minutes, between two that do not.
many() { awk -v nodes=20000 "$@" -f "$MODELS/../many_nodes.awk" </dev/null; }
mkdir slow
many -v mode=BLEND >slow/b.gltf
cp "$tri" slow/a.gltf
cp "$tri" slow/c.gltf
prints 5 'b.gltf: stopped by --model-timeout' thumbnail slow --outdir late --size 256 --samples 16 --jobs 2 --model-timeout 4 -q --json-lines
[ "$(cat .err)" = "zoetrope: slow/b.gltf: stopped by --model-timeout (after 4 s)" ] || fail "not one line of a slow model"
[ "$(grep -c '"code":0' .out)" -eq 2 ] || fail "a slow model costs others: $(cat .out)"
no_file late/.*.tmp-* late/b.png

# A pipe among models is refused: a worker would wait for whoever writes to it.
mkfifo slow/pipe.gltf slow/pipe.png
warns 3 "slow/pipe.gltf is a pipe or device" thumbnail slow/a.gltf slow/pipe.gltf --outdir piped --size 32 -q --timeout 20
warns 3 "slow/pipe.png is a pipe or device" thumbnail slow/a.gltf slow/c.gltf --environment slow/pipe.png --outdir piped -q --timeout 20
warns 3 "slow/pipe.png is a pipe or device" sheet slow/a.gltf slow/pipe.png --size 32 -q --timeout 20 -o pipe.png
printf 'format: 1\nshots: [ { name: a, file: slow/a.gltf }, { name: b, file: slow/pipe.gltf } ]\n' >pipe.yaml
for command in test check; do
  warns 3 "slow/pipe.gltf is a pipe or device" $command pipe.yaml --timeout 20
done
cat slow/a.gltf >slow/pipe.gltf & # one alone is waited for
run 0 thumbnail slow/pipe.gltf piped.png --size 32 -q --timeout 20
rm slow/pipe.*

# Sheets of models: the same with any number of workers, and a model that fails has an empty cell.
for jobs in 1 3; do
  mkdir -p sheet$jobs
  run 4 sheet in/m1.gltf in/m4.glb in/m7.glb "$SOURCE/scenes/models/figure.glb" in/m4.gltf --size 48 --captions \
    --jobs $jobs --json -q -o sheet$jobs/a.png
  out_has '"pictures":5' '"frames":3'
  err_has "in/m4.gltf" "in/m4.glb"
done
diff -r sheet1 sheet3 >/dev/null || fail "sheets of 1 and 3 workers"
run 5 sheet slow/a.gltf slow/b.gltf slow/c.gltf --size 128 --samples 16 --jobs 2 --model-timeout 4 --stats -o slow.png
err_has "slow/b.gltf: stopped by --model-timeout (after 4 s)" "frames 2,"
refuse 2 "--jobs without several models" sheet in/m1.gltf --jobs 2 -o none.png
refuse 2 "--model-timeout without several models" sheet in/m1.gltf sheet1/a.png --model-timeout 2 -o none.png

# workers_of ARGUMENT...: how many processes that draw five models are seen. A stranger's has one of its own.
workers_of() {
  "$ZOETROPE" thumbnail in/m[12356].gltf --outdir fresh --size 1200 --samples 16 --jobs 1 -q "$@" 2>.err &
  parent=$!
  while grep -q '^State:[[:space:]]*[^ZX[:space:]]' /proc/$parent/status 2>/dev/null; do
    pgrep -P $parent # as often as it can: on a busy machine that is seldom
  done | sort -u | wc -l
}
if command -v pgrep >/dev/null; then
  [ "$(workers_of --untrusted)" -gt 1 ] || fail "models of strangers share a worker"
fi

# batch FOLDER JOBS: begins a batch, and returns when it is at the slow model.
batch() {
  "$ZOETROPE" thumbnail slow --outdir "$1" --size 256 --samples 16 --jobs "$2" -q --json-lines >.out 2>.err &
  parent=$!
  await grep -q 'a.gltf' .out
  sleep 0.3
}
if command -v pgrep >/dev/null; then
  batch killed 1
  : >killed/.b.png.tmp-1-0 # as if it were writing
  pkill -KILL -P $parent
  wait $parent
  [ $? -eq 9 ] || fail "a worker that is killed"
  grep -q 'b.gltf: its process was ended by signal 9' .err || fail "a worker that is killed"
  [ "$(grep -c '"code":0' .out)" -eq 2 ] || fail "a worker that is killed costs others: $(cat .out)"
  batch ended 1
  workers=$(pgrep -P $parent)
  kill -TERM $parent
  wait $parent
  [ $? -eq 143 ] || fail "a batch that gets SIGTERM"
  [ "$(cat .err)" = "zoetrope: stopped by a signal" ] || fail "a batch that gets SIGTERM"
  [ "$(wc -l <.out)" -eq 3 ] || fail "not a line for each model: $(cat .out)"
  grep -q '"message":"not begun: stopped by a signal"' .out || fail "what was not begun"
  # A parent that is killed takes its workers with it, also where SIGTERM is ignored.
  trap '' TERM
  batch orphaned 2
  trap - TERM
  workers="$workers $(pgrep -P $parent | tr '\n' ' ')"
  kill -KILL $parent
  wait $parent 2>/dev/null
  sleep 0.7
  for worker in $workers; do
    grep -q "^State:[[:space:]]*[^ZX[:space:]]" "/proc/$worker/status" 2>/dev/null && fail "a worker lives on"
  done
  no_file ended/.*.tmp-* killed/.*.tmp-*
fi

# A full disk: each picture fails, with a line.
if [ -w /dev/full ]; then
  (ulimit -f 1; exec "$ZOETROPE" thumbnail in/m1.gltf in/m7.glb --outdir full --size 256 -q --json-lines >.out 2>.err)
  code=$?
  [ $code -eq 6 ] && [ "$(grep -c '"code":6' .out)" -ge 1 ] || fail "a full disk: exit $code"
  no_file full/.*.tmp-*
fi
finish
