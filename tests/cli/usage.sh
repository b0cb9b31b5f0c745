#!/bin/sh
# SPDX-License-Identifier: MIT
# Usage: commands, flags, their values, help texts.
. "$(dirname "$0")/expect.sh"

refuse 2 "no command"
refuse 2 "did you mean 'render'" rendr x
refuse 2 "did you mean 'help'" hlep
refuse 2 "unknown command 'xyzzy'" xyzzy
refuse 2 "no command before" --size 3x3
refuse 2 "did you mean 'zoetrope render model.glb'" model.glb -o x.png
refuse 2 "did you mean '--samples'" render "$tri" --sampels 4
refuse 2 "did you mean '--background'" render "$tri" --backgroud=000000
refuse 2 "unknown flag '-z'" render "$tri" -z
refuse 2 "did you mean '--environment'" render "$tri" --hdri x.hdr
refuse 2 "did you mean '--environment'" render "$tri" --env x.hdr
refuse 2 "did you mean '--size'" render "$tri" --width 5
refuse 2 "'--shrd' (did you mean '--shard'?)" render "$tri" --shrd 1/2
refuse 2 "unknown flag '--gamma' (see zoetrope render --help)" render "$tri" --gamma 2
refuse 2 "did you mean '--size'" render "$tri" -size 3x3
refuse 2 "did you mean '--help'" --hlep
refuse 2 "did you mean '--help'" render --hlep
refuse 2 "did you mean '--version'" --versio
refuse 2 "did you mean '--output'" render "$tri" -output x.png
refuse 2 "did you mean '--quiet'" render "$tri" -quite
refuse 2 "short flags are not combined" render "$tri" -qv
# Flags of other programs.
refuse 2 "did you mean '--jobs 4'" thumbnail "$tri" -j4
refuse 2 "did you mean '--threads 4'" render "$tri" -j4
refuse 2 "did you mean '--jobs'" thumbnail "$tri" -j 4
refuse 2 "did you mean '-o NAME.apng'" turntable "$tri" --gif
refuse 2 "did you mean '--columns'" sheet "$tri" --cols 3
refuse 2 "did you mean '--look wireframe'" render "$tri" --edges
refuse 2 "did you mean '--trim'" sheet "$tri" --crop
refuse 2 "did you mean '--view front'" turntable "$tri" --camera front
refuse 2 "did you mean '--filter'" test suite.yaml --grep a
refuse 2 "did you mean '--list-clips'" render "$tri" --list
refuse 2 "did you mean 'neutral'" render "$tri" --tone-map nutral
refuse 2 "did you mean 'avx2'" render "$tri" --isa avx
refuse 2 "did you mean 'small'" render "$tri" --png smal
refuse 2 "expected fast|small" render "$tri" --png medium
refuse 2 "expected none|default|full" render "$tri" --metadata all
refuse 2 "did you mean 'json'" render "$tri" --progress jsno
refuse 2 "auto, bar, lines, json or none" render "$tri" --progress foo
refuse 2 "did you mean 'rgba'" render "$tri" -o - --format rbga
refuse 2 "1 to 1024" render "$tri" --threads 100000
refuse 2 "not a flag of render (expected -o DIR/; see" render "$tri" --outdir x
refuse 2 "not a flag of compare" compare a b --size 3x3
refuse 2 "not a flag of inspect" inspect "$tri" --size 8
refuse 2 "without its value" render "$tri" --size
refuse 2 "takes no value" render "$tri" --resume=1
refuse 2 "render with 0 inputs" render
refuse 2 "render with 2 inputs (expected one, and its output as -o FILE or as a second name" render "$tri" "$tri"
refuse 2 "DIR/" render "$tri" out
refuse 2 "-o with --outdir" thumbnail "$tri" --outdir x -o y.png
refuse 2 "of many models --outdir DIR or -o DIR/" thumbnail "$tri" "$tri" x.png
refuse 2 "or MODEL OUT.png" sheet "$tri" "$tri" x.png
refuse 3 "is a folder (expected $MODELS/*.glb -o OUT.png)" sheet "$MODELS" x.png
refuse 3 "is a folder (expected --outdir DIR FOLDER)" thumbnail "$MODELS" -o x.png
refuse 2 "also as -o OUT.glb" convert "$tri"
refuse 2 "did you mean 'convert'" bake a.yaml
refuse 2 "thumbnail with 1 name (expected" thumbnail "$tri"
cp "$tri" second.gltf
refuse 2 "expected OUT.png" thumbnail "$tri" second.gltf
cmp -s "$tri" second.gltf || fail "thumbnail wrote over a model"
refuse 2 "compare with 1 input (expected" compare a
refuse 2 "inspect with 0 inputs" inspect
refuse 2 "check without a scene" check

# Values that are not what the flag takes.
while read -r flag value; do
  refuse 2 "$flag" render "$tri" "$flag" "$value"
done <<'VALUES'
--size 12,5
--size 0
--size 0x5
--size 12x
--size 12x-4
--fps 0
--fps nan
--fps 30/0
--time inf
--time 0x10
--samples 3
--light-samples 0
--light-samples 24
--light-samples 4112
--blades 2
--shutter 361
--aperture 0
--aperture f/0
--focus 0
--subframes 0
--quality best
--max-rays 0
--max-rays nan
--tone-map filmic
--preset flt
--threads 0
--threads many
--isa mmx
--shard 0/3
--shard 4/3
--shard 1
--max-memory 5X
--max-memory 18446744073709551616
--max-memory 17179869184G
--max-memory 18014398509481984K
--max-memory -1
--timeout 0
--verify xyz
--verify 0
--verify 0123456789abcde
--verify 0123456789abcdef0
--size 8X
--size 18446744073709551620x0
--elevation 90.001
--elevation -91
--fov 0.999
--fov 179.1
--zoom 0
--zoom 1001
--exposure -32.1
--exposure 33
--timeout 10000001
--view side
--up X
--format mov
VALUES

refuse 2 "--max-memory '5 '" render "$tri" --max-memory '5 '
refuse 2 "1 to 36000" turntable "$tri" --count 0
refuse 2 "1 to 36000" turntable "$tri" --count 36001
refuse 2 "above 0" turntable "$tri" --duration 0
refuse 2 "1 to 36000" turntable "$tri" --loops 0
refuse 2 "cannot be combined" turntable "$tri" --count 4 --duration 1
refuse 2 "without a clip" turntable "$tri" --clip none --loops 1
refuse 2 "ccw" turntable "$tri" --direction left
refuse 2 "-90 to 90" turntable "$tri" --elevation-to 91
refuse 2 "not a flag of render" render "$tri" --duration 1
refuse 2 "0 to 0.45" render "$tri" --margin 0.46
refuse 2 "1 to 360" render "$tri" --directions 0
refuse 2 "world|camera" render "$tri" --lights model
refuse 2 "no such bone" render "$tri" --look-at nobody
refuse 2 "cannot be combined" render "$tri" --look-at 0,0,0 --camera 0
refuse 2 "cannot be combined" render "$tri" --ortho --camera 0
refuse 2 "no orbit" render "$tri" --lights camera --camera 0
run 0 render "$tri" --time 0 --size 8x8 -q -o ends.png --margin 0.45 --directions 360
run 0 render "$tri" --time 0 --size 8x8 -q -o ends.png --margin 0 --look-at=-1,0.5,1e3
refuse 2 "0 to 255" compare a b --max-diff 256
refuse 2 "0 or more" compare a b --mean -0.1
refuse 2 "expected NAME|INDEX|all|none" render "$tri" --clip ""
# A wrong value is found before the input is looked at; the ends of a range belong to it.
refuse 2 "1 to 179" render nowhere.glb --fov 180
run 0 render "$tri" --time 0 --size 8x8 -q -o ends.png --fov 179 --elevation 90 --zoom 1000 --exposure -32
run 0 render "$tri" --time 0 --size 8x8 -q -o ends.png --fov 1 --elevation -90 --zoom 0.001 --exposure 32

# Values that the library judges.
refuse 2 "frames" render "$tri" --frames 5-1
refuse 2 "none is in the shot" render "$tri" --frames 100-200
refuse 2 "did you mean 'spin'" render "$tri" --clip spni
refuse 2 "no clip '7'" render "$tri" --clip 7
refuse 2 "did you mean 'Eye'" render "$tri" --camera Eya
refuse 2 "no camera 'front' (it is a view: did you mean '--view front'?)" render "$tri" --camera front
refuse 2 "did you mean 'right'" render "$tri" --view rihgt
refuse 2 "points up" render "$tri" --up w
refuse 2 "did you mean 'blue'" render "$tri" --background blu
refuse 2 "did you mean 'transparent'" render "$tri" --background transparnt
refuse 2 "#rgb or a CSS colour name)" render "$tri" --background "#12345"
refuse 2 "pattern" render "$tri" -o "a{frame:x}.png"
refuse 2 "both are standard output" render "$tri" -o - --json
refuse 2 "both are standard output" render "$tri" -o - --hash-stages
refuse 2 "--format without -o -" render "$tri" --format rgba
refuse 2 "as one PNG" render "$tri" --frames 0-3 -o -
refuse 2 "expected one" render "$tri" --frames 0-1 --verify 0000000000000000
refuse 2 "ends in .png" render "$tri" --time 0 -o picture.bmp
refuse 2 "ends in .png" render "$tri" --time 0 -o a/.png # a name without a suffix
refuse 2 "ends in .png" render "$tri" --frames 0-3 -o "####"
refuse 5 "1 to 16384" render "$tri" --time 0 --size 99999999999999999999x5
refuse 5 "1 to 16384" thumbnail "$tri" t.png --size 99999999999999999999
run 0 render "$tri" --time 0 --size 8X4 -q -o upper.png

# One number is a square, for every command; a colour has several names.
run 0 render "$tri" --time 0 --size 16 --background RebeccaPurple -q -o square.png --json
hash=$(sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/' .out)
for color in "#663399" 663399 "#639" 639; do
  run 0 render "$tri" --time 0 --size 16x16 --background "$color" --verify "$hash"
done

# Commands and flags of later versions do not exist yet.
refuse 3 "x.hdr: cannot open" render "$tri" --environment x.hdr
refuse 2 "cannot be combined" render "$tri" --environment x.hdr --light file

# The environment: wrong values are usage errors, flags win.
ZT_THREADS=none ZT_ISA=scalar refuse 2 "ZT_THREADS" render "$tri"
ZT_ISA=mmx refuse 2 "ZT_ISA" render "$tri"
ZT_ISA=AVX2 refuse 2 "did you mean 'avx2'" render "$tri"
ZT_ISA=mmx ZT_THREADS=none run 0 render "$tri" --time 0 --size 16x16 -q -o flags.png \
  --isa scalar --threads 1
ZT_ISA=mmx ZT_THREADS=1 refuse 2 "ZT_ISA" render "$tri" --threads 1
ZT_ISA=scalar run 0 --version
ZT_ISA=mmx ZT_THREADS=none run 0 check "$MODELS/../../../scenes/walk.yaml" # it has neither flag
ZT_ISA=scalar run 0 render "$tri" --time 0 --size 16x16 -o isa.png --json
out_has '"isa":"scalar"'

# Help: on stdout, and each command's text names every flag it takes.
run 0 --help
out_has render turntable thumbnail sheet compare inspect check convert "8 unsupported"
[ "$(wc -l <.out)" -le 36 ] || fail "--help has $(wc -l <.out) lines"
run 0 --version
out_has "zoetrope 0." "scalar" "in use"
grep -Eq "^with(out)?: .*OpenEXR" .out || fail "--version does not say whether OpenEXR is read"
for command in "" render turntable thumbnail sheet compare test diff inspect check convert; do
  # shellcheck disable=SC2086 # no word for none
  run 0 help $command
  cp .out help.txt
  # shellcheck disable=SC2086
  run 0 $command --help
  cmp -s .out help.txt || fail "help $command is not $command --help"
  [ -z "$command" ] || out_has "usage: zoetrope $command"
  [ -z "$command" ] || sed -n '/^Examples:$/,/^$/p' .out | grep -q '^  zoetrope ' || fail "$command --help has no examples"
  # Ten flags, that of the output among them, and all others by their number.
  case $(head -n 1 .out) in *"-o"*) out_has "-o, --output" ;; esac
  shown=$(grep -cE '^  (-[a-z],|   ) --' .out) more=$(sed -n 's/^\([0-9]*\) more: .*--help-all$/\1/p' .out)
  # shellcheck disable=SC2086
  run 0 $command --help-all
  [ -z "$command" ] || [ "$shown $((shown + more))" = "10 $(grep -cE '^  (-[a-z],|   ) --' .out)" ] ||
    fail "$command --help shows $shown flags and $more more"
  [ "$(awk '{ print length($0) }' .out | sort -n | tail -n 1)" -le 100 ] || fail "$command --help has a line above 100"
  grep -q ' $' .out && fail "$command --help has spaces at the end of a line"
done
refuse 2 "did you mean 'render'" help rendr
refuse 2 "help with 2 words" help render check

# With --json a failure has its document too, whichever word was wrong.
if command -v python3 >/dev/null; then
  echo "not a model" >bad.glb
  number=0
  while read -r code arguments; do
    # shellcheck disable=SC2086 # several words
    run "$code" $arguments
    number=$((number + 1))
    cp .out "failure$number.json"
    cp .err "failure$number.err"
    echo "$number $code $arguments" >>failures.txt
  done <<'FAILURES'
2 render --json
2 render x.glb --size 3x --json
2 turntable bad.glb --json --count x
3 render nowhere.glb --json
3 turntable nowhere.glb --json
4 render bad.glb --json
4 thumbnail bad.glb t.png --json
2 thumbnail bad.glb --json
4 inspect bad.glb --json
2 inspect --json
2 check --json
2 compare one.png --json
FAILURES
  python3 -c 'import json
for number, code, command, *words in map(str.split, open("failures.txt")):
    d = json.load(open(f"failure{number}.json"))
    assert d["command"] == command and d["zoetrope"].startswith("0."), d
    assert d["code"] == int(code) and d["message"], d
    assert open(f"failure{number}.err").read() == "zoetrope: " + d["message"] + "\n", d' ||
    fail "a failure has no document, or another message in it"
fi
run 0 render --help-all
for flag in --size --frames --fps --time --clip --list-clips --camera --azimuth --elevation --fov \
  --zoom --view --up --samples --background --tone-map --exposure --variant --texture-dir --threads --isa \
  --shard --resume --strict --max-memory --timeout --fsync --json --progress --stats --png --verify \
  --format --output --quiet --verbose; do
  out_has "$flag"
done
for flag in --count --outdir --diff; do
  grep -qF -- "$flag" .out && fail "render --help speaks of $flag"
done

# What people type that know other programs.
while read -r given meant; do
  refuse 2 "did you mean '$meant'" render "$tri" $given
done <<'END'
--transparent --background transparent
--wireframe --look wireframe
--shadow --ground shadow
-j --threads
END
refuse 2 "did you mean '--version'" version
prints 0 "instruction sets:" -V
warns 0 "--size is given more than once: the last one counts" thumbnail "$tri" twice.png --size 8 --clip rise --clip spin --size 8
run 0 thumbnail "$tri" twice.png --size 8 -q --quiet
finish
