#!/bin/sh
# SPDX-License-Identifier: MIT
# A page of test --html in headless Chromium, on a desk and on a phone: what is there without
# scripts, then search, filter and viewer as a script operates them, which writes what it sees.
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

browse() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=9000 "$@" 2>/dev/null
}
has() { grep -qF -- "$1" dom.txt || fail "$2: no '$1' in $(tail -c 1000 dom.txt)"; }

# A picture of one colour, and one that has other codes: the model is too small to be seen.
cp "$models/triangle.gltf" .
suite() {
  printf 'format: 1\ndefaults: { file: triangle.gltf, time: 0, size: 64 }\nshots:\n'
  printf '  - { name: "flat & b", zoom: 0.001, background: "%s" }\n' "$1"
  printf '  - { name: turned, azimuth: %s, size: [2000, 500] }\n  - { name: same }\n' "$2"
}
suite '#336699' 30 >old.yaml
suite '#33669f' 50 >new.yaml
"$zoetrope" test old.yaml --update --filter '*' >/dev/null || exit 1
echo '  - { name: fresh }' >>new.yaml
"$zoetrope" test new.yaml --html page.html >/dev/null
[ $? -eq 1 ] || fail "the pictures do not differ"

# Without scripts: the pictures of each failure, one of what passed, and the commands.
sed '/^<script>$/,/^<\/script>$/d' page.html >plain.html
browse --dump-dom "file://$work/plain.html" >dom.txt
[ "$(grep -o '<img ' dom.txt | wc -l)" -eq 8 ] || fail "without scripts: not eight pictures"
has 'flat &amp; b' "without scripts"
has 'zoetrope test new.yaml --update turned' "without scripts"

{ sed '/^<\/body>/,$d' page.html && echo '<script>' && cat <<'END' && echo '</script></body></html>'; } >operated.html
(async () => {
  const seen = [], one = (selector) => document.querySelector(selector), all = (s) => [...document.querySelectorAll(s)];
  const tell = (what, value) => seen.push(what + ': ' + value), title = (what) => tell(what, one('dialog .title').textContent);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const press = async (keys) => { for (const key of keys) { dispatchEvent(new KeyboardEvent('keydown', { key })); await wait(300); } };
  const pixel = (x) => one('canvas').getContext('2d').getImageData(x, 5, 1, 1).data.slice(0, 3).join(' ');
  const enter = (field, change) => { Object.assign(field, change).dispatchEvent(new Event('input', { bubbles: true })); };
  const found = () => all('article, .thumbs figure').filter((e) => !e.hidden).length + ', ' + one('.tools output').textContent;
  tell('too wide', document.documentElement.scrollWidth > innerWidth);
  one('.picture img').click(); await wait(500); title('click');
  tell('codes', one('dialog output').textContent);
  await press('j'); title('next');
  const stage = one('.stage'), box = stage.getBoundingClientRect(), shown = one('canvas').getBoundingClientRect();
  const [x, y, w, h] = all('article')[1].dataset.at.split(' ').map((n) => n * shown.width / 2000);
  tell('fits', box.right <= innerWidth && box.bottom <= innerHeight && box.height > innerHeight / 3);
  tell('at', shown.left + x >= box.left && shown.left + x + w <= box.right && shown.top + y >= box.top && shown.top + y + h <= box.bottom && w > 40);
  await press('0'); tell('whole', stage.scrollWidth <= stage.clientWidth);
  await press('8'); title('zoom');
  await press('d'); title('differences');
  tell('legend', !one('dialog .legend').hidden);
  await press('kb');
  const blinks = new Set();
  for (let i = 0; i < 12; i++) { blinks.add(pixel(5)); await wait(100); }
  tell('blink', [...blinks].sort());
  await press('s');
  const on = one('canvas').getBoundingClientRect();
  one('canvas').dispatchEvent(new PointerEvent('pointermove', { buttons: 1, clientX: on.left + on.width * 0.75, clientY: on.top + 5 }));
  tell('swipe', pixel(40) + ', ' + pixel(60));
  await press('o'); enter(one('dialog input'), { value: 0 }); tell('onion', pixel(5));
  one('[data-key=g]').click(); title('button');
  one('.close').click(); enter(one('[type=search]'), { value: 'FRES' }); tell('search', found());
  await press('j'); title('found');
  one('.close').click(); enter(one('[type=search]'), { value: '' });
  enter(one('[data-class=changed]'), { checked: false }); tell('filter', found());
  parent.postMessage(seen.join(' ; '), '*');
})();
END
# In a frame, because a window has a least width.
while read -r width height zoom; do
  printf '<body><iframe src="operated.html" width="%s" height="%s"></iframe><script>
    addEventListener("message", ({ data }) => document.body.append(data))</script>' "$width" "$height" >frame.html
  browse --window-size=1500,1100 --dump-dom "file://$work/frame.html" >dom.txt
  while IFS= read -r line; do has "$line" "$width x $height"; done <<END
too wide: false
click: flat &amp; b (1 of 3, picture, ${zoom}x)
codes: x 32  y 32   golden 51 102 153 255   picture 51 102 159 255   difference 0 0 6 0
next: turned (2 of 3, picture,
fits: true
at: true
whole: true
zoom: turned (2 of 3, picture, 8x)
differences: turned (2 of 3, differences, 8x)
legend: true
blink: 51 102 153,51 102 159
swipe: 51 102 153, 51 102 159
onion: 51 102 159
button: flat &amp; b (1 of 3, golden,
search: 1, 1 of 4
found: fresh (1 of 1, golden,
filter: 2, 2 of 4
END
  for view in ${keep:+page.html 'page.html#view-1-swipe' 'page.html#view-1-differences-8'}; do
    browse --window-size="$width,$height" --screenshot="$keep/$width${view#page.html}.png" "file://$work/$view"
  done
done <<'END'
1400 1000 8
360 740 5
END
[ $failures -eq 0 ] || exit 1
echo "browser: the page works"
