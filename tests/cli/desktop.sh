#!/bin/sh
# SPDX-License-Identifier: MIT
# Thumbnails in the sandbox of GNOME: what is installed draws all formats under bwrap, with the arguments of
# gnome-desktop 43, and by its thumbnail factory where that is installed; its own sandbox is whole in there. By hand
# with an installed package: ZT_PREFIX=/usr.
. "$(dirname "$0")/expect.sh"
installed bwrap || exit 77
[ -L /bin ] && unshare -Urm true 2>/dev/null && bwrap --ro-bind / / --unshare-all true 2>/dev/null || {
  echo "skipped: bwrap may make no namespaces here"
  exit 77
}
prefix=${ZT_PREFIX:-$work/usr}
[ -n "${ZT_PREFIX:-}" ] || cmake --install "${ZOETROPE%/*}" --component program --prefix "$prefix" >.out 2>&1 ||
  fail "cmake --install"
entry=$prefix/share/thumbnailers/zoetrope.thumbnailer programs=$prefix/bin
[ "$(sed -n 's/^TryExec=//p' "$entry")" = zoetrope ] || fail "another program in TryExec"
PATH=/usr/local/bin:$PATH # where the sandbox sees the program

# desktop FILE WORD...: runs the line Exec and the words as the factory does. Leaves $picture, or no such file.
mkdir out
picture=out/gnome-desktop-thumbnailer.png
desktop() {
  file=$1 name=${1##*/}
  shift
  case $name in *.*) name=.${name##*.} ;; *) name="" ;; esac
  name=gnome-desktop-file-to-thumbnail$name
  rm -f out/*
  checks=$((checks + 1)) words="in the sandbox of the desktop: $file $*"
  eval "set -- $(sed -n 's/^Exec=//p' "$entry" | sed "s|%s|64|; s|%i|'/tmp/$name'|; s|%o|/tmp/${picture#*/}|") \"\$@\""
  # shellcheck disable=SC2086 # $arguments are several words
  bwrap $arguments --bind out /tmp --ro-bind "$file" "/tmp/$name" --ro-bind "$programs" /usr/local/bin "$@" >.out 2>.err
  code=$?
  rm "out/$name" # bwrap made it, to mount the model there
}
arguments="--ro-bind /usr /usr --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --symlink /usr//bin /bin
  --symlink /usr//lib64 /lib64 --symlink /usr//lib /lib --symlink /usr//sbin /sbin
  --ro-bind-try /var/cache/fontconfig /var/cache/fontconfig --ro-bind-try /etc/alternatives /etc/alternatives
  --proc /proc --dev /dev --chdir / --setenv GIO_USE_VFS local --unshare-all --die-with-parent"

# Each format, by its MIME type: the picture is that of no sandbox, also where the name of the file says nothing.
corpus=$SOURCE/tests/fuzz/corpus
cp "$SOURCE/scenes/models/ball.glb" "a ball"
cat >formats <<END
model/gltf-binary $SOURCE/scenes/models/ball.glb
model/gltf-binary $work/a ball
model/gltf+json $tri
model/vrm $SOURCE/scenes/models/puppet.vrm
model/x-m3d $MODELS/hinge.m3d
model/obj $corpus/obj/all.obj
model/x-ply $corpus/ply/big.ply
model/stl $corpus/stl/binary.stl
application/vnd.fbx $corpus/fbx/binary.fbx
model/x-directx $corpus/xfile/all.x
model/3mf $corpus/threemf/deflated.3mf
END
whole=auto
! "$ZOETROPE" --version | grep -q "sandbox: files (Landlock .*), system calls (seccomp)" || whole=require
while read -r type model; do
  desktop "$model" --sandbox $whole
  [ "$code" -eq 0 ] && [ ! -s .err ] && [ "$(ls out)" = "${picture#*/}" ] || fail "$words: exit $code"
  run 0 thumbnail "$model" plain.png --size 64 --threads 2 --quiet --json
  out_has '"empty":false'
  run 0 compare plain.png $picture
done <formats

# Hostile files: a code and one line, no picture, and nothing else is left in the folder.
: >empty.glb
echo "no model" >text.glb
head -c 9000 "$SOURCE/scenes/models/ball.glb" >short.glb
head -c 99000 "$SOURCE/scenes/models/puppet.vrm" >short.vrm
head -c 200 "$corpus/fbx/binary.fbx" >short.fbx
head -c 150 "$corpus/xfile/binary.x" >short.x
head -c 300 "$corpus/threemf/deflated.3mf" >short.3mf
head -c 90 "$corpus/stl/binary.stl" >short.stl
cp "$corpus/ply/big.ply" large.ply && truncate -s 65M large.ply
uses other.bin >alone.gltf
uses ../etc/passwd >passwd.gltf
head -c 100000 /dev/zero | tr '\0' '[' >deep.gltf
printf 'ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n' >huge.ply
printf '\377\376v\000 \0000\000' >utf16.obj
head -c 400 "$MODELS/hinge.m3d" | tr 0-9 z >letters.m3d
# Those of other makers, where they are: some have a picture.
for model in ./*.glb ./*.gltf ./short.* ./huge.ply ./large.ply ./utf16.obj ./letters.m3d \
  "${ZT_ASSETS:-$SOURCE/../shared/assets}"/formats/*/hostile/*.*; do
  [ -f "$model" ] || continue
  desktop "$model"
  case $model:$code:$(ls out):$(grep -c '^zoetrope: .' .err):$(wc -l <.err):$(wc -c <.out) in
  *:[34568]::1:1:0 | /*:"0:${picture#*/}:0:0:"*) ;;
  *) fail "$words: exit $code, $(ls out)" ;;
  esac
done

# No graphics: what is loaded, also later, has no part of X, Wayland, GL or Vulkan.
export LD_DEBUG=files LD_DEBUG_OUTPUT=/tmp/loaded
desktop "$SOURCE/scenes/models/ball.glb"
unset LD_DEBUG LD_DEBUG_OUTPUT
grep -q 'file=libpng' out/loaded* || fail "the test itself: libpng is not loaded"
grep -hiE 'file=lib(x11|xcb|wayland|e?glx?|gles|opengl|vulkan|osmesa|cuda|nvidia)' out/loaded* &&
  fail "graphics are loaded"

# Its own sandbox closes what that of the desktop has open.
mkdir hole
cp "$HOLE" hole/zoetrope
programs=hole
export ZT_HOLE_READ=/etc/ld.so.cache ZT_HOLE_WRITE=/dev/shm/new ZT_HOLE_OPEN=/tmp/gnome-desktop-file-to-thumbnail.gltf
[ $whole = auto ] || {
  desktop "$tri"
  [ "$code" -eq 0 ] || fail "$words: open ways: $(tr '\n' ';' <.out)"
}
desktop "$tri" --sandbox off
grep -q "open: read a file" .out && grep -q "open: write a file" .out || fail "the test itself: no way is open"

# The factory itself, with its filter of system calls. A stand-in for bwrap notes what it gives.
command -v update-mime-database >/dev/null &&
  /usr/bin/python3 -c 'import gi; gi.require_version("GnomeDesktop", "3.0")' 2>/dev/null || {
  echo "skipped: no gir1.2-gnomedesktop-3.0, python3-gi and shared-mime-info"
  finish
}
[ -n "${ZT_PREFIX:-}" ] || {
  cp /usr/share/mime/packages/freedesktop.org.xml "$prefix/share/mime/packages" # its types compete with ours
  update-mime-database "$prefix/share/mime" 2>.err || fail "update-mime-database"
}
mkdir stand_in home
real=$(command -v bwrap)
printf '#!/bin/sh\nprintf "%%s " "$@" >>"%s/given"\necho >>"%s/given"\nexec %s "$@" --sandbox %s\n' \
  "$work" "$work" "$real" $whole >stand_in/bwrap
chmod +x stand_in/bwrap
cat >factory.py <<'END'
import gi, sys
gi.require_version("GnomeDesktop", "3.0")
from gi.repository import Gio, GnomeDesktop
factory = GnomeDesktop.DesktopThumbnailFactory.new(GnomeDesktop.DesktopThumbnailSize.LARGE)
for line in open(sys.argv[1]):
    kind, path = line.rstrip("\n").split(" ", 1)
    file = Gio.File.new_for_path(path)
    found = file.query_info("standard::content-type", 0, None).get_content_type()
    assert found == kind, "%s has the type %s" % (path, found)
    assert factory.can_thumbnail(file.get_uri(), kind, 0), line
    picture = factory.generate_thumbnail(file.get_uri(), kind, None)
    assert (picture.get_width(), picture.get_height()) == (256, 256), line
END
factory() {
  HOME=$work/home XDG_DATA_DIRS=$prefix/share:/usr/share PATH=$work/stand_in:$PATH unshare -Urm sh -c \
    'mount --bind "$0" /usr/local/bin && exec /usr/bin/python3 factory.py "$1"' "$prefix/bin" "$1" >.out 2>.err
}
checks=$((checks + 2))
factory formats && [ ! -s .err ] || fail "the factory fails, or made other pictures"
# It also shows the programs a list of plug-ins of GStreamer.
sed 's/--setenv GST_REGISTRY_1_0 [^ ]* --bind [^ ]* [^ ]* //; s/ --bind [^ ]* \/tmp .*//; q' given >first
[ "$(cat first)" = "$(echo $arguments)" ] || fail "the factory gives bwrap other arguments: $(cat first)"
echo "model/gltf+json $work/alone.gltf" >refused
factory refused && fail "the factory made a picture of alone.gltf"
grep -q 'exited with code 3' .err || fail "the factory does not hear why"
finish
