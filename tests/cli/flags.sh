#!/bin/sh
# SPDX-License-Identifier: MIT
# Each flag that the help of a command lists is accepted by it and changes what the command prints or
# writes, or leaves it as it is for a reason. A flag without a row in the table below is a failure.
. "$(dirname "$0")/expect.sh"
export XDG_CACHE_HOME="$work/cache"

# ---- Inputs -------------------------------------------------------------------------------------

mkdir in in/away in/batch cache
cp "$MODELS/triangle.gltf" in/tri.gltf
cp "$MODELS/triangle.gltf" in/batch/second.gltf
cp "$MODELS/hinge.m3d" "$SOURCE/scenes/models/walker.glb" in
printf 'v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n' >in/solid.obj
# A picture that is found in another folder, or behind a link.
"$ZOETROPE" render in/tri.gltf --time 0 --size 8 -q -o in/away/dot.png
printf 'mtllib map.mtl\nusemtl m\nvt 0 0\nvt 1 0\nvt 0 1\nv 0 0 0\nv 2 0 0\nv 0 3 0\nf 1/1 2/2 3/3\n' >in/mapped.obj
printf 'newmtl m\nmap_Kd dot.png\n' >in/map.mtl
mkdir in/linked
sed 's/dot/link/' in/map.mtl >in/linked/map.mtl
cp in/mapped.obj in/linked
ln -s ../away/dot.png in/linked/link.png
sed -e 's/"indices": 1, "material": 0/&, "extensions": {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}}/' \
  -e 's/"materials": \[/&{"name": "plain"}, /' \
  -e 's/"scene": 0,/"extensionsUsed": ["KHR_materials_variants"], "extensions": {"KHR_materials_variants": {"variants": [{"name": "red"}]}}, &/' \
  in/tri.gltf >in/kinds.gltf
sed 's/"body"/"torso"/' in/tri.gltf >in/renamed.gltf
for name in tri.gltf solid.obj mapped.obj linked/mapped.obj kinds.gltf noted.obj picture.3mf; do
  printf 'format: 1\nmodels:\n  - { name: a, file: %s }\n  - { name: b, file: %s }\n' "$name" "$name" >"in/$(echo "${name%.*}" | tr / -).yaml"
  printf 'format: 1\ndefaults: { file: %s, size: 16, view: left, background: transparent }\nshots:\n  - { name: one }\n  - { name: two, azimuth: 70 }\n' "$name" \
    >"in/$(echo "${name%.*}" | tr / -)-suite.yaml"
done
cp "$MODELS/picture.3mf" in
cp in/away/dot.png in/noted.png
sed 's/dot/NOTED/' in/map.mtl >in/noted.mtl
sed 's/map.mtl/noted.mtl/' in/mapped.obj >in/noted.obj
printf 'camera: { look_at: { position: [3, 2, 4], target: [1, 0, 0] } }\n' >>in/solid.yaml
sed 's/solid.obj/solid.yaml/; s/, view: left//' in/solid-suite.yaml >in/placed-suite.yaml
sed '/b, file/d; s/^models/output: { frames: 0-20 }\n&/; s/ }$/, animation: [{ clip: spin }] }/; $p; $s/name: a/name: b/' in/tri.yaml >in/moving.yaml
# A suite whose pictures differ from their goldens, two pictures, and a list of hashes.
(cd in && "$ZOETROPE" test tri-suite.yaml --update all >.out)
sed 's/left/front/' in/tri-suite.yaml >in/moved-suite.yaml
mkdir in/other
cp in/tri.gltf in/other
cp in/moved-suite.yaml in/other/tri-suite.yaml
for name in a:30 b:32; do
  "$ZOETROPE" render in/tri.gltf --time 0 --size 16 --background transparent --azimuth "${name#*:}" -q -o "in/${name%:*}.png"
done
"$ZOETROPE" render in/tri.gltf --time 0 --size 16 --metadata full -q -o in/proof.png
mkdir in/pictures
cp in/b.png in/pictures/a.png
(cd in/pictures && cp ../a.png . && "$ZOETROPE" compare --print-hashes . >../list.txt && cp ../b.png a.png)

# ---- Runs ---------------------------------------------------------------------------------------

# command LETTER WORDS: a command with its input and more words.
command() {
  case $1 in
  R) echo "render -o o.png --size 16 --frames 0-1 $2" ;;
  T) echo "turntable -o o.png --size 16 --frames 0-2 $2" ;;
  N) echo "thumbnail -o o.png --size 16 $2" ;;
  B) echo "thumbnail --size 16 --outdir out $2" ;;
  D) echo "thumbnail --size 128 $2" ;;
  H) echo "sheet -o o.png --size 16 $2" ;;
  C) echo "compare $2" ;;
  E) echo "test $2" ;;
  F) echo "diff $2" ;;
  I) echo "inspect $2" ;;
  K) echo "check $2" ;;
  V) echo "convert -o o.glb $2" ;;
  M) echo "convert -o o.m3d $2" ;;
  Y) echo "verify $2" ;;
  esac
}

# snapshot WORD...: all that a run shows, without times, in a folder with the inputs; its code in $code.
snapshot() {
  rm -rf run
  cp -R in run
  # shellcheck disable=SC2086 # words
  (cd run && [ -z "$again" ] || "$ZOETROPE" $again >/dev/null 2>&1)
  (cd run && "$ZOETROPE" "$@" >.out 2>.err)
  code=$?
  sed -E 's/[0-9.]+ (ms|s)\b(, [0-9.]+ a second)?//g; s/"[a-z_]*(seconds|_ms|_ns)[a-z_]*": ?[0-9.]+//g' run/.out run/.err
  (cd run && find . -type f ! -name .out ! -name .err ! -name .written -exec cksum {} + | LC_ALL=C sort)
  echo "exit $code"
}

# Letters of commands (=: nothing changes, ?: it may) | input and words of both runs | flags of the second run.
while IFS='|' read -r letters words flags; do
  same=no
  case $letters in
  "#"* | "") continue ;;
  =*) same=yes letters=${letters#=} ;;
  "?"*) same=perhaps letters=${letters#?} ;;
  esac
  again=
  for letter in $(echo "$letters" | sed 's/./& /g'); do
    plain=$(command "$letter" "${words#again }")
    case $words in "again "*) again=$plain ;; esac
    # shellcheck disable=SC2086 # words
    snapshot $plain >plain.txt
    for flag in $flags; do
      echo "$letter ${flag%%=*}" >>rows.txt
      checks=$((checks + 1))
      # shellcheck disable=SC2086
      snapshot $plain $flag >flagged.txt
      [ "$code" -ne 2 ] || fail "$plain $flag: $(head -1 run/.err)"
      if cmp -s plain.txt flagged.txt; then
        [ $same != no ] || fail "$plain: $flag changes nothing"
      else
        [ $same != yes ] || fail "$plain: $flag changes something: $(diff plain.txt flagged.txt | head -3)"
      fi
    done
  done
done <<TABLE
# Which frames, and how they move.
R|tri.gltf --frames 0-3|--frames=2 --shard=2/2 --fps=10 --clip=spin --list-clips
T|tri.gltf|--frames=1 --shard=2/2 --list-clips --time=0.3 --clip=spin --count=5 --loops=2 --direction=cw --easing=smooth --elevation-to=50
T|tri.gltf --frames 1-60|--fps=10 --duration=1.5
RNH|tri.gltf|--time=0.3
N|tri.gltf --time 0.3|--clip=spin
N|tri.gltf --frames 3|--frames=2 --fps=5 --list-clips
H|tri.gltf --frames 3|--frames=2 --fps=5 --clip=spin
B|tri.gltf batch/second.gltf|--shard=2/2
E|tri-suite.yaml|--shard=2/2 --filter=one
E|moved-suite.yaml|--results=out
E|tri-suite.yaml|--against=other
I|tri.gltf --pose-json|--frames=2 --fps=10 --time=0.3 --clip=spin
V|moving.yaml|--frames=2 --fps=10 --bake-error=0.9 --one-clip

# The camera.
RNH|tri.gltf|--camera=Eye
RTNH|tri.gltf|--view=left --look-at=9,9,9 --margin=0.3 --ortho --fov=90 --zoom=2 --azimuth=70 --elevation=50
RTH|tri.gltf|--directions=4
N|hinge.m3d|--directions=4

# The picture and its light.
RTNH|tri.gltf|--size=24 --samples=1 --background=red --tone-map=aces --exposure=1 --look=clay
RTNH|tri.gltf|--supersample=4 --preset=product --light=none --ground=checker
?RTNH|tri.gltf|--space=camera
RTNH|tri.gltf --azimuth 60|--lights=camera
RTNH|tri.gltf --ground plane --elevation 60|--ground-height=-3
RTNH|mapped.obj --texture-dir away --elevation 85|--anisotropy=16
RTNH|tri.gltf|--quality=final
RTNH|tri.gltf --quality final|--light-samples=16
RTN|tri.gltf|--shutter=180 --aperture=0.1 --focus=1 --blades=5 --subframes=2
?H|tri.gltf --aperture 0.1|--shutter=180 --aperture=1 --focus=1 --blades=5 --subframes=2
RTNH|tri.gltf|--environment=$SOURCE/scenes/models/courtyard.hdr

# The model.
RTNHIV|solid.obj|--up=z
RTNH|solid.obj|--color=tomato
E|solid-suite.yaml|--up=z
RTNH|solid.obj --look-at 1,0,0|--unit=ft
IV|solid.obj|--unit=ft
E|placed-suite.yaml|--unit=ft
RTNH|kinds.gltf|--variant=red
M|kinds.gltf|--variant=red
E|kinds-suite.yaml|--variant=red
RTNHIKV|mapped.obj|--texture-dir=away
RTNHIKM|mapped.obj|--strict
E|mapped-suite.yaml|--texture-dir=away --strict
RTNHIKV|linked/mapped.obj|--follow-links
E|linked-mapped-suite.yaml|--follow-links
RTNHIKV|picture.3mf|--package-picture
E|picture-suite.yaml|--package-picture

# What is written, and where.
RTNH|tri.gltf|--output=x.png
V|tri.gltf|--output=x.glb
RTN|tri.gltf|--format=webp
RT|tri.gltf --output {plane}.png|--planes=depth
RTNH|walker.glb --size 64 --frames 1|--png=small
RTN|tri.gltf|--metadata=full
RTN|tri.gltf --format jpeg|--jpeg-quality=5
RTN|tri.gltf --format webp|--lossy=5
H|tri.gltf --planes normal|--planes=depth --bits=8 --normal-y=down
H|tri.gltf --planes depth|--depth-unit=2
RT|tri.gltf|--bits=16 --encoding=linear --depth-unit=2
RT|walker.glb --size 64 --background transparent --format gif|--dither --matte=red
RT|tri.gltf --format exr|--exr=zip
RTN|again tri.gltf --json|--resume
B|again tri.gltf --json|--skip=time
B|tri.gltf|--outdir=other --name={stem}-{dir}x --json-lines
D|tri.gltf|--freedesktop
H|tri.gltf --frames 0-5|--trim --columns=2 --max-width=40 --padding=3 --extrude=2 --captions --atlas=a.json --atlas-format=array
H|tri.gltf --frames 0-5|--pivot=Eye

# Comparison.
C|a.png b.png|--max-diff=255 --mean=255 --rms=255 --psnr=0 --pixels=99999 --share=100 --threshold=255 --ssim=-1 --flip=1
C|a.png b.png|--straight --mask=a.png --ignore=0,0,16x16 --diff=d.png --accept --html=r.html --junit=r.xml --markdown=r.md
C|a.png b.png --markdown r.md|--picture-prefix=p
C|merged.json|--merge
C|a.png b.png --json|--ignore-antialiasing
C|a.png b.png --json --flip 1|--ppd=1
C|a.png b.png --diff d.png --flip 1|--flip-diff
C|pictures|--hashes=list.txt --print-hashes
E|moved-suite.yaml|--max-diff=255 --mean=255 --rms=255 --psnr=0 --pixels=99999 --share=100 --threshold=255 --ssim=-1 --flip=1
E|moved-suite.yaml|--html=r.html --junit=r.xml --markdown=r.md
E|moved-suite.yaml --markdown r.md|--picture-prefix=p
E|moved-suite.yaml --json|--straight --ignore-antialiasing
E|moved-suite.yaml --json --flip 1|--ppd=1
E|moved-suite.yaml --filter one|--update
E|moved-suite.yaml|--list

# Two models.
F|tri.gltf renamed.gltf|--strict-names --html=r.html --junit=r.xml --markdown=r.md --json --help --help-all --print-limits
F|tri.gltf renamed.gltf --markdown r.md --results out --html r.html|--picture-prefix=p
F|tri.gltf solid.obj|--results=out
F|tri.gltf solid.obj --results out|--up=z --unit=ft --size=24
F|tri.gltf kinds.gltf|--variant=red
F|mapped.obj noted.obj|--texture-dir=away --strict --quiet
F|linked/mapped.obj noted.obj|--follow-links
F|picture.3mf tri.gltf|--package-picture

# Limits: those that hold are printed.
RTNHEFIKVY|--print-limits tri.gltf|--untrusted --max-memory=1G --max-file=9 --max-triangles=9 --max-joints=9 --max-depth=9 --max-texture=9
RTNHEFIKVY|--print-limits tri.gltf|--max-picture=9 --max-frames=9 --max-fragments=9 --max-light-samples=9 --max-samples=9 --max-rays=9 --max-output=9 --timeout=9 --sandbox=off
NH|--print-limits tri.gltf|--model-timeout=9
E|--print-limits tri-suite.yaml|--shot-timeout=9
C|--print-limits a.png b.png|--untrusted --max-memory=1G --sandbox=off

# What is printed.
RTNHKV|mapped.obj|--json --quiet --help --help-all --print-limits
I|mapped.obj|--json --help --help-all --print-limits
RTNHKV|noted.obj|--verbose
E|mapped-suite.yaml|--json --quiet --help --help-all --print-limits
E|noted-suite.yaml|--verbose
C|a.png b.png|--json --help --help-all --print-limits
Y|proof.png|--inputs=away --json --help --help-all --print-limits
?Y|proof.png|--quiet --verbose
I|tri.gltf|--full --rig --pose-json
RTH|tri.gltf|--progress=json
B|tri.gltf batch/second.gltf|--progress=json
RTNH|tri.gltf|--stats --trace=t.json
E|tri-suite.yaml|--progress=json
R|tri.gltf|--hash-stages
N|tri.gltf|--verify=0123456789abcdef
RT|tri.gltf --frames 1|--verify=0123456789abcdef

# The same pictures and lines, made in another way.
=RTNH|tri.gltf|--threads=1 --isa=scalar --no-cache --fsync
=Y|proof.png|--threads=1 --isa=scalar --no-cache
=V|tri.gltf|--threads=1
=F|tri.gltf solid.obj --results out|--threads=1 --isa=scalar --no-cache
=E|tri-suite.yaml|--threads=1 --isa=scalar --no-cache --jobs=1
=B|tri.gltf|--unordered
=B|tri.gltf batch/second.gltf|--jobs=1
=H|tri.gltf batch/second.gltf|--jobs=1
# A check prints no sizes; a model is described, and converted to glTF, with all variants; a description
# has the warnings; what -v says of the sandbox is the machine's.
=K|solid.obj|--unit=ft
=IK|kinds.gltf|--variant=red
=I|mapped.obj|--quiet
?I|mapped.obj|--verbose
=C|a.png b.png|--quiet
?F|tri.gltf solid.obj|--verbose
?C|a.png b.png|--verbose
TABLE

sed -i 's/^[BD] /N /; s/^M /V /' rows.txt
for letter in R T N H C E F I K V Y; do
  name=$(command $letter x | sed 's/ .*//')
  "$ZOETROPE" "$name" --help-all | sed -nE 's/^ +(-[a-z], |    )(--[a-z-]+).*/\2/p' | sort >listed.txt
  uniq -d listed.txt | grep . && fail "$name: a flag is listed twice"
  sed -n "s/^$letter //p" rows.txt | sort -u >tried.txt
  sort -u listed.txt | comm -23 - tried.txt >missing.txt
  [ ! -s missing.txt ] || fail "$name: no row for $(tr '\n' ' ' <missing.txt)"
  checks=$((checks + $(wc -l <listed.txt)))
done
finish
