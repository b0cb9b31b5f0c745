#!/bin/sh
# SPDX-License-Identifier: MIT
# compare: files and folders, limits, difference pictures.
. "$(dirname "$0")/expect.sh"
tri=$MODELS/triangle.gltf
shot="--size 32x32 --time 0 -q"
# shellcheck disable=SC2086 # $shot is several words throughout
run 0 render "$tri" $shot -o a/x.png
run 0 render "$tri" $shot -o b/x.png
run 0 render "$tri" $shot --azimuth 80 -o b/y.png
run 0 render "$tri" --size 16x16 --time 0 -q -o small.png

run 0 compare a/x.png b/x.png
out_has "equal"
run 1 compare a/x.png b/y.png --diff diff.png
out_has "pixels differ"
is_file diff.png
run 0 compare a/x.png b/x.png --diff none.png
no_file none.png
run 0 compare a/x.png b/y.png --max-diff 255
out_has "within the limits"
run 0 compare a/x.png b/y.png --mean 255
run 1 compare a/x.png b/y.png --mean 0.001
run 1 compare a/x.png b/y.png --max-diff 255 --mean 0.001
run 1 compare a/x.png small.png
out_has "size"
run 1 compare a/x.png small.png --diff sizes.png
out_has "no picture of the differences is written"
no_file sizes.png

run 1 compare a b
out_has "only in the second folder"
cp b/y.png a/y.png
run 0 compare a b
cp a/x.png a/y.png
run 1 compare a b --diff diffs --json
is_file diffs/y.png
no_file diffs/x.png
if command -v python3 >/dev/null; then
  python3 -c 'import json,sys
d = json.load(open(sys.argv[1]))
assert [p["pass"] for p in d["pairs"]] == [True, False] and d["code"] == 1, d' .out ||
    fail "compare --json"
fi
mkdir first_a first_b # the first pair differs, the last is equal
cp a/x.png first_a/1.png
cp b/y.png first_b/1.png
cp a/x.png first_a/2.png
cp a/x.png first_b/2.png
run 1 compare first_a first_b
cp small.png first_b/1.png
run 1 compare first_a first_b --max-diff 255
mkdir empty_a empty_b
refuse 3 "hold no .png files" compare empty_a empty_b
refuse 2 "expected two of a kind" compare a small.png
finish
