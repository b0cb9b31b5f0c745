#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures and animations in each format, read back by other programs where they are installed.
. "$(dirname "$0")/expect.sh"
small="--size 48x32 -q"
# shellcheck disable=SC2086 # $small is several words throughout

# WebP stills are the pixels of the PNG. JPEG is the picture with its background.
run 0 turntable "$tri" $small --count 3 -o png/##.png
run 0 turntable "$tri" $small --count 3 -o webp/##.webp
run 0 turntable "$tri" $small --count 3 -o jpeg/##.jpg -v
is_file webp/00.webp webp/02.webp jpeg/00.jpg jpeg/02.jpg
if installed dwebp; then
  for k in 0 1 2; do dwebp -quiet webp/0$k.webp -o webp/0$k.png; done
  rm webp/*.webp
  run 0 compare png webp
fi
warns 0 "note: the background is the colour of the scene" turntable "$tri" --size 48x32 --count 3 -o noted/##.jpeg -v
if installed ffmpeg; then
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

walker=$SOURCE/scenes/models/walker.glb
# Lossy WebP: smaller, whole, with its alpha, and the same with any number of threads.
run 0 turntable "$walker" --size 96 -q --count 3 -o keep.webp
run 0 turntable "$walker" --size 96 -q --count 3 -o lossy.webp --lossy 60 --threads 1
run 0 turntable "$walker" --size 96 -q --count 3 -o lossy16.webp --lossy 60 --threads 16
cmp -s lossy.webp lossy16.webp || fail "--lossy depends on the threads"
[ "$(wc -c <lossy.webp)" -lt "$(wc -c <keep.webp)" ] || fail "--lossy is no smaller"
run 0 thumbnail "$tri" lossy_one.webp --size 96 -q --lossy 60
[ "$(dd if=lossy_one.webp bs=1 skip=12 count=4 2>/dev/null)" = VP8X ] || fail "a lossy picture has no alpha"
[ "$(dd if=lossy_one.webp bs=1 skip=30 count=4 2>/dev/null)" = ALPH ] || fail "a lossy picture has no alpha"
refuse 2 "--lossy" thumbnail "$tri" x.webp --lossy 101
run 0 render "$tri" $small --frames 0-2 -o again/l##.webp --lossy 60
run 0 render "$tri" $small --frames 0-2 -o again/l##.webp --lossy 60 --resume --json
[ "$(grep -o skipped .out | wc -l)" -eq 3 ] || fail "--resume of lossy pictures"
run 0 render "$tri" $small --frames 0-2 -o again/l##.webp --lossy 61 --resume --json
! grep -q skipped .out || fail "--resume took pictures of another quality"

# 16 bits: the same pixel hash, and the picture before it is rounded.
for bits in 8 16; do
  run 0 turntable "$walker" --size 96 -q --frames 0 --json -o deep$bits.png --bits $bits
  grep -o '"hash": *"[0-9a-f]*"' .out >hash$bits
done
[ -s hash8 ] && cmp -s hash8 hash16 || fail "16 bits have another hash"
[ "$(od -An -tx1 -j24 -N2 deep16.png)" = " 10 06" ] || fail "--bits 16 is no RGBA of 16 bits"
run 0 compare deep8.png deep16.png --max-diff 1
run 0 render "$walker" --size 32 -q --frames 0 --background white -o linear.png --encoding linear
grep -aq gAMA linear.png && [ "$(od -An -tx1 -j24 -N2 linear.png)" = " 10 02" ] || fail "no linear RGB of 16 bits"
refuse 2 "'color' of such bits as WebP (expected PNG)" render "$tri" -o a.webp --bits 16
refuse 2 "'color' as such a PNG (expected 16 bits)" render "$tri" -o a.png --bits 8 --encoding linear
refuse 2 "a skeleton as OpenEXR or PNG of 16 bits" render "$walker" -q --frames 0 -o a.png --bits 16 --look skeleton

# GIF: all frames, one palette, for ever; the rate does not drift.
for film in 24:445444445 30:343343343; do
  run 0 turntable "$walker" --size 64 -q --count 9 --fps "${film%:*}" -o film.gif
  if installed gifsicle; then
    gifsicle -I film.gif >.out 2>&1
    [ "$(grep -o 'disposal background delay 0.0.s' .out | tr -dc 1-9)" = "${film#*:}" ] && out_has "loop forever" &&
      ! grep -q 'local color table' .out || fail "gifsicle reads another GIF"
  fi
done
run 0 turntable "$walker" --size 64 -q --count 9 --fps 30 -o - --format gif --threads 1
cmp -s .out film.gif || fail "a GIF depends on the threads, or on where it goes"
# Few colours are exact, with transparency; of many each is near.
if installed ffmpeg; then
  mkdir few many
  for shot in "few:--samples 1 --ground none --size 18" "many:--background 303338 --size 40"; do
    kind=${shot%%:*} flags=${shot#*:}
    run 0 turntable "$walker" --supersample 1 --count 3 -q $flags -o $kind.gif
    run 0 turntable "$walker" --supersample 1 --count 3 -q $flags -o $kind.png/##.png
    ffmpeg -v error -i $kind.gif -vsync 0 -start_number 0 -pix_fmt rgba $kind/%02d.png </dev/null
  done
  run 0 compare few.png few
  run 0 compare many.png many --mean 1 --max-diff 255
fi
refuse 2 "matte 'blau' (expected" turntable "$tri" -q --count 3 -o a.gif --matte blau

# --resume knows frames in these formats too.
for suffix in webp jpg exr; do
  run 0 render "$tri" $small --frames 0-2 -o again/##.$suffix
  printf 'x' | dd of=again/01.$suffix bs=1 seek=100 conv=notrunc 2>/dev/null
  run 0 render "$tri" $small --frames 0-2 -o again/##.$suffix --resume --json
  [ "$(grep -o skipped .out | wc -l)" -eq 2 ] || fail "--resume of .$suffix"
done

# OpenEXR is linear light, the same in each packing.
for packing in zips zip none; do
  run 0 render "$tri" --size 48x32 --frames 0 -o $packing.exr --exr $packing --json
done
refuse 2 "expected OUT.png" thumbnail "$tri" x.exr
refuse 2 "--format exr" thumbnail "$tri" x.png --format exr
if installed exrheader && installed oiiotool; then
  exrheader zip.exr | grep -q '16-bit floating-point' && exrheader zips.exr | grep -q 'individual scanlines' ||
    fail "exrheader: $(exrheader zips.exr)"
  for other in zip none; do oiiotool --diff zips.exr $other.exr >/dev/null || fail "--exr $other differs"; done
fi

# Animations: the frames are the pixels of the PNGs, and play for ever.
run 0 turntable "$tri" $small --count 3 -o film.apng
run 0 turntable "$tri" $small --count 3 -o film.webp
run 0 turntable "$tri" $small --count 3 -o film.y4m
run 0 turntable "$tri" $small --count 3 --format apng -o -
cmp -s .out film.apng || fail "an APNG on standard output differs"
# Standard files that are closed: no file gets their numbers, and with it what is reported.
(exec "$ZOETROPE" turntable "$tri" --size 48x32 --count 3 --progress json -o closed.apng <&- >&- 2>&-)
cmp -s closed.apng film.apng || fail "an APNG has what was meant for the closed standard error"
mkdir apng webps y4m
if installed ffmpeg; then
  ffmpeg -v error -i film.apng -start_number 0 apng/%02d.png </dev/null
  run 0 compare png apng
  ffmpeg -v error -i film.y4m -vf scale=in_color_matrix=bt709:in_range=tv -start_number 0 y4m/%02d.png </dev/null
  run 0 turntable "$tri" $small --count 3 --background 303338 -o opaque/##.png
  run 0 compare opaque y4m --max-diff 3
fi
if installed webpmux && installed dwebp; then
  for k in 0 1 2; do
    webpmux -get frame $((k + 1)) film.webp -o one.webp 2>/dev/null
    dwebp -quiet one.webp -o webps/0$k.png
  done
  run 0 compare png webps
  webpmux -info film.webp | grep -q 'Loop Count : 0' || fail "film.webp does not play for ever"
fi
run 0 render "$tri" $small --frames 0-1 --format y4m
is_file triangle.y4m
refuse 2 "one file of all frames" turntable "$tri" -q --count 3 -o film.webp --resume
refuse 2 "one file of all frames" turntable "$tri" -q --count 3 -o film.apng --shard 1/2
refuse 2 "one file of all frames" turntable "$tri" -q --count 3 -o f-##.apng
refuse 2 "format of streams: apng" turntable "$tri" -q --count 3 -o - --format webp
(ulimit -f 4 && exec "$ZOETROPE" turntable "$tri" --size 300x300 -q --count 9 -o limited/a.apng) >.out 2>.err
[ $? -eq 6 ] || fail "an animation beyond ulimit -f: not exit 6"
[ -z "$(ls -A limited)" ] || fail "an animation beyond ulimit -f leaves a temporary"

# Videos by ffmpeg: tagged, with all frames, in the colours of the pictures.
probe() {
  ffprobe -v error -select_streams v:0 -count_frames -of default=nokey=1:noprint_wrappers=1 -show_entries \
    stream=codec_name,width,height,pix_fmt,color_range,color_space,color_transfer,color_primaries,r_frame_rate,nb_read_frames "$1" | tr '\n' ' '
}
mkdir empty
(PATH=$work/empty && refuse 8 "no ffmpeg on the PATH" turntable "$tri" -q -o film.mp4
[ $failures -eq 0 ]) || failures=$((failures + 1))
refuse 2 "one file of all frames" turntable "$tri" -q -o film.mp4 --resume
refuse 2 "one file of all frames" turntable "$tri" -q -o f-##.webm
# With lines of shell in place of ffmpeg, whose last word is the file.
mkdir failing
printf '#!/bin/sh\necho "Unknown encoder" >&2\nexit 1\n' >failing/ffmpeg
chmod +x failing/ffmpeg
before=$(files)
checks=$((checks + 1))
PATH=$work/failing:$PATH "$ZOETROPE" turntable "$tri" $small --count 3 -o bad.mp4 >.out 2>.err
[ $? -eq 6 ] && err_has "bad.mp4: ffmpeg failed: Unknown encoder" && [ "$before" = "$(files)" ] ||
  fail "a failure of ffmpeg"
# encoder CODE TEXT LINES [env ARGUMENT...]: with lines of shell as ffmpeg a film of before stays.
encoder() {
  checks=$((checks + 1))
  printf '#!/bin/sh\n%s\n' "$3" >failing/ffmpeg
  printf 'before' >bad.mp4
  wanted=$1 text=$2 words="turntable with ffmpeg: $3"
  shift 3
  PATH=$work/failing:$PATH "$@" "$ZOETROPE" turntable "$tri" $small --count 3 --timeout 0.3 -o bad.mp4 >.out 2>.err
  code=$?
  [ $code -eq "$wanted" ] || fail "$words: exit $code, expected $wanted"
  err_has "$text"
  [ "$(cat bad.mp4)" = before ] || fail "$words: it replaced a film"
  [ -z "$(find . -name '.bad.mp4.tmp-*')" ] || fail "$words: a temporary is left"
}
# An ffmpeg that no longer does anything ends after half a minute, while the rest is tested; a slow one that a wrapper
# waits for works on.
mkdir stuck slow
printf '#!/bin/sh\nexec sleep 100\n' >stuck/ffmpeg
printf '#!/bin/sh\nsleep 33\nfor file; do :; done\ncat >"${file#file:}"\n' >slow/ffmpeg
chmod +x stuck/ffmpeg slow/ffmpeg
PATH=$work/slow:$PATH "$ZOETROPE" turntable "$tri" $small --count 3 -o slow/in/film.mp4 2>slow.err &
slow=$!
PATH=$work/stuck:$PATH "$ZOETROPE" turntable "$tri" $small --count 3 --timeout 90 -o stuck.mp4 2>stuck.err &
stuck=$!
printf '#!/bin/sh\nfor file; do :; done\nexec cat >"${file#file:}"\n' >failing/ffmpeg
PATH=$work/failing:$PATH run 0 turntable "$tri" $small --count 3 -o stream.mp4
run 0 turntable "$tri" $small --count 3 -o stream.y4m
cmp -s stream.mp4 stream.y4m || fail "ffmpeg gets another stream than that of a .y4m"
encoder 6 "ffmpeg failed: it ended early" 'cat >/dev/null; kill -KILL $$'
encoder 6 "ffmpeg wrote nothing" 'cat >/dev/null'
if env --ignore-signal=CHLD true 2>/dev/null; then
  encoder 6 "ffmpeg failed" 'cat >/dev/null; exit 3' env --ignore-signal=CHLD
fi
encoder 5 "stopped by --timeout" '(sleep 0.5; : >alive) 2>&- & exec sleep 60 2>&-'
mkdir folder.mp4
PATH=$work/failing:$PATH refuse 6 "is a folder" turntable "$tri" $small --count 3 -o folder.mp4
PATH=$work/failing:$PATH refuse 6 "is a pipe or device" turntable "$tri" $small --count 3 -o "$(ln -s /dev/null device.mp4 && echo device.mp4)"
if installed ffmpeg && installed ffprobe; then
  run 0 turntable "$tri" $small --count 3 --fps 30000/1001 -o deep/film.mp4
  [ "$(probe deep/film.mp4)" = "h264 48 32 yuv420p tv bt709 bt709 bt709 30000/1001 3 " ] ||
    fail "film.mp4 is: $(probe deep/film.mp4)"
  mkdir mp4
  ffmpeg -v error -i deep/film.mp4 -vf scale=in_color_matrix=bt709:in_range=tv -start_number 0 mp4/%02d.png </dev/null
  run 0 compare opaque mp4 --mean 3
  warns 0 "34 x 22 pixels" turntable "$tri" --size 33x21 --count 2 -o odd.mp4 --progress none
  run 0 turntable "$tri" --size 33x21 --count 2 -o odd.webm -q
  [ "$(probe odd.webm | cut -d' ' -f1-8)" = "vp9 33 21 yuv420p tv bt709 bt709 bt709" ] || fail "odd.webm is: $(probe odd.webm)"
  # Where nobody else waits for orphans, none is left.
  if installed python3; then
    python3 -c 'import ctypes, os, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
subprocess.call(sys.argv[1:])
time.sleep(0.05)
try: sys.exit("a process is left: %d" % os.waitpid(-1, os.WNOHANG)[0])
except ChildProcessError: pass' "$ZOETROPE" turntable "$tri" $small --count 2 -o long.mp4 || fail "a video leaves a process"
  fi
  # A signal ends ffmpeg too, and nothing is left.
  checks=$((checks + 1))
  "$ZOETROPE" turntable "$tri" --size 320x240 --count 36000 -o stopped.mp4 -q >.out 2>.err &
  child=$! turns=0
  until [ -n "$(find . -name '.stopped.mp4.tmp-*')" ] || [ $turns -eq 100 ]; do
    sleep 0.02
    turns=$((turns + 1))
  done
  kill -TERM $child
  wait $child
  [ $? -eq 143 ] && [ $turns -lt 100 ] && [ -z "$(find . -name "*stopped*")" ] || fail "a signal while ffmpeg works"
fi
wait $slow || fail "an ffmpeg that a wrapper waits for: $(cat slow.err)"
wait $stuck
[ $? -eq 6 ] && grep -q "ffmpeg failed: it takes no frame" stuck.err || fail "an ffmpeg that does nothing: $(cat stuck.err)"
no_file alive # what an ffmpeg started that was stopped before
finish
