#!/bin/sh
# SPDX-License-Identifier: MIT
# The sandbox: what it lets through, what it stops (by a test program with a deliberate hole, HOLE), and what it
# says. Where the kernel has none, only the flag is tested.
. "$(dirname "$0")/expect.sh"

run 2 inspect "$tri" --sandbox perhaps
run 0 inspect "$tri" --sandbox off
"$ZOETROPE" --version >.out
out_has "sandbox: "
if ! grep -q "sandbox: files (Landlock .*), system calls (seccomp)" .out; then
  warns 8 "the sandbox is not whole" inspect "$tri" --sandbox require
  warns 0 "the sandbox is not whole" inspect "$tri" -v
  finish
fi

# Everything works in it: links, folders that are made, scenes that name files anywhere, standard streams.
mkdir a b
cp "$tri" a/tri.gltf
cp "$MODELS"/*.bin a/ 2>/dev/null
ln -s a/tri.gltf link.gltf
printf 'format: 1\nmodels:\n  - file: ../a/tri.gltf\n' >b/scene.yaml
export XDG_CACHE_HOME="$work/cache"
must="--sandbox require -q"
# shellcheck disable=SC2086 # $must is several words
{
  run 0 render a/tri.gltf --size 16x16 --frames 0-1 -o made/here/####.png $must
  is_file made/here/0001.png
  run 0 inspect link.gltf $must
  run 0 render b/scene.yaml --size 16x16 --time 0 -o b/out.png $must
  run 0 check b/scene.yaml $must
  run 0 convert a/tri.gltf new/tri.glb $must
  run 0 thumbnail --outdir thumbs --size 16 a/tri.gltf b/scene.yaml --fsync --json $must
  run 0 compare made/here made/here $must
  run 0 turntable a/tri.gltf --count 2 --size 16x16 --threads 2 -o "$work/abs/####.png" $must
  run 0 render a/tri.gltf --size 16x16 --frames 0-1 --resume -o made/here/####.png $must
}
# Links in folders of pictures lead out of them; those of strangers do not.
mkdir -p real la/in lb/in masks suite/goldens
cp made/here/0000.png real/a.png
printf 'secret' >real/secret.txt
for folder in la lb; do ln -s ../../real/a.png $folder/in/a.png && ln -s "$work/real/a.png" $folder/b.PNG; done
ln -s ../nowhere.png masks/none.png
ln -s ../real masks/folder.png
mkdir masks/in && ln -s ../../real/a.png masks/in/a.png
# shellcheck disable=SC2086
{
  run 0 compare la lb $must
  run 0 compare la lb --mask masks $must
  run 0 compare --print-hashes la $must
  cp .out hashes.txt
  run 0 compare --hashes hashes.txt lb $must
  warns 3 "leads out of its folder" compare la lb --untrusted $must
  printf 'format: 1\nshots:\n  - {name: tri, file: ../a/tri.gltf, size: 16, time: 0}\n' >suite/suite.yaml
  run 1 test suite/suite.yaml $must
  run 0 test suite/suite.yaml --update tri $must
  mv suite/goldens/tri.png real/golden.png
  ln -s ../../real/golden.png suite/goldens/tri.png
  run 0 test suite/suite.yaml $must
  # Pictures of light that only shots name, in folders that nothing else names.
  mkdir sky ground
  cp "$(dirname "$0")/../../scenes/models/courtyard.hdr" sky/light.hdr
  cp sky/light.hdr ground/light.hdr
  printf 'format: 1\nshots:\n  - {name: lit, file: ../a/tri.gltf, size: 16, time: 0, light: ../sky/light.hdr}\n' >suite/light.yaml
  printf '  - {name: sky, file: ../a/tri.gltf, size: 16, time: 0, environment: ../ground/light.hdr}\n' >>suite/light.yaml
  run 0 test suite/light.yaml --update lit sky $must
}
"$ZOETROPE" render - --size 16x16 --time 0 -q -o - --sandbox require <a/tri.gltf >stdout.png 2>.err ||
  fail "standard input and output in the sandbox"

# A hole behind its door.
mkdir private
echo secret >private/secret.txt
export ZT_HOLE_READ="$work/private/secret.txt" ZT_HOLE_WRITE="$work/private/new.txt"
export ZT_HOLE_OPEN="$work/a/tri.gltf"
"$HOLE" convert a/tri.gltf new/tri.glb --sandbox require >.out 2>.err ||
  fail "the sandbox has $(grep -c : .out) open ways: $(tr '\n' ';' <.out)"
no_file private/new.txt hole-link
# A device as output does not open the folder of all devices.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
  for device in /dev/null /dev/stdout; do
    ZT_HOLE_WRITE=/dev/shm/zt-hole-$$ "$HOLE" thumbnail a/tri.gltf $device --format png --sandbox require >.out 2>.err ||
      fail "$device opens $(tr '\n' ';' <.out)"
  done
  no_file /dev/shm/zt-hole-$$
fi
# Workers may do nothing that the program which makes them may.
"$HOLE" thumbnail --outdir new --sandbox require a/tri.gltf >.out 2>.err
! grep -q "open: " .err || fail "a worker's sandbox has open ways: $(tr '\n' ';' <.err)"
"$HOLE" thumbnail --outdir new --sandbox off a/tri.gltf >.out 2>.err
grep -q "open: fork" .err || fail "the test itself: a worker does not try"
rm -f hole-link
# serve VALUE REQUEST: a worker of a server of the folder `a`, which tries.
serve() { printf '{"id":1,"command":"inspect","inputs":["tri.gltf"]%s}\n' "$2" |
  "$HOLE" serve --stdio --root a --sandbox "$1" >.out 2>.err; }
rm -f private/new.txt
for flags in "" ',"flags":{"untrusted":true}'; do
  serve require "$flags"
  grep -q '"code":9' .out && ! grep -q "open: " .out || fail "a worker of serve has open ways: $(cat .out)"
  no_file private/new.txt hole-link
  serve off "$flags"
  grep -q "open: fork" .out || fail "the test itself: a worker of serve does not try: $(cat .out)"
  rm -f hole-link a/hole-link private/new.txt
done
# The same hole without a sandbox: the ways are real.
"$HOLE" convert a/tri.gltf new/tri.glb --sandbox off >.out 2>.err
rm -f hole-link
for way in "read a file" "read the environment" "write a file" "change rights" "connect" "execute" "signal" "fork" \
  "type into a terminal" "set limits" "abort another"; do
  grep -q "open: $way" .out || fail "the test itself: '$way' is not open without the sandbox"
done

# As an ordinary user, where this is root, with a copy of the program, as builds may lie in folders that others
# cannot enter; and in a container without rights, where one can be made.
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups env XDG_CACHE_HOME=/nonexistent "$@"; }
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$work" && mkdir mine && chmod 777 mine && cp "$ZOETROPE" mine/program
  if as_nobody test -x "$work/mine/program"; then
    as_nobody "$work/mine/program" convert a/tri.gltf mine/tri.glb --sandbox require 2>.err ||
      fail "as an ordinary user"
  fi
fi
if command -v unshare >/dev/null && unshare -Urmn true 2>/dev/null; then
  unshare -Urmn "$ZOETROPE" convert a/tri.gltf new/tri.glb --sandbox require 2>.err || fail "in a container"
fi
if command -v bwrap >/dev/null && bwrap --ro-bind / / true 2>/dev/null; then
  bwrap --ro-bind / / --bind "$work" "$work" --dev /dev --unshare-all "$ZOETROPE" convert a/tri.gltf new/tri.glb \
    --sandbox require 2>.err || fail "in bubblewrap"
fi
finish
