#!/bin/sh
# SPDX-License-Identifier: MIT
# A page of test --html in headless Chromium: what is there without scripts, the viewer with its
# keys and the codes of a pixel, and how long a page of a thousand pictures takes to open. By hand:
# browsers are slow to start.
# usage: browser.sh ZOETROPE [KEEP]    screenshots are written to the folder KEEP
set -u
zoetrope=$(realpath "$1")
keep=${2:+$(mkdir -p "$2" && realpath "$2")}
models=$(cd "$(dirname "$0")/../cli/models" && pwd)
command -v chromium >/dev/null || {
  echo "browser: no chromium (apt-get install chromium)"
  exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

browse() { chromium --headless --no-sandbox --disable-gpu --window-size=1400,1000 "$@" 2>/dev/null; }
# dump PAGE: what scripts have made of it.
dump() { browse --dump-dom --virtual-time-budget=2000 "file://$work/$1" >dom.txt; }
has() { grep -qF -- "$1" dom.txt || fail "$2: no '$1'"; }

# A picture of one colour, and one that has other codes: the model is too small to be seen.
cp "$models/triangle.gltf" .
suite() {
  printf 'format: 1\ndefaults: { file: triangle.gltf, time: 0, size: 64 }\nshots:\n'
  printf '  - { name: "flat & <b>", zoom: 0.001, background: "%s" }\n' "$1" | sed 's/<b>/b/'
  printf '  - { name: turned, azimuth: %s }\n  - { name: same }\n' "$2"
}
suite '#336699' 30 >old.yaml
suite '#33669f' 50 >new.yaml
"$zoetrope" test old.yaml --update --filter '*' >/dev/null || exit 1
"$zoetrope" test new.yaml --html page.html >/dev/null
[ $? -eq 1 ] || fail "the pictures do not differ"

# Without scripts: three pictures of each failure, one of what passed, and the commands.
sed '/^<script>$/,/^<\/script>$/d' page.html >plain.html
dump plain.html
[ "$(grep -o '<img ' dom.txt | wc -l)" -eq 7 ] || fail "without scripts: not seven pictures"
has 'flat &amp; b' "without scripts"
has 'zoetrope test new.yaml --update turned' "without scripts"
# The viewer: pixels are the codes of the files.
dump 'page.html#view-0-picture-8'
has 'golden 51 102 153 255   picture 51 102 159 255   difference 0 0 6 0' "the viewer"
has 'flat &amp; b (1 of 2, picture, 8x)' "the viewer"
dump 'page.html#view-1-slider-2'
has 'turned (2 of 2, slider, 2x)' "the slider"
# Keys: next, swap, differences, zoom.
keys="for (const key of ['j', 'j', ' ', '+', '8', 'd', 'k', 'j'])
  dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));"
sed "s|^</body>|<script>$(printf '%s' "$keys" | tr '\n' ' ')</script></body>|" page.html >keys.html
dump keys.html
has 'turned (2 of 2, differences, 8x)' "keys"
if [ -n "$keep" ]; then
  for view in '' '#view-1-slider-8' '#view-1-differences-8'; do
    browse --screenshot="$keep/page${view#\#}.png" "file://$work/page.html$view"
  done
fi

# A thousand pictures, without and with scripts that tell when they are open.
tell="<script>addEventListener('load', () => requestAnimationFrame(() => setTimeout(() =>
  console.log('open ' + Math.round(performance.now())), 0)));</script></body>"
{
  printf 'format: 1\ndefaults: { file: triangle.gltf, size: 256, time: 0 }\nshots:\n'
  for i in $(seq 1000); do printf '  - { name: n%s, azimuth: %s }\n' "$i" "$i"; done
} >many.yaml
"$zoetrope" test many.yaml --update --filter '*' >/dev/null || exit 1
sed 's/azimuth: /azimuth: 1/' many.yaml >turned.yaml
"$zoetrope" test many.yaml --html passed.html >/dev/null
"$zoetrope" test turned.yaml --html failed.html >/dev/null
for page in passed failed; do
  sed "s|^</body>|$(printf '%s' "$tell" | tr '\n' ' ')|" $page.html >timed.html
  chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --screenshot=timed.png \
    "file://$work/timed.html" 2>log.txt >/dev/null
  milliseconds=$(sed -n 's/.*open \([0-9][0-9]*\).*/\1/p' log.txt | head -n 1)
  echo "browser: 1000 $page: $(wc -c <$page.html) bytes, open after ${milliseconds:-?} ms; load $(cut -d ' ' -f 1 /proc/loadavg)"
  # Other programs that run make it no slower page.
  [ "${milliseconds:-9999}" -lt 2000 ] || [ "$(cut -d . -f 1 /proc/loadavg)" -ge 2 ] ||
    fail "a page of a thousand pictures is slow"
done
[ $failures -eq 0 ] || exit 1
echo "browser: the page works"
