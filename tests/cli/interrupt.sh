#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals and --timeout: exit codes, and no temporary or partial files.
. "$(dirname "$0")/expect.sh"

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

# A shell starts background jobs with SIGINT ignored, which the program respects: env restores it.
heed() {
  if env --default-signal=INT true 2>/dev/null; then
    exec env --default-signal=INT "$@"
  fi
  exec "$@"
}
signals="INT TERM"
env --default-signal=INT true 2>/dev/null || signals=TERM

for signal in $signals; do
  heed "$ZOETROPE" render "$tri" --size 2000x2000 --samples 16 --threads 1 -q -o "$signal/####.png" &
  pid=$!
  await test -e "$signal/0000.png"
  kill -$signal $pid
  wait $pid
  code=$?
  wanted=$((128 + $(kill -l $signal 2>/dev/null | grep -x '[0-9]*' || { [ $signal = INT ] && echo 2 || echo 15; })))
  [ $code -eq $wanted ] || fail "SIG$signal: exit $code, expected $wanted"
  [ "$(ls $signal | wc -l)" -lt 30 ] || fail "SIG$signal did not stop the sequence"
  whole_or_absent $signal
done

warns 5 "timeout" render "$tri" --size 4000x4000 --samples 16 --threads 1 -q --timeout 0.5 -o slow/####.png
mkdir -p slow
whole_or_absent slow
run 5 render "$tri" --size 16x16 --time 0 -q --timeout 0.000000001 -o t.png

# --resume goes on after it: what is there stays, the rest comes.
"$ZOETROPE" render "$tri" --size 16x16 --frames 0-2 -q -o again/####.png || fail "three frames"
run 5 render "$tri" --size 4000x4000 --samples 16 --frames 0-5 --threads 1 -q --resume --timeout 0.3 -o again/####.png
whole_or_absent again
run 0 render "$tri" --size 16x16 --frames 0-5 -q --resume -o again/####.png
is_file again/0000.png again/0005.png

# A signal that was ignored when the program started stays ignored (nohup).
(
  trap '' HUP
  exec "$ZOETROPE" render "$tri" --size 600x600 --samples 16 --threads 1 -q -o deaf/####.png
) &
pid=$!
await test -e deaf/0000.png
kill -HUP $pid
wait $pid || fail "an ignored SIGHUP ended the program"
[ "$(ls deaf | wc -l)" -eq 30 ] || fail "frames are missing after an ignored SIGHUP"

# Those that batch systems send, too, and a limit of processor time.
for signal in USR1:10 USR2:12 ALRM:14 XCPU:24; do
  "$ZOETROPE" render "$tri" --size 2000x2000 --samples 16 --frames 0-99 --threads 1 -q -o batch.apng 2>.err &
  pid=$!
  sleep 0.3
  kill -${signal%:*} $pid
  wait $pid
  code=$?
  [ $code -eq $((128 + ${signal#*:})) ] || fail "SIG$signal: exit $code"
  [ -z "$(find . -maxdepth 1 -name '.batch*')" ] || fail "SIG$signal leaves a temporary file"
  no_file batch.apng
done

# Temporaries of another container, in which a process has the same number, are not the watchdog's.
mkdir shared
sh -c 'touch shared/.film.png.tmp-$$-0
exec "$0" render "$1" --size 5000x5000 --samples 16 --frames 0-99 --threads 1 -q --timeout 1 -o shared/film.apng' \
  "$ZOETROPE" "$tri" 2>.err
[ "$(ls -A shared | wc -l)" -eq 1 ] || fail "the timeout removes the temporary of another: $(ls -A shared)"

# Work that would take a minute or more, from files of a megabyte. SECONDS are many times what the
# program takes, so that a busy machine does not matter.
stops() { # stops CODE SECONDS ARGUMENT...
  wanted_code=$1 seconds=$2
  shift 2
  start=$(date +%s)
  run "$wanted_code" "$@"
  took=$(($(date +%s) - start))
  [ $took -le "$seconds" ] || fail "zoetrope $words: $took s until it stopped"
  no_file .*.tmp-* many.*
}
many() { awk -v nodes=30000 "$@" -f "$MODELS/../many_nodes.awk" </dev/null; }
many -v mode=OPAQUE -v keys=1 >keys.gltf
many -v mode=BLEND >blend.gltf
many -v mode=MASK >mask.gltf
stops 5 20 convert keys.gltf many.m3d -q --timeout 1
err_has "stopped by --timeout"
stops 5 20 render blend.gltf --size 256x256 -q --timeout 1 -o many.png
stops 5 20 render mask.gltf --size 256x256 --samples 16 -q --timeout 1 -o many.png
stops 5 20 thumbnail "$tri" many.png --size 8192 --png small -q --timeout 0.5
stops 5 20 inspect blend.gltf --timeout 0.001
# A scene is searched for what it names before it is loaded.
awk 'BEGIN { printf "{\"format\":1,\"models\":["; for (i = 0; i < 400000; i++) printf "\"%d\",", i; print "1]}" }' \
  </dev/null >names.json
stops 5 20 check names.json --timeout 0.02
stops 5 20 render names.json --timeout 0.02 -o many.png
stops 5 20 render blend.gltf --size 256x256 -q --timeout 1 --json -o many.png
out_has '"code":5' '"message":"stopped by --timeout"'
# Poses are a document of their own: no other one follows what a stop has cut.
stops 5 20 inspect "$SOURCE/scenes/models/walker.glb" --pose-json --json --fps 1000 --timeout 0.3
out_has '"world_from_node"'
! grep -q '"command"' .out || fail "--pose-json: a document follows a document"

# However early a batch is stopped, only a whole one has code 0.
mkdir many_models many_pictures
run 0 render "$tri" --size 16x16 --samples 1 --time 0 -q -o one.png
seq -f 'many_models/m%g.gltf' 1500 | xargs touch
seq -f 'many_pictures/m%g.png' 1500 | xargs -n 500 sh -c 'tee "$@" <one.png >all.png' sh
for timeout in 0.004 0.008 0.016 0.032 0.064; do
  "$ZOETROPE" thumbnail --outdir many_pictures --size 16 --skip time -q --json --timeout $timeout many_models >.out 2>.err
  code=$?
  if [ $code -eq 0 ]; then
    out_has '"models":1500,'
  else
    [ $code -eq 5 ] || fail "a batch that was stopped: exit $code"
    [ "$(cat .err)" = "zoetrope: stopped by --timeout" ] || fail "a batch that was stopped: $(cat .err)"
    out_has '"code":5'
  fi
done

# A reader of standard input that gets nothing stops too, and so does a timeout whose signal the
# parent has blocked.
mkfifo nothing
sleep 30 >nothing &
sleeper=$!
start=$(date +%s)
"$ZOETROPE" inspect - --timeout 0.3 --json <nothing >.out 2>.err
[ $? -eq 5 ] || fail "a silent standard input: not exit 5"
out_has '"code":5,"message":"stopped by --timeout"}' # the watchdog's
[ "$(wc -l <.out)" -eq 1 ] || fail "a silent standard input: not one document"
[ $(($(date +%s) - start)) -le 20 ] || fail "a silent standard input did not stop"
kill $sleeper
if env --block-signal=ALRM --block-signal=TERM true 2>/dev/null; then
  env --block-signal=ALRM --block-signal=TERM "$ZOETROPE" render blend.gltf --size 256x256 -q --timeout 0.5 -o many.png \
    >.out 2>.err
  [ $? -eq 5 ] || fail "blocked signals: not exit 5"
fi
finish
