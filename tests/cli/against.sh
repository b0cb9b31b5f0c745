#!/bin/sh
# SPDX-License-Identifier: MIT
# test --against: two checkouts of one suite; lists of hashes.
. "$(dirname "$0")/expect.sh"
mkdir -p new/tests new/.git
cp "$MODELS/triangle.gltf" new/tests/tri.gltf
cat >new/tests/suite.yaml <<'END2'
format: 1
hashes: hashes.txt
defaults: { file: tri.gltf, size: 32, time: 0 }
shots:
  - { name: a/front }
  - { name: a/turned, azimuth: 10 }
  - { name: clear, background: transparent, size: [40, 24] }
END2
# A list of hashes stands for the goldens: no picture is stored.
run 1 test new/tests/suite.yaml
out_has "a/front: there is no line in new/tests/hashes.txt" "3 of 3 differ: 3 new"
prints 0 "a/front: the line is new" test new/tests/suite.yaml --update all
[ "$(cut -d ' ' -f 2,3 new/tests/hashes.txt | tr '\n' ' ')" = "32x32 a/front 32x32 a/turned 40x24 clear " ] ||
  fail "hashes.txt: $(cat new/tests/hashes.txt)"
prints 0 "all 3 pass" test new/tests/suite.yaml
no_file new/tests/goldens new/tests/results
run 0 render new/tests/tri.gltf --size 32 --time 0 --azimuth 10 -q -o turned.png --json
grep -q "\"$(sed -n 's/ .* a.turned//p' new/tests/hashes.txt)\"" .out || fail "another hash than that of render"
cp -r new old
sed 's/azimuth: 10/azimuth: 14/; s/size: .40, 24./size: [40, 25]/' old/tests/suite.yaml >new/tests/suite.yaml
run 1 test new/tests/suite.yaml
out_has "a/turned: its pixel hash is not that of new/tests/hashes.txt" "to accept: zoetrope test new/tests/suite.yaml --update a/turned"
is_file new/tests/results/a/turned.png new/tests/results/clear.png
run 0 test new/tests/suite.yaml --update a/turned
[ "$(diff old/tests/hashes.txt new/tests/hashes.txt | grep -c '^>')" -eq 1 ] || fail "more lines than one are new"
# Lines keep their order, and those of other shots; those of shots that went go.
echo '0123456789abcdef 8x8 zzz' >>new/tests/hashes.txt
run 0 test new/tests/suite.yaml --update --filter '*' --shard 2/2
[ "$(wc -l <new/tests/hashes.txt)" -eq 3 ] || fail "lines of shots that went stay"
for line in '<<<<<<< HEAD' 'x' '0123456789abcdef 8x0 clear' '0123456789abcdef 8 clear' '0123456789ABCDEF 8x8 clear' \
  "$(sed -n 1p new/tests/hashes.txt)"; do
  cp new/tests/hashes.txt kept.txt
  echo "$line" >>new/tests/hashes.txt
  refuse 4 "new/tests/hashes.txt:4: '" test new/tests/suite.yaml
  mv kept.txt new/tests/hashes.txt
done
# A golden that is there as well counts for nothing; links and pipes are no lists.
mkdir new/tests/goldens
cp new/tests/results/a/turned.png new/tests/goldens/clear.png
prints 1 "clear: its pixel hash is not that of new/tests/hashes.txt" test new/tests/suite.yaml
! grep -q "pixels differ" .out || fail "a hash says how much: $(cat .out)"
rm -r new/tests/goldens
mv new/tests/hashes.txt hashes.txt
mkfifo new/tests/hashes.txt
refuse 3 "new/tests/hashes.txt" test new/tests/suite.yaml
rm new/tests/hashes.txt
ln -s ../../hashes.txt new/tests/hashes.txt
prints 1 "1 of 3 differ" test new/tests/suite.yaml
refuse 3 "new/tests/hashes.txt" test new/tests/suite.yaml --untrusted
rm new/tests/hashes.txt
mv hashes.txt new/tests/hashes.txt

# A file that is no list is never replaced by one.
sed 's/hashes.txt/tri.gltf/' new/tests/suite.yaml >new/tests/wrong.yaml
refuse 4 "new/tests/tri.gltf:1: '{" test new/tests/wrong.yaml --update all

# The other checkout gives the pictures before. Its lines say which need no rendering.
sed -i 's/front }/front }\n  - { name: added }/' new/tests/suite.yaml
sed -i '$a\  - { name: removed }' old/tests/suite.yaml
rm -r new/tests/hashes.txt new/tests/results
run 1 test new/tests/suite.yaml --against old -v --html page.html
out_has "a/front: equal by its hash" "added: there is no such shot in old/tests/suite.yaml" \
  "removed: is only in old/tests/suite.yaml" "clear: pictures of different size" "a/turned: not equal; 115 pixels differ by up to 166" \
  "before: new/tests/results/a/turned.old.png" "4 of 5 differ: 1 changed, 1 new, 1 missing, 1 of another size"
! grep -q "to accept" .out || fail "nothing can be accepted: $(cat .out)"
no_file new/tests/goldens new/tests/hashes.txt new/tests/results/a/front.png new/tests/results/removed.png
run 0 compare turned.png new/tests/results/a/turned.old.png
run 0 render new/tests/tri.gltf --size 32 --time 0 --azimuth 14 -q -o turned.png
run 0 compare turned.png new/tests/results/a/turned.png
is_file new/tests/results/a/turned.diff.png page.html
run 1 test new/tests/suite.yaml --against old -v --jobs 3
cp .out three.txt
run 1 test new/tests/suite.yaml --against old -v --jobs 1 --threads 1
cmp -s .out three.txt || fail "one worker finds other results"
prints 0 "1 of 1 passes" test new/tests/suite.yaml a/turned --against old --max-diff 255
no_file new/tests/results/a/turned.old.png new/tests/results/a/turned.png
cd new/tests || exit 1
run 1 test suite.yaml removed --against ../../old
run 1 test suite.yaml a/turned --against ../../old/
cd ../.. || exit 1

sed "s/added/$(printf 'u\314\210')/" new/tests/suite.yaml >new/tests/form.yaml
sed "s/removed/$(printf '\303\274')/" old/tests/suite.yaml >old/tests/form.yaml
run 1 test new/tests/form.yaml missing --against old
out_has "only in its Unicode normal form (NFC and NFD)" "1 of 1 differ: 1 missing"
sed "s|file: tri|file: $work/new/tests/tri|" new/tests/suite.yaml | tee new/tests/form.yaml >old/tests/form.yaml
warns 0 "is the same file for both checkouts" test new/tests/form.yaml --against old

# A file that is broken there costs its shots.
cp -r old broken
echo garbage >broken/tests/tri.gltf
warns 4 "zoetrope: broken/tests/tri.gltf" test new/tests/suite.yaml --against broken
no_file new/tests/results/a/turned.old.png
out_has "4 of 5 differ: 1 new, 1 missing, 2 with an error"
rm broken/tests/tri.gltf
warns 3 "zoetrope: broken/tests/suite.yaml:6:5: shot a/turned: broken/tests/tri.gltf" test new/tests/suite.yaml a/turned --against broken
sed -i 's/azimuth: 10/azimuth: 10, clip: none such/' broken/tests/suite.yaml
cp old/tests/tri.gltf broken/tests
warns 4 "broken/tests/suite.yaml:6:5: shot a/turned: no clip" test new/tests/suite.yaml a/turned a/front --against broken
out_has "1 of 2 differ: 1 with an error"
echo 'shots: 3' >broken/tests/suite.yaml
warns 4 "broken/tests/suite.yaml:1:1" test new/tests/suite.yaml --against broken
out_has "4 of 4 differ: 4 with an error"
rm broken/tests/suite.yaml
prints 1 "4 new" test new/tests/suite.yaml --against broken
refuse 3 "no such folder" test new/tests/suite.yaml --against nowhere
refuse 2 "is the checkout of the suite itself" test new/tests/suite.yaml --against new
refuse 2 "--update with --against" test new/tests/suite.yaml --against old --update all
mkdir bare
cp old/tests/suite.yaml old/tests/tri.gltf .
cd bare || exit 1
refuse 2 "is in no checkout" test ../suite.yaml --against ../old
cd .. || exit 1
mkdir other
cp suite.yaml tri.gltf other
prints 0 "all 4 pass" test suite.yaml --against other # the current folder is a checkout, too

# Strangers' checkouts: links lead nowhere, on either side.
mv old/tests/suite.yaml hidden.yaml
ln -s "$work/hidden.yaml" old/tests/suite.yaml
warns 3 "leads out of old" test new/tests/suite.yaml a/turned --against old --untrusted
rm old/tests/suite.yaml
mv hidden.yaml old/tests/suite.yaml
mv old/tests/tri.gltf tri-out.gltf
ln -s "$work/tri-out.gltf" old/tests/tri.gltf
run 3 test new/tests/suite.yaml a/turned --against old --untrusted
run 1 test new/tests/suite.yaml a/turned --against old
rm old/tests/tri.gltf
mv tri-out.gltf old/tests/tri.gltf

# A full disk; then both sides change while runs go on: a code, and pictures that are whole.
sed 's/azimuth: 10/azimuth: 15, size: 64/' suite.yaml >other/suite.yaml
(ulimit -f 0; "$ZOETROPE" test suite.yaml --against other 2>&1; echo "exit $?") | cat >.out
out_has "results/a/turned.png: cannot write" "1 of 4 differ: 1 with an error" "exit 6"
(for _ in $(seq 100); do head -c 300 new/tests/tri.gltf >tri.gltf; cat tri.gltf >other/tri.gltf; sleep 0.02; cp new/tests/tri.gltf .; cp tri.gltf other; done) &
for _ in 1 2 3 4 5; do
  "$ZOETROPE" test suite.yaml --against other >.out 2>.err
  case $? in 1 | 3 | 4) ;; *) fail "files that change: $(cat .err)" ;; esac
  grep -q "of 4 differ" .out || fail "files that change: $(cat .out)"
done
wait
prints 1 "1 of 4 differ: 1 of another size" test suite.yaml --against other
[ "$(find results -name '*.png' | wc -l)" -eq 3 ] || fail "pictures of runs before are left: $(find results)"
finish
