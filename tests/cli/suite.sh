#!/bin/sh
# SPDX-License-Identifier: MIT
# test: suites of shots, their goldens, selections, reports and interrupts.
. "$(dirname "$0")/expect.sh"
cp "$MODELS/triangle.gltf" tri.gltf
cat >suite.yaml <<'END'
format: 1
defaults: { file: tri.gltf, size: 32, time: 0 }
criteria: { max_diff: 0 }
shots:
  - { name: a/front }
  - { name: a/turned, azimuth: 30 }
  - { name: a/more, azimuth: 60 }
  - { name: clear, background: transparent, size: [40, 24] }
END
# Nothing is accepted unseen: without goldens every shot fails, and says how to accept it.
prints 1 "a/front: there is no golden: goldens/a/front.png" test suite.yaml
out_has "to accept: zoetrope test suite.yaml --update a/front" "4 of 4 differ: 4 new"
is_file results/a/front.png results/clear.png
no_file goldens
refuse 2 "--update without names" test suite.yaml --update
refuse 2 "did you mean 'a/front'" test suite.yaml a/frnot --update
run 0 test suite.yaml --update a/front
is_file goldens/a/front.png
no_file goldens/a/turned.png
run 0 test suite.yaml --update --filter '*'
out_has "a/front: the golden is the same" "clear: the golden is new"
prints 0 "all 4 pass" test suite.yaml
no_file results/a/front.png results/clear.png
# A picture is the one that render makes, also when one scene served several shots.
for shot in turned:30 more:60; do
  run 0 render tri.gltf --size 32x32 --time 0 --azimuth "${shot#*:}" -q -o alone.png
  run 0 compare alone.png "goldens/a/${shot%:*}.png"
done
run 0 test suite.yaml --threads 1
run 0 test suite.yaml --threads 3 --isa scalar
# A variant is that of its shot alone, whatever was rendered before by the same thread.
sed -e 's/"indices": 1, "material": 0/&, "extensions": {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}}/' \
  -e 's/"materials": \[/&{"name": "plain"}, /' \
  -e 's/"scene": 0,/"extensionsUsed": ["KHR_materials_variants"], "extensions": {"KHR_materials_variants": {"variants": [{"name": "red"}]}}, &/' \
  tri.gltf >kinds.gltf
printf 'format: 1\nresults: kinds-out\ndefaults: { file: kinds.gltf, size: 32, time: 0 }\nshots:\n  - { name: red, variant: red }\n  - { name: plain, azimuth: 1 }\n' >kinds.yaml
run 1 test kinds.yaml --threads 1
run 0 render kinds.gltf --size 32x32 --time 0 --azimuth 1 -q -o alone.png
run 0 compare alone.png kinds-out/plain.png
run 0 render kinds.gltf --size 32x32 --time 0 --variant red -q -o alone.png
run 0 compare alone.png kinds-out/red.png
run 1 compare kinds-out/plain.png kinds-out/red.png

# A triangle from its side shows nothing, which is said of its picture alone.
printf 'format: 1\nresults: blank-out\ndefaults: { file: tri.gltf, size: 32, time: 0, ground: none, background: transparent }\nshots:\n  - { name: side, azimuth: 90, elevation: 0 }\n  - { name: front, azimuth: 0 }\n' >blank.yaml
run 1 test blank.yaml --json
[ "$(grep -o '"blank":[a-z]*' .out | tr '\n' ' ')" = '"blank":true "blank":false ' ] || fail "blank pictures: $(cat .out)"

# Selections. Shards are parts of what is selected.
prints 0 "all 3 pass" test suite.yaml --filter 'a/*' -v
run 0 test suite.yaml --filter 'a/*' --shard 2/2 -v
out_has "1 of 1 passes" "a/turned: equal"
prints 0 "all 2 pass" test suite.yaml a/more clear
refuse 2 "no shot of suite.yaml matches" test suite.yaml --filter 'x*'
run 0 test suite.yaml --list --filter 'a/*' --results unmade
[ "$(tr '\n' ' ' <.out)" = "a/front a/turned a/more " ] && [ ! -s .err ] || fail "--list"
no_file unmade
warns 2 "--list with --json" test suite.yaml --list --json

# Every flag of render that decides a picture is a key of shots, which makes the same picture.
flags=$(sed -n '/^### Shot/,/^### Sheet/s/^| `--\([a-z-]*\)[ `].* | R .*/\1/p' "$SOURCE/docs/cli.md")
[ "$(echo "$flags" | wc -w)" -gt 25 ] || fail "the flags of render were not found"
for flag in $flags; do
  case $flag in frames | list-clips | strict) continue ;; esac # `frame` is a key; those are of the run
  printf 'format: 1\nshots: [ { name: a, file: tri.gltf, %s: {} } ]\n' "$(echo "$flag" | tr - _)" >key.yaml
  warns 4 "key.yaml:2:" test key.yaml
  ! grep -q "unknown key" .err || fail "no key for --$flag"
done
mkdir tex
"$ZOETROPE" render tri.gltf --time 0 --size 8 -q -o tex/dot.png
printf 'mtllib m.mtl\nusemtl m\nvt 0 0\nvt 1 0\nvt 0 1\nv 0 0 0\nv 2 0 0\nv 0 3 1\nf 1/1 2/2 3/3\n' >m.obj
printf 'newmtl m\nmap_Kd dot.png\n' >m.mtl
cp "$MODELS/picture.3mf" .
grep -v mtl m.obj >bare.obj
cat >keys.yaml <<'END'
format: 1
results: keys-out
defaults: { file: tri.gltf, size: 32, time: 0, azimuth: 50 }
shots:
  - { name: plain }
  - { name: ortho, ortho: true }
  - { name: margin, margin: 0.3 }
  - { name: point, look_at: [0.5, 1e-1, 0] }
  - { name: bone, look_at: Eye }
  - { name: lights, lights: camera }
  - { name: directions, directions: 8 }
  - { name: ground, ground: checker }
  - { name: height, ground: checker, ground_height: -0.5 }
  - { name: obj, file: m.obj }
  - { name: up, file: m.obj, up: z }
  - { name: unit, file: m.obj, unit: mm }
  - { name: textures, file: m.obj, texture_dir: tex }
  - { name: package, file: picture.3mf, package_picture: true }
  - { name: bare, file: bare.obj }
  - { name: color, file: bare.obj, color: teal }
END
run 1 test keys.yaml --json
sed 's/"render":"/\n&/g' .out | sed -n 's/^"render":"\(zoetrope [^"]*\)".*/\1/p' >commands
[ "$(wc -l <commands)" -ge 16 ] || fail "$(cat commands)"
while read -r line; do
  name=${line##*keys-out/}
  eval "$(echo "$line" | sed "s|^zoetrope|$ZOETROPE|; s|-o .*|-q -o again.png|")"
  run 0 compare again.png "keys-out/$name"
done <commands
for pair in ortho:plain margin:plain point:plain bone:plain lights:plain directions:plain height:ground up:obj textures:obj color:bare; do
  run 1 compare "keys-out/${pair#*:}.png" "keys-out/${pair%:*}.png"
done
printf 'format: 1\nshots: [ { name: a, file: m.obj, texture_dir: elsewhere } ]\n' >bad.yaml
ln -s "$MODELS" elsewhere
refuse 3 "'elsewhere' lies outside the suite's folder" test bad.yaml --untrusted
printf 'format: 1\nshots: [ { name: a, file: m.obj, texture_dir: ../out } ]\n' >bad.yaml
refuse 3 "'../out' lies outside the folder of this file (expected a path in it)" test bad.yaml --untrusted

# What differs, by which criterion, with reports.
sed 's/azimuth: 30/azimuth: 34/; s/azimuth: 60/azimuth: 61, criteria: { max_diff: 255, share: 50 }/
  s/size: \[40, 24\]/size: [40, 25]/' suite.yaml >changed.yaml
echo '  - { name: "b&'"'"' é", azimuth: 80 }' >>changed.yaml
echo '  - { name: broken, clip: no such }' >>changed.yaml
run 4 test changed.yaml --html report/index.html --junit report/junit.xml
out_has "a/turned: max" "is above 0" "clear: pictures of different size: 40 x 24 and 40 x 25"
out_has "to accept: zoetrope test changed.yaml --update 'b&'\\'' é'"
out_has "4 of 6 differ: 1 changed, 1 new, 1 of another size, 1 with an error"
err_has "changed.yaml:10:5: shot broken: no clip 'no such'"
is_file results/a/turned.png results/a/turned.diff.png results/clear.diff.png report/index.html report/junit.xml
no_file results/a/turned.diff.png.tmp results/a/front.png
grep -q 'differences 40 x 24' report/index.html || fail "what two sizes have in common is not shown"
if command -v xmllint >/dev/null; then
  xmllint --noout report/junit.xml || fail "JUnit is no XML"
  xmllint --html --noout report/index.html 2>.errors
  # Tags that it does not know yet are no fault.
  ! grep -v 'Tag .* invalid' .errors | grep -q 'error :' || fail "the page is malformed"
fi
grep -q '<failure message="max [0-9]* is above 0" type="changed">' report/junit.xml || fail "JUnit: no rule"
grep -qF '[[ATTACHMENT|results/a/turned.diff.png]]' report/junit.xml || fail "JUnit: no attachment"
grep -q 'tests="6" failures="3" errors="1"' report/junit.xml || fail "JUnit: counts"
grep -qF '<bdi>b&amp;&#39; é</bdi>' report/index.html || fail "the page does not escape names"
# shellcheck disable=SC2016 # no expansion
[ -z "$(grep -oE '(src|href)="[^"#]{1,20}' report/index.html | grep -v 'data:image/png')" ] ||
  fail "the page refers to something outside of it"
run 0 test changed.yaml a/turned --max-diff 255
prints 1 "ssim" test changed.yaml a/turned --max-diff 255 --ssim 1
run 4 test changed.yaml --json
python -c 'import json, sys
d = json.load(open(sys.argv[1]))
by = {r["name"]: r for r in d["results"]}
assert [r["class"] for r in d["results"]] == ["passed", "changed", "passed", "size", "new", "error"], d
assert d["code"] == 4 and d["failed"] == 4 and d["counts"]["new"] == 1, d
assert by["a/turned"]["metrics"]["max"] > 0 and by["a/front"]["metrics"]["psnr"] is None
assert by["clear"]["golden_size"] == [40, 24] and by["broken"]["golden_hash"] is None
try:
    import jsonschema
    jsonschema.validate(d, json.load(open(sys.argv[2])))
except ImportError:
    pass' .out "$SOURCE/docs/test.schema.json" || fail "test --json"

# Shards, merged, are one run. Their pictures are those in the folder of each document.
for i in 1 2; do "$ZOETROPE" test changed.yaml --shard $i/2 --json 2>.err >s$i.json; done
run 4 compare --merge s1.json s2.json -o merged.html --markdown all.md --picture-prefix 'https://x/a b|"&'
out_has "4 of 6 differ: 1 changed, 1 new, 1 of another size, 1 with an error" "a/turned: max"
for page in report/index merged; do grep -o 'base64,[^"]*' $page.html | sort >$page.pictures; done
cmp -s report/index.pictures merged.pictures || fail "the page of shards has other pictures"
mkdir sub
sed 's#"\(results\|goldens\)/#"../\1/#g' s2.json >sub/s2.json
run 4 compare --merge sub/s2.json -o sub.html --sandbox off
! grep -q 'base64,' sub.html || fail "a document shows pictures outside of its folder"
# shellcheck disable=SC2016 # no expansion
sed 's#"name":"a/turned"#"name":"@x |[l](h) <b>`*\\n"#' s2.json >named.json
run 4 compare --merge named.json --markdown named.md
for line in '| changed | <code>&#64;x &#124;&#91;l&#93;&#40;h&#41; &#60;b&#62;&#96;&#42;&#63;</code> | <code>max ' \
  'src="https://x/a%20b%7C%22&results/a/turned.diff.png"> |' '2 passed'; do
  cat all.md named.md | grep -qF "$line" || fail "Markdown: no '$line'"
done
{
  printf '{"title":"t","results":['
  awk '/"class":"new"/ { for (sub(/\],"total.*/, ""); i < 3000; i++) { print (i ? "," : "") $0; sub(/"name":"/, "&é") } }' s1.json
  printf '],"seconds":1,"code":1}'
} >many.json
run 1 compare --merge many.json --markdown many.md
[ "$(wc -c <many.md)" -lt 60000 ] && grep -q '^\.\.\. and 2[0-9]* more' many.md || fail "Markdown: $(wc many.md)"
refuse 4 "s1.json and s1.json: both have 'a/front'" compare --merge s1.json s1.json
refuse 2 "--junit 's1.json' (expected the name of a report)" compare --merge s1.json --junit s1.json
while IFS='!' read -r place edit; do
  sed "$edit" s2.json >bad.json
  refuse 4 "bad.json:$place" compare --merge s1.json bad.json -o bad.html
done <<'END'
/results: none!s/"results"/"result"/
/results/0/name!s/"name":"/"name":null,"x":"/
/results/0/class!s/"changed"/"moved"/
/results/0/code!s/"code":1,/"code":0,/
/results/0/code!s/"code":1,/"code":300,/
/results/0/golden!s/"golden":"/"golden":1,"x":"/
/results/0/max!s/"max":/"max":1e99,"x":/
/results/0/mean!s/"mean":/"mean":"1","x":/
/results/0/compared!s/"compared":/"compared":0.5,"x":/
/results/0/golden_hash!s/"golden_hash":"/&x/
/results/0/golden_size!s/"golden_size":\[/&1e9,/
/results/0/blank!s/"blank":false/"blank":0/
END
run 0 test changed.yaml --update a/turned clear
run 0 test changed.yaml --filter '[ac]*'
# A command of the report makes the picture again.
run 0 test suite.yaml --update a/turned
run 1 test changed.yaml a/turned --json
eval "$(sed -n 's/.*"render":"\(zoetrope [^"]*\)".*/\1/p' .out | sed "s|^zoetrope|$ZOETROPE|; s|-o .*|-q -o again.png|")"
run 0 compare again.png results/a/turned.png

# Faults of suites are named where they are.
bad() { # CODE TEXT LINE...
  expected=$1 said=$2
  shift 2
  printf 'format: 1\n' >bad.yaml
  printf '%s\n' "$@" >>bad.yaml
  refuse "$expected" "$said" test bad.yaml
}
bad 4 "bad.yaml:2:12: unknown key 'azimut' in shot (did you mean 'azimuth'?)" 'shots: [ { azimut: 3 } ]'
bad 4 ", zoom, up, unit, texture_dir, package_picture, color)" 'shots: [ { qqqqqqqq: 3 } ]'
bad 4 "bad.yaml:2:1: unknown key 'golden' in suite (did you mean 'goldens'?)" 'golden: x' 'shots: []'
bad 4 "bad.yaml:2:8: found a list (expected a list of shots)" 'shots: []'
bad 4 "bad.yaml:2:30: found 'best' (expected one of fast, final" 'shots: [ { name: a, quality: best } ]'
bad 4 "bad.yaml:2:29: found '33' (expected a whole number from 3 to 32)" 'shots: [ { name: a, blades: 33 } ]'
bad 4 "found '24' (expected a multiple of 16, 16 to 4096)" 'shots: [ { name: a, light_samples: 24 } ]'
bad 4 "no key 'file' in shot or defaults" 'shots: [ { name: a } ]'
bad 4 "the name 'a/0001' is used twice" 'shots: [ { name: a, file: x, frames: 0-2 }, { name: a/0001, file: x } ]'
bad 4 "the name 'a' is used twice" 'defaults: { file: tri.gltf }' 'shots: [ { name: a }, { name: a } ]'
bad 4 "begins with '/', '.' or '-'" 'shots: [ { name: ../a, file: tri.gltf } ]'
bad 4 "cannot have everywhere" 'shots: [ { name: "a:b", file: tri.gltf } ]'
bad 4 "unknown key 'max_dif' in criteria" 'criteria: { max_dif: 3 }' 'shots: [ { name: a, file: tri.gltf } ]'
bad 4 "goldens and results are both" 'goldens: x' 'results: x' 'shots: [ { name: a, file: tri.gltf } ]'
# Goldens are never taken for results, whatever the folders are called.
ln -s goldens link
for results in goldens ./goldens a/../goldens "$work/goldens" link link/; do
  mkdir -p a
  refuse 4 "suite.yaml:1:1: goldens and results are both '$work/goldens'" test suite.yaml --results "$results"
done
is_file goldens/a/front.png
ln -s "$MODELS" outside
printf 'format: 1\nresults: outside\nshots: [ { name: a, file: tri.gltf } ]\n' >bad.yaml
refuse 3 "'outside' lies outside the suite's folder" test bad.yaml --untrusted
bad 4 "the shot 'goldens/a' would be where pictures of 'goldens' are" 'results: .' 'defaults: { file: tri.gltf }' \
  'shots: [ { name: goldens/a } ]'
bad 4 "the shot 'x/y/a' would be where" 'goldens: none' 'results: none/x/y' 'shots: [ { name: x/y/a, file: tri.gltf } ]'
refuse 4 "cannot be found out" test suite.yaml --results none/../goldens
run 0 test suite.yaml a/front --results new/folder/results
run 0 test suite.yaml a/front --results goldens2
printf 'format: 1\nshots: [ { name: a, file: none.gltf } ]\n' >bad.yaml
warns 3 "none.gltf" test bad.yaml
refuse 3 "none.yaml" test none.yaml
refuse 2 "test without a suite" test
run 0 check suite.yaml
refuse 3 "none.gltf" check bad.yaml

# A golden that cannot be read is not a missing one, and what is left of an earlier run goes.
rm -rf results goldens/clear.png
run 1 test suite.yaml
is_file results/clear.png
echo x >goldens/clear.png
warns 4 "goldens/clear.png" test suite.yaml
no_file results/clear.png
# A list that a suite brings along makes none of its files ours.
mkdir brought
cp tri.gltf brought
printf 'format: 1\nresults: .\nshots: [ { name: skin, file: tri.gltf, size: 16 } ]\n' >brought/suite.yaml
run 1 test brought/suite.yaml
mkdir brought/goldens
cp brought/skin.png brought/goldens
cp -r brought copied
echo skin.png >>copied/.written
run 0 test copied/suite.yaml
is_file copied/skin.png
run 0 test brought/suite.yaml
no_file brought/skin.png
ln -sf loop.png goldens/loop.png
sed 's/name: clear/name: loop/' suite.yaml >loop.yaml
warns 3 "goldens/loop.png: cannot open: Too many levels" test loop.yaml
rm goldens/loop.png
mkfifo goldens/loop.png
warns 3 "goldens/loop.png is a pipe or device" test loop.yaml

refuse 2 "--html - (expected a file" test suite.yaml --html -
refuse 2 "--html and --junit are both 'x'" test suite.yaml --html x --junit x
refuse 2 "--html 'suite.yaml' (expected the name of a report)" test suite.yaml --html suite.yaml
# Folders of a suite are shown in their line, which cannot control a terminal.
printf 'format: 1\nresults: "r\\e[31m\\nX"\ngoldens: "g\\u009b31m"\nshots: [ { name: a, file: tri.gltf } ]\n' >marks.yaml
run 1 test marks.yaml
out_has "picture: r?[31m?X/a.png" "there is no golden: g?31m/a.png"
# A report that cannot be written; the highest code counts; and no half of one after a signal.
prints 6 '"code":6}' test suite.yaml a/front --html /dev/null/x.html --json
echo BLENDER >model.blend
printf 'format: 1\nshots: [ { name: a, file: model.blend } ]\n' >bad.yaml
run 8 test bad.yaml --html /dev/null/x.html
run 5 test suite.yaml --timeout 0.000001 --html late.html --junit late.xml
no_file late.html late.xml
{
  printf 'format: 1\ndefaults: { file: tri.gltf, size: 700, samples: 16 }\nshots:\n'
  for i in 1 2 3 4 5 6 7 8 9; do for k in 1 2 3 4 5 6 7 8 9; do printf '  - { name: n/%s%s }\n' $i $k; done; done
} >long.yaml
"$ZOETROPE" test long.yaml --html late.html >.out 2>.err &
pid=$!
sleep 0.3
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || fail "SIGTERM: not exit 143"
no_file late.html
[ -z "$(find . -name '.*.tmp-*')" ] || fail "temporary files are left"

# No link leads out of an untrusted suite's folder, and results and goldens are written in theirs, whoever
# wrote the suite.
mkdir -p victim own/deep
cp tri.gltf victim/secret.gltf
cp tri.gltf own/deep/m.gltf
cp tri.gltf victim/m.gltf
printf 'format: 1\nmodels: [ { file: m.gltf } ]\n' >victim/scene.yaml
cp victim/scene.yaml own/deep/inside.yaml
cp "$SOURCE/scenes/models/courtyard.hdr" victim/sky.hdr
ln -s ../victim/secret.gltf own/l.gltf
ln -s ../victim own/out
ln -s ../victim/sky.hdr own/sky.hdr
ln -s deep own/near
suite_of() { printf 'format: 1\ndefaults: { size: 16 }\nshots: [ { name: a, %s } ]\n' "$1" >own/suite.yaml; }
for shot in 'file: l.gltf' 'file: out/secret.gltf' 'file: out/scene.yaml' 'file: deep/m.gltf, environment: sky.hdr' \
  'file: deep/m.gltf, light: sky.hdr'; do
  suite_of "$shot"
  warns 3 "leads out of its folder" test own/suite.yaml --untrusted
  no_file own/results/a.png
  run 1 test own/suite.yaml
done
suite_of 'file: near/inside.yaml'
run 1 test own/suite.yaml --untrusted
is_file own/results/a.png
cp own/results/a.png victim/golden.png
mkdir own/goldens
ln -s ../../victim/golden.png own/goldens/a.png
run 0 test own/suite.yaml
run 3 test own/suite.yaml --untrusted
rm own/goldens/a.png
# Planes have goldens of their own; one pixel that moves in depth is seen.
cat >planes.yaml <<SUITE
format: 1
defaults: { file: "$tri", size: 24, frame: 0 }
shots: [ { name: depth, plane: depth }, { name: color }, { name: normal, plane: normal }, { name: bone, plane: id } ]
SUITE
run 0 test planes.yaml --update all
run 0 test planes.yaml
[ "$(md5sum goldens/depth.png goldens/color.png goldens/normal.png goldens/bone.png | cut -c 1-32 | sort -u | wc -l)" -eq 4 ] ||
  fail "planes have one golden"
sed -i 's/plane: normal/plane: uv/' planes.yaml
run 1 test planes.yaml
sed -i 's/plane: uv/plane: nomal/' planes.yaml
refuse 4 "planes.yaml:3:" test planes.yaml
# Ids count whole: the triangle is a later node each time.
printf 'format: 1\nshots: [ { name: id, file: ids.gltf, size: 24, frame: 0, plane: id } ]\n' >ids.yaml
for node in 255 65535 131071; do
  awk -v n=$node '/"nodes": \[\{/ { for (i = 0; i < n; i++) empty = empty "{},"; sub(/\[/, "[" empty) }
    { sub(/\[0, 1\]/, "[" n "]"); print }' "$tri" >ids.gltf
  run 1 test ids.yaml
  run 0 test ids.yaml --update all
done
for name in front front.diff; do cp victim/golden.png victim/$name.png; done
suite_of 'file: deep/m.gltf, mask: out/golden.png'
warns 3 "leads out of its folder" check own/suite.yaml --untrusted
cp -r victim before
mkdir -p own/results
ln -s ../../victim own/results/sub
printf 'format: 1\nshots: [ { name: sub/front, file: deep/m.gltf, size: 20 } ]\n' >own/suite.yaml
for flags in --untrusted '--sandbox off' '--sandbox off --untrusted'; do
  # shellcheck disable=SC2086
  warns 6 "folders that are no links" test own/suite.yaml $flags
done
ln -s ../../victim own/goldens/sub
run 6 test own/suite.yaml --update sub/front --sandbox off
diff -r before victim >/dev/null || fail "test writes to another folder through a link"
mkdir -p pictures/sub
"$ZOETROPE" thumbnail tri.gltf pictures/sub/front.png --size 8 -q
run 6 compare own/goldens pictures --sandbox off --accept sub/front.png
mkdir differences
ln -s ../victim differences/sub
mkdir -p one/sub
"$ZOETROPE" thumbnail tri.gltf one/sub/front.png --size 8 --azimuth 70 -q
run 6 compare one pictures --sandbox off --diff differences
ln -s ../../victim/secret.png pictures/sub/link.png
cp victim/front.png victim/secret.png
cp victim/secret.png before
run 0 compare --print-hashes victim/front.png
hash=$(cut -d' ' -f1 .out)
printf '%s  sub/link.png\n' "$hash" >sums
printf '%s  ../victim/front.png\n' "$hash" >>sums
run 0 compare --hashes sums pictures --sandbox off
run 3 compare --hashes sums pictures --sandbox off --untrusted
diff -r before victim >/dev/null || fail "compare writes to another folder through a link"

# check refuses what test refuses, with the line of the shot; criteria of a shot replace the suite's.
bad() { printf 'format: 1\nshots:\n  - { name: good, file: tri.gltf }\n  - { name: b, %s }\n' "$1" >named.yaml; }
while read -r code shot; do
  bad "$shot"
  for command in check test; do
    warns "$code" "named.yaml:4:5: shot b: " $command named.yaml
  done
done <<'END'
4 file: tri.gltf, clip: nowhere
4 file: tri.gltf, camera: nowhere
4 file: tri.gltf, frame: 4000
3 file: nowhere.gltf
3 file: tri.gltf, environment: nowhere.hdr
END
cp goldens/a/front.png mask.png # 32 x 32
while IFS='|' read -r code said shot; do
  bad "file: tri.gltf, $shot" # for the rest as the shot before it
  refuse "$code" "named.yaml:4:$said" check named.yaml
done <<'END'
3|5: shot b: none.png: cannot open|mask: none.png
4|5: shot b: tri.gltf:0: not a picture|mask: tri.gltf
4|5: shot b: the mask mask.png is not 1280 x 720|mask: mask.png
4|5: shot b: ignore -3,0,3x9 is outside of|ignore: [[3, 3, 99, 9], "15,15,1x1;-3,0,3x9"]
4|41: found '1' (expected rectangles|ignore: [1, 2, 3]
4|5: shot b/4000: frame 4000 is not in|frames: "1,4000"
4|40: frames '3-1': column 4|frames: 3-1
4|32: frame and frames cannot be combined|frames: 1-3, frame: 2
5|40: frames '0-999999999': more than|frames: 0-999999999
5|5: too many shots|frames: 0-99999
END
# A shot for each frame. What compare leaves out is left out, wherever a mask is.
mkdir in
cp tri.gltf in
cat >in/left.yaml <<'END'
format: 1
defaults: { file: tri.gltf, size: 32, frames: 0-20x10, ignore: [0, 12, 30, 9] }
shots:
  - { name: ü }
  - { name: plain, frame: 0 }
  - { name: masked, frame: 0, mask: ../mask.png, ignore: [[20, 0, 2, 9], "1,1,1x1;0,14,32x3"] }
END
run 0 test in/left.yaml --update all
refuse 2 "only in its Unicode normal form (NFC and NFD)" test in/left.yaml "$(printf 'u\314\210/0010')"
prints 0 "ü/0020" test in/left.yaml --list --filter '?*/00[02]0'
[ "$(wc -l <.out)" -eq 2 ] || fail "a shot for each frame: $(cat .out)"
run 0 render tri.gltf --size 32 --frames 10 -q -o alone.png
run 0 compare alone.png in/goldens/ü/0010.png
sed -i 's/0-20x10/0-20x10, azimuth: 70/' in/left.yaml
while read -r name flags; do
  run 1 test in/left.yaml "$name" --json
  seen=$(grep -oE '"(compared|pixels|max)":[0-9]+' .out | sort)
  run 1 compare "in/goldens/$name.png" "in/results/$name.png" --json $flags
  [ "$(grep -oE '"(compared|pixels|max)":[0-9]+' .out | sort)" = "$seen" ] || fail "$name is not compared as compare does: $seen"
done <<'END'
plain --ignore 0,12,30x9
masked --mask mask.png --ignore 20,0,2x9;1,1,1x1 --ignore 0,14,32x3
END
sed -i 's/0, 12, 30, 9/0, 0, 32, 32/' in/left.yaml
warns 4 "5:5: shot plain: mask and ignore leave no pixel" test in/left.yaml plain
printf 'format: 1\ncriteria: { max_diff: 0 }\nshots: [ { name: loose, file: tri.gltf, size: 16, criteria: { mean: 255 } } ]\n' >loose.yaml
run 0 test loose.yaml --update loose
sed 's/size: 16/size: 16, azimuth: 60/' loose.yaml >turned.yaml
run 0 test turned.yaml
run 0 check turned.yaml

# all and missing; --accept is --update, and for compare the other way round.
printf 'format: 1\ngoldens: words\ndefaults: { file: tri.gltf, size: 16 }\nshots: [ { name: a }, { name: b, azimuth: 20 } ]\n' >words.yaml
run 0 test words.yaml --update a
run 0 test words.yaml --accept missing --json
[ "$(grep -o '"class"' .out | wc -l)" -eq 1 ] || fail "missing is not b alone: $(cat .out)"
run 0 test words.yaml --update missing
run 0 test words.yaml --accept all --json
[ "$(grep -o '"class"' .out | wc -l)" -eq 2 ] || fail "all is not both"
mkdir -p made/new
cp words/a.png made/b.png
cp words/a.png made
cp words/a.png made/new/c.png
run 0 compare words made --update missing
cmp -s words/new/c.png made/new/c.png && ! cmp -s words/b.png made/b.png || fail "--update missing takes over others"
run 0 compare words made --accept all
cmp -s words/b.png made/b.png || fail "--accept all leaves one out"
run 0 compare words made --accept missing

# A shot that takes minutes costs itself alone.
awk -v nodes=20000 -v mode=BLEND -f "$MODELS/../many_nodes.awk" </dev/null >slow.gltf
printf 'format: 1\ngoldens: slow\ndefaults: { size: 256, samples: 16 }\nshots: [ { name: a, file: tri.gltf, size: 16 }, { name: b, file: slow.gltf }, { name: c, file: tri.gltf, size: 16 } ]\n' >slow.yaml
run 0 test slow.yaml --update a c
prints 5 '"message":"b: slow.gltf: stopped by --shot-timeout (after 4 s)"' test slow.yaml --shot-timeout 4 --json
[ "$(grep -c '"class":"passed"' .out)" -eq 2 ] || fail "a slow shot costs others: $(cat .out)"
refuse 2 "--shot-timeout" render tri.gltf --shot-timeout 4 -o none.png
finish
